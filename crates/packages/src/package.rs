//! Code that tar and zip packages share.

use std::io::{self, Read};

use corpus_bytes::record::RecordError;

/// The header of a package's member.
pub struct MemberHead {
    pub name: String,
    /// The size in the package. A member that is a compressed file has another size when inflated.
    pub size: u64,
    /// Microseconds since the epoch.
    pub modified: Option<i64>,
    /// The path of the member that a link leads to.
    pub link: Option<String>,
}

/// A package whose members are read one after the other.
pub trait Package: Send {
    /// Moves to the next member that is a file or a link. An error describes damage in the package;
    /// more members may follow.
    fn next_member(&mut self) -> Option<Result<MemberHead, RecordError>>;

    /// Returns a reader of the current member's bytes.
    fn member(&mut self) -> Result<Box<dyn Read + Send + '_>, RecordError>;

    /// Returns why the current member may be wrong although it can be read.
    fn suspicion(&self) -> Option<RecordError> {
        None
    }
}

/// Reads `length` bytes, or fewer if the input ends.
pub fn read_at_most(input: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.min(64 << 10));
    input.take(length as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
