//! Opens a file, and gets hayro over what it cannot read by itself.

use hayro_syntax::object::{Dict, FromBytes, Name};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf, PdfData};
use memchr::memmem;

use super::model::{Failure, FailureKind, Request, Stage};
use super::{object_streams, odd_tokens};

/// A file that is open.
pub struct Opened {
    pub pdf: Pdf,
    /// The file says that it is encrypted, if only in part.
    pub is_encrypted: bool,
    /// Its end is where it should be.
    pub has_end: bool,
    pub has_object_streams: bool,
}

pub fn open(mut data: Vec<u8>, request: &Request) -> Result<Opened, Failure> {
    let has_end = has_end(&data);
    let seen = odd_tokens::mend(&mut data);
    let data = PdfData::from(data);
    let mut opened = open_with(&data, &request.options.passwords);
    if let Err(LoadPdfError::Invalid) = &opened
        && let Some(rewritten) = rewritten(&data, None, request)
    {
        opened = open_with(&rewritten, &request.options.passwords);
    } else if let Ok(pdf) = &opened
        && seen.brotli
        && let Some(rewritten) = rewritten(&data, Some(pdf), request)
    {
        opened = open_with(&rewritten, &request.options.passwords);
    }
    let mut is_encrypted = false;
    // A file that has to be repaired, too, is invalid to hayro.
    if opened.is_err()
        && let Some(plain) = without_encryption(data.as_ref())
    {
        is_encrypted = true;
        opened = Pdf::new(plain);
    }
    let pdf = opened.map_err(|error| explained(error, has_end))?;
    Ok(Opened {
        pdf,
        is_encrypted,
        has_end,
        has_object_streams: seen.object_streams,
    })
}

impl Opened {
    /// The file with its streams of objects mended, where some page cannot be parsed.
    pub fn mended(&self, request: &Request) -> Option<Self> {
        let data = rewritten(self.pdf.data(), Some(&self.pdf), request)?;
        let pdf = open_with(&data, &request.options.passwords).ok()?;
        Some(Self { pdf, ..*self })
    }
}

fn rewritten(data: &PdfData, pdf: Option<&Pdf>, request: &Request) -> Option<PdfData> {
    let limit = request.limits.decoded_bytes;
    object_streams::rewritten(data.as_ref(), pdf, limit).map(PdfData::from)
}

/// Tries the empty password, then the others in turn.
fn open_with(data: &PdfData, passwords: &[String]) -> Result<Pdf, LoadPdfError> {
    let mut opened = Pdf::new(data.clone());
    for password in passwords {
        if !matches!(
            opened,
            Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))
        ) {
            break;
        }
        opened = Pdf::new_with_password(data.clone(), password);
    }
    opened
}

/// The file without its encryption, if that concerns nothing but attachments: neither strings nor streams are
/// encrypted by default.
fn without_encryption(data: &[u8]) -> Option<Vec<u8>> {
    const KEY: &[u8] = b"/Encrypt";
    let is_key = |at: &usize| {
        let next = data.get(at + KEY.len());
        next.is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'<'))
    };
    let keys: Vec<usize> = memmem::find_iter(data, KEY).filter(is_key).collect();
    // The latest trailer counts; all revisions have the same encryption.
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
    // Older versions have no filters for parts of a file.
    let has_filters = matches!(dict.get::<i32>(b"V")?, 4..=6)
        && dict.contains_key(b"CF")
        && [b"StmF", b"StrF"].iter().all(|key| is_identity(key));
    if !has_filters {
        return None;
    }
    let mut plain = data.to_vec();
    for at in keys {
        // Any other key will do.
        if let Some(last) = plain.get_mut(at + KEY.len() - 1) {
            *last = b'_';
        }
    }
    Some(plain)
}

/// The dictionary that a reference leads to, found by its number: the latest of a file.
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

fn explained(error: LoadPdfError, has_end: bool) -> Failure {
    let (kind, message) = match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => {
            (FailureKind::Password, "the document needs a password")
        }
        LoadPdfError::Decryption(_) => (
            FailureKind::UnsupportedCrypto,
            "the encryption is unknown or damaged",
        ),
        LoadPdfError::Invalid if has_end => {
            (FailureKind::Invalid, "this is no PDF, or one beyond repair")
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

/// Whether the file ends as one should: with `startxref` and `%%EOF`, perhaps with something appended.
fn has_end(data: &[u8]) -> bool {
    const APPENDED: usize = 4 << 10;
    let tail = data
        .get(data.len().saturating_sub(APPENDED)..)
        .unwrap_or_default();
    if memmem::find(tail, b"%%EOF").is_some() || memmem::find(tail, b"startxref").is_some() {
        return true;
    }
    if memmem::find(
        data.get(..APPENDED.min(data.len())).unwrap_or_default(),
        b"%PDF-",
    )
    .is_none()
    {
        // No PDF at all, so nothing is missing from it.
        return true;
    }
    // What is appended can be long. The 0 of a file that is arranged for the web stands near its start, not at its
    // end.
    let Some(at) = memmem::rfind(data, b"startxref") else {
        return false;
    };
    let after = data.get(at + 9..).unwrap_or_default().trim_ascii_start();
    matches!(after.first(), Some(b'1'..=b'9'))
}

#[cfg(test)]
mod tests;
