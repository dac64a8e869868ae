//! `corpus-sql ui`: starts the page, opens it in a browser, and ends with Ctrl-C.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::ValueHint;
use corpus_staging::Staging;
use tokio::runtime::{Builder, Runtime};

use super::interrupts::Interrupts;
use super::{FAILED, clean_up, engine, warnings};
use crate::allocator;
use crate::errors::message;
use crate::session::sizes::{parse_memory, parse_size, parse_threads};
use crate::session::{SessionOptions, session};
use crate::ui::{Server, Settings, Warnings};

/// The name of the folder for the file that a browser opens.
const FOLDER: &str = "corpus-sql-ui";

/// Shows a page for SQL, and the documents of its rows.
#[derive(Debug, clap::Args)]
pub struct UiArgs {
    /// Folder, file or URL to show first [default: the current folder]
    #[arg(value_name = "FOLDER|FILE", value_hint = ValueHint::AnyPath)]
    location: Option<String>,

    /// Images of scanned pages, such as 'scans/{book}/{page}.jpg' or the base of a IIIF server
    ///
    /// Names in braces are those of the page: {book} and {page}, the last two parts of its path or
    /// key; {key}, all of it; {image}, which the document names; {number} or {number:4}. All but
    /// {book} are without extension.
    #[arg(long, value_name = "TEMPLATE")]
    scans: Vec<String>,

    /// Port to listen on, of this machine only [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Print the address of the page only, and start no browser
    #[arg(long)]
    no_browser: bool,

    /// Refuse statements that write or create something
    #[arg(long)]
    read_only: bool,

    /// Number of partitions processed in parallel [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,

    /// Memory that queries may use before they spill to disk, such as 8GB [default: 70 % of RAM]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory_limit: Option<usize>,

    /// Folder for results and spilled data [default: the system's temporary folder]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    temp_dir: Option<PathBuf>,

    /// Maximum size of that data; a query that needs more fails [default: 100GB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    temp_limit: Option<u64>,
}

impl UiArgs {
    /// Serves the page until Ctrl-C. Returns the exit code.
    pub fn run(self) -> u8 {
        allocator::keep_freed_memory(self.memory_limit);
        let warnings = Arc::new(Warnings::default());
        let shown = Arc::clone(&warnings);
        warnings::show(false, Some(Box::new(move |text| shown.add(text))));
        let runtimes = engine(self.threads).and_then(|engine| {
            let front = Builder::new_current_thread().enable_all().build()?;
            Ok((engine, front))
        });
        let served = runtimes
            .map_err(|error| format!("cannot start threads: {error}"))
            .and_then(|(engine, front)| {
                let served = self.serve(&engine, &front, warnings);
                front.block_on(clean_up(engine.handle()));
                engine.shutdown_background();
                served
            });
        match served {
            Ok(()) => 0,
            Err(error) => {
                say!("error: {error}");
                FAILED
            }
        }
    }

    fn serve(
        self,
        engine: &Runtime,
        front: &Runtime,
        warnings: Arc<Warnings>,
    ) -> Result<(), String> {
        let mut interrupts = Interrupts::listen(false)
            .map_err(|error| format!("cannot listen for signals: {error}"))?;
        let options = SessionOptions {
            threads: self.threads,
            memory_limit: self.memory_limit,
            temp_dir: self.temp_dir,
            temp_limit: self.temp_limit,
            ..SessionOptions::default()
        };
        let context = {
            let _entered = engine.enter();
            session(&options).map_err(|error| message(&error))?
        };
        let settings = Settings {
            location: self.location,
            scans: self.scans,
            read_only: self.read_only,
            port: self.port,
            warnings,
        };
        front.block_on(async {
            let server = Server::bind(settings, context, engine.handle().clone()).await?;
            let address = server.address();
            // Ignore errors: the process that started this one may not read its output.
            let _ = writeln!(io::stdout(), "{address}");
            say!("Ctrl-C ends it.");
            let opened = if self.no_browser {
                None
            } else {
                open_browser(&address)
            };
            let served = server.run(interrupts.received()).await;
            drop(opened);
            served
        })
    }
}

/// Opens the page in a browser, if there is one. The returned folder must stay until it is loaded.
fn open_browser(address: &str) -> Option<Staging> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => {
            let has_screen = |name| std::env::var_os(name).is_some();
            if !has_screen("DISPLAY") && !has_screen("WAYLAND_DISPLAY") {
                return None;
            }
            "xdg-open"
        }
    };
    let folder = Staging::beside(&std::env::temp_dir().join(FOLDER)).ok()?;
    let file = folder.files().join("open.html");
    write_forwarding(&file, address).ok()?;
    let mut command = Command::new(program);
    command
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command.stderr(Stdio::null()).spawn().ok()?;
    Some(folder)
}

/// Writes a file that only this user can read, which leads to an address. Other users would see an
/// address with its token among the arguments of the browser.
fn write_forwarding(file: &Path, address: &str) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let text = format!(
        "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url={address}\">\
         <title>corpus-sql</title><a href=\"{address}\">corpus-sql</a>\n"
    );
    options.open(file)?.write_all(text.as_bytes())
}
