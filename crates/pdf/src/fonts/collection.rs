//! Character collections: the meaning of their CIDs in Unicode, and the predefined maps.

use std::cell::RefCell;
use std::rc::Rc;

use hayro_cmap::{BfString, CMap, CMapName, CidFamily, load_embedded};

/// Maximum number of predefined maps to keep. The Japanese maps take about a megabyte each.
const MAX_KEPT_MAPS: usize = 8;

thread_local! {
    /// The maps of earlier fonts, including those of other documents, by the address of their data.
    /// Parsing a map takes longer than reading many documents.
    static MAPS: RefCell<Vec<(*const u8, Rc<CMap>)>> = const { RefCell::new(Vec::new()) };
}

/// The predefined map with a name.
pub fn predefined(name: CMapName<'_>) -> Option<Rc<CMap>> {
    let data = load_embedded(name)?;
    let known = MAPS.with_borrow(|maps| {
        let of_data = maps.iter().find(|(known, _)| *known == data.as_ptr());
        of_data.map(|(_, map)| Rc::clone(map))
    });
    if known.is_some() {
        return known;
    }
    let map = Rc::new(CMap::parse(data, load_embedded)?);
    MAPS.with_borrow_mut(|maps| {
        if maps.len() >= MAX_KEPT_MAPS {
            maps.clear();
        }
        maps.push((data.as_ptr(), Rc::clone(&map)));
    });
    Some(map)
}

/// The map from the CIDs of a character collection to Unicode.
pub fn map_of(family: &CidFamily) -> Option<Rc<CMap>> {
    predefined(family.ucs2_cmap()?)
}

/// The text of a CID in the map of a character collection.
pub fn lookup(collection: &CMap, cid: u32) -> Option<String> {
    match collection.lookup_bf_string(cid)? {
        BfString::Char(c) => Some(c.to_string()),
        BfString::String(text) => Some(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_map_is_parsed_once_while_it_is_kept() {
        MAPS.with_borrow_mut(Vec::clear);
        let name = || CMapName::from_bytes(b"Adobe-Japan1-UCS2");
        let first = predefined(name()).unwrap();
        assert!(Rc::ptr_eq(&first, &predefined(name()).unwrap()));
        let others = [
            "90ms-RKSJ-H",
            "90ms-RKSJ-V",
            "EUC-H",
            "EUC-V",
            "UniJIS-UCS2-H",
            "UniJIS-UCS2-V",
            "UniGB-UCS2-H",
            "UniGB-UCS2-V",
        ];
        for other in others {
            let map = predefined(CMapName::from_bytes(other.as_bytes())).unwrap();
            assert!(!Rc::ptr_eq(&first, &map), "{other}");
        }
        let again = predefined(name()).unwrap();
        assert!(!Rc::ptr_eq(&first, &again));
        assert_eq!(lookup(&again, 843).as_deref(), Some("あ"));
        assert!(predefined(CMapName::from_bytes(b"no such map")).is_none());
    }
}
