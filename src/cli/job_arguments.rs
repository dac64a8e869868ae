//! The subcommands `jobs` and `run`. Each variable of a job is an option of `run`.

use std::ffi::{OsStr, OsString};

use clap::builder::{PossibleValue, Resettable, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, Error};

use super::options::Options;
use crate::jobs::{self, JOBS, Job, flag};
use crate::similar_names::nearest;
use crate::sql::missing_names;

/// Prefix of the identifiers of options that set variables.
const VARIABLE: &str = "variable ";

#[derive(Debug, clap::Args)]
pub struct JobsArgs {
    /// Show what this job does, and its variables with their defaults
    #[arg(value_name = "NAME", value_parser = JobName, hide_possible_values = true)]
    pub job: Option<&'static Job>,
}

/// Runs a job. `corpus-sql run NAME --help` lists the variables of a job as options.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "corpus-sql run <NAME> [INPUT] [-o OUTPUT] [--VARIABLE VALUE]... [OPTIONS]"
)]
#[command(after_long_help = help())]
pub struct RunArgs {
    /// Name of the job
    #[arg(value_name = "NAME", value_parser = JobName, hide_possible_values = true)]
    pub job: &'static Job,

    /// Value of the variable `input`, or of the job's first variable if it has no `input`
    pub input: Option<String>,

    /// Print the SQL of the job instead of running it
    #[arg(long)]
    pub print: bool,

    #[command(flatten)]
    pub options: Options,
}

/// The output of `corpus-sql jobs`.
pub fn list() -> String {
    format!(
        "{}\ncorpus-sql jobs NAME shows what a job does, and its variables.\n\
         corpus-sql run NAME INPUT -o OUTPUT runs it.\n",
        jobs::list()
    )
}

fn help() -> String {
    format!(
        "Each variable of a job is an option: --min-words 50 sets min_words, and so does -v \
         min_words=50.\n-o sets the variable `output`. In jobs without it, -o is the file for \
         results.\nA variable with the name of another option above can only be set with -v.\n\n\
         Jobs, which corpus-sql jobs describes:\n{}",
        jobs::names()
    )
}

impl RunArgs {
    /// Moves the values of positional arguments and options to the variables.
    pub fn set_variables(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        let variables = &mut self.options.variables;
        if let Some(value) = self.input.take() {
            let Some(name) = self.job.first_variable() else {
                let message = format!("{} has no variables", self.job.name);
                return Err(wrong(ErrorKind::UnknownArgument, &message));
            };
            let id = |variable: &str| format!("{VARIABLE}{variable}");
            let is_set = |variable: &str| {
                matches.ids().any(|set| set.as_str() == id(variable))
                    || variables.iter().any(|(set, _)| set == variable)
            };
            // Otherwise, the variable has its default, an example, which the user's files do not
            // contain.
            if let Some(other) = self.job.variable_before_input().filter(|it| !is_set(it)) {
                let (job, option) = (self.job.name, flag(&other));
                let message = format!(
                    "{job} reads {other} and input: if '{value}' is the input, add {option} …; otherwise write {option} {value} \
                     --input …"
                );
                return Err(wrong(ErrorKind::MissingRequiredArgument, &message));
            }
            variables.push((name, value));
        }
        for id in matches.ids() {
            let Some(name) = id.as_str().strip_prefix(VARIABLE) else {
                continue;
            };
            if let Some(value) = matches.get_one::<String>(id.as_str()) {
                variables.push((name.to_owned(), value.clone()));
            }
        }
        let completed = self.job.complete_source(variables);
        completed.map_err(|message| wrong(ErrorKind::InvalidValue, &message))?;
        if has_output(self.job)
            && let Some(path) = self.options.output.take()
        {
            let path = path.into_os_string().into_string();
            let path = path.map_err(|path| {
                let message = format!("'{}' is not valid Unicode", path.display());
                wrong(ErrorKind::InvalidUtf8, &message)
            })?;
            variables.push(("output".to_owned(), path));
        }
        let checked = self.job.check_output(variables);
        checked.map_err(|message| wrong(ErrorKind::InvalidValue, &message))
    }
}

fn has_output(job: &Job) -> bool {
    let variables = job.variables();
    variables.iter().any(|variable| variable.name == "output")
}

/// Parses the name of a job.
#[derive(Debug, Clone)]
struct JobName;

impl TypedValueParser for JobName {
    type Value = &'static Job;

    fn parse_ref(&self, _: &Command, _: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        find(value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = JOBS.iter();
        Some(Box::new(
            names.map(|job| PossibleValue::new(job.name).help(job.summary())),
        ))
    }
}

fn find(name: &OsStr) -> Result<&'static Job, Error> {
    let name = name.to_string_lossy();
    jobs::find(&name).map_err(|mut message| {
        if std::path::Path::new(&*name).is_file() {
            message = format!("{message}\n  to run the file '{name}', use corpus-sql -f {name}");
        }
        wrong(ErrorKind::InvalidValue, &message)
    })
}

fn wrong(kind: ErrorKind, message: &str) -> Error {
    Error::raw(kind, format!("{message}\n"))
}

/// Returns the job that follows `run` in the arguments.
pub fn named_job(arguments: &[OsString]) -> Result<Option<&'static Job>, Error> {
    match arguments {
        [_, run, name, ..] if run == "run" && !name.to_string_lossy().starts_with('-') => {
            find(name).map(Some)
        }
        _ => Ok(None),
    }
}

/// Adds the variables of a job to the command `run`.
pub fn add(run: Command, job: &'static Job) -> Command {
    let globals: Vec<String> = run.get_arguments().filter_map(long).collect();
    let variables = job.variables();
    let first = job.first_variable();
    let mut run = run
        .about(format!(
            "{}\n\ncorpus-sql jobs {} has the whole description.",
            job.summary(),
            job.name
        ))
        .mut_arg("job", |argument| argument.hide(true))
        .after_help(format!("Examples:\n{}", job.examples()))
        .after_long_help(Resettable::Reset)
        .override_usage(usage(job));
    for variable in variables {
        let (name, help) = (variable.name.clone(), variable.help());
        if first.as_ref() == Some(&name) {
            let help = format!("The variable {name}: {help}");
            run = run.mut_arg("input", |input| {
                input.value_name(name.to_uppercase()).help(help)
            });
        } else if name == "output" {
            run = run.mut_arg("output", |output| {
                output
                    .value_name("OUTPUT")
                    .help(help)
                    .help_heading("Variables")
                    .display_order(0)
            });
        }
        let option = flag(&name);
        let option = option.trim_start_matches('-');
        if globals.iter().any(|global| global == option) {
            continue;
        }
        let is_first = first.as_ref() == Some(&name);
        let mut argument = Arg::new(format!("{VARIABLE}{name}"))
            .long(option.to_owned())
            .value_name("VALUE")
            .help(variable.help())
            .help_heading("Variables")
            .allow_negative_numbers(true)
            .hide(is_first);
        if option != name {
            argument = argument.alias(name);
        }
        run = run.arg(argument);
    }
    run
}

fn usage(job: &Job) -> String {
    let first = job.first_variable();
    let input = first.map_or(String::new(), |name| format!(" [{}]", name.to_uppercase()));
    let output = if has_output(job) { " [-o OUTPUT]" } else { "" };
    format!(
        "corpus-sql run {}{input}{output} [--VARIABLE VALUE]... [OPTIONS]",
        job.name
    )
}

fn long(argument: &Arg) -> Option<String> {
    argument.get_long().map(str::to_owned)
}

/// Explains wrong arguments: no job, unknown variables of a job, and values without quotes.
pub fn explain(error: Error, arguments: &[OsString], job: Option<&'static Job>) -> Error {
    const IN_QUOTES: &str = "in quotes, so that the shell leaves it as it is";
    let command = arguments.get(1).map_or(OsStr::new(""), |first| first);
    let is_run = command == "run";
    if is_run && job.is_none() && error.kind() == ErrorKind::MissingRequiredArgument {
        let message =
            "name a job: corpus-sql run NAME INPUT -o OUTPUT; corpus-sql jobs lists the jobs";
        return wrong(ErrorKind::MissingRequiredArgument, message);
    }
    let kind = match error.kind() {
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        // An argument after the first one counts as a subcommand.
        ErrorKind::ArgumentConflict => ContextKind::InvalidSubcommand,
        _ => return error,
    };
    let Some(ContextValue::String(argument)) = error.get(kind) else {
        return error;
    };
    let message = match (argument.strip_prefix("--"), job) {
        (Some(option), Some(job)) => unknown_option(job, option),
        (Some(_), None) if is_run => format!(
            "unknown option '{argument}': to set a variable, write the name of the job directly \
             after run: corpus-sql run NAME {argument} VALUE"
        ),
        _ if argument.starts_with('-') || !is_run && is_subcommand(command) => return error,
        _ if is_run => format!(
            "unexpected argument '{argument}': a job has one input; put a pattern such as \
             'crawl/*.warc.gz' {IN_QUOTES}"
        ),
        _ if is_subcommand(OsStr::new(argument)) => return error,
        _ => format!(
            "unexpected argument '{argument}': put a statement, or a pattern such as \
             'crawl/*.warc.gz', {IN_QUOTES}"
        ),
    };
    wrong(ErrorKind::UnknownArgument, &message)
}

fn is_subcommand(argument: &OsStr) -> bool {
    ["jobs", "run", "scheduler", "executor", "help"]
        .iter()
        .any(|name| argument == *name)
}

fn unknown_option(job: &'static Job, option: &str) -> String {
    let variables = job.variables();
    let flags: Vec<String> = variables
        .iter()
        .map(|variable| flag(&variable.name))
        .collect();
    let command = <Options as clap::Args>::augment_args(Command::new("run"));
    let globals: Vec<String> = command.get_arguments().filter_map(long).collect();
    let names = flags.iter().map(|flag| flag.trim_start_matches('-'));
    let near = nearest(option, names.chain(globals.iter().map(String::as_str)));
    let suggestion = near.map_or(String::new(), |near| format!("; did you mean '--{near}'?"));
    format!(
        "unknown option '--{option}' of the job {}{suggestion}\n{}",
        job.name,
        missing_names::list("variables", &flags)
    )
}
