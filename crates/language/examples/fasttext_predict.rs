//! Predicts the labels of texts by a fastText model, one text per line.
//!
//! `fasttext_predict MODEL FILE [K [THRESHOLD]]` prints the labels and probabilities of each line,
//! separated by tabs. Without K it prints the time that it took instead, in seconds.

use std::process::ExitCode;
use std::time::Instant;

use corpus_language::fasttext::{Model, Scratch};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let [model, texts, rest @ ..] = arguments else {
        return Err("usage: fasttext_predict MODEL FILE [K [THRESHOLD]]".into());
    };
    let model = Model::open(model)?;
    let texts = std::fs::read_to_string(texts)?;
    let k = rest.first().map_or(Ok(1), |k| k.parse())?;
    let threshold = rest.get(1).map_or(Ok(0.0), |threshold| threshold.parse())?;
    let mut scratch = Scratch::default();
    let started = Instant::now();
    let mut checksum = 0.0;
    for text in texts.split_terminator('\n') {
        let predictions = model.predict_with(&mut scratch, text, k, threshold);
        if rest.is_empty() {
            checksum += predictions.first().map_or(0.0, |best| best.probability);
            continue;
        }
        let fields: Vec<String> = predictions
            .iter()
            .map(|found| format!("{}\t{}", found.label, found.probability))
            .collect();
        println!("{}", fields.join("\t"));
    }
    if rest.is_empty() {
        println!("{}\t{checksum}", started.elapsed().as_secs_f64());
    }
    Ok(())
}
