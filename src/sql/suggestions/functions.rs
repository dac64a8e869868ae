//! Names of functions that people know from other engines and libraries, and what to write here.
//!
//! A misspelled name and a foreign one look the same: `len` is one letter from `ln`, and means
//! `length`. So the tables come first, and a similar name is proposed only if it is very similar.

use datafusion::common::utils::datafusion_strsim::levenshtein;

/// Names, and an expression with the same meaning. The words in it are names of columns: `text`,
/// `number`, `list`, `date` and so on.
type Known = (&'static [&'static str], &'static str);

/// Scalar, aggregate and window functions of DuckDB, Spark, PostgreSQL, BigQuery and others.
pub const FUNCTIONS: &[Known] = &[
    // Documents.
    (
        &[
            "html_text",
            "html_to_text",
            "html2text",
            "text_of_html",
            "extract_text",
            "strip_tags",
        ],
        "html_document(data)",
    ),
    (
        &[
            "html_to_markdown",
            "html2markdown",
            "markdownify",
            "to_markdown",
        ],
        "html_main_markdown(data)",
    ),
    (&["parse_html"], "html_parse(data)"),
    (
        &[
            "css",
            "css_select",
            "xml_extract",
            "xml_extract_text",
            "xpath",
        ],
        "html_select(data, 'h1')",
    ),
    (&["text_minhash"], "minhash(text)"),
    (&["html_title"], "html_meta(data)['title']"),
    (
        &["main_text", "readability", "trafilatura"],
        "html_main_text(data)",
    ),
    (
        &[
            "pdf_text",
            "pdf_to_text",
            "pdftotext",
            "parse_pdf",
            "pdf_document",
        ],
        "pdf_parse(data)['text']",
    ),
    (
        &["parse_url", "url_parse", "urlparse", "urlsplit"],
        "url_parts(url)",
    ),
    (
        &["domain", "tldextract", "registered_domain"],
        "url_domain(url)",
    ),
    (&["host", "hostname", "netloc"], "url_host(url)"),
    (&["surt"], "url_surt(url)"),
    (
        &[
            "detect_language",
            "langdetect",
            "text_language",
            "language_detect",
            "lang",
        ],
        "language(text)",
    ),
    (
        &["sent_tokenize", "split_sentences", "sentences"],
        "text_sentences(text)",
    ),
    (&["word_tokenize", "tokenize", "words"], "text_words(text)"),
    (
        &["nfkc", "unicode_normalize", "normalize"],
        "text_normalize(text)",
    ),
    (
        &["parse_hocr", "hocr_parse", "hocr_text"],
        "hocr_pages(data)",
    ),
    (
        &[
            "docx_text",
            "epub_text",
            "odt_text",
            "parse_docx",
            "parse_epub",
        ],
        "office_parse(data)",
    ),
    (
        &["eml_parse", "parse_mail", "parse_email"],
        "mail_parse(data)",
    ),
    (
        &["http_body", "http_parse", "parse_http"],
        "http_response(data)['body']",
    ),
    (
        &["detect_charset", "charset", "detect_encoding", "chardet"],
        "charset_detect(data)",
    ),
    (
        &["decode_charset", "to_utf8", "bytes_to_text"],
        "charset_decode(data, 'utf-8')",
    ),
    // Hashes and encodings.
    (
        &[
            "xxhash",
            "xxhash64",
            "xxh3",
            "crc32",
            "md5_number",
            "hash",
            "cityhash64",
            "farm_fingerprint",
            "murmur_hash",
            "siphash64",
        ],
        "text_hash(text)",
    ),
    (&["sha", "sha2", "sha_256"], "sha256(text)"),
    (&["base64_encode", "to_base_64"], "encode(data, 'base64')"),
    (&["base64_decode"], "decode('YWJj', 'base64')"),
    (&["newid", "uuidv4", "uuidv7", "uuid_string"], "uuid()"),
    // Texts.
    (&["lengthb", "octets", "datalength"], "octet_length(text)"),
    (
        &["char_count", "charlength", "text_length"],
        "char_length(text)",
    ),
    (
        &["regex_extract", "regexp_group"],
        "regexp_match(text, pattern)[1]",
    ),
    (
        &["regexp", "regex_like", "regex_match", "str_matches"],
        "regexp_like(text, pattern)",
    ),
    (
        &[
            "plainto_tsquery",
            "to_tsquery",
            "to_tsvector",
            "ts_headline",
            "ts_rank",
            "match_bm25",
        ],
        "regexp_like(text, '(?i)text')",
    ),
    (&["oct"], "to_base(number, 8)"),
    (
        &["struct_has", "struct_indexof", "struct_position"],
        "struct_keys(record)",
    ),
    (&["gamma"], "factorial(number - 1)"),
    (&["lgamma"], "ln(factorial(number - 1))"),
    (&["nextafter"], "number + 1e-15"),
    (
        &["binom"],
        "factorial(other) / (factorial(number) * factorial(other - number))",
    ),
    (&["ago"], "now() - INTERVAL '1 day'"),
    (
        &["array_to_string_comma_default"],
        "array_to_string(list, ',')",
    ),
    (
        &["histogram_exact", "histogram_values"],
        "histogram(number)",
    ),
    (&["equi_width_bins"], "floor(number / 10) * 10"),
    (
        &["fill"],
        "coalesce(number, last_value(number) IGNORE NULLS OVER (ORDER BY date))",
    ),
    (&["unbin", "from_binary"], "unhex('41')"),
    (&["current_localtime"], "CAST(now() AS TIME)"),
    (&["current_localtimestamp"], "now()"),
    (
        &["make_timestamptz"],
        "make_timestamp(2024, 1, 31, 12, 0, 0)",
    ),
    (&["md5_number_lower", "md5_number_upper"], "text_hash(text)"),
    (&["path_join"], "concat(text, '/', pattern)"),
    (&["setval"], "row_number() OVER ()"),
    (
        &["switch"],
        "CASE number WHEN 1 THEN 'one' ELSE 'other' END",
    ),
    (&["timezone_hour", "timezone_minute"], "0"),
    (&["unpivot_list"], "[number, other]"),
    (&["alias"], "'name'"),
    (&["assert_true"], "CASE WHEN flag THEN 1 END"),
    (&["decimal_average"], "avg(number)"),
    (&["decimal_division"], "number / other"),
    (&["get_type", "vector_type"], "typeof(number)"),
    (
        &["array_any", "list_any", "list_contains_any"],
        "any_match(list, x -> x > 1)",
    ),
    (
        &["list_all", "array_all", "array_every"],
        "NOT any_match(list, x -> x <= 1)",
    ),
    (&["fullmatch"], "regexp_like(text, '^(a|b)$')"),
    (
        &["regex_replace", "regexp_replace_all", "re_replace"],
        "regexp_replace(text, pattern, 'x', 'g')",
    ),
    (
        &["left_grapheme", "right_grapheme", "substring_grapheme"],
        "left(text, 2)",
    ),
    (&["length_grapheme"], "length(text)"),
    (
        &["like_escape", "ilike_escape", "not_like_escape"],
        "text LIKE 'a$%' ESCAPE '$'",
    ),
    (&["format_number"], "format('{:,.2f}', value)"),
    (&["soundex", "metaphone"], "levenshtein(text, pattern)"),
    (&["strtok_to_array"], "string_to_array(text, ',')"),
    (
        &["string_split_to_table", "split_to_table"],
        "unnest(string_to_array(text, ','))",
    ),
    (&["strtok", "split_index"], "split_part(text, ',', 1)"),
    (&["stringpos", "find"], "strpos(text, 'a')"),
    (
        &[
            "str_contains",
            "string_contains",
            "includes",
            "containssubstr",
        ],
        "contains(text, 'a')",
    ),
    (
        &["string_concat", "strcat", "concatenate"],
        "concat(text, pattern)",
    ),
    (&["to_upper", "toupper", "upper_case"], "upper(text)"),
    (&["to_lower", "tolower", "lower_case"], "lower(text)"),
    (&["proper", "title_case", "capitalize"], "initcap(text)"),
    (&["strip"], "trim(text)"),
    (&["lstrip", "trim_left"], "ltrim(text)"),
    (&["rstrip", "trim_right"], "rtrim(text)"),
    (&["bytes_substr"], "substr(text, 2, 3)"),
    (&["codepoint", "to_code_points"], "ascii(text)"),
    (&["from_code_point"], "chr(number)"),
    (&["spaces"], "repeat(' ', number)"),
    (&["replicate", "str_repeat"], "repeat(text, number)"),
    (&["levenshtein_distance"], "levenshtein(text, pattern)"),
    (
        &["jaccard_similarity", "similarity", "text_similarity"],
        "text_jaccard(text, pattern)",
    ),
    // Conditions and types.
    (&["is_null"], "text IS NULL"),
    (&["is_not_null", "notnull"], "text IS NOT NULL"),
    (&["ifnull0"], "coalesce(number, 0)"),
    (&["type_of"], "arrow_typeof(text)"),
    (
        &[
            "safe_cast",
            "to_number",
            "try_to_number",
            "toint",
            "to_integer",
        ],
        "TRY_CAST(text AS BIGINT)",
    ),
    (
        &["to_double", "tofloat", "to_decimal"],
        "TRY_CAST(text AS DOUBLE)",
    ),
    (
        &["str", "tostring", "to_string", "to_text"],
        "CAST(number AS VARCHAR)",
    ),
    (&["try_add", "safe_add"], "number + other"),
    (&["try_subtract", "safe_subtract"], "number - other"),
    (&["try_multiply", "safe_multiply"], "number * other"),
    (&["safe_negate"], "-number"),
    (&["convert"], "CAST(number AS VARCHAR)"),
    (
        &["try_to_date", "try_to_timestamp"],
        "TRY_CAST(text AS TIMESTAMP)",
    ),
    (&["stuff"], "overlay(text PLACING 'x' FROM 1 FOR 2)"),
    (&["elt", "choose"], "['a', 'b'][number]"),
    // Dates.
    (&["make_interval"], "INTERVAL '10 days'"),
    (
        &["next_day"],
        "date_trunc('week', date) + INTERVAL '7 days'",
    ),
    (
        &["nextval", "currval", "seq4", "seq8"],
        "row_number() OVER ()",
    ),
    (&["week_of_year"], "date_part('week', date)"),
    (&["day_of_month"], "date_part('day', date)"),
    (&["day_of_week", "dow"], "date_part('dow', date)"),
    (&["day_of_year", "doy"], "date_part('doy', date)"),
    (&["epoch_s"], "date_part('epoch', timestamp)"),
    (
        &["to_unix_timestamp_millis"],
        "date_part('epoch', timestamp) * 1000",
    ),
    (&["to_unix_timestamp"], "to_unixtime(timestamp)"),
    (&["format_datetime"], "to_char(timestamp, '%Y-%m-%d')"),
    (
        &["parse_datetime", "str_to_date", "datetime"],
        "to_timestamp('2026-05-01', '%Y-%m-%d')",
    ),
    (
        &["date_from_parts", "datefromparts"],
        "make_date(2026, 5, 1)",
    ),
    (
        &["timestampdiff", "date_sub_days"],
        "(date_part('epoch', timestamp) - date_part('epoch', date)) / 86400",
    ),
    (&["adddate"], "date + INTERVAL '1 day'"),
    (&["timestamp_sub", "subdate"], "date - INTERVAL '1 day'"),
    (
        &["eomonth"],
        "date_trunc('month', date) + INTERVAL '1 month' - INTERVAL '1 day'",
    ),
    (
        &[
            "getdate",
            "sysdate",
            "current_datetime",
            "localtimestamp",
            "systimestamp",
        ],
        "now()",
    ),
    (&["current_day"], "current_date()"),
    (&["curtime"], "current_time()"),
    (&["datetime_trunc"], "date_trunc('day', timestamp)"),
    (&["time_slice"], "date_bin(INTERVAL '1 hour', timestamp)"),
    (&["timestamp_millis"], "to_timestamp_millis(number)"),
    (&["timestamp_micros"], "to_timestamp_micros(number)"),
    (
        &["convert_timezone"],
        "from_utc_timestamp(to_utc_timestamp(timestamp, 'Europe/Rome'), 'Asia/Tokyo')",
    ),
    (&["months_between"], "date_diff('month', date, timestamp)"),
    (
        &[
            "to_days",
            "to_hours",
            "to_minutes",
            "to_seconds",
            "to_months",
            "to_years",
        ],
        "date + INTERVAL '1 day'",
    ),
    // Numbers.
    (&["modulo"], "number % other"),
    (&["intdiv"], "number // other"),
    (&["setseed"], "text_hash(text)"),
    (&["truncate"], "trunc(value)"),
    (&["bitand", "bit_and_scalar"], "number & other"),
    (&["bitor"], "number | other"),
    (&["bitxor"], "number XOR other"),
    (&["shiftleft", "shift_left"], "number << 1"),
    (&["shiftright", "shift_right"], "number >> 1"),
    // Lists, maps and structs.
    (
        &["grouparray", "group_array", "array_collect"],
        "array_agg(number)",
    ),
    (
        &["groupuniqarray", "array_unique_agg"],
        "array_agg(DISTINCT number)",
    ),
    (&["arraylength"], "array_length(list)"),
    (
        &["list_fold"],
        "list_sum(array_transform(list, x -> x + 1))",
    ),
    (&["arrayjoin"], "unnest(list)"),
    (&["array_range"], "generate_series(1, 3)"),
    (&["has", "member_of"], "array_has(list, 2)"),
    (&["list_map"], "array_transform(list, x -> x + 1)"),
    (&["filter_array"], "array_filter(list, x -> x > 1)"),
    (&["array_uniq"], "array_length(array_distinct(list))"),
    (&["unique"], "array_distinct(list)"),
    (&["array_sort_asc"], "array_sort(list)"),
    (&["list_sort_desc"], "array_sort(list, 'DESC')"),
    (&["array_last"], "list[-1]"),
    (&["array_get", "list_get", "item"], "list[1]"),
    (
        &["array_intersection", "list_intersection"],
        "array_intersect(list, list)",
    ),
    (&["array_index", "indexof"], "array_position(list, 2)"),
    (&["zip"], "arrays_zip(list, list)"),
    (&["map_from_lists"], "map(['a'], [1])"),
    (
        &["map_contains_key", "mapcontains"],
        "array_has(map_keys(map), 'a')",
    ),
    (&["struct_build"], "named_struct('a', number)"),
    (&["struct_values"], "to_json(record)"),
    (&["struct_extract_at"], "struct_extract(record, 'a')"),
    (&["struct_contains"], "record['a'] = 1"),
    (
        &["map_filter"],
        "map_from_entries(array_filter(map_entries(map), e -> e['value'] > 1))",
    ),
    (
        &["transform_values"],
        "map_from_entries(array_transform(map_entries(map), e -> {key: e['key'], value: e['value'] + 1}))",
    ),
    (
        &["transform_keys"],
        "map_from_entries(array_transform(map_entries(map), e -> {key: upper(e['key']), value: e['value']}))",
    ),
    (
        &["forall", "all_match"],
        "list_bool_and(array_transform(list, x -> x > 1))",
    ),
    (
        &["zip_with"],
        "array_transform(arrays_zip(list, list), x -> x['1'] + x['2'])",
    ),
    (&["try_element_at"], "list[1]"),
    (&["array_fill"], "array_repeat(number, 3)"),
    (&["array_lower"], "1"),
    (&["field"], "array_position(['a', 'b'], text)"),
    (
        &["shuffle", "array_shuffle"],
        "array_agg(number ORDER BY random())",
    ),
    (&["stack"], "unnest([number, other])"),
    (
        &["posexplode", "posexplode_outer"],
        "unnest(list_enumerate(list))",
    ),
    (&["explode_outer"], "unnest_outer(list)"),
    (&["inline", "inline_outer"], "unnest([record])"),
    (&["getfield"], "record['a']"),
    (
        &["try"],
        "TRY_CAST(text AS INTEGER), or number / nullif(other, 0)",
    ),
    // JSON.
    (
        &["json_deep_merge", "json_strip_nulls", "jsonb_strip_nulls"],
        "json_merge_patch(json, '{\"a\": 1}')",
    ),
    (&["json_normalize"], "json_extract(json, '$')"),
    (&["json_group_structure"], "json_structure(json)"),
    (&["is_json", "isvalidjson"], "json_error(json) IS NULL"),
    (
        &["get_path", "jsonb_path_query", "json_path_query"],
        "json_extract(json, '$.a')",
    ),
    (
        &["jsonb_set", "json_set", "json_insert", "json_replace"],
        "json_merge_patch(json, '{\"a\": 2}')",
    ),
    (
        &["json_remove", "json_delete"],
        "json_merge_patch(json, '{\"a\": null}')",
    ),
    (&["jsonb_each", "jsonb_each_text"], "json_keys(json)"),
    (
        &["json_tuple"],
        "json_text(json, '$.a'), json_text(json, '$.b')",
    ),
    (&["schema_of_json"], "json_structure(json)"),
    (&["lax_string", "json_string"], "json_text(json, '$')"),
    (
        &["json_transform_strict", "from_json_strict"],
        "from_json(json, '{\"a\": \"INTEGER\"}')",
    ),
    (
        &["json_contains", "json_search"],
        "json_extract(json, '$.a') = '1'",
    ),
    // Aggregates.
    (
        &["wm_concat", "string_concat_agg", "xmlagg"],
        "string_agg(text, ',')",
    ),
    (&["sum_if", "sumif"], "sum(number) FILTER (WHERE flag)"),
    (&["avg_if", "avgif"], "avg(number) FILTER (WHERE flag)"),
    (&["maxby"], "first_value(text ORDER BY number DESC)"),
    (&["minby"], "first_value(text ORDER BY number)"),
    (&["anyvalue"], "any_value(text)"),
    (
        &["approx_quantiles"],
        "approx_percentile_cont(0.5) WITHIN GROUP (ORDER BY value)",
    ),
    (
        &["uniq", "hll", "ndv", "hll_count"],
        "approx_distinct(text)",
    ),
    (
        &["approx_top_count", "approx_top_sum"],
        "approx_top_k(text, 3)",
    ),
    (&["some", "any"], "bool_or(flag)"),
    (&["count_distinct", "uniqexact"], "count(DISTINCT text)"),
    (&["variance_pop"], "var_pop(value)"),
    (&["stdev", "std", "standard_deviation"], "stddev(value)"),
    (&["all_true"], "bool_and(flag)"),
    (&["any_true", "booland_agg"], "bool_or(flag)"),
    (&["top_k", "topk"], "histogram(text)"),
    (&["total"], "sum(number)"),
    // Windows.
    (
        &[
            "rowid",
            "rownum",
            "monotonically_increasing_id",
            "zipwithindex",
        ],
        "row_number() OVER ()",
    ),
    (&["ratio_to_report"], "number / sum(number) OVER ()"),
];

/// Beginnings of names that have no equivalent, and what to do instead.
const EXPLAINED: &[(&[&str], &str)] = &[
    (
        &["collate_", "icu_sort_key"],
        "texts are compared by their code points; write ORDER BY lower(text)",
    ),
    (
        &[
            "col_description",
            "current_connection",
            "current_query",
            "current_role",
            "current_schemas",
            "current_transaction",
            "format_pg",
            "format_type",
            "get_block_size",
            "has_",
            "in_search_path",
            "map_to_pg",
            "map_type_id",
            "obj_description",
            "pg_",
            "shobj_description",
            "txid_",
        ],
        "there is no catalog of a server; write FROM information_schema.tables",
    ),
    (
        &["variant_"],
        "there is no VARIANT; keep JSON as a text, and write json_extract(json, '$.a')",
    ),
    (
        &["enum_"],
        "there is no ENUM; write a list of texts, such as ['a', 'b']",
    ),
    (
        &["st_", "vertex_"],
        "there is no geometry; keep coordinates as two numbers",
    ),
    (
        &["union_", "tag_"],
        "there is no UNION of types; write {kind: 'a', value: value}",
    ),
    (
        &["json_serialize", "json_deserialize", "json_execute"],
        "a statement is not a value; write EXPLAIN SELECT … for its plan",
    ),
    (
        &["bit_position", "bitstring", "get_bit", "set_bit"],
        "there is no BIT; write (number >> 2) & 1 for a bit, and number | (1 << 2) to set one",
    ),
    (
        &["sleep", "pg_sleep", "write_log", "parse_duckdb_log"],
        "a query has no side effects; leave it out",
    ),
];

/// Returns the advice for a function of a family.
pub fn explain(name: &str) -> Option<&'static str> {
    let is_one =
        |(starts, _): &&(&[&str], &str)| starts.iter().any(|start| name.starts_with(start));
    EXPLAINED.iter().find(is_one).map(|(_, advice)| *advice)
}

/// Table functions, and what follows FROM instead.
pub const TABLE_FUNCTIONS: &[Known] = &[
    (&["read_tar", "read_zip"], "read_files('folder/')"),
    (
        &[
            "read_docx",
            "read_eml",
            "read_epub",
            "read_html",
            "read_mail",
            "read_mbox",
            "read_md",
            "read_odt",
            "read_office",
        ],
        "documents('folder/')",
    ),
    (
        &["read_html_pages", "read_web_pages"],
        "web_pages('folder/')",
    ),
    (
        &["pdf_pages", "read_pdf_pages"],
        "pdf_document_pages('folder/')",
    ),
    (
        &["pdf_tables", "read_pdf_tables"],
        "pdf_document_tables('folder/')",
    ),
    (&["pdf_text"], "pdf_documents('folder/')"),
    (
        &["read_arc", "read_wacz", "read_warc_gz"],
        "read_warc('folder/')",
    ),
    (
        &["read_alto", "read_page", "read_page_xml"],
        "read_hocr('folder/')",
    ),
    (
        &["read_seq", "read_sequence_file"],
        "read_sequencefile('folder/')",
    ),
    (&["csv_scan"], "'folder/*.csv'"),
    (
        &[
            "parquet_full_metadata",
            "parquet_page_index",
            "parquet_bloom_probe",
        ],
        "parquet_metadata('folder/x.parquet')",
    ),
    (&["duckdb_types"], "(DESCRIBE SELECT 1 AS a)"),
    (&["summary"], "(SUMMARIZE SELECT 1 AS a)"),
    (&["read_duckdb"], "'folder/x.parquet'"),
    (
        &["duckdb_databases", "duckdb_schemas"],
        "information_schema.schemata",
    ),
    (
        &[
            "delta_scan",
            "iceberg_scan",
            "mysql_scan",
            "postgres_scan",
            "sqlite_scan",
        ],
        "'folder/*.parquet'",
    ),
    (&["read_xlsx", "st_read"], "'folder/*.csv'"),
    (&["repeat"], "generate_series(1, 3)"),
    (
        &[
            "jsonb_each",
            "jsonb_array_elements",
            "json_array_elements",
            "jsonb_each_text",
        ],
        "json_each('{\"a\": 1}')",
    ),
    (&["generator", "repeat_row"], "generate_series(1, 3)"),
    (
        &["sequence", "numbers", "generate_array"],
        "generate_series(1, 3)",
    ),
];

/// Returns the replacement for a name from another engine.
pub fn meant(table: &[Known], name: &str) -> Option<&'static str> {
    let known = table
        .iter()
        .find(|(names, _)| names.iter().any(|known| known.eq_ignore_ascii_case(name)));
    known.map(|(_, meant)| *meant)
}

/// Whether a name is similar enough to another to be a misspelling of it. Different short names
/// often differ in a single letter.
pub fn is_misspelled(name: &str, other: &str) -> bool {
    let tolerated = match name.chars().count() {
        0..=4 => 0,
        5..=9 => 1,
        _ => 2,
    };
    let (name, other) = (name.to_lowercase(), other.to_lowercase());
    levenshtein(&name, &other) <= tolerated || is_swapped(&name, &other)
}

/// Whether two texts differ in the order of two adjacent letters.
fn is_swapped(text: &str, other: &str) -> bool {
    let (text, other): (Vec<char>, Vec<char>) = (text.chars().collect(), other.chars().collect());
    let differs = |at: &usize| text[*at] != other[*at];
    text.len() > 3
        && text.len() == other.len()
        && match (0..text.len()).find(differs) {
            Some(at) if at + 1 < text.len() => {
                text[at] == other[at + 1]
                    && text[at + 1] == other[at]
                    && text[at + 2..] == other[at + 2..]
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use datafusion::prelude::SessionContext;

    use super::*;
    use crate::session::{SessionOptions, session};
    use crate::sql::dialect;

    const EXAMPLE: &str = "CREATE TABLE example AS SELECT 'a text' AS text, 't' AS pattern, \
        2 AS number, 3 AS other, 1.5 AS value, true AS flag, [1, 2, 3] AS list, \
        DATE '2026-05-01' AS date, TIMESTAMP '2026-05-01 12:00:00' AS timestamp, {a: 1} AS record, \
        map(['a'], [1]) AS map, '{\"a\": 1}' AS json, arrow_cast('<p>a</p>', 'Binary') AS data, \
        'https://example.org/a' AS url";

    async fn run(context: &SessionContext, sql: &str) -> datafusion::common::Result<()> {
        dialect::sql(context, sql).await?.collect().await?;
        Ok(())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_stands_for_a_foreign_function_runs() {
        let context = session(&SessionOptions::default()).unwrap();
        run(&context, EXAMPLE).await.unwrap();
        #[cfg(feature = "pdf")]
        run(&context, "SET corpus.pdf_isolation = 'thread'")
            .await
            .unwrap();
        let mut wrong = Vec::new();
        for (names, meant) in FUNCTIONS {
            for expression in meant.split(", or ") {
                let sql = format!("SELECT {expression} FROM example");
                if let Err(error) = run(&context, &sql).await {
                    wrong.push(format!("{names:?}: {sql}: {error}"));
                }
            }
        }
        for (names, meant) in TABLE_FUNCTIONS {
            let is_known = match meant.split_once('(') {
                _ if meant.contains("'folder/x.") => true,
                None if meant.starts_with("'folder/") => true,
                Some((function, _)) if !["", "json_each"].contains(&function) => {
                    context.table_function(function).is_ok()
                }
                _ => {
                    let sql = format!("SELECT * FROM {meant}");
                    run(&context, &sql).await.is_ok()
                }
            };
            if !is_known {
                wrong.push(format!("{names:?}: FROM {meant}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn foreign_names_are_many_different_and_unknown_here() {
        let context = session(&SessionOptions::default()).unwrap();
        let state = context.state();
        let mut known = HashSet::new();
        for name in FUNCTIONS.iter().flat_map(|(names, _)| *names) {
            assert!(known.insert(name.to_lowercase()), "{name} twice");
            assert!(!state.scalar_functions().contains_key(*name), "{name}");
            assert!(!state.aggregate_functions().contains_key(*name), "{name}");
            assert!(!state.window_functions().contains_key(*name), "{name}");
        }
        assert!(known.len() >= 150, "{}", known.len());
    }

    #[test]
    fn only_very_similar_names_are_misspelled() {
        for (name, other) in [
            ("lenght", "length"),
            ("coutn", "count"),
            ("htlm_links", "html_links"),
            ("regexp_replac", "regexp_replace"),
            ("HTML_document", "html_documents"),
        ] {
            assert!(is_misspelled(name, other), "{name} {other}");
        }
        for (name, other) in [
            ("len", "ln"),
            ("year", "var"),
            ("list", "left"),
            ("printf", "sin"),
            ("explode", "encode"),
            ("regexp_extract", "regexp_replace"),
            ("even", "cos"),
        ] {
            assert!(!is_misspelled(name, other), "{name} {other}");
        }
    }
}
