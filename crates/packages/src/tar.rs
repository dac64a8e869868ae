//! Reads the members of a tar stream.
//!
//! The `tar` crate parses the fields of headers. The walk over the members is our own, because
//! the crate's ends at the first damaged header.

use std::io::{self, Read};

use tar::{EntryType, GnuHeader, Header, PaxExtensions};

use super::links::{normalized, target_of_symbolic_link};
use super::package::{MemberHead, Package, read_at_most};
use super::read_ahead::Checks;
use corpus_bytes::record::RecordError;
use corpus_bytes::step_counter::count_steps;

/// The unit of a tar: headers have this size, and contents are padded to it.
pub const BLOCK_BYTES: usize = 512;

/// Maximum size of names and PAX headers. Longer ones count as damage and are truncated.
const MAX_EXTENSION_BYTES: u64 = 1 << 20;

/// Whether a file that starts with `head` is a tar: the checksum of its first header is right.
pub fn is_tar(head: &[u8]) -> bool {
    head.len() == BLOCK_BYTES && !is_zero(head) && valid_header(head).is_some()
}

fn is_zero(block: &[u8]) -> bool {
    block.iter().all(|byte| *byte == 0)
}

/// Returns the header and its size, if its checksum is right and its size can be parsed.
fn valid_header(block: &[u8]) -> Option<(&Header, u64)> {
    let header = Header::from_byte_slice(block);
    let declared = header.cksum().ok()?;
    // The checksum counts its own eight bytes as spaces.
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    let actual = sum(&block[..148]) + 8 * u32::from(b' ') + sum(&block[156..]);
    let size = size_of(header)?;
    (declared == actual).then_some((header, size))
}

/// The size of an entry. Those without content, such as the label of a volume, may declare none.
fn size_of(header: &Header) -> Option<u64> {
    let declared = header.as_old().size;
    let is_empty = declared.iter().all(|byte| matches!(byte, 0 | b' '));
    if is_empty {
        Some(0)
    } else {
        header.entry_size().ok()
    }
}

/// The fields that a PAX or GNU extension sets for the next member.
#[derive(Default)]
struct Extension {
    name: Option<String>,
    link: Option<String>,
    size: Option<u64>,
    modified: Option<i64>,
    is_sparse: bool,
}

impl Extension {
    /// The head of the member that the header starts. `link` is the kind of a link.
    fn member(&mut self, header: &Header, size: u64, link: Option<EntryType>) -> MemberHead {
        let modified = header
            .mtime()
            .ok()
            .and_then(|seconds| i64::try_from(seconds).ok()?.checked_mul(1_000_000));
        let name = self
            .name
            .take()
            .unwrap_or_else(|| lossy(&header.path_bytes()));
        let link = link.map(|kind| {
            let in_header = || lossy(&header.link_name_bytes().unwrap_or_default());
            let target = self.link.take().unwrap_or_else(in_header);
            if kind == EntryType::Symlink {
                target_of_symbolic_link(&name, &target)
            } else {
                normalized(&target)
            }
        });
        MemberHead {
            name,
            size,
            modified: self.modified.or(modified),
            link,
        }
    }
}

/// The place in a block of GNU's map of a sparse member that says whether another block follows.
const MAP_GOES_ON: usize = 504;

/// The error of a sparse member: its zeros are not stored, and its content is not put together.
const SPARSE: &str = "sparse member";

pub struct TarPackage<R> {
    input: R,
    /// Bytes of the current member that have not been read, and the padding after them.
    unread: u64,
    padding: u64,
    /// The offset of the next header, for messages.
    position: u64,
    /// A block that was read too early and is returned next.
    pushed_back: Option<Vec<u8>>,
    /// Whether only the parts of the current member that are not zeros are stored.
    is_sparse: bool,
    done: bool,
    /// The damage found in a compressed package.
    checks: Option<Checks>,
    /// The number of members returned before any damage was known.
    unsuspected: u64,
}

impl<R: Read + Send> TarPackage<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            unread: 0,
            padding: 0,
            position: 0,
            pushed_back: None,
            is_sparse: false,
            done: false,
            checks: None,
            unsuspected: 0,
        }
    }

    pub fn checked_by(self, checks: Checks) -> Self {
        Self {
            checks: Some(checks),
            ..self
        }
    }

    /// Returns the next block; `None` at a clean end.
    fn next_block(&mut self) -> io::Result<Option<Vec<u8>>> {
        let block = match self.pushed_back.take() {
            Some(block) => block,
            None => read_at_most(&mut self.input, BLOCK_BYTES)?,
        };
        count_steps(block.len());
        match block.len() {
            // Truncating the zeros of the end mark loses nothing.
            _ if block.len() < BLOCK_BYTES && is_zero(&block) => Ok(None),
            BLOCK_BYTES => {
                self.position += BLOCK_BYTES as u64;
                Ok(Some(block))
            }
            length => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                format!("{length} bytes of a 512-byte header"),
            )),
        }
    }

    /// Skips to the next header. A truncated member is reported in its own row, not here.
    fn skip_rest_of_member(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.unread) + std::mem::take(&mut self.padding);
        io::copy(&mut self.input.by_ref().take(rest), &mut io::sink())?;
        Ok(())
    }

    fn begin_member(&mut self, size: u64) {
        self.unread = size;
        self.padding = size.wrapping_neg() % BLOCK_BYTES as u64;
        self.position = self
            .position
            .saturating_add(size)
            .saturating_add(self.padding);
    }

    /// Reads the body of a GNU or PAX extension.
    fn read_extension(&mut self, size: u64) -> io::Result<Vec<u8>> {
        self.begin_member(size);
        let wanted = size.min(MAX_EXTENSION_BYTES);
        let body = read_at_most(&mut self.input, wanted as usize)?;
        if (body.len() as u64) < wanted {
            return Err(cut_extension());
        }
        self.unread -= body.len() as u64;
        self.skip_rest_of_member()?;
        Ok(body)
    }

    fn try_next(&mut self) -> io::Result<Option<Result<MemberHead, RecordError>>> {
        self.skip_rest_of_member()?;
        let mut extension = Extension::default();
        // Whether the last header belongs to the member after it.
        let mut is_extended = false;
        while let Some(block) = self.next_block()? {
            if is_zero(&block) {
                // This is the end mark, but another tar may be appended.
                continue;
            }
            let start = self.position - BLOCK_BYTES as u64;
            let Some((header, size)) = valid_header(&block) else {
                self.skip_to_valid_header()?;
                return Ok(Some(Err(RecordError::new(
                    "damaged tar header",
                    format!("at {start}, no member until {}", self.position),
                ))));
            };
            let size = extension.size.take().unwrap_or(size);
            is_extended = matches!(
                header.entry_type(),
                EntryType::GNULongName | EntryType::GNULongLink | EntryType::XHeader
            );
            match header.entry_type() {
                EntryType::GNULongName => {
                    extension.name = Some(text_before_nul(&self.read_extension(size)?));
                }
                EntryType::GNULongLink => {
                    extension.link = Some(text_before_nul(&self.read_extension(size)?));
                }
                EntryType::XHeader => read_pax(&self.read_extension(size)?, &mut extension),
                EntryType::XGlobalHeader => {
                    self.read_extension(size)?;
                }
                EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                    let member = extension.member(header, size, None);
                    let is_gnu_sparse = header.entry_type() == EntryType::GNUSparse;
                    let mut has_map =
                        is_gnu_sparse && header.as_gnu().is_some_and(GnuHeader::is_extended);
                    while has_map && let Some(map) = self.next_block()? {
                        has_map = map.get(MAP_GOES_ON).is_some_and(|flag| *flag != 0);
                    }
                    self.begin_member(size);
                    self.is_sparse = is_gnu_sparse || extension.is_sparse;
                    // Old tars mark folders only by a trailing slash.
                    if member.name.ends_with('/') {
                        extension = Extension::default();
                        self.skip_rest_of_member()?;
                        continue;
                    }
                    return Ok(Some(Ok(member)));
                }
                // Programs ignore the size of a link: some headers have that of the target.
                kind @ (EntryType::Link | EntryType::Symlink) => {
                    self.is_sparse = false;
                    return Ok(Some(Ok(extension.member(header, 0, Some(kind)))));
                }
                // Folders and devices have no content.
                _ => {
                    self.begin_member(size);
                    self.skip_rest_of_member()?;
                    extension = Extension::default();
                }
            }
        }
        if is_extended {
            Err(cut_extension())
        } else {
            Ok(None)
        }
    }

    /// Skips to the next valid header, or to the end.
    fn skip_to_valid_header(&mut self) -> io::Result<()> {
        while let Some(block) = self.next_block()? {
            if !is_zero(&block) && valid_header(&block).is_some() {
                self.position -= BLOCK_BYTES as u64;
                self.pushed_back = Some(block);
                break;
            }
        }
        Ok(())
    }
}

impl<R: Read + Send> Package for TarPackage<R> {
    fn next_member(&mut self) -> Option<Result<MemberHead, RecordError>> {
        if self.done {
            return None;
        }
        match self.try_next() {
            Ok(Some(member)) => {
                let is_file = member.as_ref().is_ok_and(|member| member.link.is_none());
                self.unsuspected += u64::from(is_file && self.suspicion().is_none());
                Some(member)
            }
            Ok(None) => {
                self.done = true;
                None
            }
            // An error ends the package, but is always reported.
            Err(error) => {
                self.done = true;
                let reason = match error.kind() {
                    io::ErrorKind::UnexpectedEof => "truncated package",
                    _ => "damaged package",
                };
                let mut detail = format!("after {} bytes of tar: {error}", self.position);
                let late = self.checks.is_some() && reason == "damaged package";
                if late && self.unsuspected > 0 {
                    detail.push_str(&format!(
                        "; {} members, returned before this was known, may be wrong",
                        self.unsuspected
                    ));
                }
                Some(Err(RecordError::new(reason, detail)))
            }
        }
    }

    fn member(&mut self) -> Result<Box<dyn Read + Send + '_>, RecordError> {
        Ok(Box::new(MemberBytes(self)))
    }

    fn suspicion(&self) -> Option<RecordError> {
        if self.is_sparse {
            let detail = "only a part of the content is stored: extract the member with tar";
            return Some(RecordError::new(SPARSE, detail));
        }
        self.checks.as_ref()?.failure()
    }
}

/// Reads the current member, up to its end.
struct MemberBytes<'a, R>(&'a mut TarPackage<R>);

impl<R: Read> Read for MemberBytes<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer
            .len()
            .min(usize::try_from(self.0.unread).unwrap_or(usize::MAX));
        let read = self.0.input.read(&mut buffer[..length])?;
        self.0.unread -= read as u64;
        if read == 0 && length > 0 {
            // The package is truncated inside this member.
            (self.0.unread, self.0.padding) = (0, 0);
        }
        Ok(read)
    }
}

/// The error of a package that ends between an extension header, such as a long name, and its
/// member.
fn cut_extension() -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "a member with an extended header is missing",
    )
}

fn read_pax(body: &[u8], extension: &mut Extension) {
    for record in PaxExtensions::new(body).flatten() {
        let value = record.value_bytes();
        count_steps(value.len() + 1);
        match record.key_bytes() {
            b"path" => extension.name = Some(lossy(value)),
            b"linkpath" => extension.link = Some(lossy(value)),
            b"size" => extension.size = lossy(value).parse().ok(),
            b"mtime" => {
                extension.modified = lossy(value)
                    .parse::<f64>()
                    .ok()
                    .map(|seconds| (seconds * 1e6) as i64);
            }
            key => extension.is_sparse |= key.starts_with(b"GNU.sparse."),
        }
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn text_before_nul(bytes: &[u8]) -> String {
    lossy(bytes.split(|byte| *byte == 0).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use corpus_bytes::step_counter::assert_linear;

    fn block(kind: EntryType, size: usize) -> Vec<u8> {
        let mut header = Header::new_gnu();
        header.set_path("a").unwrap();
        header.set_entry_type(kind);
        header.set_size(size as u64);
        header.set_cksum();
        header.as_bytes().to_vec()
    }

    fn member(kind: EntryType, content: &[u8]) -> Vec<u8> {
        let padding = content.len().wrapping_neg() % BLOCK_BYTES;
        [&block(kind, content.len()), content, &vec![0; padding]].concat()
    }

    #[test]
    fn a_cut_before_a_member_is_reported() {
        for extension in [
            member(EntryType::GNULongName, &[b'n'; 600]),
            member(EntryType::GNULongLink, &[b'n'; 10]),
            member(EntryType::XHeader, b"10 path=b\n"),
        ] {
            let first = member(EntryType::Regular, b"x");
            let whole = [&first[..], &extension, &first].concat();
            // The end of the header of the second member.
            for cut in first.len() + 1..whole.len() - BLOCK_BYTES {
                let mut package = TarPackage::new(&whole[..cut]);
                assert!(package.next_member().unwrap().is_ok());
                let error = package.next_member().unwrap().err().unwrap();
                assert_eq!(error.reason, "truncated package", "{cut}");
                assert!(package.next_member().is_none());
            }
        }
    }

    #[test]
    fn a_label_without_a_size_is_skipped() {
        let mut label = Header::new_gnu();
        label.set_path("backup").unwrap();
        label.set_entry_type(EntryType::new(b'V'));
        label.set_cksum();
        let tar = [label.as_bytes(), &member(EntryType::Regular, b"x")[..]].concat();
        assert!(is_tar(&tar[..BLOCK_BYTES]));
        let mut package = TarPackage::new(&tar[..]);
        assert_eq!(package.next_member().unwrap().unwrap().size, 1);
        assert!(package.next_member().is_none());
    }

    #[test]
    fn sparse_members_are_reported() {
        let pax = member(EntryType::XHeader, b"22 GNU.sparse.major=1\n");
        let mut extended = member(EntryType::GNUSparse, b"x");
        extended[482] = 1;
        let mut header = Header::from_byte_slice(&extended[..BLOCK_BYTES]).clone();
        header.set_cksum();
        extended[..BLOCK_BYTES].copy_from_slice(header.as_bytes());
        let map = vec![0; BLOCK_BYTES];
        let extended = [&extended[..BLOCK_BYTES], &map, &extended[BLOCK_BYTES..]].concat();
        let regular = member(EntryType::Regular, b"x");
        for sparse in [
            member(EntryType::GNUSparse, b"x"),
            extended,
            [&pax[..], &regular].concat(),
        ] {
            let tar = [&sparse[..], &regular].concat();
            let mut package = TarPackage::new(&tar[..]);
            assert!(package.next_member().unwrap().is_ok());
            assert_eq!(package.suspicion().unwrap().reason, SPARSE);
            assert!(package.next_member().unwrap().is_ok());
            assert!(package.suspicion().is_none());
            assert!(package.next_member().is_none());
        }
    }

    fn skip_members(bytes: &[u8]) {
        let mut package = TarPackage::new(bytes);
        while package.next_member().is_some() {}
    }

    #[test]
    fn headers_and_extensions_are_linear() {
        let longer = "10 path=b\n";
        for part in [
            member(EntryType::Regular, b"x"),
            member(EntryType::Directory, b""),
            member(EntryType::XHeader, longer.as_bytes()),
            member(EntryType::XGlobalHeader, longer.as_bytes()),
            member(EntryType::GNULongName, &[b'n'; 600]),
            vec![0; BLOCK_BYTES],
            vec![b'x'; BLOCK_BYTES],
        ] {
            assert_linear(
                "members",
                |parts| part.repeat(parts),
                |bytes| skip_members(bytes),
            );
        }
        for part in [longer, "\n", "1", " ", "5 a=b\n", "=", "99999 path=x\n"] {
            let package = |parts: usize| {
                let file = member(EntryType::Regular, b"x");
                [
                    member(EntryType::XHeader, part.repeat(parts).as_bytes()),
                    file,
                ]
                .concat()
            };
            assert_linear(part, package, |bytes| skip_members(bytes));
        }
    }
}
