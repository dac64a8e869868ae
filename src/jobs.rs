//! The jobs: the SQL files of `queries/`, which are part of the program.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use corpus_bytes::compression::has_extension;

use crate::sinks::names;
use crate::sources::data_files::extensions;
use crate::sql::missing_names::{self, sort_by_distance};
use crate::statements::variables::{self, Declared, is_name};

/// The maximum number of similar names in the message about an unknown job.
const MAX_SIMILAR_NAMES: usize = 5;

/// A file of `queries/`.
#[derive(Debug, PartialEq, Eq)]
pub struct Job {
    /// The name of the file, without `.sql`.
    pub name: &'static str,
    pub sql: &'static str,
}

/// A variable of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// The description from the head of the file.
    pub about: String,
    pub default: Option<String>,
    /// Whether it has neither a default nor a value that depends on the input.
    pub is_required: bool,
}

/// A group of jobs for one task, and the first words of their names.
pub struct Task {
    pub name: &'static str,
    families: &'static [&'static str],
}

const fn task(name: &'static str, families: &'static [&'static str]) -> Task {
    Task { name, families }
}

pub const TASKS: &[Task] = &[
    task("files", &["files"]),
    task("web archives", &["warc", "common", "html"]),
    task("corpora", &["corpus", "clean", "filter", "decontaminate"]),
    task(
        "duplicates",
        &["dedup", "paragraph", "merge", "template", "crawl"],
    ),
    task("ocr", &["hocr"]),
    task("pdf", &["pdf"]),
    task("search", &["search"]),
];

impl Task {
    /// The jobs for this task, by name.
    pub fn jobs(&self) -> impl Iterator<Item = &'static Job> {
        let jobs = JOBS.iter();
        jobs.filter(|job| self.families.contains(&job.family()))
    }
}

macro_rules! jobs {
    ($($name:literal)*) => {
        &[$(Job {
            name: $name,
            sql: include_str!(concat!("../queries/", $name, ".sql")),
        }),*]
    };
}

/// All jobs, by name.
pub const JOBS: &[Job] = jobs! {
    "clean_chitra"
    "clean_rm_template"
    "clean_sudachi_dict"
    "clean_warc_ja"
    "common_crawl_domain"
    "common_crawl_hosts"
    "common_crawl_language"
    "corpus"
    "corpus_report"
    "crawl_overlap"
    "decontaminate"
    "dedup_exact"
    "dedup_minhash"
    "dedup_paragraph_exact"
    "dedup_paragraph_near"
    "dedup_substring"
    "dedup_url"
    "files_report"
    "files_to_parquet"
    "filter_documents"
    "filter_frequent_paragraphs"
    "hocr_average_width"
    "hocr_block_width"
    "hocr_cropping"
    "hocr_quality"
    "hocr_report"
    "hocr_to_books"
    "hocr_to_document"
    "hocr_to_search_index"
    "hocr_to_sequencefile"
    "html_engines"
    "html_paragraph_filters"
    "merge_stats"
    "paragraph_stats"
    "pdf_invoice_columns"
    "pdf_needs_ocr"
    "pdf_report"
    "pdf_rerun_failed"
    "pdf_tables"
    "pdf_to_document"
    "pdf_to_markdown"
    "pdf_to_search_index"
    "pdf_words"
    "search"
    "template_paragraphs"
    "warc_by_index"
    "warc_cdxj"
    "warc_links"
    "warc_main_text"
    "warc_pdf"
    "warc_records"
    "warc_report"
    "warc_revisits"
    "warc_tables"
    "warc_to_document"
    "warc_to_document_fulldata"
    "warc_to_document_uzushio"
    "warc_to_markdown"
    "warc_to_paragraphs"
    "warc_to_search_index"
};

/// Returns the job with this name. The name may end with `.sql`, and have dashes for underscores.
pub fn find(name: &str) -> Result<&'static Job, String> {
    let wanted = name.strip_suffix(".sql").unwrap_or(name).replace('-', "_");
    if let Some(job) = JOBS.iter().find(|job| job.name == wanted) {
        return Ok(job);
    }
    let mut similar: Vec<String> = JOBS.iter().map(|job| job.name.to_owned()).collect();
    sort_by_distance(&wanted, &mut similar);
    similar.sort_by_key(|name| !name.contains(&wanted));
    similar.truncate(MAX_SIMILAR_NAMES);
    let similar = similar.join(", ");
    Err(format!(
        "no job '{name}'; similar names: {similar}; corpus-sql jobs lists all jobs"
    ))
}

/// Lists the names of the jobs by task.
pub fn names() -> String {
    let lists = TASKS.iter().map(|task| {
        let names: Vec<String> = task.jobs().map(|job| job.name.to_owned()).collect();
        missing_names::list(task.name, &names)
    });
    lists.collect::<Vec<_>>().join("\n")
}

/// Lists the jobs by task, one per line.
pub fn list() -> String {
    let width = JOBS.iter().map(|job| job.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for task in TASKS {
        let _ = writeln!(text, "{}:", task.name);
        for job in task.jobs() {
            let _ = writeln!(text, "  {:width$}  {}", job.name, job.summary());
        }
    }
    text
}

impl Job {
    fn family(&self) -> &'static str {
        self.name.split('_').next().unwrap_or_default()
    }

    /// The first sentence of the head.
    pub fn summary(&self) -> String {
        first_sentence(&paragraphs(self.sql).next().unwrap_or_default().join(" "))
    }

    /// The variables in the order of their descriptions, then the others as they appear.
    pub fn variables(&self) -> Vec<Variable> {
        self.head().variables
    }

    /// Returns the variable set by the first argument of `run`: `input`, or the first one of the
    /// job.
    pub fn first_variable(&self) -> Option<String> {
        let variables = self.variables();
        let input = variables.iter().find(|variable| variable.name == "input");
        let first = input.or(variables.first());
        first.map(|variable| variable.name.clone())
    }

    /// Returns the variable that the head describes before `input`, and that names other data.
    pub fn variable_before_input(&self) -> Option<String> {
        let first = self.variables().into_iter().next()?;
        let reads = ["documents", "index"].contains(&first.name.as_str());
        (reads && self.first_variable().as_ref() != Some(&first.name)).then_some(first.name)
    }

    /// Refuses the name of a file for the output of a job that writes several files into a folder,
    /// and names of other formats.
    pub fn check_output(&self, set: &[(String, String)]) -> Result<(), String> {
        let output = set.iter().rev().find(|(name, _)| name == "output");
        let Some((_, output)) = output else {
            return Ok(());
        };
        if !self.writes_folder() {
            return match self.written_format() {
                Some(format) => names::check_of_job(output, format),
                None => Ok(()),
            };
        }
        match extensions::all().find(|extension| has_extension(output, &[extension])) {
            Some(extension) => Err(format!(
                "{} writes several files into a folder, and '{output}' has the extension of one file: write -o {}/",
                self.name,
                output.trim_end_matches(&format!(".{extension}"))
            )),
            None => Ok(()),
        }
    }

    /// Whether the targets of the job are in the folder `output`.
    fn writes_folder(&self) -> bool {
        let mut uses = self.sql.split("${output").skip(1);
        uses.any(|rest| {
            rest.split_once('}')
                .is_some_and(|(_, after)| after.starts_with('/'))
        })
    }

    /// The format of the only target of the job.
    fn written_format(&self) -> Option<&'static str> {
        let (_, target) = self.sql.split_once("TO '${output")?;
        let (_, format) = target.split_once("}' STORED AS ")?;
        format.split([' ', ';', '\n']).next()
    }

    /// Sets the columns that belong to the function that reads the input, if it is set alone.
    pub fn complete_source(&self, set: &mut Vec<(String, String)>) -> Result<(), String> {
        let value = |name: &str| {
            set.iter()
                .find(|(set, _)| set == name)
                .map(|(_, it)| it.as_str())
        };
        let Some(source) = value("source") else {
            return Ok(());
        };
        if !is_name(source) {
            return Err(format!(
                "source is the function that reads the files, such as read_hocr, not '{source}': write \
                 corpus-sql run {} {source}",
                self.name
            ));
        }
        let columns = match source {
            "read_sequencefile" => ["key", "value"],
            _ => ["source_file", "content"],
        };
        let variables = self.variables();
        let missing = ["key", "data"]
            .into_iter()
            .zip(columns)
            .filter(|(name, _)| {
                value(name).is_none() && variables.iter().any(|variable| variable.name == *name)
            });
        let missing: Vec<_> = missing.collect();
        let missing = missing.into_iter();
        set.extend(missing.map(|(name, column)| (name.to_owned(), column.to_owned())));
        Ok(())
    }

    /// Returns the examples of the head as commands with `run`, one per line.
    pub fn examples(&self) -> String {
        let examples = self.head().examples;
        examples.iter().map(|lines| with_run(lines)).collect()
    }

    /// Returns a description of the job: its purpose, how to run it, and its variables with
    /// defaults.
    pub fn help(&self) -> String {
        let Head {
            about, variables, ..
        } = self.head();
        let examples = self.examples();
        let mut text = format!("{about}\n\nExamples:\n{examples}\nVariables:\n");
        let names = variables.iter().map(|variable| variable.name.len());
        let width = names.max().unwrap_or(0);
        for variable in &variables {
            let _ = writeln!(text, "  {:width$}  {}", variable.name, variable.help());
        }
        text
    }

    fn head(&self) -> Head<'static> {
        // A test parses the variables of all jobs.
        let declared = variables::declarations(self.sql).unwrap_or_default();
        let mut about: Vec<String> = Vec::new();
        let mut examples = Vec::new();
        let mut descriptions = Vec::new();
        for lines in paragraphs(self.sql) {
            if lines.iter().all(|line| line.starts_with("  ")) {
                examples.push(lines);
            } else if let Some(described) = descriptions_of(&lines, &declared) {
                descriptions.extend(described);
            } else {
                let text = |line: &&'static str| line.strip_prefix(' ').unwrap_or(line);
                let lines: Vec<_> = lines.iter().map(text).collect();
                about.push(lines.join("\n"));
            }
        }
        Head {
            about: about.join("\n\n"),
            examples,
            variables: describe(declared, descriptions),
        }
    }
}

impl Variable {
    /// Returns the description with the default.
    pub fn help(&self) -> String {
        let about = &self.about;
        match &self.default {
            Some(default) if default.is_empty() => format!("{about} [default: empty]"),
            Some(default) => format!("{about} [default: {}]", one_line(default)),
            None if self.is_required => format!("{about} [required]"),
            None => about.clone(),
        }
    }
}

/// The parts of the comment at the start of a file.
struct Head<'a> {
    /// The paragraphs that describe neither variables nor commands.
    about: String,
    /// The lines of each paragraph of commands.
    examples: Vec<Vec<&'a str>>,
    variables: Vec<Variable>,
}

/// The paragraphs of the comment at the start of a file, as lines without their dashes.
fn paragraphs(sql: &str) -> impl Iterator<Item = Vec<&str>> {
    let mut lines = sql.lines().map_while(|line| line.strip_prefix("--"));
    std::iter::from_fn(move || {
        let paragraph: Vec<_> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        (!paragraph.is_empty()).then_some(paragraph)
    })
}

/// Names of variables with their common description.
type Description = (Vec<String>, String);

/// Returns the descriptions in a paragraph, or `None` if it describes no variables. Lines look like
/// `name, name   text`; lines that end with a comma continue, and so do indented ones.
fn descriptions_of(lines: &[&str], declared: &[Declared]) -> Option<Vec<Description>> {
    let mut descriptions: Vec<Description> = Vec::new();
    let mut open = Vec::new();
    for line in lines {
        let line = line.strip_prefix(' ').unwrap_or(line);
        let (names, text) = line.split_once("  ").unwrap_or((line, ""));
        let names = names_of(names, declared);
        match (names, text.trim()) {
            (Some(names), "") if line.ends_with(',') => open.extend(names),
            (Some(names), text) if !text.is_empty() => {
                open.extend(names);
                descriptions.push((std::mem::take(&mut open), text.to_owned()));
            }
            _ => {
                let (_, text) = descriptions.last_mut()?;
                text.push(' ');
                text.push_str(line.trim());
            }
        }
    }
    Some(descriptions)
}

/// The variables in `a, b` or `a … d`; `None` if a name is not a variable.
fn names_of(text: &str, declared: &[Declared]) -> Option<Vec<String>> {
    let place = |name: &str| {
        let is_it = |variable: &Declared| is_name(name) && variable.name == name;
        declared.iter().position(is_it)
    };
    if let Some((first, last)) = text.split_once(" … ") {
        let range = declared.get(place(first)?..=place(last)?)?;
        return Some(range.iter().map(|variable| variable.name.clone()).collect());
    }
    let names = text.trim_end_matches(',').split(", ");
    names
        .map(|name| place(name).map(|_| name.to_owned()))
        .collect()
}

/// Joins variables with their descriptions.
fn describe(declared: Vec<Declared>, descriptions: Vec<Description>) -> Vec<Variable> {
    let mut places = BTreeMap::new();
    for (names, text) in descriptions {
        for name in names {
            let place = places.len();
            places.entry(name).or_insert((place, text.clone()));
        }
    }
    let variables = declared.into_iter().map(|declared| {
        let (place, about) = places
            .remove(&declared.name)
            .unwrap_or((usize::MAX, String::new()));
        let variable = Variable {
            name: declared.name,
            about,
            default: declared.default,
            is_required: declared.is_required,
        };
        (place, variable)
    });
    let mut variables: Vec<_> = variables.collect();
    variables.sort_by_key(|(place, _)| *place);
    variables
        .into_iter()
        .map(|(_, variable)| variable)
        .collect()
}

/// Rewrites commands with `-f queries/name.sql -v variable=value` as commands with `run`.
fn with_run(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut first_variable = None;
    for line in lines {
        let mut words = line.split(' ');
        let mut resume = "";
        let mut out = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "--resume" => resume = " --resume",
                "-f" => {
                    let path = words.next().unwrap_or_default();
                    let name = path.trim_start_matches("queries/").trim_end_matches(".sql");
                    first_variable = find(name).ok().and_then(Job::first_variable);
                    out.push(format!("run {name}{resume}"));
                }
                "-v" => {
                    let assignment = words.next().unwrap_or_default();
                    let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
                    out.push(match name {
                        _ if first_variable.as_deref() == Some(name) => value.to_owned(),
                        "output" => format!("-o {value}"),
                        _ => format!("{} {value}", flag(name)),
                    });
                }
                _ => out.push(word.to_owned()),
            }
        }
        let line = out.join(" ");
        let indent = line.len() - line.trim_start().len();
        let _ = writeln!(
            text,
            "{}{}",
            &line[indent.min(1)..indent],
            line.trim_start()
        );
    }
    text
}

/// The option of `run` that sets a variable.
pub fn flag(variable: &str) -> String {
    format!("--{}", variable.replace('_', "-"))
}

/// Returns the text up to the first period, colon or semicolon, without parts in parentheses.
pub fn first_sentence(text: &str) -> String {
    let mut depth = 0;
    let outside = |c: &char| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0 && *c != ')'
    };
    let text: String = text.chars().filter(outside).collect();
    let text = one_line(&text)
        .replace(" ,", ",")
        .replace(" :", ":")
        .replace(" .", ".");
    let ends = [". ", ": ", "; "];
    let end = ends.iter().filter_map(|end| text.find(end)).min();
    let sentence = end.map_or(&*text, |end| &text[..end]);
    format!("{}.", sentence.trim_end_matches('.'))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
