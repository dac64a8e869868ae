//! The printed tables.

use std::collections::BTreeMap;

use crate::trials::{Declaration, STATES, State, Trial};

/// The number of correct trials, and of all trials.
#[derive(Default, Clone, Copy)]
pub struct Count {
    pub right: usize,
    pub all: usize,
}

impl Count {
    pub fn percent(self) -> f64 {
        100.0 * self.right as f64 / self.all.max(1) as f64
    }
}

fn count<'a>(trials: impl IntoIterator<Item = &'a Trial<'a>>) -> Count {
    let mut count = Count::default();
    for trial in trials {
        count.all += 1;
        count.right += usize::from(trial.is_right);
    }
    count
}

fn kind_of(declaration: Declaration) -> &'static str {
    match declaration {
        Declaration::Right => "right",
        Declaration::Wrong(_) => "wrong",
        Declaration::Conflict(_) => "wrong, page right",
        Declaration::None => "none",
    }
}

const KINDS: [&str; 4] = ["right", "wrong", "wrong, page right", "none"];

fn name_of(state: State) -> String {
    match state {
        State::Clean => "clean".to_owned(),
        State::Cut => "cut".to_owned(),
        State::Damaged => "damaged".to_owned(),
        State::Short(length) => format!("{length} characters"),
    }
}

pub fn print(trials: &[Trial<'_>]) {
    println!("\nPercent decoded right, by declaration");
    print_table(trials, |trial| kind_of(trial.declaration).to_owned());
    println!("\nNo declaration, by charset");
    let undeclared = || {
        trials
            .iter()
            .filter(|trial| trial.declaration == Declaration::None)
    };
    print_table(undeclared(), |trial| trial.text.charset.name().to_owned());
    println!("\nNo declaration, by language");
    print_table(undeclared(), |trial| trial.text.language.clone());
    println!("\nWrong declarations, by what is declared");
    let wrong = || {
        trials
            .iter()
            .filter(|trial| matches!(trial.declaration, Declaration::Wrong(_)))
    };
    print_table(wrong(), |trial| match trial.declaration {
        Declaration::Wrong(label) => label.to_owned(),
        _ => String::new(),
    });
    println!("\nWrong declarations, by charset");
    print_table(wrong(), |trial| trial.text.charset.name().to_owned());
}

fn print_table<'a>(
    trials: impl IntoIterator<Item = &'a Trial<'a>>,
    key: impl Fn(&Trial<'_>) -> String,
) {
    let mut groups: BTreeMap<String, Vec<&Trial<'_>>> = BTreeMap::new();
    for trial in trials {
        groups.entry(key(trial)).or_default().push(trial);
    }
    let names: Vec<String> = STATES.map(name_of).into();
    println!("| | {} |", names.join(" | "));
    println!("|{}", "---|".repeat(names.len() + 1));
    for (name, group) in groups {
        let cells = STATES.map(|state| {
            let count = count(group.iter().copied().filter(|trial| trial.state == state));
            if count.all == 0 {
                return String::new();
            }
            format!("{:.1} ({} of {})", count.percent(), count.right, count.all)
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
}

pub fn print_failures(trials: &[Trial<'_>]) {
    for trial in trials.iter().filter(|trial| !trial.is_right) {
        println!(
            "{} {} {:?} {:?}: detected as {}",
            trial.text.name,
            trial.text.charset.name(),
            trial.state,
            trial.declaration,
            trial.detected.charset.name(),
        );
    }
}

/// Prints the targets and returns whether one was missed. `kept` and `recovered` are the results
/// for pages with one repeated character.
pub fn print_targets(trials: &[Trial<'_>], kept: f64, recovered: f64, ratio: f64) -> bool {
    println!("\nTargets");
    let part = |state, kind| {
        let wanted = |t: &&Trial<'_>| t.state == state && kind_of(t.declaration) == kind;
        count(trials.iter().filter(wanted)).percent()
    };
    let [right, wrong, _, none] = KINDS;
    let targets = [
        (
            "right declarations kept, clean, %",
            part(State::Clean, right),
            100.0,
        ),
        (
            "wrong declarations recovered, clean, %",
            part(State::Clean, wrong),
            95.0,
        ),
        (
            "wrong declarations recovered, damaged, %",
            part(State::Damaged, wrong),
            85.0,
        ),
        ("no declaration, clean, %", part(State::Clean, none), 97.0),
        (
            "right declarations kept, one repeated character, %",
            kept,
            100.0,
        ),
        (
            "UTF-8 recovered, one repeated character, %",
            recovered,
            100.0,
        ),
        ("speedup over chardetng, except UTF-8", ratio, 5.0),
    ];
    let mut missed = false;
    for (name, reached, target) in targets {
        let is_missed = reached < target;
        missed |= is_missed;
        println!(
            "{name}: {reached:.1} of {target}{}",
            if is_missed { " MISSED" } else { "" }
        );
    }
    missed
}
