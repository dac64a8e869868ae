//! Encryption by the standard security handler.

use aes::cipher::{Array, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use aes::{Aes128, Aes256};
use md5::{Digest, Md5};
use sha2::{Sha256, Sha384, Sha512};

use super::text::hex;
use crate::open::rc4;

const PADDING: &[u8; 32] =
    b"\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A";
/// Everything is permitted.
const PERMISSIONS: i32 = -4;
/// The identifier of every file: nothing here is a secret, and the same bytes are made on every
/// run.
const ID: &[u8; 16] = b"an identifier...";
const FILE_KEY: &[u8; 32] = b"the key of every file of tests..";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cipher {
    Rc4With40Bits,
    Rc4With128Bits,
    Aes128,
    /// Of PDF 2.0 (revision 6).
    Aes256,
}

/// The encryption of a file. Passwords may be empty; letters are those of Latin-1.
#[derive(Clone, Debug)]
pub struct Encryption {
    pub cipher: Cipher,
    pub user: &'static str,
    pub owner: &'static str,
}

/// The values derived from the passwords.
pub(super) struct Key {
    cipher: Cipher,
    file_key: Vec<u8>,
    entries: String,
}

impl Encryption {
    pub(super) fn key(self) -> Key {
        match self.cipher {
            Cipher::Aes256 => self.key_of_revision_6(),
            Cipher::Rc4With40Bits => self.old_key(5, 2),
            Cipher::Rc4With128Bits => self.old_key(16, 3),
            Cipher::Aes128 => self.old_key(16, 4),
        }
    }

    fn old_key(self, length: usize, revision: u8) -> Key {
        // Revision 2 does each of these once.
        let (hashes, passes) = if revision == 2 { (0, 1) } else { (50, 20) };
        let hashed = |first: &[u8]| {
            let once = md5(first);
            (0..hashes).fold(once, |hash, _| md5(&hash[..length]))
        };
        let encrypted = |key: &[u8], data: &[u8]| {
            (0..passes).fold(data.to_vec(), |data, pass| {
                let key: Vec<u8> = key.iter().map(|byte| byte ^ pass).collect();
                rc4(&key, &data)
            })
        };
        let owner = encrypted(&hashed(&padded(self.owner))[..length], &padded(self.user));
        let permissions = PERMISSIONS.to_le_bytes();
        let first = [&padded(self.user)[..], &owner, &permissions, ID].concat();
        let file_key = hashed(&first)[..length].to_vec();
        let user = match revision {
            2 => rc4(&file_key, PADDING),
            _ => [
                encrypted(&file_key, &md5(&[&PADDING[..], ID].concat())),
                vec![0; 16],
            ]
            .concat(),
        };
        let version = match revision {
            2 => "/V 1",
            3 => "/V 2 /Length 128",
            _ => {
                "/V 4 /Length 128 /CF << /StdCF << /CFM /AESV2 /Length 16 >> >> /StmF /StdCF /StrF /StdCF"
            }
        };
        Key {
            cipher: self.cipher,
            file_key,
            entries: format!(
                "{version} /R {revision} /O {} /U {}",
                hex(&owner),
                hex(&user)
            ),
        }
    }

    fn key_of_revision_6(self) -> Key {
        let secrets = |password: &str, salts: &[u8; 16], user: &[u8]| {
            let (check, wrap) = salts.split_at(8);
            let checked = hash_of_revision_6(password, check, user);
            let wrapping: Aes256 = cipher(&hash_of_revision_6(password, wrap, user));
            let value = [&checked[..], check, wrap].concat();
            (value, cbc(&wrapping, &[0; 16], FILE_KEY))
        };
        let (user, user_key) = secrets(
            self.user,
            b"usercheckuserwrap"[..16].try_into().unwrap(),
            b"",
        );
        let (owner, owner_key) = secrets(self.owner, b"owns-check-owns-", &user);
        let permissions = [&PERMISSIONS.to_le_bytes()[..], b"\xFF\xFF\xFF\xFFTadbrand"].concat();
        let permissions = cbc(&cipher::<Aes256>(FILE_KEY), &[0; 16], &permissions);
        Key {
            cipher: self.cipher,
            file_key: FILE_KEY.to_vec(),
            entries: format!(
                "/V 5 /R 6 /Length 256 /CF << /StdCF << /CFM /AESV3 /Length 32 >> >> \
                 /StmF /StdCF /StrF /StdCF /O {} /OE {} /U {} /UE {} /Perms {}",
                hex(&owner),
                hex(&owner_key),
                hex(&user),
                hex(&user_key),
                hex(&permissions)
            ),
        }
    }
}

impl Key {
    pub(super) fn dictionary(&self) -> String {
        format!("<< /Filter /Standard {} /P {PERMISSIONS} >>", self.entries)
    }

    pub(super) fn id_entry(&self) -> String {
        format!("/ID [{} {}]", hex(ID), hex(ID))
    }

    /// A string or stream of this object.
    pub(super) fn encrypted(&self, object: usize, data: &[u8]) -> Vec<u8> {
        let [a, b, c, ..] = object.to_le_bytes();
        let salt: &[u8] = if self.cipher == Cipher::Aes128 {
            b"sAlT"
        } else {
            b""
        };
        let hash = md5(&[&self.file_key[..], &[a, b, c, 0, 0], salt].concat());
        let key = &hash[..(self.file_key.len() + 5).min(16)];
        let iv = b"first block to x";
        let padding = 16 - data.len() % 16;
        let blocks = || [data, &vec![padding as u8; padding]].concat();
        match self.cipher {
            Cipher::Rc4With40Bits | Cipher::Rc4With128Bits => rc4(key, data),
            Cipher::Aes128 => [&iv[..], &cbc(&cipher::<Aes128>(key), iv, &blocks())].concat(),
            Cipher::Aes256 => {
                let cipher: Aes256 = cipher(&self.file_key);
                [&iv[..], &cbc(&cipher, iv, &blocks())].concat()
            }
        }
    }

    /// An object with its strings encrypted.
    pub(super) fn strings_encrypted(&self, object: usize, body: &[u8]) -> Vec<u8> {
        let (mut out, mut at) = (Vec::new(), 0);
        while let Some(byte) = body.get(at) {
            let rest = &body[at..];
            let found = match byte {
                b'<' | b'>' if rest.get(1) == Some(byte) => {
                    out.extend([*byte, *byte]);
                    at += 2;
                    continue;
                }
                b'(' => literal_string(rest),
                b'<' => hex_string(rest),
                _ => {
                    out.push(*byte);
                    at += 1;
                    continue;
                }
            };
            let (string, length) = found;
            out.extend(hex(&self.encrypted(object, &string)).bytes());
            at += length;
        }
        out
    }
}

/// The bytes of a string that starts here, and the length of its written form.
fn literal_string(written: &[u8]) -> (Vec<u8>, usize) {
    let (mut bytes, mut depth) = (Vec::new(), 0);
    let mut escaped = false;
    for (at, byte) in written.iter().enumerate() {
        match byte {
            _ if escaped => {
                bytes.push(if *byte == b'r' { b'\r' } else { *byte });
                escaped = false;
                continue;
            }
            b'\\' => {
                escaped = true;
                continue;
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (bytes, at + 1);
        }
        if at > 0 {
            bytes.push(*byte);
        }
    }
    panic!("a string without an end");
}

fn hex_string(written: &[u8]) -> (Vec<u8>, usize) {
    let end = written.iter().position(|byte| *byte == b'>').unwrap();
    let digits: Vec<u8> = written[1..end]
        .iter()
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    let bytes = digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair.get(1).unwrap_or(&0));
    (bytes.collect(), end + 1)
}

fn md5(data: &[u8]) -> [u8; 16] {
    Md5::digest(data).into()
}

fn padded(password: &str) -> [u8; 32] {
    let latin_1 = password.chars().map(|c| c as u8);
    let mut bytes = latin_1.chain(PADDING.iter().copied());
    std::array::from_fn(|_| bytes.next().unwrap_or_default())
}

fn cipher<C: KeyInit>(key: &[u8]) -> C {
    C::new_from_slice(key).unwrap()
}

/// Whole blocks, each mixed with the one before.
fn cbc<C>(cipher: &C, iv: &[u8], data: &[u8]) -> Vec<u8>
where
    C: BlockCipherEncrypt + BlockSizeUser,
{
    let mut before = iv.to_vec();
    let mut out = Vec::with_capacity(data.len());
    for block in data.chunks(16) {
        let mixed: Vec<u8> = block.iter().zip(&before).map(|(a, b)| a ^ b).collect();
        let mut block = Array::try_from(&mixed[..]).unwrap();
        cipher.encrypt_block(&mut block);
        before = block.to_vec();
        out.extend(&before);
    }
    out
}

fn hash_of_revision_6(password: &str, salt: &[u8], user: &[u8]) -> Vec<u8> {
    let mut key = Sha256::digest([password.as_bytes(), salt, user].concat()).to_vec();
    for round in 0.. {
        let repeated = [password.as_bytes(), &key, user].concat().repeat(64);
        let mixed = cbc(&cipher::<Aes128>(&key[..16]), &key[16..32], &repeated);
        // The remainder of the number that the first 16 bytes are.
        let sum: u32 = mixed[..16].iter().map(|byte| u32::from(*byte)).sum();
        key = match sum % 3 {
            0 => Sha256::digest(&mixed).to_vec(),
            1 => Sha384::digest(&mixed).to_vec(),
            _ => Sha512::digest(&mixed).to_vec(),
        };
        if round >= 63
            && mixed
                .last()
                .is_some_and(|last| u32::from(*last) + 32 <= round)
        {
            break;
        }
    }
    key.truncate(32);
    key
}
