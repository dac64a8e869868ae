//! The command line: arguments in, exit code out.
//!
//! ```text
//! args             what to do: options (of all runs), positional, job_arguments, access
//! runner           a script: its variables, statements and results
//! repl             the interactive session: editor, commands, foreign_commands
//! script_commands  the same commands in scripts
//! script_files     reads scripts
//! output           where results go: named_output, stream, closed_stdout
//! observer         --log, --status and --summary
//! interrupts       Ctrl-C; interrupted: how to continue
//! script_errors    errors with their place in a script; warnings
//! ui, processes    corpus-sql ui; scheduler and executor of a cluster
//! ```

/// Writes a line to stderr and ignores failures, unlike `eprintln!`, which panics if nobody reads
/// stderr.
macro_rules! say {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

#[cfg(feature = "cluster")]
mod access;
pub mod args;
mod closed_stdout;
mod commands;
mod editor;
mod foreign_commands;
mod interrupted;
mod interrupts;
mod job_arguments;
mod named_output;
mod observer;
mod options;
mod output;
mod positional;
#[cfg(feature = "cluster")]
mod processes;
mod repl;
mod runner;
mod script_commands;
mod script_errors;
mod script_files;
mod stream;
#[cfg(feature = "ui")]
mod ui;
mod warnings;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};

use crate::statements::progress::ProgressMode;
use crate::statements::script::{Failure, Script};
use crate::statements::summary::Summary;
use crate::statements::variable_checks;
use args::{Args, Input, Task};
use interrupts::{CLEAN_UP_TIMEOUT, COMMIT_TIME, Interrupts};
use job_arguments::JobsArgs;
use observer::Observer;
use options::{LogFormat, Options};
use output::Output;
use runner::Runner;

use crate::allocator;
use crate::errors::message;
use crate::session::{SessionOptions, session};
use crate::settings::Resume;

const FAILED: u8 = 1;
const WRONG_USAGE: u8 = 2;
const HAD_ERRORS: u8 = 3;
/// 128 plus the number of SIGINT, as in shells.
const INTERRUPTED: u8 = 130;

/// Runs the program and returns its exit code.
pub fn run(args: Args) -> ExitCode {
    let code = run_to_code(args);
    // Tasks that are stuck do not remove their unfinished files.
    corpus_staging::abandon_all(COMMIT_TIME);
    ExitCode::from(code)
}

/// Like [`run`], but returns the exit code as a number.
pub fn run_to_code(args: Args) -> u8 {
    if let Some(generated) = args.generate {
        return written(generated.write(&mut io::stdout().lock()));
    }
    let (inputs, options) = match args.task {
        None => (args.inputs, args.options),
        Some(Task::Jobs(JobsArgs { job: None })) => return print(&job_arguments::list()),
        Some(Task::Jobs(JobsArgs { job: Some(job) })) => return print(&job.help()),
        Some(Task::Run(run)) if run.print => return print(run.job.sql),
        Some(Task::Run(run)) => (vec![Input::Job(run.job)], run.options),
        #[cfg(feature = "ui")]
        Some(Task::Ui(ui)) => return ui.run(),
        #[cfg(feature = "cluster")]
        Some(Task::Process(process)) => return process.run(),
    };
    allocator::keep_freed_memory(options.memory_limit);
    let logs = options.log.is_some();
    warnings::show(logs, None);
    let runtimes = engine(options.threads).and_then(|engine| {
        let front = Builder::new_current_thread().enable_all().build()?;
        Ok((engine, front))
    });
    let (engine, front) = match runtimes {
        Ok(runtimes) => runtimes,
        Err(error) => {
            say!("error: cannot start threads: {error}");
            return FAILED;
        }
    };
    let result = run_on(&engine, &front, inputs, options);
    if result.is_err() {
        front.block_on(clean_up(engine.handle()));
    }
    engine.shutdown_background();
    match result {
        Ok(()) => 0,
        Err(failure) => {
            // The log already contains the other failures.
            if !logs || matches!(failure, Failure::Usage(_)) {
                say!("error: {failure}");
            }
            exit_code(&failure)
        }
    }
}

fn print(text: &str) -> u8 {
    written(io::stdout().lock().write_all(text.as_bytes()))
}

/// The exit code after writing to stdout.
fn written(result: io::Result<()>) -> u8 {
    match result {
        Ok(()) => 0,
        // A pager that has been closed has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(error) => {
            say!("error: {error}");
            FAILED
        }
    }
}

fn exit_code(failure: &Failure) -> u8 {
    match failure {
        Failure::Usage(_) => WRONG_USAGE,
        Failure::Statement(_) => FAILED,
        Failure::Errors(_) => HAD_ERRORS,
        Failure::Interrupted(_) => INTERRUPTED,
    }
}

/// The stack size of a thread. Generated expressions with thousands of terms need more than the
/// usual 2 MiB, and unused stack costs no memory.
const STACK_BYTES: usize = 16 << 20;

/// The threads that queries run on.
fn engine(threads: Option<usize>) -> io::Result<Runtime> {
    let mut builder = Builder::new_multi_thread();
    if let Some(threads) = threads {
        builder.worker_threads(threads);
    }
    builder.thread_stack_size(STACK_BYTES).enable_all().build()
}

fn run_on(
    engine: &Runtime,
    front: &Runtime,
    inputs: Vec<Input>,
    args: Options,
) -> Result<(), Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let (data, inputs) = positional::resolve(inputs)?;
    let interactive = inputs.is_empty() && io::stdin().is_terminal();
    let scripts = if interactive {
        Vec::new()
    } else {
        read_scripts(&inputs)?
    };
    let variables = variable_checks::collect(args.variables.clone())?;
    let parameters = variable_checks::collect_parameters(args.parameters.clone())?;
    if !interactive {
        variable_checks::check_all_used(&scripts, &variables)?;
    }
    let options = session_options(engine, &args)?;
    let interrupts = Interrupts::listen(interactive)
        .map_err(|error| Failure::Statement(format!("cannot listen for signals: {error}")))?;
    let context = {
        let _entered = engine.enter();
        session(&options).map_err(|error| usage(&message(&error)))?
    };
    let output = match &args.output {
        Some(path) if path != Path::new("-") => Output::file(path, args.format, args.bom),
        _ => Output::stdout(args.format, args.bom),
    };
    let output = output.map_err(Failure::Usage)?;
    let logs = args.log == Some(LogFormat::Json);
    let mut runner = Runner {
        engine: engine.handle().clone(),
        context,
        variables,
        parameters,
        output,
        interactive,
        quiet: args.quiet,
        progress: if args.quiet || logs {
            ProgressMode::Never
        } else {
            args.progress
        },
        summary: Summary::default(),
        observer: Observer::new(logs, args.status, args.summary),
        interrupts,
    };
    runner.observer.check().map_err(Failure::Usage)?;
    if let Some(location) = data {
        let hint = front.block_on(runner.create_view(&location))?;
        if !args.quiet && !logs {
            say!("{location} {hint}");
        }
    }
    if interactive {
        return repl::run(front, &mut runner, args.quiet);
    }

    runner.check_parameters(&scripts)?;
    let started = Instant::now();
    let ran = scripts
        .iter()
        .try_for_each(|script| front.block_on(runner.run_script(script)));
    let summary = std::mem::take(&mut runner.summary);
    if !args.quiet && !logs && summary.is_of_interest(started.elapsed()) {
        say!("{}", summary.of_run(started.elapsed()));
    }
    let finished = ran.and_then(|()| {
        let finished = runner.output.finish();
        finished.map_err(|error| Failure::Statement(message(&error)))?;
        match summary.errors() {
            errors if errors > 0 && args.fail_on_errors => Err(Failure::Errors(errors)),
            _ => Ok(()),
        }
    });
    let code = finished.as_ref().map_or_else(exit_code, |()| 0);
    let observed = runner.observer.run_ended(&summary, &finished, code);
    finished?;
    observed.map_err(|error| Failure::Statement(format!("cannot write the summary: {error}")))
}

/// The options of the session. Asks the scheduler of a cluster for its size.
#[cfg_attr(not(feature = "cluster"), expect(unused_variables))]
fn session_options(engine: &Runtime, args: &Options) -> Result<SessionOptions, Failure> {
    #[cfg_attr(not(feature = "cluster"), expect(unused_mut))]
    let mut options = SessionOptions {
        threads: args.threads,
        memory_limit: args.memory_limit,
        temp_dir: args.temp_dir.clone(),
        temp_limit: args.temp_limit,
        resume: match (args.retry_errors, args.resume) {
            (true, _) => Resume::Errors,
            (false, true) => Resume::On,
            (false, false) => Resume::Off,
        },
        #[cfg(feature = "cluster")]
        cluster: None,
    };
    #[cfg(feature = "cluster")]
    if args.cluster.is_none() && !args.access.is_empty() {
        return Err(Failure::Usage(
            "--token-file and --tls-… need --cluster".to_owned(),
        ));
    }
    #[cfg(feature = "cluster")]
    if let Some(cluster) = &args.cluster {
        let access = args.access.read().map_err(Failure::Usage)?;
        let cluster = cluster
            .clone()
            .with_access(access)
            .with_wait(Duration::from_secs(args.wait_for_scheduler));
        let status = engine.block_on(cluster.status());
        let status = status.map_err(|error| Failure::Statement(message(&error)))?;
        options.use_cluster(cluster, &status);
    }
    Ok(options)
}

/// Reads all scripts, before the first one runs.
fn read_scripts(inputs: &[Input]) -> Result<Vec<Script>, Failure> {
    if inputs.is_empty() {
        return Ok(vec![script_files::read("-")?]);
    }
    inputs
        .iter()
        .map(|input| match input {
            Input::File(name) => script_files::read(name),
            Input::Command(sql) => Ok(Script {
                name: "-c".to_owned(),
                text: sql.clone(),
            }),
            Input::Positional(sql) => Ok(Script {
                name: "statement".to_owned(),
                text: sql.clone(),
            }),
            Input::Job(job) => Ok(Script {
                name: job.name.to_owned(),
                text: job.sql.to_owned(),
            }),
        })
        .collect()
}

/// Waits until the tasks of a failed or interrupted query have ended, so that they remove their
/// unfinished files.
async fn clean_up(engine: &Handle) {
    let deadline = Instant::now() + CLEAN_UP_TIMEOUT;
    let tasks = engine.metrics();
    while tasks.num_alive_tasks() > 0 && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // Files are removed in the background.
    tokio::time::sleep(Duration::from_millis(100)).await;
}
