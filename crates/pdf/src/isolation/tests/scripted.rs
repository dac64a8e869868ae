//! An engine that runs commands: a document has one per line.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::process;
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};

use crate::model::{DocumentPart, Failure, FailureKind, Info, Page, Request, Stage};

pub fn read(
    data: Vec<u8>,
    _request: &Request,
    emit: &mut dyn FnMut(DocumentPart) -> ControlFlow<()>,
) -> Result<(), Failure> {
    let mut number = 0;
    let mut page = |text: String| {
        number += 1;
        DocumentPart::Page(Page {
            number,
            text,
            ..Page::default()
        })
    };
    let mut rest = data.as_slice();
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        rest = after;
        let (command, argument) = line.split_once(' ').unwrap_or((&line, ""));
        let count = || argument.parse::<u32>().unwrap();
        let flow = match command {
            "open" => emit(DocumentPart::Opened(Info {
                page_count: count(),
                ..Info::default()
            })),
            "pages" => (1..=count()).try_for_each(|n| emit(page(format!("page {n}")))),
            // Pauses between pages, since all of them are kept.
            "endless" => loop {
                thread::sleep(Duration::from_millis(1));
                if emit(page(String::new())).is_break() {
                    break ControlFlow::Break(());
                }
            },
            "echo" => emit(page(echo(std::mem::take(&mut rest)))),
            "large" => emit(page("x".repeat(count() as usize))),
            "pid" => emit(page(process::id().to_string())),
            "descriptors" => emit(page(descriptors().to_string())),
            // Skips the next command if it has run before.
            "once" => {
                if fs::exists(argument).unwrap() {
                    rest = split_line(rest).1;
                }
                fs::write(argument, "").unwrap();
                ControlFlow::Continue(())
            }
            "fail" => {
                return Err(Failure {
                    kind: FailureKind::Invalid,
                    stage: Stage::Open,
                    page: None,
                    message: "it failed as instructed".to_owned(),
                });
            }
            _ => {
                misbehave(command, argument);
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

fn split_line(bytes: &[u8]) -> (String, &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let end = end.unwrap_or(bytes.len());
    let line = String::from_utf8_lossy(&bytes[..end]).into_owned();
    (line, bytes.get(end + 1..).unwrap_or_default())
}

/// A checksum, to prove that bytes arrive unchanged.
pub fn echo(bytes: &[u8]) -> String {
    let sum = bytes.iter().zip(1u64..).fold(0, |sum, (byte, place)| {
        u64::from(*byte).wrapping_mul(place).wrapping_add(sum)
    });
    format!("{} bytes, {sum}", bytes.len())
}

fn misbehave(command: &str, argument: &str) {
    let size = || argument.parse::<usize>().unwrap();
    match command {
        "panic" => panic!("{argument}"),
        "abort" => process::abort(),
        "exit" => process::exit(size() as i32),
        "kill" => kill_process(getpid(), signal(argument)).unwrap(),
        "overflow" => drop(black_box(overflow(u64::MAX))),
        "allocate" => drop(black_box(vec![1u8; size()])),
        "leak" => std::mem::forget(black_box(vec![0u8; size()])),
        "loop" => while black_box(true) {},
        "print" => {
            for _ in 0..size() {
                println!("noise");
                eprintln!("noise");
            }
        }
        "send" => {
            let socket = io::stdin().as_fd().try_clone_to_owned().unwrap();
            let bytes: Vec<u8> = argument.split(' ').map(|n| n.parse().unwrap()).collect();
            File::from(socket).write_all(&bytes).unwrap();
        }
        "note" => fs::write(argument, format!("{}\n", process::id())).unwrap(),
        _ => panic!("unknown command {command}"),
    }
}

fn signal(name: &str) -> Signal {
    match name {
        "KILL" => Signal::KILL,
        "TERM" => Signal::TERM,
        "HUP" => Signal::HUP,
        _ => panic!("unknown signal {name}"),
    }
}

fn overflow(depth: u64) -> u64 {
    let frame = black_box([depth; 64]);
    if depth == 0 {
        return 0;
    }
    frame[1].wrapping_add(overflow(depth - 1))
}

/// Open files of this process.
fn descriptors() -> usize {
    fs::read_dir("/dev/fd").unwrap().count()
}
