//! Font programs with the tables that define the meaning of glyphs, without outlines.

/// A TrueType font of these tables.
pub fn true_type(tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut directory = vec![0, 1, 0, 0, 0, tables.len() as u8, 0, 0, 0, 0, 0, 0];
    let mut data = Vec::new();
    for (tag, table) in tables {
        let offset = 12 + 16 * tables.len() + data.len();
        directory.extend_from_slice(*tag);
        directory.extend_from_slice(&[0; 4]);
        directory.extend_from_slice(&(offset as u32).to_be_bytes());
        directory.extend_from_slice(&(table.len() as u32).to_be_bytes());
        data.extend_from_slice(table);
    }
    [directory, data].concat()
}

/// A character map with one subtable.
pub fn cmap(platform: u16, encoding: u16, subtable: Vec<u8>) -> Vec<u8> {
    [units(&[0, 1, platform, encoding, 0, 12]), subtable].concat()
}

/// A subtable of segments: from a first to a last code, and the glyph of the first.
pub fn segments(segments: &[(u16, u16, u16)]) -> Vec<u8> {
    let mut table = vec![4, 0, 0, segments.len() as u16 * 2, 0, 0, 0];
    table.extend(segments.iter().map(|(_, last, _)| last));
    table.push(0);
    table.extend(segments.iter().map(|(first, ..)| first));
    table.extend(
        segments
            .iter()
            .map(|(first, _, glyph)| glyph.wrapping_sub(*first)),
    );
    table.extend(segments.iter().map(|_| 0));
    units(&table)
}

/// The table `post` with these names of glyphs, none of them standard.
pub fn post(names: &[&str]) -> Vec<u8> {
    let mut post = units(&[2, 0]);
    post.resize(32, 0);
    let count = names.len() as u16;
    post.extend(units(&[count]));
    post.extend(units(&(258..258 + count).collect::<Vec<_>>()));
    for name in names {
        post.push(name.len() as u8);
        post.extend(name.bytes());
    }
    post
}

pub fn units(units: &[u16]) -> Vec<u8> {
    units.iter().flat_map(|unit| unit.to_be_bytes()).collect()
}

/// A CFF font whose glyphs after the first have these names.
pub fn cff(names: &[&str]) -> Vec<u8> {
    let charset: Vec<u16> = (FIRST_OWN_STRING..).take(names.len()).collect();
    cff_of(&[], names, &charset)
}

/// A CFF font of a character collection: its glyphs are CIDs.
pub fn cff_of_collection(ordering: &str) -> Vec<u8> {
    let ros = [
        number(FIRST_OWN_STRING.into()),
        number(392),
        number(0),
        vec![12, 30],
    ]
    .concat();
    cff_of(&ros, &["Adobe", ordering], &[1, 2, 3])
}

const FIRST_OWN_STRING: u16 = 391;

fn cff_of(first_entry: &[u8], strings: &[&str], charset: &[u16]) -> Vec<u8> {
    let strings: Vec<&[u8]> = strings.iter().map(|name| name.as_bytes()).collect();
    let glyphs = vec![&[14_u8][..]; charset.len() + 1];
    let charset = [vec![0], units(charset)].concat();
    let entries = |charset_at: usize, glyphs_at: usize, end: usize| {
        let offset = |at: usize| number(at as i32);
        let font_dict = match first_entry {
            [] => [number(0), offset(end), vec![18]].concat(),
            _ => [offset(end), vec![12, 36], offset(end), vec![12, 37]].concat(),
        };
        [
            first_entry.to_vec(),
            offset(charset_at),
            vec![15],
            offset(glyphs_at),
            vec![17],
            font_dict,
        ]
        .concat()
    };
    let top_length = entries(0, 0, 0).len();
    let head = |top: &[u8]| {
        [
            vec![1, 0, 4, 1],
            index(&[b"F"]),
            index(&[top]),
            index(&strings),
            index(&[]),
        ]
        .concat()
    };
    let charset_at = head(&vec![0; top_length]).len();
    let glyphs_at = charset_at + charset.len();
    let glyphs = index(&glyphs);
    let end = glyphs_at + glyphs.len();
    // An index of fonts, and the font of each glyph: not used here.
    let fonts = index(&[&[]]);
    [
        head(&entries(charset_at, glyphs_at, end)),
        charset,
        glyphs,
        fonts,
    ]
    .concat()
}

fn index(items: &[&[u8]]) -> Vec<u8> {
    if items.is_empty() {
        return vec![0, 0];
    }
    let mut out = units(&[items.len() as u16]);
    out.push(2);
    let mut at = 1;
    for length in std::iter::once(0).chain(items.iter().map(|item| item.len())) {
        at += length as u16;
        out.extend(at.to_be_bytes());
    }
    out.extend(items.concat());
    out
}

fn number(value: i32) -> Vec<u8> {
    [vec![29], value.to_be_bytes().to_vec()].concat()
}
