//! The filters of a stream, and their parameters.

use hayro_syntax::object::{Array, Dict, Name, Object};

use crate::misspelt::misspelt_key;

const BROTLI: &[u8] = b"BrotliDecode";

/// The maximum number of names that are returned.
const MAX_NAMES: usize = 16;

/// A filter that may be decoded here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    Flate,
    Lzw,
    RunLength,
    /// A filter of PDF 2.0 that hayro does not support.
    Brotli,
    AsciiHex,
    Ascii85,
    /// Decryption, which is already done.
    Crypt,
    Image,
    Unknown,
}

impl Filter {
    fn named(name: &[u8]) -> Self {
        match name {
            b"FlateDecode" | b"Fl" => Self::Flate,
            b"LZWDecode" | b"LZW" => Self::Lzw,
            b"RunLengthDecode" | b"RL" => Self::RunLength,
            BROTLI => Self::Brotli,
            b"ASCIIHexDecode" | b"AHx" => Self::AsciiHex,
            b"ASCII85Decode" | b"A85" => Self::Ascii85,
            b"Crypt" => Self::Crypt,
            b"DCTDecode" | b"DCT" | b"JPXDecode" | b"JBIG2Decode" | b"CCITTFaxDecode" | b"CCF" => {
                Self::Image
            }
            _ => Self::Unknown,
        }
    }
}

/// The names of a stream's filters in full, in the order of decoding. An error says why the data
/// cannot be decoded.
pub fn filter_names(dict: &Dict<'_>) -> Result<Vec<String>, &'static str> {
    let value = dict.get::<Object<'_>>(b"Filter");
    let names = match value.or_else(|| dict.get::<Object<'_>>(b"F")) {
        Some(Object::Name(name)) => vec![full_name(&name)],
        Some(Object::Array(names)) => {
            let names = names.iter::<Name<'_>>().take(MAX_NAMES);
            names.map(|name| full_name(&name)).collect()
        }
        Some(Object::String(_) | Object::Dict(_)) => return Err("data in another file"),
        _ => Vec::new(),
    };
    Ok(names)
}

fn full_name(name: &[u8]) -> String {
    let full: &[u8] = match name {
        b"Fl" => b"FlateDecode",
        b"LZW" => b"LZWDecode",
        b"RL" => b"RunLengthDecode",
        b"AHx" => b"ASCIIHexDecode",
        b"A85" => b"ASCII85Decode",
        b"DCT" => b"DCTDecode",
        b"CCF" => b"CCITTFaxDecode",
        other => other,
    };
    String::from_utf8_lossy(full).into_owned()
}

/// Whether one of a stream's filters is Brotli.
pub fn has_brotli(dict: &Dict<'_>) -> bool {
    let filters = filters(dict, usize::MAX);
    filters.is_ok_and(|all| all.iter().any(|(filter, _)| *filter == Filter::Brotli))
}

/// The filters with their parameters, in the order of decoding. An error says why they cannot be
/// undone: there are more than `limit`, or the data is in another file.
pub fn filters<'a>(dict: &Dict<'a>, limit: usize) -> Result<Vec<(Filter, Dict<'a>)>, &'static str> {
    let either = |short: &[u8], long: &[u8]| {
        let value = dict.get::<Object<'a>>(short);
        value.or_else(|| dict.get::<Object<'a>>(long))
    };
    let (names, parameters) = match either(b"F", b"Filter") {
        Some(Object::Name(name)) => {
            let parameters = either(b"DP", b"DecodeParms").and_then(Object::into_dict);
            (vec![name], vec![parameters.unwrap_or_default()])
        }
        Some(Object::Array(names)) => {
            let parameters = match either(b"DP", b"DecodeParms") {
                Some(Object::Array(parameters)) => parameters,
                _ => Array::default(),
            };
            let parameters = parameters.iter::<Object<'a>>().take(limit);
            let parameters = parameters.map(|one| one.into_dict().unwrap_or_default());
            let names = names.iter::<Name<'a>>();
            (
                names.take(limit.saturating_add(1)).collect(),
                parameters.collect(),
            )
        }
        Some(Object::String(_) | Object::Dict(_)) => return Err("data in another file"),
        None if misspelt_key(dict, b"Filter").is_some() => {
            return Ok(vec![(Filter::Unknown, Dict::empty())]);
        }
        _ => return Ok(Vec::new()),
    };
    let parameters = parameters
        .into_iter()
        .chain(std::iter::repeat_with(Dict::empty));
    if names.len() > limit {
        return Err("too many filters");
    }
    let named = names.iter().map(|name| Filter::named(name));
    Ok(named.zip(parameters).collect())
}
