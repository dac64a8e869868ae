//! Files encrypted with revision 6, of PDF 2.0, whose keys are slow to derive by design.
//!
//! hayro derives them without the processor's AES and SHA instructions, which takes longer than
//! reading ten documents. So the key is derived here. hayro then opens the file with an encryption
//! dictionary of revision 5 that yields the same key from a single hash and needs no password.

use std::iter;

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128Enc, Aes256Dec, Aes256Enc, Block};
use hayro_syntax::object::{Dict, Name, String as PdfString};
use sha2::{Digest, Sha256, Sha384, Sha512};

use super::encryption_of;
use crate::object_streams;

const BLOCK_BYTES: usize = 16;
const KEY_BYTES: usize = 32;

/// Maximum length of a password. Longer passwords are truncated.
const MAX_PASSWORD_BYTES: usize = 127;

/// The minimum number of rounds in which a key is derived.
const MIN_ROUNDS: u32 = 64;

/// The result of deriving the key of a file.
pub enum Unlocked {
    /// The file with an equivalent encryption dictionary of revision 5.
    Rewritten(Vec<u8>),
    WrongPasswords,
}

/// Derives the key with the empty password, or with one of the others. `None` if the file has
/// another encryption, or is damaged.
pub fn unlock(data: &[u8], passwords: &[String]) -> Option<Unlocked> {
    let encryption = encryption_of(data)?;
    let is_standard = encryption.get::<Name<'_>>(b"Filter").as_deref() == Some(b"Standard");
    let number = |key: &[u8]| encryption.get::<i64>(key);
    let has_all = [&b"P"[..], b"StmF", b"StrF"]
        .iter()
        .all(|key| encryption.contains_key(key));
    if !is_standard || number(b"V") != Some(5) || number(b"R") != Some(6) || !has_all {
        return None;
    }
    let secrets = Secrets::of(&encryption)?;
    let passwords = iter::once("").chain(passwords.iter().map(String::as_str));
    let Some(key) = passwords
        .filter_map(|password| secrets.file_key(password))
        .next()
    else {
        return Some(Unlocked::WrongPasswords);
    };
    let entries = encryption.data().strip_prefix(b"<<")?.strip_suffix(b">>")?;
    let entries = [
        b"/Encrypt <<",
        entries,
        quick_entries(&key).as_bytes(),
        b">>",
    ]
    .concat();
    object_streams::with_trailer_entries(data, &entries).map(Unlocked::Rewritten)
}

/// The entries that check a password and yield the key.
struct Secrets {
    user: Secret,
    owner: Secret,
}

struct Secret {
    /// A hash of the password, followed by the salts of this hash and of the key's hash.
    check: Vec<u8>,
    /// The key of the file, encrypted with another hash of the password.
    key: Vec<u8>,
}

impl Secrets {
    fn of(encryption: &Dict<'_>) -> Option<Self> {
        let secret = |check: &[u8], key: &[u8]| {
            let check = encryption.get::<PdfString<'_>>(check)?;
            let key = encryption.get::<PdfString<'_>>(key)?;
            Some(Secret {
                check: check.get(..KEY_BYTES + 16)?.to_vec(),
                key: (key.len() == KEY_BYTES).then(|| key.to_vec())?,
            })
        };
        Some(Self {
            user: secret(b"U", b"UE")?,
            owner: secret(b"O", b"OE")?,
        })
    }

    /// The key of the file, if this is the password of the user or the owner.
    fn file_key(&self, password: &str) -> Option<Vec<u8>> {
        let password = password.as_bytes();
        let password = password.get(..MAX_PASSWORD_BYTES).unwrap_or(password);
        let of_user = self.user.file_key(password, b"");
        of_user.or_else(|| self.owner.file_key(password, &self.user.check))
    }
}

impl Secret {
    fn file_key(&self, password: &[u8], user: &[u8]) -> Option<Vec<u8>> {
        let (expected, salts) = self.check.split_at_checked(KEY_BYTES)?;
        let (check_salt, key_salt) = salts.split_at_checked(8)?;
        if slow_hash(password, check_salt, user)? != expected {
            return None;
        }
        let cipher = Aes256Dec::new_from_slice(&slow_hash(password, key_salt, user)?).ok()?;
        let mut before = [0; BLOCK_BYTES];
        let mut out = Vec::with_capacity(KEY_BYTES);
        for encrypted in self.key.as_chunks::<BLOCK_BYTES>().0 {
            let mut block = Block::from(*encrypted);
            cipher.decrypt_block(&mut block);
            out.extend(block.iter().zip(before).map(|(byte, before)| byte ^ before));
            before = *encrypted;
        }
        Some(out)
    }
}

/// Encrypts whole blocks, each mixed with the one before.
fn encrypt(
    cipher: &impl BlockCipherEncrypt<BlockSize = aes::cipher::consts::U16>,
    start: [u8; BLOCK_BYTES],
    data: &mut [u8],
) {
    let mut before = Block::from(start);
    for block in data.as_chunks_mut::<BLOCK_BYTES>().0 {
        before
            .iter_mut()
            .zip(&*block)
            .for_each(|(mixed, byte)| *mixed ^= byte);
        cipher.encrypt_block(&mut before);
        block.copy_from_slice(&before);
    }
}

/// The hash of a password, algorithm 2.B of ISO 32000-2.
fn slow_hash(password: &[u8], salt: &[u8], user: &[u8]) -> Option<Vec<u8>> {
    let mut hash = Sha256::digest([password, salt, user].concat()).to_vec();
    for round in 1.. {
        let mut mixed = [password, &hash, user].concat().repeat(64);
        let cipher = Aes128Enc::new_from_slice(hash.get(..BLOCK_BYTES)?).ok()?;
        let start = hash.get(BLOCK_BYTES..)?.first_chunk()?;
        encrypt(&cipher, *start, &mut mixed);
        // The block is a number in base 256, and 256 % 3 = 1: its digits have the same remainder.
        let sum: u32 = mixed
            .iter()
            .take(BLOCK_BYTES)
            .map(|byte| u32::from(*byte))
            .sum();
        hash = match sum % 3 {
            0 => Sha256::digest(&mixed).to_vec(),
            1 => Sha384::digest(&mixed).to_vec(),
            _ => Sha512::digest(&mixed).to_vec(),
        };
        if round >= MIN_ROUNDS && u32::from(*mixed.last()?) + 32 <= round {
            break;
        }
    }
    hash.truncate(KEY_BYTES);
    Some(hash)
}

/// Entries of revision 5 that yield this key for the empty password. Of two entries with the same
/// key, the later one is valid.
fn quick_entries(key: &[u8]) -> String {
    // The same salt for both hashes.
    let salt = [0; 8];
    let hash = Sha256::digest(salt);
    let mut wrapped = key.to_vec();
    encrypt(&Aes256Enc::new(&hash), [0; BLOCK_BYTES], &mut wrapped);
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let no_owner = hex(&[0; KEY_BYTES + 16]);
    let user = hex(&[&hash[..], &salt, &salt].concat());
    format!(" /R 5 /O <{no_owner}> /U <{user}> /UE <{}>", hex(&wrapped))
}

#[cfg(test)]
mod tests {
    use hayro_syntax::Pdf as Parsed;

    use super::*;
    use crate::testing::{Cipher, Encryption, Page, Pdf};

    fn file(cipher: Cipher, has_object_streams: bool) -> Vec<u8> {
        let mut pdf = Pdf::new();
        pdf.page(Page::new("% content"));
        pdf.info("Title", "A title");
        if has_object_streams {
            pdf.object_streams();
        }
        pdf.encrypt(Encryption {
            cipher,
            user: "user",
            owner: "owner",
        });
        pdf.build()
    }

    fn unlocked(file: &[u8], passwords: &[&str]) -> Option<Vec<u8>> {
        let passwords: Vec<String> = passwords
            .iter()
            .map(|password| password.to_string())
            .collect();
        match unlock(file, &passwords).unwrap() {
            Unlocked::Rewritten(rewritten) => Some(rewritten),
            Unlocked::WrongPasswords => None,
        }
    }

    #[test]
    fn rewritten_files_need_no_password() {
        for has_object_streams in [false, true] {
            let file = file(Cipher::Aes256, has_object_streams);
            for password in ["user", "owner"] {
                let rewritten = unlocked(&file, &["wrong", password]).unwrap();
                assert!(rewritten.starts_with(&file));
                let parsed = Parsed::new(rewritten).unwrap();
                let title = parsed.metadata().title.as_deref();
                assert_eq!(title, Some(&b"A title"[..]));
                assert_eq!(parsed.pages()[0].page_stream(), Some(&b"% content"[..]));
            }
            assert_eq!(unlocked(&file, &["", "wrong", "User"]), None);
        }
    }

    #[test]
    fn other_files_are_left_alone() {
        let mut plain = Pdf::new();
        plain.page(Page::new("% content"));
        let mut files = vec![plain.build(), b"nothing".to_vec()];
        files.push(file(Cipher::Aes128, false));
        let sound = file(Cipher::Aes256, false);
        for (entry, damaged) in [("/UE <", "/UF <"), ("/R 6", "/R 7"), ("/OE <", "/OE >")] {
            let at = memchr::memmem::find(&sound, entry.as_bytes()).unwrap();
            let mut file = sound.clone();
            file[at..at + entry.len()].copy_from_slice(damaged.as_bytes());
            files.push(file);
        }
        for file in files {
            assert!(unlock(&file, &["user".to_owned()]).is_none());
        }
    }
}
