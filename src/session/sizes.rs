//! The threads, memory and disk space of a session, as users write them.

use crate::settings::ByteSize;

pub fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("expected a number from 1 to 1024".to_owned()),
    }
}

pub fn parse_size(text: &str) -> Result<u64, String> {
    let ByteSize(bytes) = text.parse()?;
    Ok(bytes as u64)
}

pub fn parse_memory(text: &str) -> Result<usize, String> {
    let ByteSize(bytes) = text.parse()?;
    const MIN_BYTES: usize = 16 << 20;
    if bytes < MIN_BYTES {
        return Err("expected at least 16MiB".to_owned());
    }
    Ok(bytes)
}
