//! Prints a summary of an HTTP response: `cargo run -p corpus-http --example response <
//! response.http`

use std::io::{self, Read};

use corpus_http::{Limits, parse_response};

fn main() -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    let response = parse_response(&bytes, &Limits::default());
    println!("status   {:?}", response.status);
    println!("type     {:?}", response.sniffed_type());
    println!("charset  {:?}", response.charset);
    println!("body     {} bytes", response.body.len());
    println!("repaired {:?}", response.repaired);
    match response.error {
        Some(error) => Err(io::Error::other(error)),
        None => Ok(()),
    }
}
