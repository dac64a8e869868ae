//! `json_rows` and `json_tree_rows`: the table macros `json_each` and `json_tree` call them.

use corpus_columns::row;

use super::find;

row! {
    /// A value inside JSON.
    pub struct JsonRow<'a> {
        /// The key of an object, or the number of an item from 0
        key: Option<String>,
        /// The value as JSON
        value: String,
        /// The type, as `json_type` returns it
        #[short]
        kind: &'a str,
        /// The value, unless it is an array or object
        atom: Option<String>,
        /// A number that increases with the place
        id: i64,
        /// The number of the array or object around it
        parent: Option<i64>,
        /// The path of the value
        fullkey: String,
        /// The path of the array or object around it
        path: String,
    }
}

/// The maximum depth of the values in a tree, as of the parser.
const MAX_DEPTH: usize = 200;

/// Lists the values in a value: those of its first level, or all with the value itself.
pub fn rows(value: &[u8], path: &str, is_deep: bool) -> Option<Vec<JsonRow<'static>>> {
    let mut rows = RowCollector {
        rows: Vec::new(),
        next_id: 0,
        is_deep,
    };
    let place = ValuePath {
        key: None,
        fullkey: path.to_owned(),
        path: path.to_owned(),
        parent: None,
        depth: 0,
    };
    let is_nested = matches!(value.first(), Some(b'[' | b'{'));
    rows.add(value, place, is_deep || !is_nested)
        .then_some(rows.rows)
}

/// Where a value is.
struct ValuePath {
    key: Option<String>,
    fullkey: String,
    path: String,
    parent: Option<i64>,
    depth: usize,
}

struct RowCollector {
    rows: Vec<JsonRow<'static>>,
    next_id: i64,
    is_deep: bool,
}

impl RowCollector {
    /// Adds a value and those in it. Returns whether they are valid.
    fn add(&mut self, value: &[u8], place: ValuePath, is_shown: bool) -> bool {
        let id = self.next_id;
        self.next_id += 1;
        let is_nested = matches!(value.first(), Some(b'[' | b'{'));
        let ValuePath {
            key,
            fullkey,
            path,
            parent,
            depth,
        } = place;
        if is_shown {
            let (Some(written), Some(kind)) = (find::compact(value), find::kind(value)) else {
                return false;
            };
            self.rows.push(JsonRow {
                key,
                atom: (!is_nested).then(|| written.clone()),
                value: written,
                kind,
                id,
                parent,
                fullkey: fullkey.clone(),
                path,
            });
        }
        if !is_nested {
            return true;
        }
        if depth >= MAX_DEPTH {
            return false;
        }
        let is_shown = self.is_deep || depth == 0;
        let inner = |key: String, step: String| ValuePath {
            key: Some(key),
            fullkey: format!("{fullkey}{step}"),
            path: fullkey.clone(),
            parent: self.is_deep.then_some(id),
            depth: depth + 1,
        };
        let mut places = Vec::new();
        let is_valid = match value.first() {
            Some(b'[') => {
                let mut number = 0_usize;
                find::items(value, |item| {
                    places.push((item, inner(number.to_string(), format!("[{number}]"))));
                    number += 1;
                })
            }
            _ => find::entries(value, |key, item| {
                places.push((item, inner(key.to_owned(), find::key_step(key))));
            }),
        };
        let is_object = value.first() == Some(&b'{');
        is_valid
            && places.into_iter().all(|(item, place)| {
                // DuckDB counts keys, too.
                self.next_id += i64::from(is_object);
                self.add(item, place, is_shown)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: &str, is_deep: bool) -> Vec<String> {
        let rows = rows(json.as_bytes(), "$", is_deep).unwrap();
        let shown = rows.iter().map(|row| {
            let parent = row
                .parent
                .map_or("-".to_owned(), |parent| parent.to_string());
            format!("{} {} {} {}", row.id, parent, row.fullkey, row.value)
        });
        shown.collect()
    }

    #[test]
    fn numbers_and_paths_are_those_of_duckdb() {
        assert_eq!(
            shown(r#"[[1, 2], 3, {"x": null}]"#, false),
            ["1 - $[0] [1,2]", "4 - $[1] 3", "5 - $[2] {\"x\":null}"]
        );
        assert_eq!(
            shown(r#"{"a b": [1, {"c": "x"}], "d": true}"#, true),
            [
                r#"0 - $ {"a b":[1,{"c":"x"}],"d":true}"#,
                r#"2 0 $."a b" [1,{"c":"x"}]"#,
                r#"3 2 $."a b"[0] 1"#,
                r#"4 2 $."a b"[1] {"c":"x"}"#,
                r#"6 4 $."a b"[1].c "x""#,
                r#"8 0 $.d true"#,
            ]
        );
        assert_eq!(shown("5", false), ["0 - $ 5"]);
    }

    #[test]
    fn damaged_and_deep_json_has_no_rows() {
        for json in ["[1, 2", "{\"a\": }", ""] {
            assert!(rows(json.as_bytes(), "$", true).is_none(), "{json}");
        }
        let deep = "[".repeat(1000) + &"]".repeat(1000);
        assert!(rows(deep.as_bytes(), "$", true).is_none());
    }
}
