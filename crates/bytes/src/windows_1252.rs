//! The charset windows-1252, as far as it differs from ISO 8859-1.

/// The characters of the bytes from 0x80 to 0x9F. Unassigned bytes are the controls of ISO 8859-1,
/// as in the Encoding Standard.
pub const CHARACTERS_FROM_0X80: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];
