//! Names of local files that are not UTF-8, or have control characters. Paths of object stores
//! cannot have them, so each such part of a path is percent-encoded.

use std::path::{Path as FilePath, PathBuf};

use object_store::path::{Error, Path};

/// Returns the escaped path of a file whose path was refused.
#[cfg(unix)]
pub fn escape(refused: &Error) -> Option<Path> {
    use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};

    const ESCAPED: &AsciiSet = &CONTROLS.add(b'%');
    let path = match refused {
        // This path is the one of a URL.
        Error::NonUnicode { path, .. } => percent_decode_str(path).collect(),
        Error::BadSegment { path, .. } => path.clone().into_bytes(),
        _ => return None,
    };
    let parts = path.split(|byte| *byte == b'/').map(|part| {
        let valid = str::from_utf8(part).ok();
        let valid = valid.filter(|part| !part.contains(char::is_control));
        valid.map_or_else(|| percent_encode(part, ESCAPED).to_string(), str::to_owned)
    });
    let escaped = parts.collect::<Vec<_>>().join("/");
    Path::parse(escaped).ok()
}

/// Returns the path of an existing file whose escaped path is given.
#[cfg(unix)]
pub fn unescape(path: &FilePath) -> Option<PathBuf> {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    use percent_encoding::percent_decode;

    if !path.as_os_str().as_bytes().contains(&b'%') {
        return None;
    }
    let mut real = PathBuf::new();
    for part in path {
        let literal = real.join(part);
        real = if literal.exists() {
            literal
        } else {
            let decoded = percent_decode(part.as_bytes()).collect();
            real.join(OsString::from_vec(decoded))
        };
    }
    real.exists().then_some(real)
}

#[cfg(not(unix))]
pub fn escape(_: &Error) -> Option<Path> {
    None
}

#[cfg(not(unix))]
pub fn unescape(_: &FilePath) -> Option<PathBuf> {
    None
}
