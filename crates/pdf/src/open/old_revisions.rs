//! Passwords of files encrypted with revisions 2 to 4, the usual ones before PDF 2.0.
//!
//! hayro takes passwords of users only. The password of the owner yields that of the user.

use hayro_syntax::object::{Array, Dict, Name, String as PdfString};
use md5::{Digest, Md5};

use super::encryption_of;
use crate::structure;
use crate::text_string::encode_pdf_doc;

const PADDING: &[u8; 32] =
    b"\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A";

/// The values of an encryption dictionary.
struct Encryption {
    revision: i64,
    /// The number of bytes of the key.
    length: usize,
    owner: Vec<u8>,
    user: Vec<u8>,
    permissions: i64,
    encrypts_metadata: bool,
    id: Vec<u8>,
}

/// The password of the user.
#[derive(Debug, PartialEq, Eq)]
pub enum UserPassword {
    Known(String),
    /// hayro takes UTF-8, but these files have another encoding.
    BeyondAscii,
}

/// Returns the password of the user if one of the passwords is that of the owner, or of the user.
pub fn user_password(data: &[u8], passwords: &[String]) -> Option<UserPassword> {
    let encryption = Encryption::of(data)?;
    let found = passwords.iter().find_map(|password| {
        let password = padded(&encode_pdf_doc(password)?);
        let of_owner = encryption.user_password(&password);
        [of_owner, Some(password)]
            .into_iter()
            .flatten()
            .find(|password| encryption.is_user_password(password))
    })?;
    let is_end = |at: &usize| found.get(*at..).is_some_and(|end| PADDING.starts_with(end));
    let end = (0..=found.len()).find(is_end)?;
    Some(match str::from_utf8(found.get(..end)?) {
        Ok(password) => UserPassword::Known(password.to_owned()),
        Err(_) => UserPassword::BeyondAscii,
    })
}

impl Encryption {
    fn of(data: &[u8]) -> Option<Self> {
        let dict = encryption_of(data)?;
        let number = |key: &[u8]| dict.get::<i64>(key);
        let text = |key: &[u8]| Some(dict.get::<PdfString<'_>>(key)?.to_vec());
        let is_standard = dict.get::<Name<'_>>(b"Filter").as_deref() == Some(b"Standard");
        let bits = match number(b"V")? {
            1 => 40,
            2 => number(b"Length").unwrap_or(40),
            4 => number(b"Length").unwrap_or(128),
            _ => return None,
        };
        let revision = number(b"R")?;
        if !is_standard || !matches!(revision, 2..=4) || !(8..=128).contains(&bits) {
            return None;
        }
        let trailer: Dict<'_> = structure::trailer_of_file(data)?;
        let ids = trailer.get::<Array<'_>>(b"ID");
        let id = ids.and_then(|ids| ids.iter::<PdfString<'_>>().next());
        Some(Self {
            revision,
            length: usize::try_from(bits / 8).ok()?,
            owner: text(b"O")?.get(..32)?.to_vec(),
            user: text(b"U")?,
            permissions: number(b"P")?,
            encrypts_metadata: dict.get::<bool>(b"EncryptMetadata").unwrap_or(true),
            id: id.map(|id| id.to_vec()).unwrap_or_default(),
        })
    }

    /// The key that a hash of these bytes yields.
    fn key(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut hash = Md5::digest(bytes);
        if self.revision >= 3 {
            for _ in 0..50 {
                hash = Md5::digest(hash.get(..self.length)?);
            }
        }
        Some(hash.get(..self.length)?.to_vec())
    }

    /// The numbers that are mixed into the key of each pass of RC4.
    fn passes(&self) -> std::ops::Range<u8> {
        if self.revision >= 3 { 0..20 } else { 0..1 }
    }

    /// Decrypts the password of the user with that of the owner (algorithm 7 of ISO 32000).
    fn user_password(&self, owner: &[u8; 32]) -> Option<[u8; 32]> {
        let key = self.key(owner)?;
        let mut password = self.owner.clone();
        for pass in self.passes().rev() {
            password = rc4(&mixed(&key, pass), &password);
        }
        password.try_into().ok()
    }

    /// Whether this is the password of the user (algorithm 6).
    fn is_user_password(&self, password: &[u8; 32]) -> bool {
        let permissions = (self.permissions as u32).to_le_bytes();
        let end: &[u8] = if self.revision >= 4 && !self.encrypts_metadata {
            &[0xff; 4]
        } else {
            &[]
        };
        let bytes = [password, self.owner.as_slice(), &permissions, &self.id, end].concat();
        let Some(key) = self.key(&bytes) else {
            return false;
        };
        let mut check = if self.revision >= 3 {
            Md5::digest([PADDING, self.id.as_slice()].concat()).to_vec()
        } else {
            PADDING.to_vec()
        };
        for pass in self.passes() {
            check = rc4(&mixed(&key, pass), &check);
        }
        self.user.starts_with(&check)
    }
}

fn padded(password: &[u8]) -> [u8; 32] {
    let mut bytes = password.iter().chain(PADDING).copied();
    std::array::from_fn(|_| bytes.next().unwrap_or_default())
}

fn mixed(key: &[u8], pass: u8) -> Vec<u8> {
    key.iter().map(|byte| byte ^ pass).collect()
}

/// Encrypts or decrypts bytes. The key is not empty.
pub fn rc4(key: &[u8], data: &[u8]) -> Vec<u8> {
    let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
    let mut j = 0_u8;
    for (i, byte) in (0..256).zip(key.iter().cycle()) {
        j = j.wrapping_add(state[i]).wrapping_add(*byte);
        state.swap(i, usize::from(j));
    }
    let (mut i, mut j) = (0_u8, 0_u8);
    let step = |byte: &u8| {
        i = i.wrapping_add(1);
        j = j.wrapping_add(state[usize::from(i)]);
        state.swap(usize::from(i), usize::from(j));
        let sum = state[usize::from(i)].wrapping_add(state[usize::from(j)]);
        byte ^ state[usize::from(sum)]
    };
    data.iter().map(step).collect()
}
