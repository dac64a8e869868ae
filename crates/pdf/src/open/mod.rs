//! Opens a file, with workarounds for files that hayro-syntax cannot read.
//!
//! ```text
//! old_revisions  passwords of owners before PDF 2.0
//! revision_6     keys of PDF 2.0
//! stream_ends    adds missing ends of streams
//! ```

use hayro_syntax::object::{Dict, FromBytes, Name, ObjectIdentifier};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};
use memchr::memmem;

use super::model::{Failure, FailureKind, Request, Stage};
use super::{missing_objects, object_streams, odd_tokens, structure};
use old_revisions::UserPassword;
#[cfg(test)]
pub use old_revisions::rc4;
use revision_6::Unlocked;
use stream_ends::with_ends_of_streams;

mod old_revisions;
mod revision_6;
mod stream_ends;

/// An open file.
pub struct Opened {
    pub pdf: Pdf,
    /// Whether the file declares any encryption, even if only for parts of it.
    pub is_encrypted: bool,
    /// Whether the end of the file is where it should be.
    pub has_end: bool,
    pub has_object_streams: bool,
}

/// Opens a file, repairing it if necessary.
pub fn open(mut data: Vec<u8>, request: &Request) -> Result<Opened, Failure> {
    let has_end = has_end(&data);
    let found = odd_tokens::repair(&mut data);
    let unlocked = revision_6::unlock(&data, &request.options.passwords);
    let is_locked = matches!(unlocked, Some(Unlocked::WrongPasswords));
    if let Some(Unlocked::Rewritten(rewritten)) = unlocked {
        data = rewritten;
    }
    let mut data = PdfData::from(data);
    let mut opened = if is_locked {
        Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))
    } else {
        open_with(&data, &request.options.passwords)
    };
    if let Err(LoadPdfError::Invalid) = &opened
        && let Some(rewritten) = rewrite(&data, None, request)
    {
        opened = open_with(&rewritten, &request.options.passwords);
    } else if let Ok(pdf) = &opened
        && found.brotli
        && let Some(rewritten) = rewrite(&data, Some(pdf), request)
    {
        opened = open_with(&rewritten, &request.options.passwords);
    }
    let mut is_encrypted = false;
    // hayro reports a file that also needs repairs as invalid. Opening it again with its encryption
    // would be slow, because key derivation is slow by design.
    if opened.is_err()
        && let Some(plain) = without_encryption(data.as_ref())
    {
        is_encrypted = true;
        data = PdfData::from(plain);
        opened = Pdf::new(data.clone());
    }
    if let Err(LoadPdfError::Invalid) = &opened {
        // The table may lack the catalog or the pages.
        opened = open_with(&without_table(data.as_ref()), &request.options.passwords);
    }
    if let Err(LoadPdfError::Invalid) = &opened
        && let Some(ended) = with_ends_of_streams(data.as_ref())
    {
        opened = open_with(&without_table(&ended), &request.options.passwords);
    }
    if is_locked_by_password(&opened)
        && old_revisions::user_password(data.as_ref(), &request.options.passwords)
            == Some(UserPassword::BeyondAscii)
    {
        let message = "the password is right, but one with letters beyond ASCII is not supported \
                       with this encryption: save the file without a password";
        return Err(failure(FailureKind::UnsupportedCrypto, message));
    }
    let pdf = opened.map_err(|error| open_failure(error, has_end))?;
    Ok(Opened {
        pdf,
        is_encrypted,
        has_end,
        has_object_streams: found.object_streams,
    })
}

impl Opened {
    /// Opens the file again with its object streams repaired, and with these objects in its table,
    /// if there is anything to repair.
    pub fn repair(&self, missing: &[ObjectIdentifier], request: &Request) -> Option<Self> {
        let data = self.pdf.data();
        let rewritten = if self.has_object_streams {
            rewrite(data, Some(&self.pdf), request)
        } else {
            None
        };
        let rewritten = rewritten.as_ref();
        let listed = rewritten.unwrap_or(data).as_ref();
        let listed = missing_objects::with_objects(listed, &self.pdf, missing);
        let data = listed.map(PdfData::from).or(rewritten.cloned())?;
        let pdf = open_with(&data, &request.options.passwords).ok()?;
        Some(Self { pdf, ..*self })
    }
}

/// Returns the file with a wrong table offset, which makes hayro search for all objects.
fn without_table(data: &[u8]) -> PdfData {
    PdfData::from([data, b"\nstartxref\n0\n%%EOF\n"].concat())
}

fn rewrite(data: &PdfData, pdf: Option<&Pdf>, request: &Request) -> Option<PdfData> {
    let limit = request.limits.decoded_bytes;
    object_streams::with_readable_streams(data.as_ref(), pdf, limit).map(PdfData::from)
}

/// Opens the file with the empty password, then with the others in turn.
fn open_with(data: &PdfData, passwords: &[String]) -> Result<Pdf, LoadPdfError> {
    let mut opened = Pdf::new(data.clone());
    for password in passwords {
        if !is_locked_by_password(&opened) {
            break;
        }
        opened = Pdf::new_with_password(data.clone(), password);
    }
    if is_locked_by_password(&opened)
        && let Some(UserPassword::Known(password)) =
            old_revisions::user_password(data.as_ref(), passwords)
    {
        opened = Pdf::new_with_password(data.clone(), &password);
    }
    opened
}

fn is_locked_by_password(opened: &Result<Pdf, LoadPdfError>) -> bool {
    matches!(
        opened,
        Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))
    )
}

/// The encryption dictionary of a file.
fn encryption_of(data: &[u8]) -> Option<Dict<'_>> {
    let trailer = structure::trailer_of_file(data)?;
    match trailer.get_ref(b"Encrypt") {
        Some(id) => {
            let reference = format!("{} {} R", id.obj_number, id.gen_number);
            object(data, reference.as_bytes())
        }
        None => trailer.get::<Dict<'_>>(b"Encrypt"),
    }
}

/// The file without its encryption, if only attachments are encrypted and strings and streams are
/// not.
fn without_encryption(data: &[u8]) -> Option<Vec<u8>> {
    const KEY: &[u8] = b"/Encrypt";
    let is_key = |at: &usize| {
        let next = data.get(at + KEY.len());
        next.is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'<'))
    };
    let keys: Vec<usize> = memmem::find_iter(data, KEY).filter(is_key).collect();
    // The latest trailer is the valid one; all revisions have the same encryption.
    let value = data.get(keys.last()? + KEY.len()..)?.trim_ascii_start();
    let dict = if value.starts_with(b"<<") {
        Dict::from_bytes(value)?
    } else {
        object(data, value)?
    };
    let is_identity = |key: &[u8; 4]| {
        let filter = dict.get::<Name<'_>>(key);
        filter.is_none_or(|filter| &*filter == b"Identity")
    };
    // Older encryption versions have no separate filters.
    let has_filters = matches!(dict.get::<i32>(b"V")?, 4..=6)
        && dict.contains_key(b"CF")
        && [b"StmF", b"StrF"].iter().all(|key| is_identity(key));
    if !has_filters {
        return None;
    }
    let mut plain = data.to_vec();
    for at in keys {
        // Renames the key: any unknown key works.
        if let Some(last) = plain.get_mut(at + KEY.len() - 1) {
            *last = b'_';
        }
    }
    Some(plain)
}

/// Finds the dictionary of a reference by searching for its object number; the last one in the file
/// is valid.
fn object<'a>(data: &'a [u8], reference: &[u8]) -> Option<Dict<'a>> {
    let end = memchr::memchr(b'R', reference.get(..32).unwrap_or(reference))?;
    let mut numbers = reference.get(..end)?.split(u8::is_ascii_whitespace);
    let mut number = || numbers.find(|part| !part.is_empty());
    let head = [number()?, b" ", number()?, b" obj"].concat();
    memmem::rfind_iter(data, &head).find_map(|at| {
        let is_whole = at == 0 || !data.get(at - 1)?.is_ascii_digit();
        let content = data.get(at + head.len()..)?.trim_ascii_start();
        Dict::from_bytes(content).filter(|_| is_whole)
    })
}

fn open_failure(error: LoadPdfError, has_end: bool) -> Failure {
    let (kind, message) = match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            (FailureKind::Password, "the document needs a password")
        }
        LoadPdfError::Decryption(_) => (
            FailureKind::UnsupportedCrypto,
            "the encryption is unknown or damaged",
        ),
        LoadPdfError::Invalid if has_end => {
            (FailureKind::Invalid, "not a PDF, or damaged beyond repair")
        }
        LoadPdfError::Invalid => (FailureKind::Truncated, "the end of the file is missing"),
    };
    failure(kind, message)
}

fn failure(kind: FailureKind, message: &str) -> Failure {
    Failure {
        kind,
        stage: Stage::Open,
        page: None,
        message: message.to_owned(),
    }
}

/// Whether the file ends with `startxref` and `%%EOF`, perhaps with something appended.
fn has_end(data: &[u8]) -> bool {
    const MAX_APPENDED_BYTES: usize = 4 << 10;
    if ends_in_update(data) {
        return false;
    }
    let tail = data
        .get(data.len().saturating_sub(MAX_APPENDED_BYTES)..)
        .unwrap_or_default();
    if memmem::find(tail, b"%%EOF").is_some() || memmem::find(tail, b"startxref").is_some() {
        return true;
    }
    if memmem::find(
        data.get(..MAX_APPENDED_BYTES.min(data.len()))
            .unwrap_or_default(),
        b"%PDF-",
    )
    .is_none()
    {
        // This is not a PDF, so no end is missing.
        return true;
    }
    // Appended data can be long. In a file linearized for the web, a `startxref` near the start has
    // the value 0.
    let Some(at) = memmem::rfind(data, b"startxref") else {
        return false;
    };
    let after = data.get(at + 9..).unwrap_or_default().trim_ascii_start();
    matches!(after.first(), Some(b'1'..=b'9'))
}

/// Whether objects follow the last end of the file, but no other end: an update that is cut.
fn ends_in_update(data: &[u8]) -> bool {
    const END: &[u8] = b"%%EOF";
    let Some(end) = memmem::rfind(data, END) else {
        return false;
    };
    let rest = data.get(end + END.len()..).unwrap_or_default();
    let mut words = rest.trim_ascii_start().splitn(4, u8::is_ascii_whitespace);
    let mut is_number = || {
        let word = words.next().unwrap_or_default();
        !word.is_empty() && word.iter().all(u8::is_ascii_digit)
    };
    let is_object = is_number() && is_number();
    is_object
        && words.next().is_some_and(|word| word.starts_with(b"obj"))
        && memmem::find(rest, b"startxref").is_none()
}

#[cfg(test)]
mod tests;
