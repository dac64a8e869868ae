//! Character collections: the meaning of their CIDs in Unicode.

use hayro_cmap::{BfString, CMap, CidFamily, load_embedded};

/// The map from the CIDs of a character collection to Unicode.
pub fn map_of(family: &CidFamily) -> Option<CMap> {
    let data = load_embedded(family.ucs2_cmap()?)?;
    CMap::parse(data, load_embedded)
}

/// The text of a CID in the map of a character collection.
pub fn lookup(collection: &CMap, cid: u32) -> Option<String> {
    match collection.lookup_bf_string(cid)? {
        BfString::Char(c) => Some(c.to_string()),
        BfString::String(text) => Some(text),
    }
}
