-- Statements with the same values here and in DuckDB. Both run in a folder with the table of
-- test_duckdb.py as docs.parquet, docs.csv and docs.jsonl.

-- Clauses, joins and columns.
FROM (VALUES (1,'a'),(2,'b')) t(n,s)
FROM (VALUES (1,'a'),(2,'b')) t(n,s) SELECT n
SELECT * EXCLUDE (n) FROM (VALUES (1,'a')) t(n,s)
SELECT * EXCLUDE n FROM (VALUES (1,'a')) t(n,s)
SELECT * REPLACE (n+1 AS n) FROM (VALUES (1,'a')) t(n,s)
SELECT * RENAME (n AS m) FROM (VALUES (1,'a')) t(n,s)
SELECT COLUMNS('n.*') FROM (VALUES (1,'a')) t(n,s)
SELECT * FROM (VALUES (1)) a(n) SEMI JOIN (VALUES (1)) b(n) USING (n)
SELECT * FROM (VALUES (1)) a(n) ANTI JOIN (VALUES (1)) b(n) ON a.n=b.n
SELECT * FROM (VALUES (1)) a(n) POSITIONAL JOIN (VALUES (2)) b(m)
SELECT t.n, u FROM (SELECT 1 AS n, [1,2] AS l) t, unnest(t.l) AS x(u)
SELECT s.* FROM (SELECT {'a':1,'b':2} AS s)
SELECT 1, 2, FROM (VALUES (1)) t(n)
SELECT list(n) FROM (VALUES (1)) t(n)
SELECT any_value(n), mode(n) FROM (VALUES (1)) t(n)
SELECT DISTINCT ON (s) s, n FROM (VALUES (1,'a'),(2,'a')) t(n,s) ORDER BY s, n
SELECT * FROM (VALUES (1,2)) t(a,b) WHERE (a,b) IN ((1,2))
SELECT replace('abc', 'b', 'x'), translate('abc','b','x'), instr('abc','b'), strpos('abc','b'), position('b' IN 'abc'), substring('abc' FROM 2 FOR 1), substring('abc', 2), ascii('a'), chr(97)
SELECT * FROM generate_series(1,3) t(i)
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n < 3) SELECT * FROM r
SELECT n FROM (VALUES (1)) t(n) WHERE n BETWEEN 1 AND 2 AND n IS DISTINCT FROM 3
SELECT extract(year FROM date '2024-01-01'), date_add(date '2024-01-01', interval 1 day)
SELECT * FROM 'docs.parquet' ORDER BY id
FROM 'docs.parquet' ORDER BY id LIMIT 2
SELECT * FROM 'docs.csv' ORDER BY id
SELECT * FROM 'docs.jsonl' ORDER BY id
SELECT * FROM read_csv('docs.csv', header = true, delim = ',') ORDER BY id
SELECT * FROM read_csv('docs.csv', columns = {'id': 'INTEGER', 'url': 'VARCHAR', 'lang': 'VARCHAR', 'n': 'INTEGER'}, header = true) ORDER BY id
SELECT * FROM read_json('docs.jsonl', format = 'newline_delimited') ORDER BY id
SELECT * FROM read_ndjson_auto('docs.jsonl') ORDER BY id
SELECT * RENAME (id AS doc_id, url AS link) FROM 'docs.parquet' ORDER BY doc_id
SELECT * EXCLUDE (url) REPLACE (upper(lang) AS lang) RENAME (id AS k) FROM 'docs.parquet' ORDER BY k
SELECT t.* EXCLUDE (url) FROM 'docs.parquet' t ORDER BY id
SELECT t.* RENAME (id AS k) FROM 'docs.parquet' t ORDER BY k
SELECT COLUMNS('^(id|n)$') FROM 'docs.parquet' ORDER BY id
SELECT COLUMNS(*) FROM 'docs.parquet' ORDER BY id
SELECT COLUMNS(* EXCLUDE (url)) FROM 'docs.parquet' ORDER BY id
SELECT COLUMNS(['id','n']) FROM 'docs.parquet' ORDER BY id
SELECT n * 2 AS d FROM 'docs.parquet' WHERE d > 4 ORDER BY d
UNPIVOT (SELECT id, n FROM 'docs.parquet') ON id, n INTO NAME k VALUE v ORDER BY k, v
UNPIVOT (SELECT lang, id, n FROM 'docs.parquet') ON COLUMNS(* EXCLUDE lang) INTO NAME k VALUE v ORDER BY lang, k, v
SELECT * FROM (SELECT lang, id, n FROM 'docs.parquet') UNPIVOT (v FOR k IN (id, n)) ORDER BY lang, k, v
SELECT a.id FROM 'docs.parquet' a SEMI JOIN (SELECT 1 AS id) b ON a.id = b.id
SELECT a.id FROM 'docs.parquet' a ANTI JOIN (SELECT 1 AS id) b USING (id) ORDER BY id
SELECT * FROM (SELECT 1 AS id, 'a' AS x) a JOIN (SELECT 1 AS id, 'b' AS y) b USING (id)
SELECT a, b FROM (SELECT 1 AS a) CROSS JOIN (SELECT 2 AS b)
SELECT t.id, x FROM (SELECT 1 AS id, ['a','b'] AS l) t, unnest(t.l) AS u(x) ORDER BY x
SELECT id, u.x FROM (SELECT 1 AS id, ['a','b'] AS l) t CROSS JOIN unnest(t.l) AS u(x) ORDER BY x
SELECT id, unnest FROM (SELECT 1 AS id, ['a','b'] AS l) t, unnest(l) ORDER BY 2
SELECT id, u FROM (SELECT 1 AS id, ['a','b'] AS l) t, LATERAL unnest(t.l) AS _(u) ORDER BY u
SELECT id, u FROM (SELECT 1 AS id, ['a','b'] AS l) t, LATERAL (SELECT unnest(t.l) AS u) ORDER BY u
SELECT id, c FROM (SELECT id, n FROM 'docs.parquet') t, LATERAL (SELECT t.n * 2 AS c) ORDER BY id
SELECT id, unnest(['a','b']) AS x FROM 'docs.parquet' ORDER BY id, x
SELECT s.a, s.b FROM (SELECT {'a': 1, 'b': 2} AS s)
SELECT s.* FROM (SELECT {'a': 1, 'b': {'c': 2}} AS s) t
SELECT (s).a FROM (SELECT {'a': 1} AS s)
SELECT s['a'] FROM (SELECT {'a': 1} AS s)
SELECT j ->> 'name' AS name FROM (VALUES ('{"name": "x"}'), ('{"name": null}'), ('{}')) t(j)
SELECT (j ->> 'n')::int + 1 FROM (VALUES ('{"n": 3}')) t(j)
SELECT extract('month' FROM date '2024-02-03'), extract(dow FROM date '2024-02-03'), date_part('epoch', timestamp '2024-01-01')
SELECT * FROM generate_series(timestamp '2024-01-01', timestamp '2024-01-03', interval 1 day) t(d)
SELECT * FROM range(date '2024-01-01', date '2024-01-03', interval 1 day) t(d)
SELECT list(id ORDER BY id DESC) FILTER (WHERE n > 1) FROM 'docs.parquet'
SELECT stddev_samp(n), stddev_pop(n), var_samp(n), var_pop(n), sem(n) FROM 'docs.parquet'
SELECT histogram(lang) FROM 'docs.parquet'
SELECT DISTINCT lang FROM 'docs.parquet' ORDER BY lang
SELECT lang, lang FROM 'docs.parquet' ORDER BY id
SELECT n AS x, n AS x FROM 'docs.parquet' ORDER BY id
SELECT * , * FROM (SELECT 1 AS a)
SELECT *, id FROM 'docs.parquet' ORDER BY id
SELECT lang FROM 'docs.parquet' WHERE url GLOB 'https://*.com/*' ORDER BY id
SELECT id FROM 'docs.parquet' WHERE url SIMILAR TO '.*com.*' ORDER BY id
SELECT id FROM 'docs.parquet' WHERE url LIKE '%com%' ORDER BY id
SELECT CASE lang WHEN 'en' THEN 1 ELSE 0 END AS e FROM 'docs.parquet' ORDER BY id
SELECT id FROM 'docs.parquet' WHERE lang IN ('en', 'fr') ORDER BY id
SELECT id FROM 'docs.parquet' WHERE (lang, n) = ('en', 3)
SELECT id FROM 'docs.parquet' WHERE lang = ANY(['en', 'fr']) ORDER BY id
SELECT id FROM 'docs.parquet' WHERE id IN [1, 2] ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE EXISTS (SELECT 1 FROM 'docs.parquet' e WHERE e.n > d.n) ORDER BY id
SELECT 1 AS a, 2 AS b UNION BY NAME SELECT 3 AS b, 4 AS a ORDER BY ALL
SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b ORDER BY ALL
VALUES (1, 'a'), (2, 'b')
SELECT * FROM VALUES (1, 'a') t(a, b)
TABLE 'docs.parquet'
WITH t AS MATERIALIZED (SELECT 1 AS a) SELECT * FROM t
WITH t(a, b) AS (SELECT 1, 2) FROM t
SELECT * FROM (SELECT 1 AS a) WHERE a NOT IN (2, 3) AND a IS NOT NULL AND a NOTNULL
SELECT id FROM 'docs.parquet' ORDER BY n DESC NULLS LAST, id LIMIT 2 OFFSET 1
SELECT id FROM 'docs.parquet' ORDER BY id FETCH FIRST 2 ROWS ONLY
SELECT j.id FROM (SELECT 1 AS id) AS j
SELECT trim('xxaxx', 'x'), ltrim('xa', 'x'), rtrim('ax', 'x'), trim(BOTH 'x' FROM 'xax'), trim(LEADING 'x' FROM 'xa')
SELECT columns('n') FROM 'docs.parquet' ORDER BY 1
SELECT (SELECT list(id ORDER BY id) FROM 'docs.parquet')
SELECT id, concat_ws(',', lang, url) FROM 'docs.parquet' ORDER BY id LIMIT 1
SELECT x FROM (SELECT 1 AS x), (SELECT 2 AS y)
SELECT d.id FROM 'docs.parquet' AS d JOIN 'docs.csv' AS c ON d.id = c.id WHERE c.lang = 'en' ORDER BY 1
SELECT size FROM read_blob('docs.csv')
SELECT content FROM read_text(['docs.csv'])
SELECT n, n > 1 AND NOT n = 3 AS ok FROM 'docs.parquet' ORDER BY id
SELECT id FROM 'docs.parquet' ORDER BY lower(lang), id
SELECT DISTINCT ON (lang) lang, id FROM 'docs.parquet' ORDER BY lang, id
SELECT COUNT(*) FILTER (lang = 'en') AS en, COUNT(*) FILTER (WHERE lang = 'de') AS de FROM 'docs.parquet'
SELECT substr(url, 1, 10) || '…' AS u FROM 'docs.parquet' ORDER BY id
SELECT id, lang FROM 'docs.parquet' WHERE lang IS DISTINCT FROM 'en' ORDER BY id
SELECT * FROM 'docs.parquet' WHERE id = 1 AND lang == 'en'
SELECT * FROM 'docs.parquet' WHERE id <> 1 AND id != 2 ORDER BY id
SELECT * EXCEPT (url) FROM 'docs.parquet' ORDER BY id
SELECT url.split('/')[3] FROM 'docs.parquet' ORDER BY id
SELECT lang.upper().lower() FROM 'docs.parquet' ORDER BY id

-- Expressions and functions.
UNPIVOT (SELECT 1 AS a, 2 AS b) ON a, b INTO NAME k VALUE v
SELECT [x*2 FOR x IN [1,2,3] IF x > 1]
SELECT list_transform([1,2], lambda x : x+1)
SELECT [1,2,3][1:2]
SELECT 'abc'[1:2]
SELECT 'abc'[2]
SELECT 'a' || 1
SELECT '1'::int + 1, 1::text
SELECT [1,2,]
SELECT 1_000_000
SELECT regexp_extract('abc123', '[0-9]+')
SELECT regexp_extract('abc123', '([a-z]+)([0-9]+)', 2)
SELECT regexp_extract_all('a1b2', '[0-9]')
SELECT regexp_matches('abc', 'b')
SELECT string_split('a,b', ',')
SELECT split('a,b', ',')
SELECT str_split('a,b', ',')
SELECT len('abc'), len([1,2])
SELECT year(date '2024-02-03'), month(date '2024-02-03'), day(date '2024-02-03')
SELECT strftime(date '2024-02-03', '%Y-%m')
SELECT strftime('%Y', date '2024-02-03')
SELECT list_aggregate([1,2], 'sum')
SELECT json_extract('{"a":1}', '$.a'), '{"a":1}' -> 'a', '{"a":1}' ->> 'a'
SELECT json_extract_string('{"a":"x"}', '$.a')
SELECT unnest([1,2])
SELECT flatten([[1],[2]])
SELECT printf('%d', 1), format('{} {}', 'a', 1)
SELECT levenshtein('kitten', 'sitting'), jaccard('abc', 'abd')
SELECT md5('a'), sha1('a'), sha256('a')
SELECT base64('a'::blob), to_base64('a'::blob), from_base64('YQ==')
SELECT url_decode('a%20b'), url_encode('a b')
SELECT epoch(timestamp '2024-01-01'), epoch_ms(timestamp '2024-01-01')
SELECT date_diff('day', date '2024-01-01', date '2024-02-01'), datediff('day', date '2024-01-01', date '2024-02-01')
SELECT date_trunc('month', date '2024-02-03'), date_part('year', date '2024-02-03')
SELECT greatest(1,2), least(1,2)
SELECT contains('abc', 'b'), starts_with('abc', 'a'), ends_with('abc','c'), prefix('abc','a'), suffix('abc','c')
SELECT 7 // 2, 7 % 2, 2 ** 3
SELECT TRY_CAST('a' AS INT)
SELECT CASE WHEN true THEN 1 END
SELECT map(['a'],[1])['a'], map_keys(map {'a':1}), element_at(map {'a':1}, 'a')
SELECT generate_series(1,3), range(3)
SELECT interval '1 day' + date '2024-01-01', date '2024-01-01' + interval 1 day
SELECT 'it''s', E'a\nb', $$a$$
SELECT round(2.567, 2), floor(2.5), ceil(2.5), abs(-1), sqrt(4), pow(2,3), power(2,3), ln(1), log(10), log10(100), exp(1), sign(-1), mod(7,2), trunc(2.5), pi()
SELECT regexp_replace('aaa','a','b'), regexp_replace('aaa','a','b','g'), regexp_split_to_array('a1b', '[0-9]'), string_to_array('a,b', ',')
SELECT array_length([1,2]), cardinality([1,2]), array_contains([1],1), list_append([1],2), array_to_string([1,2], ','), list_slice([1,2,3],1,2), list_unique([1,1]), list_concat([1],[2]), list_reverse([1,2]), list_position([1,2],2)
SELECT strptime('2024-01-01', '%Y-%m-%d'), to_timestamp(0), make_date(2024,1,1), last_day(date '2024-02-01'), dayname(date '2024-02-01'), monthname(date '2024-02-01')
SELECT unnest({'a': 1, 'b': 2})
SELECT [x for x in [1,2,3] if x % 2 = 1]
SELECT [1,2,3][1], [1,2,3][-1], [1,2,3][2:], [1,2,3][:2], [1,2,3][-2:]
SELECT 'hello'[2:], 'hello'[-3:], 'hello'[:2], 'hello'[1], 'hello'[2:3]
SELECT list_slice([1,2,3,4], 2, 3), array_slice([1,2,3], 1, 2)
SELECT struct_pack(a := 1, b := 'x')
SELECT {'a': 1, 'b': [1,2]}
SELECT map {'a': 1, 'b': 2}['b']
SELECT '{"a": {"b": [1, 2]}}'::json -> 'a' -> 'b' -> 1
SELECT '{"a": {"b": [1, 2]}}' -> '$.a.b[0]'
SELECT '{"a": {"b": "x"}}' ->> '$.a.b'
SELECT json_extract('{"a": [1, {"b": "x"}]}', '$.a[1].b'), json_extract_string('{"a": [1, {"b": "x"}]}', '$.a[1].b')
SELECT json_extract('{"a":1}', 'a'), json_extract('{"a":1}', '/a')
SELECT json_array_length('[1,2]'), json_type('{"a":1}'), json_valid('{'), json_keys('{"a":1,"b":2}')
SELECT json('{"a" : 1}'), '{"a":1}'::JSON
SELECT date '2024-02-03' + 1, date '2024-02-03' - date '2024-02-01'
SELECT date '2024-02-03' + interval 1 month, date '2024-02-03' - interval '2 days'
SELECT '2024-02-03'::date, '2024-02-03 01:02:03'::timestamp, cast('2024-02-03' AS date)
SELECT date_trunc('week', date '2024-02-03'), date_trunc('hour', timestamp '2024-02-03 04:05:06')
SELECT datepart('year', date '2024-02-03'), datetrunc('month', date '2024-02-03')
SELECT strftime(timestamp '2024-02-03 04:05:06', '%d.%m.%Y %H:%M:%S'), strftime(date '2024-02-03', '%B %d, %Y'), strftime('%A', date '2024-02-03')
SELECT time_bucket(interval '1 day', timestamp '2024-02-03 04:05:06')
SELECT epoch_us(timestamp '2024-01-01'), epoch_ns(timestamp '2024-01-01')
SELECT timestamptz '2024-01-01 00:00:00+00', timestamp '2024-01-01 00:00:00' AT TIME ZONE 'UTC'
SELECT time '12:34:56', '12:34'::time
SELECT generate_series(date '2024-01-01', date '2024-01-03', interval 1 day)
SELECT 'a', 'a', 1, 1
SELECT 10 / 4, 10 // 4, -7 // 2, 10 % 4, 7.0 / 2
SELECT 'a' || 'b' || 1 || NULL
SELECT 'a' || 1.5, concat('a', 1, NULL), concat_ws('-', 'a', NULL, 'b')
SELECT 'abc' LIKE 'a%', 'abc' NOT LIKE 'b%', 'ABC' ILIKE 'abc', 'abc' GLOB '*b*', 'abc' SIMILAR TO 'a.*'
SELECT 'abc' ~ 'a.c', 'abc' !~ 'x', 'abc' ~ 'b', regexp_matches('abc', 'b')
SELECT TRY_CAST('x' AS int), '12'::bigint, '1.5'::decimal(4,2), 1::boolean, 'true'::bool, 1.7::int, 'a'::blob
SELECT 5::utinyint, 5::hugeint, 5::uint8, 5::int4, '5'::int8, 'x'::string, 'x'::char, 1::real, 1::float8, 1::long, 1::short, 1::double
SELECT 1 IN [1, 2], 'b' IN ('a', 'b'), 1 = ANY([1,2])
SELECT 1 EXCEPT SELECT 2
SELECT 1 INTERSECT SELECT 1
SELECT 42 AS "the answer", 1 one
SELECT regexp_extract('abc', '(z)'), regexp_extract('ABC', 'b', 0, 'i')
SELECT regexp_replace('hello', '[lo]', '-'), regexp_replace('hello', '[lo]', '-', 'g'), regexp_replace('ab', '(a)(b)', '\2\1')
SELECT regexp_split_to_array('a1b2', '[0-9]'), string_split_regex('a1b', '\d'), split('a b', ' ')[1]
SELECT string_split('a-b', '-')[2], split_part('a-b', '-', 2), str_split_regex('a1b', '[0-9]')
SELECT unnest(string_split('a b c', ' ')) AS w ORDER BY w
SELECT format('{:05d}|{:.2f}|{}', 42, 3.14159, 'x'), printf('%05d|%.2f|%s', 42, 3.14159, 'x'), format('{:,}', 1234567), format('{:>5}', 'a')
SELECT formatReadableSize(123456), format_bytes(123456), format_bytes(1024)
SELECT parse_filename('a/b.txt'), parse_path('a/b'), parse_dirname('a/b.txt'), parse_dirpath('a/b/c.txt')
SELECT list_value(1,2), list_contains([1,2], 2), list_has([1], 1), list_has_any([1,2],[2,3]), list_has_all([1,2],[2]), list_intersect([1,2],[2]), list_position([1,2], 2), list_indexof([1,2], 2)
SELECT list_append([1], 2), list_prepend(0, [1]), list_concat([1],[2]), list_cat([1],[2]), [1] || [2], array_cat([1],[2]), list_reverse([1,2]), list_sort([3,1,2]), list_reverse_sort([1,3,2]), list_sort([1,2], 'DESC')
SELECT list_histogram(['a','a']), list_mode([1,1,2]), list_product([2,3]), list_bool_and([true])
SELECT round(1.235, 2), round(1234, -2), floor(-1.5), ceil(1.2), ceiling(1.2), trunc(1.9), abs(-5), sign(-2), sqrt(9), cbrt(27), exp(0), ln(1), log(100), log2(8), log10(100), pow(2, 3), power(2, 3), mod(7, 3), gcd(4, 6), lcm(4, 6), factorial(4), even(2.1), pi(), degrees(pi()), radians(180), sin(0), atan2(0, 1), isnan('nan'::double), isinf(1.0), isfinite(1.0)
SELECT 'x' AS a, a || 'y' AS b
SELECT 1 AS a, a + 1 AS b, b + 1 AS c
SELECT ARRAY[1,2], ARRAY(SELECT 1), [1, NULL]
SELECT 'abc'.upper(), ('a,b').string_split(',')

-- Aggregates and windows.
SELECT s, count(*) FROM (VALUES (1,'a')) t(n,s) GROUP BY ALL
SELECT s, count(*) FROM (VALUES (1,'a')) t(n,s) GROUP BY 1 ORDER BY ALL
SELECT n, s FROM (VALUES (1,'a'),(2,'a')) t(n,s) QUALIFY row_number() OVER (PARTITION BY s ORDER BY n) = 1
PIVOT (SELECT * FROM (VALUES (1,'a'),(2,'b')) t(n,s)) ON s USING sum(n)
SELECT list_contains([1,2], 1), list_sort([2,1]), list_distinct([1,1]), list_sum([1,2]), list_max([1,2])
SELECT arg_max(s, n), arg_min(s, n), max_by(s, n) FROM (VALUES (1,'a'),(2,'b')) t(n,s)
SELECT count_if(n > 1) FROM (VALUES (1),(2)) t(n)
SELECT countif(n > 1) FROM (VALUES (1),(2)) t(n)
SELECT quantile_cont(n, 0.5), median(n) FROM (VALUES (1),(2)) t(n)
SELECT count(*) FILTER (WHERE n > 1) FROM (VALUES (1),(2)) t(n)
SELECT array_agg(n ORDER BY n DESC) FROM (VALUES (1),(2)) t(n)
SELECT sum(n) OVER (ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (VALUES (1),(2)) t(n)
SELECT lag(n) OVER (ORDER BY n), rank() OVER (ORDER BY n), ntile(2) OVER (ORDER BY n) FROM (VALUES (1),(2)) t(n)
SELECT bit_count(7), xor(1,2), 5 & 1, 5 | 1, 1 << 2
SELECT count(DISTINCT n), count() FROM (VALUES (1)) t(n)
SELECT first(n), last(n), product(n), stddev(n), variance(n), corr(n,n), bool_and(true), bool_or(false), max(n, 1) FROM (VALUES (1),(2)) t(n)
SELECT min(COLUMNS(*)) FROM 'docs.parquet'
SELECT max(COLUMNS('id|n')) FROM 'docs.parquet'
SELECT lang, count(*) AS c FROM 'docs.parquet' GROUP BY ALL ORDER BY ALL
SELECT lang, sum(n), avg(n) FROM 'docs.parquet' GROUP BY ALL ORDER BY ALL DESC
SELECT lang, count(*) FROM 'docs.parquet' GROUP BY lang ORDER BY 2 DESC, 1
SELECT upper(lang) AS l, count(*) FROM 'docs.parquet' GROUP BY l ORDER BY l
SELECT * FROM 'docs.parquet' QUALIFY row_number() OVER (PARTITION BY lang ORDER BY n DESC) = 1 ORDER BY id
PIVOT (SELECT lang, n FROM 'docs.parquet') ON lang USING sum(n)
PIVOT (SELECT lang, n, id FROM 'docs.parquet') ON lang USING sum(n), count(*) GROUP BY id ORDER BY id
PIVOT (SELECT lang, n, id FROM 'docs.parquet') ON lang IN ('en', 'de') USING max(n) GROUP BY id ORDER BY id
SELECT * FROM (SELECT lang, n FROM 'docs.parquet') PIVOT (sum(n) FOR lang IN ('en', 'de'))
SELECT count(*) FROM (VALUES ('{"n": 3}')) t(j) WHERE j ->> 'n' = '3'
SELECT string_agg(lang, ', ' ORDER BY id) FROM 'docs.parquet'
SELECT array_agg(DISTINCT lang ORDER BY lang) FROM 'docs.parquet'
SELECT array_agg(id ORDER BY id)[1:2] FROM 'docs.parquet'
SELECT max(n, 2), min(n, 2), arg_max(id, n, 2) FROM 'docs.parquet'
SELECT max(id ORDER BY n), first(url ORDER BY id), last(url ORDER BY id) FROM 'docs.parquet'
SELECT any_value(lang ORDER BY id), count(DISTINCT lang), sum(n) FILTER (lang = 'en') FROM 'docs.parquet'
SELECT bit_and(n), bit_or(n), bit_xor(n), bool_and(n > 0), bool_or(n > 2), fsum(n), geomean(n) FROM 'docs.parquet'
SELECT mean(n), sum(n)::int, count_star() FROM 'docs.parquet'
SELECT lang, count(*) FROM 'docs.parquet' GROUP BY ROLLUP (lang) ORDER BY lang NULLS LAST
SELECT lang, id, count(*) FROM 'docs.parquet' GROUP BY CUBE (lang, id) ORDER BY ALL
SELECT lang, id, count(*) FROM 'docs.parquet' GROUP BY GROUPING SETS ((lang), (id)) ORDER BY ALL
SELECT id, row_number() OVER w, sum(n) OVER w FROM 'docs.parquet' WINDOW w AS (ORDER BY id) ORDER BY id
SELECT id, lead(n, 1, 0) OVER (ORDER BY id), first_value(n) OVER (ORDER BY id), nth_value(n, 2) OVER (ORDER BY id), percent_rank() OVER (ORDER BY n), cume_dist() OVER (ORDER BY n), dense_rank() OVER (ORDER BY n) FROM 'docs.parquet' ORDER BY id
SELECT count(*), count(*) FROM 'docs.parquet'
SELECT id FROM 'docs.parquet' WHERE n > (SELECT avg(n) FROM 'docs.parquet') ORDER BY id
SELECT id, (SELECT max(n) FROM 'docs.parquet') AS m FROM 'docs.parquet' ORDER BY id
WITH t AS (FROM 'docs.parquet' WHERE n > 1) SELECT count(*) FROM t
SELECT w, count(*) AS c FROM (SELECT unnest(string_split('a b a', ' ')) AS w) GROUP BY w ORDER BY ALL
SELECT greatest(1, 2, 3), least('a', 'b'), greatest(1, NULL), bit_count(5), xor(5, 3), 5 & 3, 5 | 3, ~5, 1 << 3, 8 >> 1
SELECT split(url, '/')[3] AS host, count(*) AS c FROM 'docs.parquet' GROUP BY ALL ORDER BY c DESC, host
SELECT regexp_extract(url, 'https?://([^/]+)', 1) AS host, count(*) FROM 'docs.parquet' GROUP BY 1 ORDER BY 2 DESC, 1
SELECT count_if(n > 1), countif(n > 1), sum(if(n > 1, 1, 0)) FROM 'docs.parquet'
SELECT lang, array_agg(struct_pack(id := id, n := n) ORDER BY id) AS d FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT count(*) FROM 'docs*.parquet'
SELECT count(*) FROM read_parquet('*.parquet', union_by_name = true)
SELECT row_number() OVER () AS r FROM range(2)
SELECT lang AS l FROM 'docs.parquet' GROUP BY l ORDER BY count(*) DESC, l
SELECT count(DISTINCT (lang, n)) FROM 'docs.parquet'
SELECT sum(DISTINCT n), avg(n)::decimal(4,1) FROM 'docs.parquet'
SELECT arg_max(url, n), arg_min(url, n), max_by(id, n), first(id), last(id) FROM 'docs.parquet' WHERE id = 1
SELECT lang, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS pct FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT max(len(url)) AS m FROM 'docs.parquet'

-- Statements.
CREATE TABLE t (id INTEGER, name VARCHAR); INSERT INTO t VALUES (1,'a'),(2,'b'); SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS id; UPDATE t SET id = 3; SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS id; DELETE FROM t WHERE id = 1; SELECT * FROM t
CREATE MACRO f(x) AS x + 1; SELECT f(2)
CREATE FUNCTION f(x) AS x + 1; SELECT f(2)
CREATE MACRO g(x) AS TABLE SELECT x AS y; SELECT * FROM g(2)
PREPARE p AS SELECT $1 + 1; EXECUTE p(2)
CREATE TABLE t (id INTEGER DEFAULT 5, name VARCHAR UNIQUE); INSERT INTO t (name) VALUES ('x'); SELECT * FROM t
CREATE TABLE t (a INT); INSERT INTO t VALUES (1), (2), (3); DELETE FROM t WHERE a = 2; SELECT * FROM t ORDER BY a
CREATE TABLE t (a INT, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, 'y'); UPDATE t SET b = upper(b) WHERE a = 2; SELECT * FROM t ORDER BY a
CREATE TABLE t (a INT, b INT); INSERT INTO t BY NAME SELECT 1 AS b, 2 AS a; SELECT * FROM t
CREATE TABLE t (a INT, b INT); INSERT INTO t BY NAME SELECT 1 AS b; SELECT * FROM t
CREATE TABLE t (a INT); TRUNCATE t; SELECT count(*) FROM t
CREATE VIEW v(x) AS SELECT 1 AS a; SELECT x FROM v
CREATE OR REPLACE VIEW v AS FROM 'docs.parquet'; SELECT count(*) FROM v
CREATE SCHEMA s; CREATE TABLE s.t AS SELECT 1 AS a; SELECT * FROM s.t
CREATE TEMPORARY TABLE t AS SELECT 1 AS a; SELECT * FROM t
CREATE OR REPLACE TEMP TABLE t AS SELECT 1 AS a; SELECT * FROM t
CREATE MACRO add(a, b := 5) AS a + b; SELECT add(1), add(1, b := 2)
CREATE OR REPLACE MACRO f(x) AS x * 2; SELECT f(3)
CREATE TEMP MACRO f(x) AS x * 2; SELECT f(3)
CREATE MACRO top_n(k) AS TABLE SELECT id FROM 'docs.parquet' ORDER BY id LIMIT k; SELECT * FROM top_n(2)
PREPARE q AS SELECT $1 + 1; EXECUTE q(1); DEALLOCATE q
CREATE TABLE t AS FROM 'docs.parquet' LIMIT 0; COPY t FROM 'docs.parquet'; SELECT count(*) FROM t
CREATE TABLE t AS FROM 'docs.parquet' LIMIT 0; COPY t FROM 'docs.csv' (HEADER); SELECT count(*) FROM t
CREATE TABLE t AS FROM 'docs.parquet' LIMIT 0; COPY t FROM 'docs.csv' (FORMAT csv, HEADER true, DELIMITER ','); SELECT count(*) FROM t

-- Changes of tables, variables, names before values, and conditions on columns.
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; DELETE FROM t WHERE id IN (SELECT id FROM 'docs.csv' WHERE n > 2); SELECT * FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; DELETE FROM t WHERE n IS NULL OR lang = 'fr'; SELECT * FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; DELETE FROM t WHERE n > 2; SELECT * FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; DELETE FROM t WHERE id NOT IN (SELECT n FROM 'docs.csv'); SELECT count(*) FROM t
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; DELETE FROM t WHERE EXISTS (SELECT 1 FROM 'docs.csv' c WHERE c.id = t.id AND c.lang = 'de'); SELECT id FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; DELETE FROM t USING (VALUES (1),(2)) u(k) WHERE t.id = u.k; SELECT id FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; DELETE FROM t; SELECT count(*) FROM t
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; TRUNCATE t; SELECT count(*) FROM t
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; UPDATE t SET lang = upper(lang); SELECT * FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; UPDATE t SET lang = upper(lang), n = n + 1 WHERE n > 1; SELECT * FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; UPDATE t SET n = (SELECT max(id) FROM 'docs.csv') WHERE n IS NULL; SELECT * FROM t ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; UPDATE t SET n = u.v FROM (VALUES (1, 100), (2, 200)) u(k, v) WHERE t.id = u.k; SELECT * FROM t ORDER BY id
CREATE TABLE t AS SELECT 1 AS a, 'x' AS s; UPDATE t SET s = NULL; SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS a, 'x' AS s; UPDATE t SET a = '7', s = 3; SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS a, 'x' AS s; INSERT INTO t VALUES (NULL, NULL); SELECT * FROM t ORDER BY ALL
CREATE TABLE t AS SELECT 1 AS a, [1,2] AS l, {'x': 1} AS s; UPDATE t SET l = [3], s = {'x': 5}; SELECT * FROM t
CREATE TABLE t (a INT, b VARCHAR); INSERT INTO t VALUES (1,'x'),(2,'y'),(3,NULL); UPDATE t SET (a, b) = (9, 'z') WHERE b = 'x'; SELECT * FROM t ORDER BY a
CREATE TABLE t (a INT, b VARCHAR); INSERT INTO t VALUES (1,'x'),(2,'y'),(3,NULL); UPDATE t AS u SET b = u.b || '!' WHERE u.a < 3; SELECT * FROM t ORDER BY a
CREATE TABLE t (a INT, b VARCHAR); INSERT INTO t VALUES (1,'x'),(2,'y'),(3,NULL); WITH k AS (SELECT 2 AS a) DELETE FROM t WHERE a IN (SELECT a FROM k); SELECT * FROM t ORDER BY a
CREATE TABLE t (a INT, b VARCHAR); INSERT INTO t VALUES (1,'x'),(2,'y'),(3,NULL); UPDATE t SET b = coalesce(b, 'none') WHERE regexp_matches(coalesce(b,''), '^$'); SELECT * FROM t ORDER BY a
CREATE TABLE t (a INT, b VARCHAR); INSERT INTO t VALUES (1,'x'),(2,'y'),(3,NULL); UPDATE t SET b = CASE WHEN a = 1 THEN 'one' ELSE b END; DELETE FROM t WHERE a = 3 AND b IS NULL; SELECT * FROM t ORDER BY a
SELECT id FROM 'docs.parquet' WHERE id = ANY([1, 3]) ORDER BY id
SELECT id FROM 'docs.parquet' WHERE id = ANY(SELECT n FROM 'docs.parquet') ORDER BY id
SELECT id FROM 'docs.parquet' WHERE n >= ALL(SELECT n FROM 'docs.parquet' WHERE n IS NOT NULL) ORDER BY id
SELECT id FROM 'docs.parquet' WHERE n > ANY(SELECT n FROM 'docs.parquet') ORDER BY id
SELECT 2 = ANY([1, 2]), 3 = ANY([1, 2]), 3 > ALL([1, 2])
CREATE MACRO top(k) AS TABLE SELECT id, n FROM 'docs.parquet' ORDER BY n DESC NULLS LAST LIMIT k; SELECT * FROM top(3)
CREATE MACRO sorted() AS TABLE SELECT id, n FROM 'docs.parquet' ORDER BY id DESC; FROM sorted()
CREATE MACRO sorted() AS TABLE SELECT id, n FROM 'docs.parquet' ORDER BY id DESC; SELECT n FROM sorted() WHERE n > 0
CREATE MACRO sorted() AS TABLE SELECT id, n FROM 'docs.parquet' ORDER BY id DESC; SELECT id FROM sorted() LIMIT 2
CREATE MACRO IF NOT EXISTS f(x) AS x + 1; CREATE MACRO IF NOT EXISTS f(x) AS x + 2; SELECT f(1)
SELECT a: 1, b: 2 + 3
SELECT total: count(*), langs: count(DISTINCT lang) FROM 'docs.parquet'
SELECT k: lang, c: count(*) FROM d: 'docs.parquet' GROUP BY ALL ORDER BY ALL
SELECT * LIKE 'l%' FROM 'docs.parquet' ORDER BY ALL
SELECT * NOT LIKE 'l%' FROM 'docs.parquet' ORDER BY ALL
SELECT * ILIKE 'L%' FROM 'docs.parquet' ORDER BY ALL
SELECT * SIMILAR TO '(id|n)' FROM 'docs.parquet' ORDER BY ALL
SELECT COLUMNS(lambda c: c LIKE '%n%') FROM 'docs.parquet' ORDER BY ALL
SELECT COLUMNS(lambda c: c IN ('id', 'n')) FROM 'docs.parquet' ORDER BY ALL
SELECT coalesce(*COLUMNS(['n', 'id'])) AS x FROM 'docs.parquet' ORDER BY x
SELECT greatest(*COLUMNS('^(id|n)$')) AS x FROM 'docs.parquet' ORDER BY x
SELECT list_transform([10, 20, 30], lambda x, i: x + i)
SELECT list_filter(['a', 'b', 'c'], lambda x, i: i % 2 = 1)
SELECT list_transform([[1, 2], [3]], lambda x, i: list_transform(x, lambda y, j: y * i + j))
SELECT [x + i FOR x, i IN [10, 20]]
CREATE TABLE t (id INT, s STRUCT(a INT, b VARCHAR)); INSERT INTO t VALUES (1, {'a': 1, 'b': 'x'}); SELECT s.a, s.b FROM t
SELECT {'a': 1, 'b': 'x'}::STRUCT(a BIGINT, b VARCHAR)
SELECT CAST({'a': '1'} AS STRUCT(a INTEGER)).a + 1
SELECT 4!, 5! + 1
SELECT round(skewness(n), 6), round(kurtosis(n), 6), round(kurtosis_pop(n), 6), round(entropy(lang), 6), mad(n) FROM 'docs.parquet'
SELECT skewness(x), kurtosis(x), entropy(x), mad(x) FROM (VALUES (1),(2)) t(x)
SELECT skewness(x), kurtosis(x), entropy(x), mad(x) FROM (SELECT 1 AS x WHERE false)
SELECT lang, entropy(id), mad(id) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT quantile_cont(n, [0.25, 0.75]) FROM 'docs.parquet'
SELECT wavg(n, id) FROM 'docs.parquet'
SELECT list_aggregate([1, 2, 3, 10], 'median'), list_aggregate(['a', 'a', 'b'], 'mode')
SELECT list(lang ORDER BY id DESC), array_agg(DISTINCT lang ORDER BY lang) FROM 'docs.parquet'
SELECT TIMESTAMP '2024-01-01 10:00:00' + INTERVAL (2) HOUR
SELECT DATE '2024-01-01' + INTERVAL (id) DAY FROM 'docs.parquet' ORDER BY id
SELECT DATE '2024-01-01' + to_days(3), now() > TIMESTAMP '2020-01-01'
SELECT try_strptime('2024-02-30', '%Y-%m-%d'), try_strptime('2024-02-28', '%Y-%m-%d')
SELECT strptime('2024', ['%Y-%m-%d', '%Y'])
SELECT t FROM 'docs.parquet' t ORDER BY t.id LIMIT 1
SELECT to_json(t) FROM (SELECT 1 AS a, 'x' AS b) t
SELECT count(t) FROM 'docs.parquet' t
SET VARIABLE x = 5; SELECT getvariable('x') + 1
SET VARIABLE x = (SELECT max(n) FROM 'docs.parquet'); SELECT id FROM 'docs.parquet' WHERE n = getvariable('x')
SET VARIABLE x = ['en', 'fr']; SELECT id FROM 'docs.parquet' WHERE lang IN getvariable('x') ORDER BY id
SET VARIABLE f = 'docs.parquet'; SELECT count(*) FROM read_parquet(getvariable('f'))
SET VARIABLE d = DATE '2024-01-02'; SELECT getvariable('d') + INTERVAL 1 DAY
SET VARIABLE s = {'a': 1, 'b': 'x'}; SELECT getvariable('s').b
SET VARIABLE x = 1; RESET VARIABLE x; SELECT getvariable('x') IS NULL
CREATE TABLE t AS SELECT 1 AS a; ALTER TABLE t RENAME TO u; SELECT * FROM u
CREATE TABLE t AS SELECT 1 AS a; ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 5; SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS a, 2 AS b; ALTER TABLE t DROP COLUMN b; SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS a; ALTER TABLE t RENAME COLUMN a TO c; SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS a; ALTER TABLE t RENAME a TO c; SELECT * FROM t
CREATE TABLE t AS SELECT '1' AS a; ALTER TABLE t ALTER COLUMN a TYPE INTEGER; SELECT a + 1 FROM t
CREATE TABLE t AS SELECT '1' AS a; ALTER TABLE t ALTER a SET DATA TYPE INTEGER; SELECT a + 1 FROM t
SELECT filename LIKE '%docs.parquet', id FROM 'docs.parquet' ORDER BY id LIMIT 1
SELECT id, parse_filename(filename) FROM 'docs.csv' ORDER BY id LIMIT 1
SELECT id, parse_filename(filename) FROM read_json('docs.jsonl') ORDER BY id LIMIT 1
SELECT * FROM read_csv('docs.csv', filename = true) LIMIT 0
SELECT parse_filename(filename) FROM read_parquet('docs.parquet', filename = true) LIMIT 1
SELECT list_intersect([1, 2], [2, 3]), list_has_any([1], [1, 2]), list_has_all([1, 2], [1]), [1, 2] && [2, 3], [1, 2] @> [1]

-- JSON as rows, nested values, joins with USING, windows, sets, and clauses in combination.
SELECT key, value FROM json_each('{"a": 1, "b": [1, 2]}')
SELECT key, fullkey, type, atom, path FROM json_tree('{"a": {"b": 1}}')
SELECT json_keys('{"a": 1, "b": {"c": 2}}', '$.b'), json_keys('{"a":1}')
SELECT json_array_length('{"a": [1, 2, 3]}', '$.a'), json_array_length('[]')
SELECT unnest([[1, 2], [3]], recursive := true)
SELECT unnest([[[1, 2]], [[3]]], max_depth := 2)
SELECT unnest([{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'}], recursive := true)
SELECT unnest({'a': 1, 'b': {'c': 2}}, recursive := true)
CREATE TABLE t (m MAP(VARCHAR, INTEGER)); INSERT INTO t VALUES (MAP {'a': 1, 'b': 2}); SELECT m['a'] FROM t
CREATE TABLE t (id INT, m MAP(VARCHAR, INT[])); INSERT INTO t VALUES (1, MAP {'a': [1]}); SELECT m FROM t
SELECT MAP {'a': 1}::MAP(VARCHAR, BIGINT)
SELECT CAST(MAP {'a': '1'} AS MAP(VARCHAR, INTEGER))
SELECT MAP {1: 'x', 2: 'y'}[2]
SELECT map_entries(MAP {'a': 1}), map_values(MAP {'a': 1}), map_from_entries([('a', 1)]), cardinality(MAP {'a': 1, 'b': 2})
SELECT list_reduce([1, 2, 3], lambda x, y: x + y)
SELECT list_reduce([1, 2, 3], lambda x, y: x + y, 10)
SELECT list_reduce(['a', 'b'], lambda x, y: x || '-' || y)
SELECT reduce([1, 2, 3], lambda acc, x: acc * x)
SELECT group_concat(lang, ';' ORDER BY id) FROM 'docs.parquet'
SELECT group_concat(lang) FROM (SELECT lang FROM 'docs.parquet' ORDER BY id)
SELECT string_agg(lang, '|' ORDER BY id DESC) FROM 'docs.parquet'
SELECT string_agg(DISTINCT lang, ',' ORDER BY lang) FROM 'docs.parquet'
SELECT string_agg(id, ',' ORDER BY id) FROM 'docs.parquet'
SELECT json_type('[1]'), json_type('{"a": 1.5}', '$.a'), json_type('"x"')
SELECT json_value('{"a": 1}', '$.a'), json_value('{"a": [1]}', '$.a')
SELECT json_extract('{"a": [1, 2]}', ['$.a[0]', '$.a[1]'])
SELECT json_extract('{"a": [{"b": 1}, {"b": 2}]}', '$.a[*].b')
SELECT json_extract_string('{"a": [{"b": "x"}, {"b": "y"}]}', '$.a[*].b')
SELECT json_object('a', 1, 'b', [1, 2]), json_array(1, 'x', NULL)
SELECT json_group_object(lang, id) FROM (SELECT lang, id FROM 'docs.parquet' WHERE id IN (1, 2) ORDER BY id)
SELECT json_transform('{"a": 1, "b": "x"}', '{"a": "INTEGER", "b": "VARCHAR"}')
SELECT from_json('{"a": 1}', '{"a": "INTEGER"}').a + 1
SELECT row_to_json(t) FROM (SELECT 1 AS a, 'x' AS b) t
SELECT array_to_json([1, 2]), to_json({'a': DATE '2024-01-01'})
SELECT j.a.b FROM (SELECT '{"a": {"b": 1}}'::JSON AS j)
SELECT '[1, 2]'::JSON::INTEGER[]
SELECT CAST('{"a": 1}' AS STRUCT(a INT))
SELECT '{"a": 1}'::JSON::STRUCT(a INT)
SELECT ['1', '2']::INT[]
SELECT '[1, 2, 3]'::INT[]
FROM 'docs.parquet' SELECT lang, count(*) AS c, GROUP BY lang HAVING c > 1 ORDER BY lang
SELECT lang, count(*) FROM 'docs.parquet' GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL
FROM 'docs.parquet' d JOIN 'docs.csv' c USING (id) SELECT d.id, c.lang WHERE c.n > 1 ORDER BY d.id
SELECT id FROM 'docs.parquet' WHERE lang NOT IN ('en') AND url IS NOT NULL ORDER BY ALL
SELECT * FROM 'docs.parquet' d LEFT JOIN (VALUES ('en', 'English')) l(code, name) ON d.lang = l.code ORDER BY id
SELECT * FROM (VALUES (1),(2)) a(x) FULL OUTER JOIN (VALUES (2),(3)) b(y) ON x = y ORDER BY x, y
SELECT * FROM (VALUES (1),(2)) a(x) FULL JOIN (VALUES (2),(3)) b(x) USING (x) ORDER BY x
SELECT * FROM (VALUES (1, 2)) a(x, y) NATURAL JOIN (VALUES (1, 3)) b(x, z)
SELECT a.id, b.n FROM 'docs.parquet' a ASOF JOIN 'docs.csv' b ON a.id >= b.n ORDER BY a.id
SELECT a.x, b.y FROM (VALUES (1), (5)) a(x) ASOF LEFT JOIN (VALUES (2, 'p'), (4, 'q')) b(t, y) ON a.x >= b.t ORDER BY a.x
SELECT a.x, b.y FROM (VALUES (1), (2), (3)) a(x) POSITIONAL JOIN (VALUES ('p'), ('q')) b(y)
SELECT d.lang, l.* FROM 'docs.parquet' d, (SELECT 1 AS one, 2 AS two) l ORDER BY d.id LIMIT 1
SELECT d.id, x.* FROM 'docs.parquet' d, LATERAL (SELECT d.id + 1 AS y, d.lang || '!' AS z) x ORDER BY d.id
SELECT d.id, m FROM 'docs.parquet' d CROSS JOIN LATERAL (SELECT max(c.n) AS m FROM 'docs.csv' c WHERE c.lang = d.lang) ORDER BY d.id
SELECT d.id, m FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT c.n AS m FROM 'docs.csv' c WHERE c.id = d.id AND c.n > 1) ON true ORDER BY d.id
SELECT id, n, sum(n) OVER (PARTITION BY lang ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM 'docs.parquet' ORDER BY id
SELECT id, avg(n) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM 'docs.parquet' ORDER BY id
SELECT id, count(*) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM 'docs.parquet' ORDER BY id
SELECT id, last_value(n IGNORE NULLS) OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, lag(n IGNORE NULLS) OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, lag(n, 2, -1) OVER (ORDER BY id) AS l FROM 'docs.parquet' QUALIFY l > 0 ORDER BY id
SELECT id, sum(n) OVER w1 AS a, max(n) OVER w2 AS b FROM 'docs.parquet' WINDOW w1 AS (PARTITION BY lang), w2 AS (ORDER BY id) ORDER BY id
SELECT id, row_number() OVER (w ORDER BY id) FROM 'docs.parquet' WINDOW w AS (PARTITION BY lang) ORDER BY id
SELECT id, count(DISTINCT lang) OVER () FROM 'docs.parquet' ORDER BY id
SELECT id, sum(n) FILTER (WHERE lang = 'en') OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, list(id) OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, string_agg(lang, '/') OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, median(n) OVER () , quantile_cont(n, 0.5) OVER () FROM 'docs.parquet' ORDER BY id
SELECT lang, rank() OVER (ORDER BY count(*) DESC) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, n, grouping(lang), grouping(n), grouping_id(lang, n) FROM 'docs.parquet' GROUP BY ROLLUP (lang, n) ORDER BY ALL
SELECT lang, sum(n) FROM 'docs.parquet' GROUP BY GROUPING SETS ((lang), ()) ORDER BY lang NULLS FIRST
SELECT lang, GROUPING(lang) AS g, count(*) FROM 'docs.parquet' GROUP BY CUBE(lang) HAVING g = 1
SELECT count(*), lang FROM 'docs.parquet' GROUP BY lang, () ORDER BY ALL
PIVOT 'docs.parquet' ON lang USING count(*) GROUP BY n ORDER BY n
PIVOT (SELECT id % 2 AS odd, lang, n FROM 'docs.parquet') ON odd, lang USING sum(n)
WITH p AS (PIVOT 'docs.parquet' ON lang USING count(*) GROUP BY id) SELECT id, en FROM p ORDER BY id
SELECT * FROM (PIVOT 'docs.parquet' ON lang USING max(n) GROUP BY id) ORDER BY id LIMIT 2
UNPIVOT 'docs.csv' ON id, n ORDER BY ALL
UNPIVOT (SELECT 1 AS id, 2 AS jan, NULL::INT AS feb) ON jan, feb INTO NAME month VALUE sales
FROM (SELECT 1 AS id, 2 AS a, 3 AS b) UNPIVOT (v FOR k IN (a, b)) ORDER BY k
SELECT * FROM 'docs.parquet' ORDER BY n DESC NULLS FIRST, id LIMIT 2
SELECT id FROM 'docs.parquet' ORDER BY CASE WHEN lang = 'de' THEN 0 ELSE 1 END, id
SELECT id FROM 'docs.parquet' ORDER BY id OFFSET 3
SELECT id FROM 'docs.parquet' ORDER BY id OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY
SELECT id FROM 'docs.parquet' ORDER BY id LIMIT 1 + 1
SELECT count(*) FROM (FROM 'docs.parquet' LIMIT 40%)
SELECT DISTINCT ON (lang) * EXCLUDE url FROM 'docs.parquet' ORDER BY lang, n DESC
SELECT lang FROM 'docs.parquet' UNION SELECT 'xx' ORDER BY lang
(SELECT 1 AS a UNION ALL SELECT 2) EXCEPT SELECT 1
SELECT id FROM 'docs.parquet' EXCEPT SELECT n FROM 'docs.csv' ORDER BY 1
(SELECT id FROM 'docs.parquet' ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM 'docs.parquet' ORDER BY id DESC LIMIT 1) ORDER BY 1
WITH RECURSIVE tree(id, parent, path) AS (SELECT 1, NULL::INT, '/1' UNION ALL SELECT c.id, c.parent, tree.path || '/' || c.id FROM (VALUES (2, 1), (3, 2)) c(id, parent) JOIN tree ON c.parent = tree.id) SELECT * FROM tree ORDER BY id
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b
WITH t(x) AS (VALUES (1), (2)) SELECT sum(x) FROM t
SELECT (SELECT count(*) FROM 'docs.csv' c WHERE c.lang = d.lang) AS same FROM 'docs.parquet' d ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n = (SELECT max(n) FROM 'docs.csv' c WHERE c.lang = d.lang) ORDER BY id
SELECT id FROM 'docs.parquet' WHERE (lang, n) IN (SELECT lang, max(n) FROM 'docs.parquet' GROUP BY lang) ORDER BY id
SELECT id FROM 'docs.parquet' WHERE EXISTS (FROM 'docs.csv' WHERE n > 4) ORDER BY id
SELECT ARRAY(SELECT lang FROM 'docs.parquet' ORDER BY id)
SELECT id, ARRAY(SELECT c.id FROM 'docs.csv' c WHERE c.lang = d.lang ORDER BY c.id) FROM 'docs.parquet' d ORDER BY id
SELECT COLUMNS('(i)d') AS 'x_\1' FROM 'docs.parquet' ORDER BY ALL
SELECT COLUMNS(*)::VARCHAR FROM 'docs.parquet' ORDER BY ALL
SELECT sum(COLUMNS(* EXCLUDE (url, lang))) FROM 'docs.parquet'
SELECT count(COLUMNS(*)), FROM 'docs.parquet'
SELECT * REPLACE (lang[1] AS lang, n ** 2 AS n) FROM 'docs.parquet' ORDER BY id
SELECT struct_pack(*COLUMNS(* EXCLUDE url)) FROM 'docs.parquet' ORDER BY id LIMIT 1
SELECT any_value(COLUMNS(*) ORDER BY id) FROM 'docs.parquet'
SELECT 1 AS a, a + 1 AS b WHERE b > 1
SELECT upper(lang) AS lang2, lang2 || '!' AS x FROM 'docs.parquet' WHERE x = 'EN!' GROUP BY ALL ORDER BY x
SELECT lang AS l, max(n) AS m FROM 'docs.parquet' WHERE l <> 'fr' GROUP BY l HAVING m > 2 ORDER BY m
SELECT id: d.id, l: upper(d.lang) FROM d: 'docs.parquet' ORDER BY id
FROM 'docs.parquet' SELECT max(id)
FROM (FROM 'docs.parquet' WHERE id < 3) t SELECT t.lang ORDER BY t.id
FROM range(3) t(i) SELECT i * 2
SELECT i FROM range(0, 10, 3) t(i)
SELECT * FROM generate_series(5, 1, -2) t(i)
SELECT x.i, y.j FROM range(2) x(i), range(2) y(j) ORDER BY ALL
SELECT unnest(generate_series(1, 3)) AS i, 'x'
SELECT unnest([1, 2]) AS a, unnest(['x', 'y', 'z']) AS b
SELECT id, unnest(string_split(url, '/')) AS part FROM 'docs.parquet' WHERE id = 1
SELECT part, count(*) FROM (SELECT unnest(string_split(url, '/')) AS part FROM 'docs.parquet') GROUP BY ALL ORDER BY ALL
SELECT * FROM unnest([1, 2]) t(x)
SELECT * FROM unnest([{'a': 1}, {'a': 2}])
SELECT x.a FROM (SELECT unnest([{'a': 1}, {'a': 2}]) AS x)
SELECT * FROM unnest([1, 2]) WITH ORDINALITY
SELECT x, o FROM unnest(['a', 'b']) WITH ORDINALITY t(x, o)
SELECT generate_subscripts([4, 5], 1) AS i

-- Statements on tables of documents: texts, URLs, dates, lists, JSON, windows, samples, tables.
SELECT split_part(url, '/', 3) AS host, max(id) FROM 'docs.parquet' WHERE url IS NOT NULL GROUP BY ALL ORDER BY host
SELECT regexp_extract(url, '^https?://([^/]+)', 1) AS host, count(*) FROM 'docs.parquet' GROUP BY host ORDER BY host NULLS FIRST
SELECT list_filter(string_split('the quick brown fox', ' '), lambda w: length(w) > 3)
SELECT word, count(*) AS n FROM (SELECT unnest(string_split(lower('The cat the dog'), ' ')) AS word) GROUP BY word ORDER BY n DESC, word
SELECT trim(regexp_replace('<p>Hello <b>x</b></p>', '<[^>]+>', ' ', 'g'))
SELECT left('abcdef', 3), right('abcdef', 2), left('abc', -1), right('abc', -1)
SELECT substring('hello', 0, 2), substring('hello', -3), substring('hello', -3, 2), substr('hello', 2, 0)
SELECT 'a,b,,c'.split(','), string_split('', ','), string_split('abc', '')
SELECT regexp_extract('2024-03-05', '(\d+)-(\d+)-(\d+)', ['y', 'm', 'd'])
SELECT count(*) FROM 'docs.parquet' WHERE lang NOT LIKE 'e_'
SELECT format('{:>6.1f}%', 12.345), printf('%-10s|%5d', 'abc', 42)
SELECT format('{:e}', 1.5), format('{:.2e}', 12345.678), format('{:e}', 0.000123), format('{:E}', 1.5), printf('%e', 1.5), printf('%.3e', 0.0), printf('%E', -1e300), format('{:12.3e}|', 1.0)
SELECT format('{:g}', 1.5), printf('%g', 1e20), printf('%g', 0.0001), printf('%g', 123456789.0), printf('%.3g', 1234.5), printf('%g', 100000.0), printf('%g', 0.00001)
SELECT format('{0} {1} {0}', 'a', 'b'), format('{:x}', -5), format('{:b}', 5), format('{:#x}', 255), format('{:*^10}', 'a'), format('{:t>8}', 'x'), format('{:_}', 1000000), format('{:''}', 1000000)
SELECT format('{}', 1e15), format('{}', 1e16), format('{}', 123456789012345680.0), format('{}', 0.0001), format('{}', 0.00001)
SELECT printf('%c%c|%5c|', 65, 66, 67), printf('%d%%', 5), printf('%+d % d', 5, 5)
SELECT hex(255), to_hex(255), hex(0), hex(-1), bin(5), hex('é'), to_hex('abc')
SELECT regexp_escape('https://a.b/c?d=[1]-x (y) {z} a_b é #'), regexp_escape('')
SELECT json_structure('{"a":1,"b":[1,2.5],"c":{"d":null},"e":"x","f":true,"g":[],"h":-1,"i":[1,"a"],"k":1e5,"l":[{"x":1},{"y":"a"}]}')
SELECT json_structure('[1,true]'), json_structure('[null,1]'), json_structure('[[1],[null]]'), json_structure('[{"a":1},[1]]')
SELECT json_pretty('{"a":1,"b":[1,{"c":"x"}],"d":{},"e":[]}'), json_pretty('[]'), json_pretty('1')
SELECT json_merge_patch('{"a":1,"b":{"c":1,"d":2}}', '{"b":{"c":null,"e":3},"a":null,"z":{"q":null}}'), json_merge_patch('[1]', '{"a":1}'), json_merge_patch('{"a":1}', '2'), json_merge_patch(NULL, '{"a":1}'), json_merge_patch('{"a":1}', NULL)
SELECT json_extract('{"a": [10, 20, 30]}', '$.a[#-1]'), '[1,2,3]' -> -1, '[1,2,3]' ->> 0
SELECT json_extract('{"a": null}', '$.a'), json_extract_string('{"a": null}', '$.a'), '{"a": null}' ->> 'a'
SELECT '{"title": "A \"quoted\" title"}' ->> '$.title', '{"t": "é"}' ->> 't'
SELECT value ->> 'x' FROM json_each('[{"x": "a"}, {"x": "b"}]')
SELECT json_extract_string('{"a": {"b": "c"}}', ['$.a.b', '$.x'])
SELECT DATE '2024-02-29' + INTERVAL 1 YEAR, DATE '2024-01-31' + INTERVAL 1 MONTH
SELECT datediff('year', DATE '2023-12-31', DATE '2024-01-01'), date_diff('week', DATE '2024-01-01', DATE '2024-01-15')
SELECT extract(week FROM DATE '2024-12-30'), extract(isodow FROM DATE '2024-12-29'), extract(doy FROM DATE '2024-12-31'), extract(quarter FROM DATE '2024-05-01')
SELECT time_bucket(INTERVAL '15 minutes', TIMESTAMP '2024-01-01 10:37:00'), time_bucket(INTERVAL '1 month', DATE '2024-05-20')
SELECT strptime('05 Mar 2024', '%d %b %Y'), try_strptime('x', '%Y')
SELECT generate_series(DATE '2024-01-01', DATE '2024-03-01', INTERVAL 1 MONTH)
SELECT [1, 2, 3][0], [1, 2, 3][4], [1,2,3][-4], 'abc'[0]
SELECT list_slice([1,2,3,4,5], 2, -2), [1,2,3,4,5][2:-2], [1,2,3,4,5][:-1], [1,2,3,4,5][1:5:2]
SELECT list_resize([1,2], 4, 0), list_resize([1,2,3], 2), list_concat([1],[2],[3]), list_prepend(0,[1])
SELECT list_where([10,20,30], [true,false,true]), list_select([10,20,30], [3,1]), list_grade_up([30,10,20])
SELECT {'a': 1} = {'a': 1}, {'a': 1} < {'a': 2}, [1,2] < [1,3], [1] = [1]
SELECT map {'a': 1}['zz'], element_at(map {'a': 1}, 'a'), map_extract(map {'a': 1}, 'a'), map_concat(map {'a': 1}, map {'b': 2})
SELECT histogram(n) FROM 'docs.parquet'
SELECT lang, map_from_entries(list((id, n) ORDER BY id)) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, array_agg({'id': id, 'n': n} ORDER BY id) AS docs FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT a.id, b.id FROM 'docs.parquet' a, 'docs.parquet' b WHERE a.id = 1 AND b.id = 2
SELECT a.x, b.x FROM (VALUES (1), (3)) a(x) FULL JOIN (VALUES (2), (3)) b(x) ON a.x = b.x ORDER BY ALL
SELECT id, ntile(2) OVER (ORDER BY id), percent_rank() OVER (ORDER BY id), cume_dist() OVER (ORDER BY lang) FROM 'docs.parquet' ORDER BY id
SELECT id, lead(lang) OVER (PARTITION BY lang ORDER BY id), first_value(url) OVER (ORDER BY id), nth_value(id, 2) OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT lang, n, n / sum(n) OVER (PARTITION BY lang) AS share FROM 'docs.parquet' ORDER BY lang, n
SELECT count(*) FROM (SELECT * FROM range(1000) USING SAMPLE 10 ROWS)
SELECT count(*) FROM range(1000) TABLESAMPLE reservoir(20 ROWS)
SELECT count(*) < 1000 FROM range(1000) TABLESAMPLE bernoulli(10%)
PIVOT 'docs.parquet' ON lang IN ('en', 'de') USING sum(n) AS s, count(*) AS c GROUP BY id ORDER BY id
SELECT * FROM (SELECT id, lang, n FROM 'docs.parquet') PIVOT (sum(n) AS s FOR lang IN ('en' AS english, 'de')) ORDER BY id
FROM (SELECT 1 AS id, 5 AS a, NULL::INT AS b) UNPIVOT INCLUDE NULLS (v FOR k IN (a, b)) ORDER BY k
UNPIVOT (SELECT 1 AS id, 1 AS a1, 2 AS a2, NULL::INT AS b1, 4 AS b2) ON (a1,a2), (b1,b2) INTO NAME k VALUE v1, v2
UNPIVOT (SELECT 1 AS a1, 2 AS a2, 3 AS b1, 4 AS b2) ON (a1,a2) AS 'x', (b1,b2) AS 'y' INTO NAME k VALUE v1, v2
SELECT * FROM (SELECT 1 AS a1, 2 AS a2, 3 AS b1, 4 AS b2) UNPIVOT ((v1, v2) FOR k IN ((a1,a2), (b1,b2)))
SELECT COLUMNS(* REPLACE (a+1 AS a)) FROM (SELECT 1 AS a, 2 AS b)
SELECT max(COLUMNS(* EXCLUDE (url, lang) REPLACE (n * 10 AS n))) FROM 'docs.parquet'
CREATE TABLE t (id INTEGER, name VARCHAR, tags VARCHAR[]); INSERT INTO t VALUES (1, 'a', ['x', 'y']), (2, 'b', []); SELECT id, len(tags) FROM t ORDER BY id
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR DEFAULT 'none'); INSERT INTO t (id) VALUES (1), (2); UPDATE t SET id = id + 1; SELECT * FROM t ORDER BY id
CREATE TABLE t (a INT DEFAULT 7, b INT); ALTER TABLE t RENAME COLUMN b TO c; INSERT INTO t (c) VALUES (1); SELECT * FROM t
CREATE TABLE t (a INT); ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 5; INSERT INTO t (a) VALUES (1); SELECT * FROM t
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR NOT NULL); SELECT * FROM pragma_table_info('t')
CREATE TABLE t AS FROM 'docs.parquet'; UPDATE t SET n = coalesce(n, 0) + 1 WHERE lang = 'en'; SELECT id, n FROM t ORDER BY id
CREATE TABLE t (a VARCHAR, b VARCHAR[], c STRUCT(x VARCHAR)); SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 't' ORDER BY ordinal_position
CREATE MACRO host(u) AS split_part(u, '/', 3); SELECT host(url) FROM 'docs.parquet' ORDER BY id
PREPARE p AS SELECT id FROM 'docs.parquet' WHERE lang = $1 AND id > $2 ORDER BY id; EXECUTE p('en', 1)
SELECT 1::DECIMAL(10,2) / 4, sum(n::DECIMAL(10,2)) / count(*) FROM 'docs.parquet'
SELECT 1::DECIMAL(10,2) / 3
SELECT CASE WHEN 1 > 2 THEN error('impossible') ELSE 'possible' END
WITH RECURSIVE f(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM f WHERE b < 20) SELECT sum(a) FROM f
SELECT (TIMESTAMP '2024-01-03 01:00:00' - TIMESTAMP '2024-01-01')::VARCHAR, (INTERVAL 14 MONTH)::VARCHAR, (INTERVAL 0 DAY)::VARCHAR, (INTERVAL 25 HOUR)::VARCHAR, (INTERVAL 1500 MILLISECOND)::VARCHAR, (INTERVAL (-90) MINUTE)::VARCHAR, 'in ' || INTERVAL 1 DAY
SELECT '\xFFa'::BLOB, '\xC3\xA4'::BLOB

-- Windows over dates, differences, parts of texts, JSON and recursion.
SELECT id, n, sum(n) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS rest FROM 'docs.parquet' ORDER BY id
SELECT id, n - lag(n) OVER (ORDER BY id) AS d FROM 'docs.parquet' ORDER BY id
SELECT id, row_number() OVER (ORDER BY id) - row_number() OVER (PARTITION BY lang ORDER BY id) AS grp FROM 'docs.parquet' ORDER BY id
WITH d AS (SELECT unnest([1,2,3,5,6,9]) AS n), g AS (SELECT n, n - row_number() OVER (ORDER BY n) AS grp FROM d) SELECT min(n), max(n), count(*) FROM g GROUP BY grp ORDER BY 1
SELECT lang, n, dense_rank() OVER (PARTITION BY lang ORDER BY n DESC NULLS LAST) AS r FROM 'docs.parquet' ORDER BY lang, r, id
SELECT id, sum(n) OVER (PARTITION BY lang ORDER BY id ROWS UNBOUNDED PRECEDING) FROM 'docs.parquet' ORDER BY id
SELECT id, avg(n) OVER (ORDER BY id ROWS 2 PRECEDING) FROM 'docs.parquet' ORDER BY id
SELECT id, max(n) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) FROM 'docs.parquet' ORDER BY id
SELECT id, min(n) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM 'docs.parquet' ORDER BY id
SELECT id, first_value(n IGNORE NULLS) OVER (ORDER BY id DESC) FROM 'docs.parquet' ORDER BY id
SELECT id, nth_value(lang, 2) OVER (PARTITION BY lang ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM 'docs.parquet' ORDER BY id
SELECT id, count(n) OVER (PARTITION BY lang) AS c, n * 1.0 / max(n) OVER () AS share FROM 'docs.parquet' ORDER BY id
SELECT lang, max(cnt) FROM (SELECT lang, count(*) OVER (PARTITION BY lang ORDER BY id) AS cnt FROM 'docs.parquet') GROUP BY lang ORDER BY lang
SELECT * FROM (SELECT id, lang, row_number() OVER (PARTITION BY lang ORDER BY id DESC) AS rn FROM 'docs.parquet') WHERE rn = 1 ORDER BY id
SELECT date_trunc('quarter', DATE '2024-05-06'), date_trunc('year', TIMESTAMP '2024-05-06 01:02:03'), date_trunc('decade', DATE '2024-05-06'), date_trunc('century', DATE '2024-05-06')
SELECT DATE '2024-03-31' - INTERVAL 1 MONTH, DATE '2024-03-31' + INTERVAL 1 MONTH, DATE '2024-01-31' + INTERVAL 1 MONTH + INTERVAL 1 MONTH
SELECT age(DATE '2024-03-31', DATE '2024-02-29')::VARCHAR, age(TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2023-11-30 12:00:00')::VARCHAR
SELECT date_diff('month', DATE '2024-01-31', DATE '2024-02-01'), date_diff('hour', TIMESTAMP '2024-01-01 10:59:00', TIMESTAMP '2024-01-01 11:01:00'), date_diff('quarter', DATE '2023-12-31', DATE '2024-01-01')
SELECT extract(epoch FROM TIMESTAMP '2024-01-01 00:00:01.5'), extract(millisecond FROM TIMESTAMP '2024-01-01 00:00:01.5'), extract(microsecond FROM TIMESTAMP '2024-01-01 00:00:01.5'), extract(second FROM TIMESTAMP '2024-01-01 00:00:01.5')
SELECT dayofweek(DATE '2024-02-04'), isodow(DATE '2024-02-04'), weekday(DATE '2024-02-04'), dayofyear(DATE '2024-02-04'), weekofyear(DATE '2024-01-01'), yearweek(DATE '2024-01-01'), quarter(DATE '2024-02-04'), century(DATE '2024-02-04')
SELECT TIMESTAMP '2024-01-01 00:00:00' + INTERVAL '1 day 2 hours 3 minutes', TIMESTAMP '2024-01-01' - INTERVAL 90 MINUTE
SELECT DATE '2024-01-01' + INTERVAL (3 * 7) DAY, DATE '2024-01-01' + to_months(2), DATE '2024-01-01' - to_days(1)
SELECT strftime(TIMESTAMP '2024-02-03 14:05:06', '%I:%M %p'), strftime(DATE '2024-02-03', '%j %U %a %b %y'), strftime(TIMESTAMP '2024-02-03 04:05:06.789', '%H:%M:%S.%f'), strftime(DATE '2024-02-03', '%-d/%-m')
SELECT strptime('2024-02-03 14:05', '%Y-%m-%d %H:%M'), strptime('03/02/24', '%d/%m/%y'), strptime('2024-02-03T14:05:06Z', '%Y-%m-%dT%H:%M:%SZ')
SELECT '2024-02-03T14:05:06'::TIMESTAMP, '2024-02-03 14:05'::TIMESTAMP, TRY_CAST('2024-02-30' AS DATE), TRY_CAST('yesterday' AS DATE)
SELECT epoch_ms(1700000000000), to_timestamp(1700000000), make_timestamp(1700000000000000)
SELECT DATE '2024-01-01' < TIMESTAMP '2024-01-01 00:00:01', DATE '2024-01-01' = '2024-01-01', TIMESTAMP '2024-01-01 10:00:00'::DATE, TIMESTAMP '2024-01-01 10:20:30'::TIME
SELECT TIMESTAMP '2024-01-01 10:00:00' - DATE '2024-01-01' = INTERVAL 10 HOUR, (DATE '2024-03-01' - DATE '2024-02-01') * 2
SELECT month, count(*) FROM (SELECT date_trunc('month', d) AS month FROM (VALUES (DATE '2024-01-05'), (DATE '2024-01-09'), (DATE '2024-02-01')) t(d)) GROUP BY month ORDER BY month
SELECT last_day(DATE '2023-02-10'), DATE '2024-02-01' - 1, monthname(DATE '2024-02-03'), dayname(TIMESTAMP '2024-02-03 00:00:00')
SELECT lpad('7', 3, '0'), rpad('ab', 5, '.'), lpad('abcdef', 3, 'x'), repeat('ab', 3), repeat('ab', 0), lpad('a', 5, 'xy')
SELECT instr('hello', 'l'), instr('hello', 'z'), position('lo' IN 'hello'), strpos('日本', '本'), contains('', ''), starts_with('a', '')
SELECT replace('aaa', 'a', ''), replace('abc', '', 'x'), translate('12345', '143', 'ax'), regexp_replace('a.b.c', '\.', '-', 'g'), regexp_replace('Foo', 'f', 'b', 'i')
SELECT regexp_matches('foobar', '^foo'), regexp_full_match('foobar', 'foo'), regexp_matches('a\nb', 'a.b', 's'), 'foo' ~ 'o$', regexp_matches('FOO', 'foo', 'i')
SELECT regexp_extract_all('k1=v1;k2=v2', '(\w+)=(\w+)', 2), regexp_extract('abc', 'b|c'), regexp_extract('x', '(y)?', 1), regexp_extract(NULL, 'a')
SELECT regexp_split_to_array('a, b,c', ',\s*'), regexp_replace('2024-01-02', '(\d+)-(\d+)-(\d+)', '\3/\2/\1'), regexp_extract('a=1', '(?P<key>\w)=(?P<v>\d)', 2)
SELECT trim('  a  '), ltrim('xxa', 'x'), rtrim('a\n'), trim('abcba', 'ab'), trim('')
SELECT 'abc' < 'abd', 'a' < 'B', 'ä' > 'z', '' < 'a', 'Z' < 'a'
SELECT 'a_c' LIKE 'a\_c' ESCAPE '\', 'abc' LIKE 'a\_c' ESCAPE '\', '50%' LIKE '50\%' ESCAPE '\', 'aXc' ILIKE 'A_C', NULL LIKE 'a'
SELECT starts_with('abc', 'ab') AND ends_with('abc', 'bc'), 'abc' ^@ 'ab', len('') = 0, 'abc' NOT ILIKE 'B%'
SELECT chr(10) || 'a', 'tab\there', E'tab\there', 'it''s', $$a'b$$, $x$a$$b$x$
SELECT list_sort([3, 1, NULL, 2]), list_sort([3, 1, NULL, 2], 'DESC'), list_sort([3, 1, NULL, 2], 'DESC', 'NULLS LAST'), list_reverse_sort([3, 1, 2])
SELECT list_unique([1, 1, 2, NULL]), list_distinct([2, 1, 2, NULL]) = [1, 2] OR true, list_count([1, NULL, 2]), list_first([1, 2]), list_last([1, 2]), list_any_value([NULL, 3])
SELECT list_position(['a', 'b'], 'b'), list_position(['a'], 'z'), list_indexof([1, 2], 2), list_contains([1, NULL], NULL), list_has_any([1], [2])
SELECT list_aggregate([1, 2, 3], 'avg'), list_min([3, 1]), list_avg([1, 2]), list_median([1, 2, 4]), list_string_agg(['a', 'b']), list_stddev_samp([1, 2, 3])
SELECT [[1, 2], [3]][1][2], flatten([[1], [], [2, 3]]), [x + y FOR x, y IN [1, 2]]
SELECT array_length([[1, 2], [3]]), len([]), len(NULL::INT[]), [NULL][1], [1, 2][NULL]
SELECT unnest([1, 2]), unnest([3]), 'k'
SELECT unnest([]), 1
SELECT unnest(NULL::INT[]), 1
SELECT id, x FROM 'docs.parquet' LEFT JOIN unnest([1, 2]) t(x) ON x = id ORDER BY id
SELECT range(5, 0, -2), range(0), generate_series(1, 0), range(1, 2, 1)
SELECT struct_insert({'a': 1}, b := 2), {'a': 1, 'b': 'x'} = {'a': 1, 'b': 'x'}, {'x': 1}::STRUCT(x VARCHAR), struct_keys({'a': 1, 'B': 2})
SELECT s.a, count(*) FROM (SELECT unnest([{'a': 1}, {'a': 1}, {'a': 2}]) AS s) GROUP BY s.a ORDER BY 1
SELECT DISTINCT s FROM (SELECT unnest([{'a': 1}, {'a': 1}]) AS s)
SELECT * FROM (SELECT {'a': 1} AS s UNION ALL SELECT {'a': 2}) ORDER BY s DESC
SELECT MAP {'a': 1, 'b': 2}, map_keys(MAP {'a': 1}), map_values(MAP {'a': 1, 'b': NULL}), cardinality(MAP {'a': 1}), map_entries(MAP {'x': 5})
SELECT map_from_entries([('a', 1), ('b', 2)]), map([1, 2], ['x', 'y']), len(map_keys(MAP {}))
SELECT k, v FROM (SELECT unnest(map_keys(m)) AS k, unnest(map_values(m)) AS v FROM (SELECT MAP {'a': 1, 'b': 2} AS m)) ORDER BY k
SELECT histogram(x), mode(x), entropy(x), approx_count_distinct(x) FROM (VALUES (1), (1), (2)) t(x)
SELECT json_extract('{"a": 1}', NULL), json_extract(NULL, '$.a'), '{"a": 1}' -> NULL, json_extract_string('{"a": 1}', NULL)
SELECT json_extract('[1, 2, 3]', '$[*]'), json_extract('{"a": [{"b": 1}, {"b": 2}]}', '$.a[*].b'), json_extract('{"a": {"x": 1, "y": 2}}', '$.a.*')
SELECT json_array(1, 'a', NULL), json_object('k', 1, 'l', [1, 2]), json_group_array(x), json_group_object(x::VARCHAR, x) FROM (VALUES (1), (2)) t(x)
SELECT json_type('[1]'), json_type('"a"'), json_type('1'), json_type('-1'), json_type('1.5'), json_type('null'), json_type('{"a": [1]}', '$.a'), json_type('{"a": 1}', '$.z')
SELECT json_valid('{"a": 1}'), json_valid('{a: 1}'), json_valid(''), json_valid('nul'), json_valid('"x"'), json_valid(NULL)
SELECT ('{"n": 5}' ->> 'n')::INT + 1, CAST('{"n": 5}' -> 'n' AS INT), ('{"b": true}' -> 'b')::BOOLEAN, ('{"l": [1, 2]}' -> 'l')::INT[]
SELECT j ->> '$.user.name' AS name, count(*) FROM (VALUES ('{"user": {"name": "a"}}'), ('{"user": {"name": "a"}}'), ('{"user": null}')) t(j) GROUP BY ALL ORDER BY ALL
SELECT key, value FROM json_each('{"a": 1, "b": "x"}') ORDER BY key
SELECT unnest(('{"l": ["a", "b"]}' -> 'l')::VARCHAR[])
SELECT unnest(from_json('[{"a": 1}, {"a": 2}]', '[{"a": "INTEGER"}]'), recursive := true)
SELECT json_transform('{"a": "1", "b": 2}', '{"a": "INTEGER", "b": "VARCHAR"}'), json_transform('{"a": 1}', '{"z": "INTEGER"}')
SELECT a.id, b.id AS other FROM 'docs.parquet' a JOIN 'docs.parquet' b ON a.lang = b.lang AND a.id < b.id ORDER BY ALL
SELECT l.lang, count(d.id) FROM (VALUES ('en'), ('xx')) l(lang) LEFT JOIN 'docs.parquet' d USING (lang) GROUP BY l.lang ORDER BY 1
SELECT d.id FROM 'docs.parquet' d LEFT JOIN 'docs.csv' c ON d.n = c.id WHERE c.id IS NULL ORDER BY 1
SELECT a.id FROM 'docs.parquet' a WHERE NOT EXISTS (SELECT 1 FROM 'docs.csv' b WHERE b.n = a.id) ORDER BY 1
SELECT id FROM 'docs.parquet' WHERE id NOT IN (SELECT n FROM 'docs.csv')
SELECT id FROM 'docs.parquet' WHERE id NOT IN (SELECT n FROM 'docs.csv' WHERE n IS NOT NULL) ORDER BY id
SELECT id FROM 'docs.parquet' WHERE n > ALL (SELECT n FROM 'docs.csv' WHERE lang = 'fr') ORDER BY id
SELECT t.ts, q.price FROM (VALUES (TIMESTAMP '2024-01-01 10:00:05', 'A'), (TIMESTAMP '2024-01-01 10:00:15', 'A')) t(ts, s) ASOF JOIN (VALUES (TIMESTAMP '2024-01-01 10:00:00', 'A', 1), (TIMESTAMP '2024-01-01 10:00:10', 'A', 2)) q(ts, s, price) ON t.s = q.s AND t.ts >= q.ts ORDER BY t.ts
SELECT t.x, q.v FROM (VALUES (1), (4)) t(x) ASOF LEFT JOIN (VALUES (2, 'a'), (9, 'b')) q(y, v) ON t.x < q.y ORDER BY t.x
SELECT a.x, b.lo FROM (VALUES (1), (5), (9)) a(x) JOIN (VALUES (0, 4), (5, 8)) b(lo, hi) ON a.x BETWEEN b.lo AND b.hi ORDER BY 1
SELECT a.x AS ax, b.x AS bx FROM (VALUES (1), (NULL)) a(x) LEFT JOIN (VALUES (1), (NULL)) b(x) ON a.x IS NOT DISTINCT FROM b.x ORDER BY ALL
SELECT count(*) FROM 'docs.parquet' a CROSS JOIN 'docs.parquet' b WHERE a.id + b.id = 5
WITH RECURSIVE t(n, f) AS (SELECT 1, 1 UNION ALL SELECT n + 1, f * (n + 1) FROM t WHERE n < 10) SELECT max(f) FROM t
WITH RECURSIVE e(a, b) AS (VALUES (1, 2), (2, 3), (3, 1)), r(s, x) AS (SELECT a, b FROM e UNION SELECT r.s, e.b FROM r JOIN e ON r.x = e.a) SELECT count(*) FROM r
WITH RECURSIVE p(id, parent, depth) AS (SELECT id, NULL::INT, 0 FROM 'docs.parquet' WHERE id = 1 UNION ALL SELECT d.id, p.id, p.depth + 1 FROM 'docs.parquet' d JOIN p ON d.id = p.id + 1) SELECT id, parent, depth FROM p ORDER BY id
WITH RECURSIVE dates(d) AS (SELECT DATE '2024-01-30' UNION ALL SELECT (d + INTERVAL 1 DAY)::DATE FROM dates WHERE d < DATE '2024-02-02') SELECT d FROM dates ORDER BY d
SELECT lang, sum(n) AS s FROM 'docs.parquet' GROUP BY lang HAVING sum(n) > 2 ORDER BY s DESC, lang
SELECT lang, n FROM 'docs.parquet' GROUP BY lang, n ORDER BY ALL
SELECT count(*) AS c, count(n), count(DISTINCT lang), sum(n), avg(n), min(url), max(lang) FROM 'docs.parquet' WHERE id > 100
SELECT n > 2 AS big, count(*) FROM 'docs.parquet' GROUP BY big ORDER BY big NULLS FIRST
SELECT quantile_disc(n, [0.25, 0.75]), quantile_cont(n, [0.25, 0.75]), quantile_disc(n, 0.5) FROM 'docs.parquet'
SELECT mad(n), kurtosis(n), skewness(n), regr_slope(n, id), covar_pop(n, id), corr(n, id) FROM 'docs.parquet'
SELECT avg(n)::DECIMAL(10,3), round(avg(n), 2), sum(n) / count(*), sum(n) // count(*), sum(n) % 3 FROM 'docs.parquet'
SELECT arg_min(lang, n), arg_max(lang, n), min_by(id, n), arg_max(n, id), arg_max(lang, n, 2) FROM 'docs.parquet'
PIVOT (SELECT lang, n FROM 'docs.parquet' WHERE n IS NOT NULL) ON n % 2 USING count(*) GROUP BY lang ORDER BY lang
UNPIVOT (SELECT id, n, id * 2 AS m FROM 'docs.parquet') ON n, m INTO NAME metric VALUE amount ORDER BY id, metric
SELECT CASE WHEN n IS NULL THEN 'none' WHEN n > 2 THEN 'many' ELSE 'few' END AS k, count(*) FROM 'docs.parquet' GROUP BY k ORDER BY k
SELECT coalesce(n, -1), nullif(n, 3), ifnull(n, 0), if(n > 2, 'y', 'n'), n IS NOT NULL FROM 'docs.parquet' ORDER BY id
SELECT NULL + 1, NULL = NULL, NULL AND false, NULL OR true, NOT NULL, NULL IN (1, NULL), 1 IN (2, NULL)
SELECT 5 / 2, -5 / 2, 5 // 2, -5 // 2, -5 % 3, 5 % -3, 5.5 % 2, 2 ^ 10, 0.1 + 0.2, 1e3
SELECT round(-2.5), round(2.5), round(0.5), round(-0.5), round(2.345, 2), round(1e10 / 3, 3), round(15, -1), round(2.5::DECIMAL(3,1))
SELECT 1.10::DECIMAL(4,2), 2.345::DECIMAL(4,2), -2.345::DECIMAL(5,2), 1.5::INT, 2.5::INT, -1.5::INT, '2.5'::INT, 0.5::BOOLEAN
SELECT greatest(1, NULL, 3), least(NULL, 2), greatest('a', 'B'), greatest(DATE '2024-01-01', DATE '2023-01-01')
SELECT gcd(12, 18), lcm(4, 6), factorial(5), 5!, sign(-0.0), cbrt(8), degrees(pi()), radians(180), even(3), isnan('nan'::DOUBLE), isinf('inf'::DOUBLE)
SELECT 255::UTINYINT, TRY_CAST(256 AS UTINYINT), TRY_CAST('abc' AS DATE), TRY_CAST(-1 AS UBIGINT), TRY_CAST('12abc' AS INT), TRY_CAST(' 12 ' AS INT)
SELECT true::INT, 'yes'::BOOLEAN, 'f'::BOOLEAN, 0::BOOLEAN, 1::VARCHAR || 'x', true::VARCHAR, 1.0::VARCHAR, 1e20::VARCHAR, 0.1::FLOAT::VARCHAR
SELECT [1, 2]::VARCHAR, {'a': 1, 'b': 'x'}::VARCHAR, DATE '2024-01-01'::VARCHAR, MAP {'k': 1}::VARCHAR, [NULL, 'a,b']::VARCHAR
SELECT count(*) FROM (SELECT * FROM range(100) LIMIT 5 OFFSET 97)
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; INSERT INTO t SELECT id + 10, url, lang, n FROM t; SELECT count(*), sum(id) FROM t
CREATE TABLE t (a INT, b VARCHAR DEFAULT 'd'); INSERT INTO t (a) VALUES (1); INSERT INTO t BY NAME SELECT 'z' AS b, 2 AS a; SELECT * FROM t ORDER BY a
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; UPDATE t SET lang = upper(lang), n = n * 10 WHERE n > 1; DELETE FROM t WHERE id = 5; SELECT id, lang, n FROM t ORDER BY id
CREATE TEMP TABLE t (k INT PRIMARY KEY, v VARCHAR); INSERT INTO t VALUES (1, 'a'), (2, 'b'); UPDATE t SET v = v || k; SELECT * FROM t ORDER BY k
CREATE OR REPLACE VIEW v AS SELECT lang, count(*) AS c FROM 'docs.parquet' GROUP BY lang; SELECT * FROM v WHERE c > 1 ORDER BY lang
CREATE MACRO plus(a, b := 10) AS a + b; SELECT plus(1), plus(1, b := 2)
CREATE MACRO top(k) AS TABLE SELECT id, n FROM 'docs.parquet' ORDER BY n DESC NULLS LAST LIMIT k; SELECT * FROM top(2)
PREPARE q AS SELECT id FROM 'docs.parquet' WHERE n >= ? ORDER BY id; EXECUTE q(3)
SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1
SELECT id, url FROM 'docs.parquet' WHERE url ~ '^https://[ab]\.com' ORDER BY id
SELECT id FROM 'docs.parquet' ORDER BY n NULLS FIRST, id DESC
SELECT lang, list(n ORDER BY n DESC)[1] AS top FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, max(struct_pack(n := n, id := id)).id AS best FROM 'docs.parquet' WHERE n IS NOT NULL GROUP BY lang ORDER BY lang
SELECT bit_and(x), bit_or(x), bit_xor(x), x & 3, x | 8, xor(x, 1), ~x, x << 2, x >> 1 FROM (VALUES (6)) t(x) GROUP BY x
SELECT list_cosine_similarity([1.0, 2.0], [2.0, 4.0]), list_distance([1.0, 2.0], [2.0, 4.0]), list_inner_product([1.0, 2.0], [2.0, 4.0])
SELECT array_cosine_similarity([1.0, 2.0]::FLOAT[2], [2.0, 4.0]::FLOAT[2])
SELECT a, b FROM (VALUES (1, 2)) t(a, b) WHERE (a, b) < (1, 3) AND (a, b) <> (2, 2)
SELECT count(*) FILTER (WHERE n > 1)::DOUBLE / count(*) AS share FROM 'docs.parquet'
SELECT bit_count(255), hamming('abc', 'abd'), editdist3('ab', 'ac'), damerau_levenshtein('ab', 'ba'), jaro_winkler_similarity('abc', 'abd') > 0.8
SELECT e.* FROM (SELECT unnest([{'a': 1, 'b': 'x'}]) AS e)
SELECT j.a FROM (VALUES ('{"a": 1}'::JSON), ('{"b": 1}'::JSON)) t(j)
SELECT rank() OVER (ORDER BY n) - rank() OVER (ORDER BY n DESC) FROM (VALUES (1),(2),(3)) t(n) ORDER BY 1
SELECT d, sum(x) OVER (ORDER BY d RANGE BETWEEN INTERVAL 2 DAYS PRECEDING AND CURRENT ROW) FROM (VALUES (DATE '2024-01-01', 1), (DATE '2024-01-02', 2), (DATE '2024-01-05', 3)) t(d, x) ORDER BY d
SELECT date_sub('month', DATE '2024-01-31', DATE '2024-02-29'), date_sub('month', DATE '2024-01-30', DATE '2024-02-29'), date_sub('month', DATE '2024-01-31', DATE '2024-03-01')
SELECT date_sub('year', DATE '2024-02-29', DATE '2025-02-28'), date_sub('day', DATE '2024-01-01', DATE '2024-02-01'), date_sub('hour', TIMESTAMP '2024-01-01 10:30:00', TIMESTAMP '2024-01-01 12:15:00')
SELECT datesub('month', DATE '2024-02-29', DATE '2024-01-31'), datesub('quarter', DATE '2024-01-31', DATE '2024-04-30'), datesub('week', DATE '2024-01-01', DATE '2024-01-14')
SELECT INTERVAL '1 month' > INTERVAL '29 days', INTERVAL 24 HOUR = INTERVAL 1 DAY, INTERVAL 1 YEAR = INTERVAL 12 MONTH
SELECT to_base(10, 2), to_base(255, 16), to_base(255, 16, 4), to_base(35, 36), to_base(0, 2)
SELECT bar(5, 0, 10, 10), bar(0, 0, 10, 10), bar(10, 0, 10), bar(2.5, 0, 10, 4)
SELECT json_extract('{"": 1, "a": 2}', ''), json_extract('{"a": 2}', '$'), json_extract('{"a b": 3}', '$."a b"'), '{"a.b": 4}' ->> '$."a.b"'
SELECT to_json({'d': DATE '2024-01-01', 't': TIMESTAMP '2024-01-01 10:00:00', 'x': 1.5, 'n': NULL, 'l': [1, 2]})
SELECT parse_filename('s3://b/c/d.tar.gz', true), parse_path('/a/b/c.txt'), parse_dirname('/a/b/c.txt')

-- Statements as people type them: series, conditions on columns, units, options of files.
SELECT lang, count(*) AS docs, round(avg(n), 2) AS mean FROM 'docs.parquet' GROUP BY lang ORDER BY docs DESC, lang LIMIT 10
SELECT lang, n, sum(n) OVER (PARTITION BY lang ORDER BY id) AS running FROM 'docs.parquet' ORDER BY id
CREATE TABLE docs AS SELECT * FROM read_parquet('docs.parquet'); SELECT lang, count(*) FROM docs GROUP BY ALL ORDER BY ALL
CREATE TABLE t AS SELECT * FROM 'docs.csv'; INSERT INTO t SELECT 9, 'u', 'xx', 1; SELECT * FROM t WHERE id = 9
SELECT strftime(DATE '2024-01-05', '%Y-%m') AS month, count(*) FROM 'docs.parquet' GROUP BY month
SELECT date_trunc('month', DATE '2024-01-05') + INTERVAL 1 MONTH - INTERVAL 1 DAY
SELECT DATE '2024-01-01' + INTERVAL 36 HOUR, DATE '2024-01-01' - INTERVAL 90 MINUTE, INTERVAL 2 HOUR + DATE '2024-01-01'
SELECT DATE '2024-01-01' + to_hours(5), DATE '2024-01-01' + to_days(2)
SELECT '2024-01-01'::DATE + INTERVAL '1 day 12 hours'
SELECT 12345678901234567890123::HUGEINT + 1, 99999999999999999999
SELECT i, j FROM range(2) a(i), range(2) b(j) ORDER BY i, j
SELECT i * i AS sq FROM range(4) AS i ORDER BY sq
SELECT n FROM generate_series(1, 3) n ORDER BY n
SELECT d FROM generate_series(DATE '2024-01-01', DATE '2024-01-03', INTERVAL 1 DAY) AS d ORDER BY d
SELECT t.id, i FROM 'docs.parquet' t, range(t.id) r(i) WHERE t.id < 3 ORDER BY ALL
SELECT id, i FROM 'docs.parquet' d CROSS JOIN generate_series(1, d.n) g(i) ORDER BY ALL
PIVOT 'docs.parquet' ON n > 1 USING count(*) GROUP BY lang ORDER BY lang
PIVOT (SELECT lang, n, id FROM 'docs.parquet') ON upper(lang) USING sum(n) GROUP BY id ORDER BY id
SELECT * FROM (SELECT lang, n, id FROM 'docs.parquet') PIVOT (max(n) FOR lang IN ('en', 'de') GROUP BY id) ORDER BY id
SELECT * FROM 'docs.parquet' WHERE COLUMNS(* EXCLUDE (lang)) IS NOT NULL ORDER BY id
SELECT a.id, s.p FROM 'docs.parquet' a, (SELECT a.id * 2 AS p) s ORDER BY a.id
SELECT a.id, m.top FROM 'docs.parquet' a, (SELECT max(c.n) AS top FROM 'docs.csv' c WHERE c.lang = a.lang) m ORDER BY a.id
SELECT 1_000.25, 1_000 + 1, .5 + 1_0
SELECT id FROM 'docs.parquet' WHERE n ISNULL
SELECT id FROM 'docs.parquet' WHERE url NOTNULL AND n ISNULL
SELECT date_trunc('days', TIMESTAMP '2024-01-01 10:00:00'), date_trunc('months', DATE '2024-05-05')
SELECT date('2024-01-02'), date(TIMESTAMP '2024-01-02 10:00:00')
SELECT divide(7, 2), fdiv(7, 2), greatest_common_divisor(4, 6), least_common_multiple(4, 6)
SELECT to_microseconds(1500000) = INTERVAL '1.5 seconds', to_decades(1) = INTERVAL 10 YEAR, to_quarters(2) = INTERVAL 6 MONTH
SELECT map_contains_entry(MAP {'a': 1}, 'a', 1), map_contains_entry(MAP {'a': 1}, 'a', 2)
SELECT sumkahan(n), arg_max_null(lang, id), arg_min_null(n, id), reservoir_quantile(n, 0.5, 10) IS NOT NULL FROM 'docs.parquet'
SELECT id, rank_dense() OVER (ORDER BY lang) FROM 'docs.parquet' ORDER BY id
SELECT json FROM read_json_objects('docs.jsonl') ORDER BY json LIMIT 1
SELECT count(*) FROM read_json_objects_auto('docs.jsonl')
SELECT * FROM read_csv('docs.csv', types = {'id': 'BIGINT', 'n': 'DOUBLE'}) ORDER BY id
SELECT typeof(id), typeof(n) FROM read_csv('docs.csv', types = {'id': 'VARCHAR', 'n': 'DOUBLE'}) LIMIT 1
SELECT * FROM read_csv('docs.csv', names = ['a', 'b', 'c', 'd'], header = true) ORDER BY a
SELECT k FROM read_csv('docs.csv', names = ['k'], header = true) ORDER BY k
SELECT nanosecond(TIMESTAMP '2024-01-01 00:00:38.5')
SELECT 1 << 10, 3 << 2, 0 << 5
SELECT regexp_matches('abc', 'B', 'i') AND 'abc' SIMILAR TO '.*b.*'
SELECT url.split('/')[3] AS host, count(*) FROM 'docs.parquet' WHERE url IS NOT NULL GROUP BY ALL ORDER BY ALL
SELECT lang, string_agg(id::VARCHAR, ',' ORDER BY id DESC) FROM 'docs.parquet' GROUP BY lang HAVING count(*) > 1 ORDER BY lang
SELECT count(*) FROM (SELECT DISTINCT lang, n > 1 FROM 'docs.parquet')
SELECT id, CASE WHEN n IS NULL THEN 'none' WHEN n BETWEEN 1 AND 2 THEN 'low' ELSE 'high' END AS bucket FROM 'docs.parquet' ORDER BY id
SELECT lang, max(n) - min(n) AS spread FROM 'docs.parquet' GROUP BY lang ORDER BY spread DESC NULLS LAST, lang
SELECT a.lang, a.id, b.id FROM 'docs.parquet' a JOIN 'docs.parquet' b ON a.lang = b.lang AND a.id < b.id ORDER BY ALL
WITH ranked AS (SELECT *, row_number() OVER (PARTITION BY lang ORDER BY n DESC NULLS LAST, id) AS r FROM 'docs.parquet') SELECT id, lang FROM ranked WHERE r = 1 ORDER BY id
SELECT list_filter(list_transform(string_split('a,bb,ccc', ','), lambda s: length(s)), lambda n: n > 1)
SELECT list_reduce(list_transform(range(5), lambda x: x * x), lambda a, b: a + b)
SELECT string_agg(upper(c), '') FROM (SELECT unnest(string_split('abc', '')) AS c)
SELECT s.k, s.v FROM (SELECT unnest([{'k': 'a', 'v': 1}, {'k': 'b', 'v': 2}]) AS s) ORDER BY 1
SELECT json_extract_string(j, '$.a.b[1]') FROM (VALUES ('{"a": {"b": ["x", "y"]}}')) t(j)
SELECT j->'$.items[*].id' FROM (VALUES ('{"items": [{"id": 1}, {"id": 2}]}')) t(j)
SELECT json_group_array(lang) FROM (SELECT lang FROM 'docs.parquet' ORDER BY id)
SELECT json_object('id', id, 'lang', lang) FROM 'docs.parquet' ORDER BY id LIMIT 2
CREATE OR REPLACE MACRO domain(u) AS regexp_extract(u, '://([^/]+)', 1); SELECT domain(url), count(*) FROM 'docs.parquet' GROUP BY 1 ORDER BY ALL
CREATE TEMP TABLE x AS SELECT unnest(range(5)) AS i; SELECT sum(i) FROM x
CREATE TABLE t (id INTEGER, tags VARCHAR[], meta STRUCT(a INTEGER, b VARCHAR)); INSERT INTO t VALUES (1, ['x'], {'a': 1, 'b': 'q'}); SELECT tags[1], meta.b FROM t
SELECT mode(lang), median(n), quantile_cont(n, 0.9), stddev(n) FROM 'docs.parquet' WHERE lang <> 'de'
SELECT approx_count_distinct(url), count(DISTINCT url) FROM 'docs.parquet'
SELECT lang FROM 'docs.parquet' GROUP BY lang HAVING bool_and(n IS NOT NULL) ORDER BY lang
SELECT id, n, coalesce(n, lag(n) OVER (ORDER BY id), 0) AS filled FROM 'docs.parquet' ORDER BY id
SELECT id, n, first_value(n) OVER (PARTITION BY lang ORDER BY n NULLS LAST) FROM 'docs.parquet' ORDER BY id
SELECT lang, n, percent_rank() OVER (PARTITION BY lang ORDER BY n) FROM 'docs.parquet' WHERE n IS NOT NULL ORDER BY lang, n
SELECT count(*) FILTER (WHERE url LIKE 'https://a%') * 100.0 / count(*) AS pct FROM 'docs.parquet'
SELECT len(url) - len(replace(url, '/', '')) AS slashes FROM 'docs.parquet' WHERE url IS NOT NULL ORDER BY id
SELECT levenshtein(a.url, b.url) AS d FROM 'docs.parquet' a, 'docs.parquet' b WHERE a.id < b.id AND a.url IS NOT NULL AND b.url IS NOT NULL ORDER BY d LIMIT 1
SELECT bar(n, 0, 5, 5) FROM 'docs.parquet' WHERE n IS NOT NULL ORDER BY id
SELECT format('{} ({})', lang, count(*)) FROM 'docs.parquet' GROUP BY lang ORDER BY 1
SELECT epoch_ms(TIMESTAMP '2024-01-01 00:00:00'), make_timestamp(2024, 1, 1, 0, 0, 0), age(DATE '2024-03-01', DATE '2024-01-01')::VARCHAR
SELECT * FROM (SELECT 1 AS a, 2 AS b) t JOIN (SELECT 1 AS a, 3 AS c) u USING (a)
SELECT x.* FROM (SELECT * FROM 'docs.parquet') AS x WHERE x.lang = 'fr'
SELECT min(id), max(id), count(*) FROM read_csv('docs.csv') WHERE lang = 'de' OR lang = 'fr'
SELECT lang, ARRAY_AGG(DISTINCT n ORDER BY n) FROM 'docs.parquet' WHERE n IS NOT NULL GROUP BY lang ORDER BY lang
SELECT any_value(url) FROM 'docs.parquet' WHERE url IS NULL
SELECT EXISTS (SELECT 1 FROM 'docs.parquet' WHERE lang = 'xx'), NOT EXISTS (FROM 'docs.csv' WHERE id > 100)
SELECT id FROM 'docs.parquet' EXCEPT (SELECT id FROM 'docs.csv' WHERE n > 2) ORDER BY id
SELECT CAST(n AS VARCHAR) || ' pages' FROM 'docs.parquet' ORDER BY id
SELECT DISTINCT ON (lang, n > 1) id, lang FROM 'docs.parquet' ORDER BY lang, n > 1, id
SELECT id AS doc, lang FROM 'docs.parquet' WHERE doc > 1 GROUP BY doc, lang HAVING doc < 4 ORDER BY doc
SELECT * FROM 'docs.parquet' ORDER BY lang DESC, n ASC NULLS FIRST LIMIT 3
SELECT count(*) FROM (SELECT * FROM 'docs.parquet' LIMIT 50 PERCENT)
SELECT lang, id FROM 'docs.parquet' WHERE lang IN ('en', 'de') AND id NOT IN (1) OR lang LIKE 'f%' ORDER BY 2
SELECT id FROM 'docs.parquet' WHERE NOT (n > 1) ORDER BY id
SELECT id FROM 'docs.parquet' WHERE url IS NULL OR n ISNULL ORDER BY id
SELECT id FROM 'docs.parquet' WHERE n IS NOT DISTINCT FROM NULL
SELECT id FROM 'docs.parquet' WHERE (n > 1) IS TRUE ORDER BY id
SELECT id FROM 'docs.parquet' WHERE (n > 1) IS UNKNOWN ORDER BY id
SELECT id, (n > 1) IS NOT FALSE FROM 'docs.parquet' ORDER BY id
SELECT id, lang FROM 'docs.parquet' GROUP BY 1, 2 ORDER BY 1
SELECT COLUMNS('(.*)') AS 'p_\1' FROM 'docs.parquet' ORDER BY 1 LIMIT 1
SELECT id, * EXCLUDE id FROM 'docs.parquet' ORDER BY id LIMIT 1
SELECT * EXCLUDE (url, n), upper(lang) AS l FROM 'docs.parquet' ORDER BY id
SELECT d.* REPLACE (d.id + 100 AS id) FROM 'docs.parquet' d ORDER BY id LIMIT 1
SELECT * FROM 'docs.parquet' WHERE COLUMNS(['id', 'n']) > 1 ORDER BY id
SELECT * FROM 'docs.parquet' WHERE COLUMNS(*) IS NOT NULL ORDER BY id
SELECT d FROM 'docs.parquet' d WHERE d.id = 1
SELECT d.lang.upper() FROM 'docs.parquet' d ORDER BY d.id LIMIT 1
FROM 'docs.parquet' SELECT lang, n ORDER BY id LIMIT 2
FROM 'docs.parquet' WHERE id = 2
FROM 'docs.parquet' AS d, 'docs.csv' AS c SELECT count(*) WHERE d.id = c.id
FROM (VALUES (1, 'a')) AS t(x, y) SELECT y, x
VALUES (1, 'x'), (2, 'y') ORDER BY 1 DESC LIMIT 1
SELECT * FROM (VALUES (1), (2)) UNION ALL (SELECT 3) ORDER BY 1
TABLE 'docs.csv' ORDER BY id LIMIT 1
SELECT 1 UNION SELECT 1.5 UNION SELECT 2 ORDER BY 1
SELECT 1 AS a INTERSECT ALL SELECT 1
SELECT unnest([1, 1, 2]) EXCEPT ALL SELECT 1 ORDER BY 1
SELECT 1 AS a, 2 AS b UNION BY NAME SELECT 3 AS c ORDER BY ALL
SELECT id, lang FROM 'docs.parquet' UNION ALL BY NAME SELECT id, n FROM 'docs.csv' ORDER BY ALL
SELECT a.id, b.lang FROM 'docs.parquet' a LEFT JOIN 'docs.csv' b ON a.id = b.n ORDER BY a.id
SELECT a.id, b.id FROM 'docs.parquet' a RIGHT JOIN 'docs.csv' b ON a.id = b.n ORDER BY ALL
SELECT * FROM (VALUES (1, 'a')) a(id, x) NATURAL LEFT JOIN (VALUES (2, 'b')) b(id, y)
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) a(id, x) INNER JOIN (VALUES (2, 'c')) b(id, y) USING (id)
SELECT * FROM (VALUES (1), (2)) a(x) FULL OUTER JOIN (VALUES (2), (3)) b(x) USING (x) ORDER BY ALL
SELECT a.id FROM 'docs.parquet' a SEMI JOIN 'docs.csv' b ON a.id = b.n ORDER BY a.id
SELECT * FROM 'docs.parquet' ANTI JOIN (SELECT 1 AS id) USING (id) ORDER BY id LIMIT 1
SELECT e.k, p.price FROM (VALUES (5, 1)) e(ts, k) ASOF JOIN (VALUES (3, 1, 9), (4, 1, 10)) p(ts, k, price) ON e.k = p.k AND e.ts >= p.ts
SELECT a.x, s.y FROM (VALUES (1), (2)) a(x) CROSS JOIN LATERAL (SELECT a.x * 10 AS y) s ORDER BY 1
SELECT a.x, s.y FROM (VALUES (1), (2)) a(x), LATERAL (SELECT unnest(range(a.x)) AS y) s ORDER BY ALL
SELECT a.x, s.* FROM (VALUES (1), (2)) a(x), (SELECT a.x + 1 AS p, a.x + 2 AS q) s ORDER BY 1
SELECT t.id, g.i FROM 'docs.parquet' t, generate_series(1, t.id) g(i) WHERE t.id < 3 ORDER BY ALL
SELECT t.id, g.i FROM 'docs.parquet' t, range(t.id) g(i) WHERE t.id < 3 ORDER BY ALL
SELECT d.id, w FROM 'docs.parquet' d, unnest(string_split(d.url, '/')) AS u(w) WHERE w <> '' ORDER BY ALL
SELECT d.id, u.w FROM 'docs.parquet' d CROSS JOIN unnest(string_split(d.url, '/')) AS u(w) WHERE d.id = 1 ORDER BY ALL
SELECT count(*) FROM 'docs.parquet' a, 'docs.parquet' b WHERE a.lang = b.lang AND a.id <> b.id
SELECT * FROM 'docs.parquet' a JOIN 'docs.csv' b ON a.id = b.id AND a.n > coalesce(b.n, 0) ORDER BY ALL
SELECT id FROM 'docs.parquet' d WHERE n = (SELECT max(n) FROM 'docs.parquet' WHERE lang = d.lang) ORDER BY id
SELECT id, lang IN (SELECT lang FROM 'docs.csv' WHERE n > 2) AS popular FROM 'docs.parquet' ORDER BY id
SELECT id, id = ANY (SELECT n FROM 'docs.csv') FROM 'docs.parquet' ORDER BY id
SELECT (SELECT {'a': id, 'b': lang} FROM 'docs.parquet' WHERE id = 1).b
SELECT ARRAY(SELECT id FROM 'docs.parquet' ORDER BY id DESC), (SELECT list(lang ORDER BY id) FROM 'docs.parquet')
WITH a AS MATERIALIZED (SELECT * FROM 'docs.parquet'), b AS NOT MATERIALIZED (SELECT id FROM a) SELECT count(*) FROM b
WITH RECURSIVE t AS (SELECT 1 AS n UNION SELECT (n * 2) % 7 FROM t) SELECT * FROM t ORDER BY n
WITH t AS (SELECT 1 AS x), u AS (SELECT * FROM t UNION ALL SELECT 2) SELECT sum(x) FROM u
WITH t AS (FROM 'docs.parquet'), c AS (SELECT lang, count(*) AS k FROM t GROUP BY ALL) FROM c ORDER BY ALL
WITH d AS (SELECT * FROM 'docs.parquet') SELECT (SELECT max(id) FROM d), (SELECT min(id) FROM d)
SELECT x.a FROM (WITH q AS (SELECT 7 AS a) SELECT * FROM q) x
PIVOT (SELECT lang, n, id % 2 AS odd FROM 'docs.parquet') ON lang || '_' || odd USING sum(n)
PIVOT 'docs.parquet' ON lang IN ('en') USING sum(n) GROUP BY id ORDER BY id LIMIT 2
PIVOT 'docs.parquet' ON lang USING first(url ORDER BY id) GROUP BY n ORDER BY n LIMIT 1
PIVOT 'docs.parquet' ON lang USING sum(n) GROUP BY id ORDER BY id DESC LIMIT 1
SELECT * FROM 'docs.parquet' PIVOT (max(n) FOR lang IN ('en', 'de') GROUP BY id) ORDER BY id
SELECT * FROM (SELECT lang, n FROM 'docs.parquet') PIVOT (sum(n) AS s, count(n) AS c FOR lang IN ('en', 'fr'))
FROM (SELECT id, n FROM 'docs.csv') UNPIVOT (val FOR name IN (id, n)) ORDER BY ALL
UNPIVOT 'docs.csv' ON n, id INTO NAME key VALUE val ORDER BY ALL LIMIT 2
WITH u AS (UNPIVOT 'docs.csv' ON n INTO NAME k VALUE v) SELECT k, sum(v) FROM u GROUP BY k
SELECT 1 AS "select", 2 AS `x`
SELECT 1 WHERE 1 = 1
SELECT 1 -- comment
SELECT /* c */ 1
SELECT 'a\nb', E'a\tb', '\n'
SELECT true AND NOT false, true OR NULL, NULL IS NULL, 1 = 1.0, 'a' = 'A', 1 < 2 AND 2 < 3
SELECT CASE WHEN NULL THEN 1 ELSE 2 END, CASE 1 WHEN 1 THEN 'x' END, CASE WHEN false THEN 1 END
SELECT 1 IS DISTINCT FROM 2, NULL IS DISTINCT FROM NULL, 5 BETWEEN 1 AND 10, 5 NOT BETWEEN 6 AND 7
SELECT x.y FROM (SELECT 1 AS y) AS x(y)
SELECT *, id * 2 AS dbl FROM 'docs.parquet' ORDER BY id LIMIT 1
SELECT "id" FROM "docs.parquet" ORDER BY "id" LIMIT 1
SELECT ID, Lang FROM 'docs.parquet' ORDER BY Id LIMIT 1
SELECT count(*) AS "Count", lang "Sprache" FROM 'docs.parquet' GROUP BY lang ORDER BY "Sprache"
SELECT id FROM 'docs.parquet' WHERE lang == 'en' ORDER BY id
SELECT id FROM 'docs.parquet' WHERE url ~~ '%b.com%' OR url !~~ '%c%' ORDER BY id
SELECT id FROM 'docs.parquet' WHERE lang ~~* 'EN' ORDER BY id
SELECT id FROM 'docs.parquet' WHERE url ~* 'B\.COM' ORDER BY id
SELECT id FROM 'docs.parquet' WHERE url !~* 'B\.COM' ORDER BY id
SELECT 'abc' || NULL, concat('a', NULL, 'b'), concat_ws(', ', 'x', NULL, 'y'), concat(1, 'a', true)
SELECT printf('Benchmark "%s" took %d seconds', 'CSV', 42), format('{:d} of {:s}', 1, 'x'), format('{:+d}', 3), format('{:08.3f}', 3.14159), printf('%x %X %o', 255, 255, 8)
SELECT regexp_extract_all('Peter: 33, Paul:14', '(\w+):\s*(\d+)', 2), regexp_full_match('anabanana', '(an)+'), regexp_replace('hello', '[lo]', '-', 'g')
SELECT repeat('A', 5), replace('hello', 'l', '-'), rpad('hello', 10, '<'), lpad('hello', 3, '>'), right('Alphabet', 3), left('Alphabet', 0)
SELECT split_part('a;b;c', ';', 2), split_part('a;b;c', ';', 9), split_part('a;b;c', ';', -1), split_part('a', '', 1)
SELECT starts_with('abc', 'a'), 'abc'.starts_with('a'), suffix('abc', 'bc'), strip_accents('mühleisen'), strlen('🦆')
SELECT string_split_regex('hello world; 42', ';? '), str_split_regex('a1b22c', '\d+'), regexp_split_to_array('a  b', '\s+')
SELECT strpos('test test', 'es'), instr('test test', 'x'), position('b' IN 'abc'), instr('abc', '')
SELECT substring('Hello', 2), substring('Hello', 2, 2), substr('Hello', -3), 'Hello'[-3:-2], 'Hello'[2:4], substring('Hello' FROM 2 FOR 3), substring('Hello' FROM 3), substring('Hello' FOR 2)
SELECT to_base64('A'::BLOB), from_base64('QQ=='), base64('A'), url_encode('this string has/ special+ characters>'), url_decode('https%3A%2F%2Fduckdb.org%2Fwhy_duckdb%23portable')
SELECT trim('>>>>test<<', '><'), ltrim('>>>>test<<', '><'), rtrim('>>>>test<<', '><'), trim('    test  ')
SELECT editdist3('duck', 'db'), hamming('duck', 'luck'), jaccard('duck', 'luck'), jaro_similarity('duck', 'duckdb'), jaro_winkler_similarity('duck', 'duckdb'), levenshtein('duck', 'db'), mismatches('duck', 'luck'), damerau_levenshtein('duckdb', 'udckbd')
SELECT format_bytes(16384), formatReadableDecimalSize(16000), formatReadableSize(16000), format_bytes(1000), format_bytes(0), format_bytes(10000000000)
SELECT 'a' || 'b' = 'ab', 'hello' LIKE '%ell%', 'a.b' LIKE 'a.b', 'x' NOT LIKE 'y%', 'HELLO' ILIKE '%ELL%'
SELECT string_split(NULL, ','), split('a||b', '||'), string_to_array('a,b,NULL', ','), len(string_split('', ','))
SELECT 'a'::VARCHAR(1), 'abc'::CHAR(2), CAST('abc' AS VARCHAR(2)), 'x'::TEXT, 'x'::BPCHAR, 'x'::NVARCHAR
SELECT regexp_extract('https://www.example.com/path?q=1', '://([^/]+)', 1) AS host, regexp_extract('https://a.b', 'ftp', 0) = '' AS none
SELECT regexp_matches('Hello', '(?i)hello'), regexp_matches('line1\nline2', '^line2', 'm'), regexp_replace('aBc', '[a-z]', 'x', 'gi'), regexp_replace('a', 'b', 'c')
SELECT 'aaa' SIMILAR TO 'a+', 'aaa' SIMILAR TO 'b', 'abc' NOT SIMILAR TO '.*', 'best.txt' GLOB '*.txt', 'best.txt' GLOB '????.txt', 'a' GLOB '[a-c]', 'd' GLOB '[!a-c]'
SELECT ltrim('  a'), length('日本語'), strlen('日本語'), bit_length('日'), left('日本語', 2), substr('日本語', 2, 1), lpad('日', 3, '-'), position('語' IN '日本語')
SELECT starts_with(NULL, 'a'), length(NULL), upper(NULL), NULL || 'a', replace('a', NULL, 'b'), split_part(NULL, ',', 1), repeat(NULL, 2)
SELECT 2 + 3, 2 - 3, 2 * 3, 5 / 2, 5 // 2, 5 % 2, 3 ** 4, 3 ^ 4, 4!, 91 & 15, 32 | 3, 1 << 4, 8 >> 2, ~15, xor(17, 5)
SELECT bit_count(31), cbrt(8), ceil(17.4), ceiling(17.4), cos(pi() / 3), cosh(0.5), cot(0.5), degrees(pi()), divide(5, 2), even(2.9)
SELECT radians(90), round(42.4332, 2), round_even(24.5, 0), roundbankers(24.5, 0), sign(-349), signbit(-1.0), sin(pi() / 6), sinh(0.5), sqrt(9), subtract(2, 3), tan(pi() / 4), tanh(0.5), trunc(17.4), trunc(-17.4)
SELECT 9223372036854775807, 9223372036854775808, -9223372036854775808, 18446744073709551615, 170141183460469231731687303715884105727
SELECT 1.0, 1.10, 123456789.123456789, 0.00001, 1e-7, 12345678901234567890.1
SELECT current_date - DATE '2000-01-01' > 0, current_date + 7 > current_date, today() = current_date, now() IS NOT NULL
SELECT date_add(DATE '1992-09-15', INTERVAL 2 MONTH), date_diff('month', DATE '1992-09-15', DATE '1992-11-14'), date_part('year', DATE '1992-09-20'), date_sub('month', DATE '1992-09-15', DATE '1992-11-14'), date_trunc('century', DATE '1992-03-07')
SELECT strftime(DATE '1992-01-01', '%a, %-d %B %Y'), time_bucket(INTERVAL '2 weeks', DATE '1992-04-20', INTERVAL '1 week'), time_bucket(INTERVAL '2 weeks', DATE '1992-04-20', DATE '1992-04-19')
SELECT DATE '2024-02-29' + INTERVAL 12 MONTHS, DATE '2024-01-01' + INTERVAL '1' DAY, DATE '2024-01-01' + INTERVAL '3 days 2 hours', DATE '2024-05-01' - 30
SELECT epoch(DATE '2024-01-01'), epoch_ms(DATE '2024-01-01'), extract(epoch FROM DATE '2024-01-01'), DATE '2024-01-01'::TIMESTAMP, (DATE '2024-01-01')::VARCHAR || '!'
SELECT year(DATE '2024-05-06'), month('2024-05-06'::DATE), day(DATE '2024-05-06'), week(DATE '2024-05-06'), quarter(DATE '2024-05-06'), dayofyear(DATE '2024-05-06'), decade(DATE '2024-05-06'), era(DATE '2024-05-06'), millennium(DATE '2024-05-06'), weekday(DATE '2024-05-06')
SELECT DATE '2024-01-15' BETWEEN '2024-01-01' AND '2024-01-31', DATE '2024-01-15' > '2024-01-01', '2024-01-15' < DATE '2024-02-01'
SELECT try_strptime('2023-13-01', '%Y-%m-%d'), try_strptime('4/15/2023', ['%d/%m/%Y', '%m/%d/%Y'])
SELECT epoch(TIMESTAMP '2022-11-07 08:43:04'), epoch_ms(TIMESTAMP '2021-08-03 11:59:44.123456'), epoch_ns(TIMESTAMP '2021-08-03 11:59:44.123456'), epoch_us(TIMESTAMP '2021-08-03 11:59:44.123456'), epoch_ms(701222400000)
SELECT extract('hour' FROM TIMESTAMP '1992-09-20 20:38:48'), hour(TIMESTAMP '1992-09-20 20:38:48'), isfinite(TIMESTAMP '1992-03-07'), nanosecond(TIMESTAMP '1992-09-20 20:38:48.5'), monthname(TIMESTAMP '1992-09-20')
SELECT '2024-01-01 10:00:00+02'::TIMESTAMPTZ, TIMESTAMPTZ '2024-01-01 10:00:00 Europe/Berlin', '2024-01-01T10:00:00Z'::TIMESTAMPTZ
SELECT '20240102030405'::VARCHAR, strptime('20240102030405', '%Y%m%d%H%M%S'), TRY_CAST('20240102030405' AS TIMESTAMP)
SELECT max(ts)::DATE, min(ts) FROM (VALUES (TIMESTAMP '2024-01-01 10:00:00'), (TIMESTAMP '2024-02-01 10:00:00')) t(ts)
SELECT extract(day FROM INTERVAL '3 days 4 hours'), datepart('decade', INTERVAL 12 YEAR), date_part('hour', INTERVAL '1 day 5 hours'), epoch(INTERVAL 1 DAY), extract(epoch FROM INTERVAL '1 hour')
SELECT list_extract([4, 5, 6], 3), list_element([4,5], 1), array_extract([1,2], 2), list_filter([3, 4, 5], lambda x: x > 4), list_grade_up([3, 6, 1, 2]), list_has_all([4, 5, 6], [4, 6]), list_has_any([1, 2, 3], [2, 3, 4]), list_intersect([1, 2, 3], [2, 3, 4])
SELECT list_position([1, 2, NULL], 2), list_negative_dot_product([1.0], [2.0]), list_prepend(3, [4, 5, 6]), list_reduce([1, 2, 3], lambda x, y: x + y), list_resize([1, 2, 3], 5, 0), list_reverse([3, 6, 1, 2]), list_reverse_sort([3, 6, 1, 2]), list_select([10, 20, 30, 40], [1, 4])
SELECT [strlen(s) for s in ['a', 'bb'] if s <> 'a'], [x for x in range(10) if x % 3 = 0], [lower(x) FOR x IN ['A','B']], [[y * 2 for y in x] for x in [[1, 2], [3]]]
SELECT unnest([1, 2, 3]) + 1, unnest(['a', 'b', 'c']), unnest([{'a': 1}]).a
SELECT x, list_sum(l) FROM (VALUES ('a', [1, 2]), ('b', [3])) t(x, l) WHERE len(l) > 1 AND 2 = ANY(l)
SELECT max(l), min(l), list(l), first(l) FROM (VALUES ([1, 2]), ([3])) t(l)
SELECT l, count(*) FROM (VALUES ([1, 2]), ([1, 2]), (NULL)) t(l) GROUP BY l ORDER BY l
SELECT 1 IN (SELECT unnest([1, 2])), 3 NOT IN [1, 2], 'a' IN ['a'], NULL IN [1], list_contains([], 1)
-- Statements on a table of pages with lists, structs and JSON, and texts as nested values.
SELECT struct_pack(url := url, n := id) FROM 'pages.parquet' ORDER BY id LIMIT 1
SELECT meta.author, meta['year'], meta."year" FROM 'pages.parquet' ORDER BY id
SELECT struct_extract(meta, 'author') FROM 'pages.parquet' ORDER BY id
SELECT meta.* FROM 'pages.parquet' ORDER BY id
SELECT p.meta.author FROM 'pages.parquet' p ORDER BY id
SELECT links[1].href FROM 'pages.parquet' ORDER BY id
SELECT links[1]['href'], links[-1].rel FROM 'pages.parquet' ORDER BY id
SELECT [l.href FOR l IN links] FROM 'pages.parquet' ORDER BY id
SELECT [l.href FOR l IN links IF l.rel IS NOT NULL] FROM 'pages.parquet' ORDER BY id
SELECT list_transform(links, lambda l: l.href) FROM 'pages.parquet' ORDER BY id
SELECT list_filter(links, lambda l: l.href LIKE 'http%') FROM 'pages.parquet' ORDER BY id
SELECT list_transform(list_filter(tags, lambda t: len(t) > 3), lambda t: upper(t)) FROM 'pages.parquet' ORDER BY id
SELECT id, len(links), len(tags), array_length(tags, 1) FROM 'pages.parquet' ORDER BY id
SELECT id, unnest(links) FROM 'pages.parquet' ORDER BY id
SELECT id, unnest(links, recursive := true) FROM 'pages.parquet' ORDER BY id
SELECT id, unnest(meta) FROM 'pages.parquet' ORDER BY id
SELECT id, l.href FROM (SELECT id, unnest(links) AS l FROM 'pages.parquet') ORDER BY ALL
SELECT p.id, l.href FROM 'pages.parquet' p, unnest(p.links) AS u(l) ORDER BY ALL
SELECT id, t FROM 'pages.parquet', unnest(tags) AS x(t) WHERE t <> 'pets' ORDER BY ALL
SELECT id, t FROM 'pages.parquet' LEFT JOIN unnest(tags) AS x(t) ON true ORDER BY ALL
SELECT id, t FROM 'pages.parquet' CROSS JOIN LATERAL unnest(tags) AS x(t) ORDER BY ALL
SELECT t, count(*) FROM (SELECT unnest(tags) AS t FROM 'pages.parquet') GROUP BY t ORDER BY ALL
SELECT id, unnest(tags) AS tag, generate_subscripts(tags, 1) AS i FROM 'pages.parquet' ORDER BY ALL
SELECT list_contains(tags, 'cats'), list_has(tags, 'dogs'), array_contains(tags, 'x') FROM 'pages.parquet' ORDER BY id
SELECT tags && ['cats', 'x'], tags @> ['cats'], ['cats'] <@ tags FROM 'pages.parquet' ORDER BY id
SELECT list_concat(tags, ['z']), tags || ['z'], array_cat(tags, ['q']) FROM 'pages.parquet' ORDER BY id
SELECT list_append(tags, 'z'), array_prepend('a', tags), list_prepend('a', tags) FROM 'pages.parquet' ORDER BY id
SELECT tags[1], tags[1:2], tags[-2:], tags[:1], tags[2:] FROM 'pages.parquet' ORDER BY id
SELECT list_slice(tags, 1, 2), array_slice(tags, 2, 3) FROM 'pages.parquet' ORDER BY id
SELECT list_sort(tags), list_reverse_sort(tags), list_sort(tags, 'DESC'), array_sort([3,1,2]) FROM 'pages.parquet' ORDER BY id
SELECT array_to_string(tags, ', '), list_string_agg(tags) FROM 'pages.parquet' ORDER BY id
SELECT list_position(tags, 'cats'), list_indexof(tags, 'pets'), array_position(tags, 'none') FROM 'pages.parquet' ORDER BY id
SELECT lang, list(struct_pack(id := id, title := title) ORDER BY id) FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT lang, list({'id': id, 'title': title} ORDER BY id) AS pages FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT lang, array_agg(title ORDER BY id)[1] FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT lang, max(id), arg_max(meta, id) FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT meta, count(*) FROM 'pages.parquet' GROUP BY meta ORDER BY ALL
SELECT DISTINCT meta.year FROM 'pages.parquet' ORDER BY 1
SELECT struct_insert(meta, lang := lang) FROM 'pages.parquet' ORDER BY id LIMIT 1
SELECT a.id, b.id, list_cosine_similarity(a.emb, b.emb) FROM 'pages.parquet' a JOIN 'pages.parquet' b ON a.id < b.id WHERE a.id < 4 AND b.id < 4 ORDER BY ALL
SELECT to_json(meta), to_json(tags), to_json(links) FROM 'pages.parquet' ORDER BY id
SELECT js->'tags'->>0, js->>'$.n.m', js->'n'->'m', json_extract(js, '$.tags[0]') FROM 'pages.parquet' ORDER BY id
SELECT js.k, js.n.m FROM (SELECT id, js::JSON AS js FROM 'pages.parquet') ORDER BY id
SELECT json_keys(js), json_type(js), json_type(js, '$.tags'), json_array_length(js, '$.tags') FROM 'pages.parquet' ORDER BY id
SELECT json_structure(js), json_transform(js, '{"k":"INTEGER"}') FROM 'pages.parquet' ORDER BY id
SELECT from_json(js, '{"k":"INTEGER","tags":["VARCHAR"]}').tags[1] FROM 'pages.parquet' ORDER BY id
SELECT id, unnest(from_json(js->'tags', '["VARCHAR"]')) FROM 'pages.parquet' ORDER BY id
SELECT js::JSON->'k' FROM 'pages.parquet' ORDER BY id
SELECT (js->>'k')::INT + 1 FROM 'pages.parquet' ORDER BY id
SELECT max(len(tags)), avg(len(text)), sum(len(links)) FROM 'pages.parquet'
SELECT list_min(tags), list_max(tags), list_sum([1,2]), list_mode(tags), list_count(tags) FROM 'pages.parquet' ORDER BY id
SELECT array_agg(DISTINCT t ORDER BY t) FROM (SELECT unnest(tags) t FROM 'pages.parquet')
SELECT id, (SELECT count(*) FROM unnest(tags) AS u(t) WHERE t LIKE 'c%') FROM 'pages.parquet' ORDER BY id
SELECT id, (SELECT string_agg(upper(t), '+') FROM (SELECT unnest(tags) AS t)) FROM 'pages.parquet' ORDER BY id
SELECT id, EXISTS (SELECT 1 FROM unnest(links) AS u(l) WHERE l.rel = 'nofollow') FROM 'pages.parquet' ORDER BY id
SELECT id FROM 'pages.parquet' WHERE list_contains(list_transform(links, lambda l: l.rel), 'me') ORDER BY id
SELECT id FROM 'pages.parquet' WHERE len(list_filter(links, lambda l: l.rel = 'me')) > 0 ORDER BY id
SELECT id, ord, t FROM 'pages.parquet', unnest(tags) WITH ORDINALITY AS u(t, ord) ORDER BY ALL
SELECT list_transform(tags, lambda t: {'tag': t, 'n': len(t)}) FROM 'pages.parquet' ORDER BY id
SELECT list_transform(range(1, 4), lambda i: tags[i]) FROM 'pages.parquet' ORDER BY id
SELECT id, list_transform(string_split(text, ' '), lambda w: lower(trim(w, '.,;'))) AS words FROM 'pages.parquet' ORDER BY id
SELECT id, list_distinct(list_filter(string_split(lower(text), ' '), lambda w: len(w) > 4)).list_sort() FROM 'pages.parquet' ORDER BY id
SELECT id, [w FOR w, i IN string_split(text, ' ') IF i < 3] FROM 'pages.parquet' ORDER BY id
SELECT list_has_any(tags, ['cats']), list_has_all(tags, ['cats','pets']), list_intersect(tags, ['pets']) FROM 'pages.parquet' ORDER BY id
SELECT meta IS NULL, meta.year IS NULL, tags IS NULL, tags = [] FROM 'pages.parquet' ORDER BY id
SELECT coalesce(tags, []), coalesce(meta, {'author': 'none', 'year': 0}), ifnull(tags[1], '-') FROM 'pages.parquet' ORDER BY id
SELECT unnest(tags) AS t FROM 'pages.parquet' UNION SELECT unnest(['zz']) ORDER BY 1
SELECT id FROM 'pages.parquet' ORDER BY len(tags) DESC NULLS LAST, meta.year, id
SELECT * FROM (SELECT id, unnest(tags) AS tag FROM 'pages.parquet') PIVOT (count(*) FOR tag IN ('cats', 'dogs')) ORDER BY id
SELECT id, row_number() OVER (PARTITION BY meta.year ORDER BY id) FROM 'pages.parquet' ORDER BY id
SELECT first(tags ORDER BY id DESC), last(meta ORDER BY id), any_value(links) FROM 'pages.parquet' WHERE id < 3
SELECT tags, unnest(range(2)) FROM 'pages.parquet' WHERE id = 1
SELECT tags.list_sort().list_first() FROM 'pages.parquet' ORDER BY id
SELECT date_trunc('month', date), list(id ORDER BY id) FROM 'pages.parquet' GROUP BY ALL ORDER BY 1
SELECT host, count(*) AS n FROM (SELECT regexp_extract(url, '^https?://([^/]+)', 1) AS host FROM 'pages.parquet') GROUP BY host HAVING n >= 1 ORDER BY n DESC, host
SELECT lang, count(*) n, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS pct FROM 'pages.parquet' GROUP BY lang ORDER BY n DESC, lang
SELECT lang, count(*) * 100.0 / (SELECT count(*) FROM 'pages.parquet') AS pct FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT id, sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), avg(id) OVER w, first_value(title IGNORE NULLS) OVER w FROM 'pages.parquet' WINDOW w AS (PARTITION BY lang ORDER BY id) ORDER BY id
SELECT id, ntile(2) OVER (ORDER BY id), percent_rank() OVER (ORDER BY id), cume_dist() OVER (ORDER BY id), dense_rank() OVER (ORDER BY lang) FROM 'pages.parquet' ORDER BY id
SELECT id, nth_value(title, 2) OVER (ORDER BY id), last_value(title) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM 'pages.parquet' ORDER BY id
SELECT id, lead(id, 2, -1) OVER (ORDER BY id), lag(id, 1, 0) OVER (ORDER BY id DESC) FROM 'pages.parquet' ORDER BY id
SELECT id, count(DISTINCT lang) OVER () FROM 'pages.parquet' ORDER BY id
SELECT year(date) y, month(date) m, count(*) FROM 'pages.parquet' GROUP BY y, m ORDER BY y, m
SELECT date_trunc('month', date)::DATE AS month, count(*) FROM 'pages.parquet' GROUP BY 1 ORDER BY 1
SELECT extract(dow FROM date), extract(isodow FROM date), extract(week FROM date), dayname(date) FROM 'pages.parquet' ORDER BY id
SELECT regexp_replace(text, '\s+', ' ', 'g'), regexp_replace(text, '(\w+) (\w+)', '\2 \1'), regexp_matches(text, 'cats?'), text ~ 'Hunde' FROM 'pages.parquet' ORDER BY id
SELECT regexp_extract_all(text, '[A-Z]\w+'), len(regexp_extract_all(text, '\w+')), regexp_split_to_array(text, '[ ,.;]+') FROM 'pages.parquet' ORDER BY id
SELECT word, count(*) AS c FROM (SELECT unnest(string_split(lower(regexp_replace(text, '[^a-zA-Z ]', '', 'g')), ' ')) AS word FROM 'pages.parquet') WHERE word <> '' GROUP BY word ORDER BY c DESC, word LIMIT 5
SELECT word, count(*) FROM 'pages.parquet', unnest(regexp_extract_all(lower(text), '\w+')) AS t(word) GROUP BY ALL ORDER BY 2 DESC, 1 LIMIT 5
SELECT split_part(url, '/', 3) AS host, split_part(split_part(url, '/', 3), '.', -1) AS tld FROM 'pages.parquet' ORDER BY id
SELECT string_split(url, '/')[3], url.split('/')[-1], len(url.split('/')), reverse(split_part(reverse(url), '/', 1)) FROM 'pages.parquet' ORDER BY id
SELECT left(text, 10) || '…', substr(text, 1, 5), text[1:5], text[7:], right(text, 4), length(text), char_length(text), octet_length(text::BLOB) FROM 'pages.parquet' ORDER BY id
SELECT position('cats' IN text), strpos(text, 'e'), contains(text, 'cats'), text.contains('e'), starts_with(text, 'Hello'), text LIKE '%cats%', text ILIKE '%HUNDE%' FROM 'pages.parquet' ORDER BY id
SELECT d.* EXCLUDE url, p.title FROM 'docs.parquet' d JOIN 'pages.parquet' p USING (id) ORDER BY id
SELECT d.id, p.title FROM 'docs.parquet' d NATURAL JOIN 'pages.parquet' p ORDER BY 1
SELECT * FROM 'docs.parquet' d WHERE NOT EXISTS (SELECT 1 FROM 'pages.parquet' p WHERE p.id = d.id)
SELECT d.id, (SELECT count(*) FROM 'pages.parquet' p WHERE p.lang = d.lang) FROM 'docs.parquet' d ORDER BY id
SELECT d.id, t.title FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT title FROM 'pages.parquet' p WHERE p.lang = d.lang ORDER BY p.id LIMIT 1) t ON true ORDER BY d.id
SELECT d::DATE AS day, count(p.id) FROM generate_series(TIMESTAMP '2024-02-09', TIMESTAMP '2024-02-12', INTERVAL 1 DAY) g(d) LEFT JOIN 'pages.parquet' p ON p.date::DATE = d::DATE GROUP BY day ORDER BY day
SELECT lang, avg(len(string_split(text, ' ')))::INT AS words FROM 'pages.parquet' GROUP BY lang ORDER BY words DESC, lang
SELECT lang, median(length(text)), stddev_pop(length(text)), quantile_cont(length(text), 0.9) FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT floor(length(text) / 10) * 10 AS bin, count(*) FROM 'pages.parquet' GROUP BY 1 ORDER BY 1
SELECT CASE WHEN length(text) < 10 THEN 'short' WHEN length(text) < 40 THEN 'mid' ELSE 'long' END AS k, count(*) AS n FROM 'pages.parquet' GROUP BY k ORDER BY n DESC, k
SELECT length(text) - length(replace(text, ' ', '')) + 1 AS words FROM 'pages.parquet' ORDER BY id
SELECT array_length(regexp_split_to_array(trim(text), '\s+'), 1) FROM 'pages.parquet' ORDER BY id
SELECT ngram FROM (SELECT unnest(list_transform(range(1, len(w)), lambda i: w[i] || ' ' || w[i+1])) AS ngram FROM (SELECT string_split(lower(text), ' ') AS w FROM 'pages.parquet')) ORDER BY 1 LIMIT 3
SELECT split_part(url, '//', 2) AS rest, regexp_replace(url, '^https?://(www\.)?', '') FROM 'pages.parquet' ORDER BY id
SELECT url FROM 'pages.parquet' WHERE url SIMILAR TO 'https://(a|b)\.com.*' ORDER BY id
SELECT url FROM 'pages.parquet' WHERE regexp_matches(url, '\?') OR title IS NULL ORDER BY id
SELECT url FROM 'pages.parquet' WHERE lower(title) LIKE '%_age%' ESCAPE '\' ORDER BY id
SELECT count(*) FROM 'pages.parquet' WHERE date > '2024-02-01'
SELECT count(*) FROM 'pages.parquet' WHERE date >= DATE '2024-02-01' AND date < DATE '2024-02-01' + INTERVAL '1 month'
SELECT count(*) FROM 'pages.parquet' WHERE date BETWEEN '2024-01-01' AND '2024-02-10 23:59:59'
SELECT count(*) FROM 'pages.parquet' WHERE date::DATE = '2024-02-10' OR year(date) = 2023
SELECT date::DATE AS d, count(*) FROM 'pages.parquet' GROUP BY d ORDER BY d NULLS FIRST
SELECT strftime(date, '%Y-W%V') AS w, count(*) FROM 'pages.parquet' GROUP BY w ORDER BY w
SELECT date_trunc('week', date), date_trunc('quarter', date), date_trunc('hour', date) FROM 'pages.parquet' ORDER BY id
SELECT time_bucket(INTERVAL '7 days', date) AS b, count(*) FROM 'pages.parquet' GROUP BY b ORDER BY b
SELECT extract(year FROM date) || '-' || lpad(extract(month FROM date)::VARCHAR, 2, '0') FROM 'pages.parquet' ORDER BY id
SELECT DISTINCT lang FROM 'pages.parquet' ORDER BY lang DESC
SELECT count(*) AS total, count(title) AS titled, count(*) - count(title) AS untitled, count(DISTINCT lang) AS langs, 100.0 * count(title) / count(*) AS pct FROM 'pages.parquet'
SELECT id, title, row_number() OVER (PARTITION BY lang ORDER BY date DESC) AS rn FROM 'pages.parquet' QUALIFY rn = 1 ORDER BY id
SELECT id, first_value(id) OVER (PARTITION BY lang ORDER BY id), max(id) OVER (PARTITION BY lang), id = max(id) OVER (PARTITION BY lang) AS is_last FROM 'pages.parquet' ORDER BY id
SELECT id, sum(length(text)) OVER (ORDER BY id) AS running, avg(length(text)) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM 'pages.parquet' ORDER BY id
SELECT id, lag(title) OVER w AS prev, lead(title) OVER w AS next, coalesce(lag(id) OVER w, 0) FROM 'pages.parquet' WINDOW w AS (ORDER BY id) ORDER BY id
SELECT id, lag(title IGNORE NULLS) OVER (ORDER BY id), last_value(title IGNORE NULLS) OVER (ORDER BY id) FROM 'pages.parquet' ORDER BY id
SELECT id, sum(CASE WHEN lang = 'en' THEN 1 ELSE 0 END) OVER (ORDER BY id) FROM 'pages.parquet' ORDER BY id
SELECT lang, sum(count(*)) OVER (ORDER BY lang) FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT lang, count(*) c, rank() OVER (ORDER BY count(*) DESC) FROM 'pages.parquet' GROUP BY lang ORDER BY lang
SELECT a.id, b.id FROM 'pages.parquet' a JOIN 'pages.parquet' b ON a.lang = b.lang AND a.id <> b.id ORDER BY ALL
SELECT p.id, d.n FROM 'pages.parquet' p LEFT JOIN 'docs.parquet' d USING (id, lang) ORDER BY id
SELECT p.id, d.n FROM 'pages.parquet' p FULL OUTER JOIN 'docs.parquet' d ON p.id = d.n ORDER BY ALL
SELECT p.url FROM 'pages.parquet' p WHERE p.id IN (SELECT id FROM 'docs.parquet' WHERE n > 1) ORDER BY 1
SELECT p.url FROM 'pages.parquet' p WHERE p.id NOT IN (SELECT n FROM 'docs.parquet' WHERE n IS NOT NULL) ORDER BY 1
SELECT count(*) FROM 'pages.parquet' WHERE (lang, id) NOT IN (SELECT lang, id FROM 'docs.parquet')
SELECT p.id FROM 'pages.parquet' p WHERE EXISTS (SELECT 1 FROM 'docs.parquet' d WHERE d.url = p.url AND d.n > 2)
SELECT p.id, (SELECT max(n) FROM 'docs.parquet' d WHERE d.lang = p.lang) AS m FROM 'pages.parquet' p ORDER BY id
SELECT p.id, (SELECT d.url FROM 'docs.parquet' d WHERE d.lang = p.lang ORDER BY d.id LIMIT 1) FROM 'pages.parquet' p ORDER BY id
SELECT p.id, (SELECT list(d.id ORDER BY d.id) FROM 'docs.parquet' d WHERE d.lang = p.lang) FROM 'pages.parquet' p ORDER BY id
SELECT p.id, x.c FROM 'pages.parquet' p CROSS JOIN LATERAL (SELECT count(*) AS c FROM 'docs.parquet' d WHERE d.lang = p.lang) x ORDER BY id
SELECT p.id, x.id FROM 'pages.parquet' p JOIN LATERAL (SELECT d.id FROM 'docs.parquet' d WHERE d.lang = p.lang) x ON true ORDER BY ALL
SELECT * FROM 'docs.parquet' POSITIONAL JOIN (SELECT id AS pid FROM 'pages.parquet') ORDER BY id
SELECT d.id, p.id AS pid FROM 'docs.parquet' d ASOF JOIN 'pages.parquet' p ON d.id >= p.id ORDER BY 1
SELECT id, lang FROM 'pages.parquet' UNION SELECT id, lang FROM 'docs.parquet' ORDER BY id, lang
SELECT 'pages' AS src, count(*) FROM 'pages.parquet' UNION ALL SELECT 'docs', count(*) FROM 'docs.parquet' ORDER BY 1
SELECT url FROM 'docs.parquet' INTERSECT SELECT url FROM 'pages.parquet' ORDER BY 1
SELECT url FROM 'docs.parquet' EXCEPT SELECT url FROM 'pages.parquet' ORDER BY 1
PIVOT 'pages.parquet' ON lang IN ('en', 'de') USING max(length(text)) GROUP BY id ORDER BY id
SELECT json_extract(js, '$.tags[*]'), js->>'$.tags[1]', json_extract_string(js, '$.k')::INT FROM 'pages.parquet' ORDER BY id
SELECT json_object('id', id, 'tags', tags) FROM 'pages.parquet' ORDER BY id
SELECT list_filter(tags, lambda t: t LIKE 'c%')[1], len(list_filter(tags, lambda t: t <> 'pets')) FROM 'pages.parquet' ORDER BY id
SELECT list_sort(list_transform(tags, lambda t: len(t)), 'DESC'), list_reverse(tags), list_sum(list_transform(tags, lambda t: len(t))) FROM 'pages.parquet' ORDER BY id
SELECT id, (SELECT max(len(t)) FROM unnest(tags) u(t)) FROM 'pages.parquet' ORDER BY id
SELECT id, ARRAY(SELECT l.href FROM unnest(links) AS u(l) WHERE l.rel IS NOT NULL) FROM 'pages.parquet' ORDER BY id
SELECT id FROM 'pages.parquet' p WHERE EXISTS (SELECT * FROM unnest(p.tags) t(tag) WHERE tag = 'dogs')
SELECT id, (SELECT count(DISTINCT x) FROM unnest(tags) t(x)), (SELECT list(upper(x) ORDER BY upper(x)) FROM unnest(tags) t(x)) FROM 'pages.parquet' ORDER BY id
SELECT id, (SELECT string_agg(x, ';' ORDER BY x) FROM unnest(tags) t(x)), (SELECT count(*) FROM unnest(links)) FROM 'pages.parquet' ORDER BY id
SELECT id, (SELECT count(*) FROM unnest(tags) t(x) WHERE x = lang OR len(x) = id) FROM 'pages.parquet' ORDER BY id
SELECT lang, count(*) AS pages, sum(length(text)) AS chars FROM 'pages.parquet' GROUP BY lang HAVING chars > 10 ORDER BY chars DESC, lang
SELECT DISTINCT split_part(split_part(url, '://', 2), '/', 1) AS host FROM 'pages.parquet' ORDER BY host
SELECT host, list(url ORDER BY url) FROM (SELECT *, regexp_extract(url, '://([^/]+)', 1) host FROM 'pages.parquet') GROUP BY host ORDER BY host
SELECT url, string_split(url, '?')[2] AS query FROM 'pages.parquet' ORDER BY id
SELECT id, unnest(regexp_extract_all(text, '[A-Z][a-z]+')) AS w FROM 'pages.parquet' ORDER BY ALL
SELECT id, len(regexp_extract_all(text, '[aeiou]')) AS vowels FROM 'pages.parquet' ORDER BY id
SELECT lower(w) AS w, count(*) AS n, list(DISTINCT id ORDER BY id) AS docs FROM (SELECT id, unnest(string_split(text, ' ')) AS w FROM 'pages.parquet') WHERE len(w) > 3 GROUP BY 1 ORDER BY n DESC, w LIMIT 5
SELECT id, (SELECT count(*) FROM unnest(string_split(text, ' ')) AS t(w) WHERE len(w) > 4) AS long_words FROM 'pages.parquet' ORDER BY id
SELECT id, (SELECT sum(len(w)) FROM unnest(string_split(text, ' ')) t(w)) AS letters FROM 'pages.parquet' ORDER BY id
SELECT id FROM 'pages.parquet' WHERE EXISTS (FROM unnest(tags) t(x) WHERE x LIKE 'd%')
SELECT id, EXISTS (SELECT x FROM unnest(tags) t(x) WHERE x = 'cats') AND lang = 'en' FROM 'pages.parquet' ORDER BY id
SELECT count(*) FROM 'pages.parquet' WHERE NOT EXISTS (SELECT 1 FROM unnest(links) t(l))
SELECT p.id, t.tag, count(*) OVER (PARTITION BY t.tag) AS n FROM 'pages.parquet' p, unnest(p.tags) t(tag) ORDER BY ALL
SELECT a.id, b.id, len(list_intersect(a.tags, b.tags)) AS common FROM 'pages.parquet' a, 'pages.parquet' b WHERE a.id < b.id AND list_has_any(a.tags, b.tags) ORDER BY ALL
SELECT id, list_transform(links, lambda l: struct_pack(u := l.href, nofollow := coalesce(l.rel = 'nofollow', false))) FROM 'pages.parquet' ORDER BY id
SELECT id, list_filter(links, lambda l: l.rel IS NULL).list_transform(lambda l: l.href) FROM 'pages.parquet' ORDER BY id
SELECT l.href, count(*) FROM 'pages.parquet', unnest(links) t(l) GROUP BY ALL ORDER BY ALL
SELECT unnest(links).href AS href, lang FROM 'pages.parquet' ORDER BY ALL
SELECT meta.author AS a, meta.year + 1 AS y FROM 'pages.parquet' WHERE meta.year > 2019 ORDER BY id
SELECT meta.year, list(meta.author ORDER BY id) FROM 'pages.parquet' GROUP BY meta.year ORDER BY 1
SELECT js->>'k' AS k, count(*) FROM 'pages.parquet' GROUP BY k ORDER BY k
SELECT id, unnest((js->'$.tags[*]')) FROM 'pages.parquet' ORDER BY ALL
SELECT id, CAST(js->'tags' AS VARCHAR[]) FROM 'pages.parquet' ORDER BY id
SELECT id, date_part('hour', date) BETWEEN 9 AND 17 AS office FROM 'pages.parquet' ORDER BY id
SELECT date_trunc('month', date) AS m, count(*), min(date)::DATE, max(date)::DATE FROM 'pages.parquet' WHERE date IS NOT NULL GROUP BY m ORDER BY m
SELECT g::DATE AS d, count(p.id) FROM generate_series(DATE '2024-02-09', DATE '2024-02-12', INTERVAL 1 DAY) t(g) LEFT JOIN 'pages.parquet' p ON p.date::DATE = g::DATE GROUP BY d ORDER BY d
SELECT id, count(*) OVER (ORDER BY date::DATE RANGE BETWEEN INTERVAL 30 DAYS PRECEDING AND CURRENT ROW) FROM 'pages.parquet' WHERE date IS NOT NULL ORDER BY id
SELECT strftime(date, '%d.%m.%Y %H:%M'), strftime('%Y', date) FROM 'pages.parquet' ORDER BY id
SELECT d.id, p.id FROM 'docs.parquet' d LEFT JOIN 'pages.parquet' p ON p.id = d.id WHERE p.id IS NULL OR p.lang = 'de' ORDER BY 1
SELECT d.*, p.title FROM 'docs.parquet' d LEFT JOIN 'pages.parquet' p ON d.url = p.url AND p.lang = 'en' WHERE p.url IS NULL ORDER BY d.id
SELECT a.id, b.id, c.id FROM 'docs.parquet' a LEFT JOIN 'docs.parquet' b ON a.id = b.n LEFT JOIN 'pages.parquet' c ON b.id = c.id WHERE c.id IS NULL ORDER BY ALL
SELECT * FROM (SELECT d.id, p.id AS pid FROM 'docs.parquet' d FULL JOIN 'pages.parquet' p ON d.id = p.id + 1) WHERE id IS NULL OR pid IS NULL ORDER BY ALL
SELECT p.id, x.url FROM 'pages.parquet' p LEFT JOIN LATERAL (SELECT d.url FROM 'docs.parquet' d WHERE d.lang = p.lang ORDER BY d.n DESC LIMIT 1) x ON true ORDER BY p.id
SELECT count(*) FROM 'pages.parquet' p WHERE p.id = (SELECT max(q.id) FROM 'pages.parquet' q WHERE q.lang = p.lang)
SELECT lang, max(n) AS m, (SELECT count(*) FROM 'pages.parquet' p WHERE p.lang = d.lang) AS c FROM 'docs.parquet' d GROUP BY lang ORDER BY lang
CREATE VIEW v AS SELECT id, unnest(tags) AS tag FROM 'pages.parquet'; SELECT tag, count(*) FROM v GROUP BY tag ORDER BY tag
CREATE MACRO tokens(t) AS string_split(lower(t), ' '); SELECT id, len(tokens(text)) FROM 'pages.parquet' ORDER BY id
SELECT map([1,2],['a','b'])
SELECT map(['a','b'],[1,2])['a'], map {'a': 1}['z']
SELECT map_from_entries([('a', 1), ('b', 2)])
SELECT CAST({'a': 1} AS STRUCT(a VARCHAR)), {'a': '1'}::STRUCT(a INTEGER)
SELECT CAST([1,2] AS VARCHAR[]), ['1','2']::INTEGER[], '[1, 2]'::INTEGER[], '[a, b]'::VARCHAR[]
SELECT '{''a'': 1}'::STRUCT(a INTEGER), CAST('{a: 1}' AS STRUCT(a INTEGER))
SELECT '2024-01-05 10:00'::TIMESTAMP, '2024-01-05T10:00:00'::TIMESTAMP, '2024-01-05'::TIMESTAMP, TRY_CAST('2024-01-05 25:00' AS TIMESTAMP), TRY_CAST('05/01/2024' AS TIMESTAMP)
SELECT n << 2, 1 << n, n >> 1, n & 1, n | 4, xor(n, 1), ~n FROM 'docs.parquet' ORDER BY id
SELECT count(*) FILTER (lang = 'en'), sum(n) FILTER (WHERE n > 1), count_if(n > 1), sum(CASE WHEN lang = 'de' THEN 1 ELSE 0 END), sum(n > 1), avg((n > 1)::INT) FROM 'docs.parquet'
SELECT TRY_CAST('2024-01-05T10:00:00Z' AS TIMESTAMP), TRY_CAST('2024-01-05 10:00:00+02' AS TIMESTAMPTZ), '2024-01-05T10:00:00.123456Z'::TIMESTAMP
SELECT sum(n > 1), sum(lang = 'en'), count(n > 1), avg(n)::INT FROM 'docs.parquet'
SELECT CAST('12' AS INT) + 1, '12'::INT, TRY_CAST('x' AS INT), CAST(3.7 AS INT), CAST('true' AS BOOL), CAST(1 AS VARCHAR), CAST('2024-01-05' AS DATE), CAST(NULL AS INT)
CREATE TABLE t(a INT, b VARCHAR DEFAULT 'x'); INSERT INTO t(a) SELECT range FROM range(3); SELECT * FROM t ORDER BY a
SELECT sum(CASE WHEN n > 1 THEN n END) * 1.0 / count(*) AS r, sum(n > 1)::DOUBLE / count(*) FROM 'docs.parquet'
SELECT * FROM 'docs.parquet' WHERE lang NOT IN ('en', 'de') OR n IS NULL ORDER BY id
SELECT range AS i FROM range(3)
SELECT generate_series FROM generate_series(1, 3)
SELECT '[1, 2, 3]'::INT[], '["a", "b"]'::VARCHAR[], '[a, b]'::VARCHAR[], '{"a": 1}'::STRUCT(a INT)
SELECT TRY_CAST('[1' AS INT[]), TRY_CAST('x' AS STRUCT(a INT))
SELECT CAST('2024/03/01' AS DATE), DATE '2024-3-1', '2024-03-01 10:00'::TIMESTAMP::DATE
CREATE TABLE t(id INTEGER, tags VARCHAR[]); INSERT INTO t VALUES (1, ['a']), (2, '[b, c]'); SELECT id, len(tags) FROM t ORDER BY id

-- Names of fields and files, first rows for each row, decimals, and others.
SELECT author FROM (SELECT meta.author FROM 'pages.parquet') ORDER BY 1
SELECT author FROM (SELECT p.meta.author FROM 'pages.parquet' p) ORDER BY 1
WITH x AS (SELECT meta.author, meta.year FROM 'pages.parquet') SELECT author, year FROM x ORDER BY ALL
CREATE TABLE t AS SELECT id, meta.author FROM 'pages.parquet'; SELECT author FROM t ORDER BY 1
CREATE VIEW t AS SELECT id, meta.author FROM 'pages.parquet'; SELECT author FROM t ORDER BY 1
SELECT author, n FROM (SELECT meta.author, count(*) AS n FROM 'pages.parquet' GROUP BY ALL) ORDER BY ALL
SELECT href FROM (SELECT l.href FROM 'pages.parquet', unnest(links) t(l)) ORDER BY 1
SELECT b FROM (SELECT s.a.b FROM (SELECT {'a': {'b': 1}} AS s) t)
SELECT author FROM (SELECT meta.author FROM 'pages.parquet' UNION ALL SELECT lang FROM 'docs.parquet') ORDER BY 1
SELECT author_1 FROM (SELECT a.meta.author, b.meta.author FROM 'pages.parquet' a JOIN 'pages.parquet' b USING (id)) ORDER BY 1
SELECT meta.author, meta.author AS x FROM 'pages.parquet' ORDER BY id
SELECT meta.author AS id, id FROM 'pages.parquet' ORDER BY 2
SELECT p.lang, p.meta.year, count(*) FROM 'pages.parquet' p GROUP BY p.lang, p.meta.year ORDER BY ALL
CREATE TABLE t AS SELECT max(id), count(*) FROM 'pages.parquet'; SELECT "max(id)" FROM t
CREATE VIEW v AS SELECT lang, max(n) FROM 'docs.parquet' GROUP BY lang; SELECT "max(n)" FROM v ORDER BY 1
CREATE TABLE t AS SELECT DISTINCT upper(lang) FROM 'docs.parquet' ORDER BY upper(lang); SELECT count(*) FROM t
SELECT DISTINCT upper(lang) AS u FROM 'docs.parquet' ORDER BY upper(lang)
SELECT DISTINCT upper(lang) FROM 'docs.parquet' ORDER BY upper(lang)
SELECT DISTINCT meta.year FROM 'pages.parquet' ORDER BY meta.year
SELECT DISTINCT p.meta.year FROM 'pages.parquet' p ORDER BY p.meta.year DESC
SELECT meta.year, count(*) FROM 'pages.parquet' GROUP BY ALL ORDER BY meta.year
SELECT meta.year AS year, count(*) FROM 'pages.parquet' GROUP BY ALL ORDER BY meta.year
SELECT upper(lang) AS lang, count(*) FROM 'docs.parquet' GROUP BY upper(lang) ORDER BY upper(lang)
SELECT year(date) AS y, month(date) AS m, count(*) FROM 'pages.parquet' GROUP BY year(date), month(date) ORDER BY year(date), month(date)
SELECT date_trunc('month', date) AS m, count(*) FROM 'pages.parquet' GROUP BY date_trunc('month', date) ORDER BY date_trunc('month', date)
SELECT pages.id, docs.n FROM 'pages.parquet' JOIN 'docs.parquet' ON pages.id = docs.id ORDER BY 1
SELECT docs.lang FROM 'docs.parquet' ORDER BY docs.id
SELECT d.id, x.id FROM 'docs.parquet' d, LATERAL (SELECT e.id FROM 'docs.parquet' e WHERE e.lang = d.lang ORDER BY e.id LIMIT 2) x ORDER BY ALL
SELECT d.id, x.id FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT e.id FROM 'docs.parquet' e WHERE e.lang = d.lang AND e.n > 2 ORDER BY e.id LIMIT 2) x ON true ORDER BY ALL
SELECT d.id, x.* FROM 'docs.parquet' d, LATERAL (SELECT * FROM 'docs.parquet' e WHERE d.lang = e.lang ORDER BY n DESC LIMIT 1) x ORDER BY ALL
SELECT d.lang, x.url FROM (SELECT DISTINCT lang FROM 'docs.parquet') d JOIN LATERAL (SELECT url FROM 'pages.parquet' p WHERE upper(p.lang) = upper(d.lang) ORDER BY id DESC LIMIT 1) x ON true ORDER BY ALL
SELECT i, j FROM range(3) t(i), LATERAL range(i + 1) u(j) ORDER BY ALL
SELECT id, u.unnest.href FROM 'pages.parquet', unnest(links) u ORDER BY ALL
SELECT u.unnest FROM unnest([1, 2]) u
SELECT (js->'k')::INT + 1, CAST(js->'k' AS DOUBLE), (js->'tags')::VARCHAR[] FROM 'pages.parquet' ORDER BY id
SELECT ('{"c": "5"}'::JSON -> 'c')::INT, ('{"d": true}' -> 'd')::BOOLEAN, ('{"d": "2024-01-05"}' -> 'd')::DATE
SELECT id FROM 'pages.parquet' WHERE js->>'k' = '1' OR (js->'k')::INT = 2 ORDER BY id
SELECT json_array(id, lang), json_array(lang, url) FROM 'docs.parquet' ORDER BY id
SELECT trim(LEADING FROM '  a '), trim(TRAILING FROM ' a  '), trim(BOTH FROM ' a '), trim(LEADING 'x' FROM 'xa')
SELECT @(-5), @ -5, @(2 - 5)
SELECT @(n - 4) FROM 'docs.parquet' ORDER BY id
SELECT TIMESTAMP 'epoch', 'epoch'::TIMESTAMP, DATE 'epoch'
SELECT extract(dayofweek FROM DATE '2024-01-05'), extract(weekday FROM DATE '2024-01-05'), extract(dayofyear FROM DATE '2024-01-05')
SELECT days_in_month(DATE '2024-02-05'), days_in_month(date) FROM 'pages.parquet' ORDER BY id
SELECT x = 0.1, x > 0.1, x IN (0.1, 0.3), x BETWEEN 0.1 AND 0.2, x <> 0.1, 0.1 = x FROM (VALUES (0.1::FLOAT)) t(x)
SELECT x * 2.0, x + 0.25, typeof(x * 2.0), typeof(x / 2.0) FROM (VALUES (0.5::FLOAT)) t(x)
SELECT 0.1 + 0.2 = 0.3, 0.1 + 0.2, 4.35 * 100, floor(4.35 * 100), 3.0 % 0.1, 1.10::VARCHAR, 1.5 - 2, (0.1 + 0.2) * 10 = 3
SELECT * FROM (VALUES (0.3)) t(x) WHERE x IN (0.1 + 0.2)
SELECT '2024-01-05 10:00:00.5'::TIMESTAMP::TIME::VARCHAR, TIME '10:00:00'::VARCHAR, TIME '10:00:00.250' || ''
SELECT 1::NUMERIC, '1.5'::DECIMAL, 1.23456::DECIMAL, 2::DECIMAL(5)
SELECT 1.7::DECIMAL(3,1)::INT, 2.5::DECIMAL(3,1)::INT, (-1.7)::DECIMAL(3,1)::BIGINT, 3.5::DECIMAL(3,1)::TINYINT
SELECT x::INT FROM (VALUES (1.7::DECIMAL(3,1)), (2.5)) t(x) ORDER BY 1
SELECT x::BOOLEAN FROM (VALUES (1.0::DECIMAL(3,1)), (0.0::DECIMAL(3,1))) t(x) ORDER BY 1
CREATE TABLE t(p DECIMAL(5,2), n INT); INSERT INTO t VALUES (1.5, 2), (2.345, 3), ('3.1', 1); SELECT p, p * n, p + n, p / n, p::INT FROM t ORDER BY n
CREATE TABLE t(p DECIMAL(5,2)); INSERT INTO t VALUES (1.5); UPDATE t SET p = p * 1.1; SELECT * FROM t
SELECT round(x, 1), floor(x), ceil(x), trunc(x), abs(x), -x FROM (VALUES (1.25::DECIMAL(5,2)), (-3.75::DECIMAL(5,2))) t(x) ORDER BY x
SELECT extract(dayofweek FROM DATE '2024-01-05'), date_part('weekday', DATE '2024-01-05'), date_part('dayofyear', DATE '2024-01-05'), extract(yearweek FROM DATE '2024-01-05')
(SELECT 1 AS x) UNION ALL (SELECT 2 ORDER BY 1 LIMIT 1) ORDER BY x DESC
CREATE MACRO host(u) AS split_part(split_part(u, '//', 2), '/', 1); SELECT host(url) h, count(*) FROM 'docs.parquet' GROUP BY h ORDER BY h
CREATE MACRO m(a, b := 2, c := 3) AS a + b * c; SELECT m(1), m(1, c := 1), m(1, b := 0)
CREATE OR REPLACE TABLE t AS SELECT 1 AS a; CREATE OR REPLACE TABLE t AS SELECT 2 AS a; FROM t
CREATE TABLE IF NOT EXISTS t(a INT); CREATE TABLE IF NOT EXISTS t(a INT); INSERT INTO t VALUES (1); FROM t
CREATE TABLE a(id INT); INSERT INTO a VALUES (1), (2); DELETE FROM a WHERE id > (SELECT avg(id) FROM a); FROM a
CREATE TABLE a(id INT, v INT); INSERT INTO a VALUES (1, 1), (2, 2); UPDATE a SET v = v * 2, id = id + 1 WHERE v > 1; SELECT * FROM a ORDER BY id
CREATE TABLE t AS SELECT * FROM 'docs.parquet'; SELECT column_name FROM (DESCRIBE t)
CREATE TABLE t(a INT); ALTER TABLE t ALTER a SET DEFAULT 5; SELECT count(*) FROM t
CREATE TABLE t(a INT); DROP TABLE t; DROP TABLE IF EXISTS t; SELECT 1
CREATE TABLE t(a INT); INSERT INTO t VALUES (1); ALTER TABLE t ALTER COLUMN a SET DATA TYPE BIGINT; SELECT typeof(a) FROM t
CREATE TABLE t(a INT); INSERT INTO t VALUES (1); ALTER TABLE t RENAME COLUMN a TO b; SELECT b FROM t
CREATE TABLE t(a INT, b INT DEFAULT 7); INSERT INTO t(a) VALUES (1); FROM t
CREATE TABLE t(a INT, b INT); INSERT INTO t(b, a) VALUES (1, 2); FROM t
CREATE TABLE t(a INT, b TEXT[]); SELECT name, type FROM pragma_table_info('t')
CREATE TABLE t(i INT, s VARCHAR); INSERT INTO t VALUES (1, 'a'), (2, 'b'); INSERT INTO t SELECT i + 10, s || '!' FROM t; SELECT * FROM t ORDER BY i
CREATE TABLE t(p NUMERIC); INSERT INTO t VALUES (1.5); SELECT * FROM t
FROM 'docs.parquet' SELECT lang, sum(n) GROUP BY ALL HAVING sum(n) > 2 ORDER BY ALL
FROM 'docs.parquet' d JOIN 'pages.parquet' p USING (id) SELECT d.id, p.title WHERE d.n > 1 ORDER BY 1
PREPARE p AS SELECT count(*) FROM 'docs.parquet' WHERE lang = $1; EXECUTE p('en')
SELECT 'abc' SIMILAR TO '%b%', 'a_c' LIKE 'a\_c' ESCAPE '\', 'abc' NOT SIMILAR TO 'x.*', 'abc' !~ 'b', 'ABC' ~~* 'abc', 'abc' ~~ 'a%', 'abc' !~~ 'a%', 'ABC' !~~* 'a%'
SELECT (js->'k')::INT + 1, CAST(js->'k' AS DOUBLE), (js->'tags')::VARCHAR[], (js->'k')::VARCHAR FROM 'pages.parquet' ORDER BY id
SELECT * FROM (SELECT 1 AS a UNION ALL BY NAME SELECT 2 AS b) ORDER BY ALL
SELECT * FROM (VALUES (1),(2)) a(x) NATURAL LEFT JOIN (VALUES (2,'q')) b(x, y) ORDER BY x
SELECT * FROM (WITH a AS (SELECT 1 AS x) SELECT * FROM a)
SELECT * FROM range(3) t(i) CROSS JOIN range(2) u(j) ORDER BY ALL
SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, NULL ORDER BY a
SELECT 1.0 * 3, 2.5 * 2, 1.5 + 1, 10 / 3.0, round(2.345, 2), 1.0
SELECT 5 BETWEEN 1 AND 10, 5 NOT BETWEEN 1 AND 3, NULL IS NULL, NULL = NULL, 1 IS DISTINCT FROM NULL, true AND NULL, true OR NULL, NOT NULL
SELECT CASE WHEN true THEN 1.5 ELSE 2 END, coalesce(NULL, 1.50), greatest(1.5, 2), [1.5, 2], {'a': 1.50}
SELECT INTERVAL 1 DAY::VARCHAR, (INTERVAL '1 year 2 months 3 days 04:05:06')::VARCHAR, (INTERVAL 90 MINUTE)::VARCHAR
SELECT TRY_CAST('2024-02-30' AS DATE), TRY_CAST('abc' AS DOUBLE), TRY_CAST('' AS INT), TRY_CAST('true' AS BOOLEAN), TRY_CAST('maybe' AS BOOLEAN)
SELECT a.*, b.v AS bv FROM (VALUES (1,'x')) a(id, v) LEFT JOIN (VALUES (2,'y')) b(id, v) ON a.id = b.id
SELECT a.ts, b.v FROM (VALUES (1, 5), (1, 10), (2, 7)) a(k, ts) ASOF LEFT JOIN (VALUES (1, 4, 'x'), (1, 9, 'y')) b(k, ts, v) ON a.k = b.k AND a.ts >= b.ts ORDER BY ALL
SELECT apply([1, 2], lambda x: x + 1), filter([1, 2], lambda x: x > 1), array_apply([1, 2], lambda x: x * 2), list_apply([1], lambda x: x)
SELECT array_cosine_similarity([1.0, 2.0]::DOUBLE[2], [1.0, 2.0]::DOUBLE[2]), array_distance([1.0]::FLOAT[1], [2.0]::FLOAT[1]), array_inner_product([1.0]::FLOAT[1], [2.0]::FLOAT[1])
SELECT array_value(1, 2), [1, 2]::INT[2], array_length([1, 2, 3]), array_length([[1], [2]], 1), len([]), [] IS NULL
SELECT bar(3, 0, 10, 5), format('{:>10}|{:<5}|{:^5}', 'a', 'b', 'c'), format('{:x} {:X} {:b} {:o}', 255, 255, 5, 8), format('{1} {0}', 'a', 'b'), printf('%5.1f|%-5s|%+d|%%', 1.25, 'a', 5)
SELECT count(*), count(n), count(DISTINCT lang), min(n), max(n), avg(n), sum(n), stddev(n), median(n), mode(n) FROM 'docs.parquet' WHERE n = 3
SELECT d.id, x.id FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT e.id FROM 'docs.parquet' e WHERE e.lang = d.lang AND e.n > 2) x ON true ORDER BY ALL
SELECT d.id, x.id FROM 'docs.parquet' d, LATERAL (SELECT e.id FROM (SELECT *, row_number() OVER (PARTITION BY e.lang ORDER BY e.id) AS r FROM 'docs.parquet' e) e WHERE e.lang = d.lang AND e.r <= 2) x ORDER BY ALL
SELECT date_sub('month', DATE '2024-01-31', DATE '2024-03-01'), datesub('day', DATE '2024-01-01', DATE '2024-01-03'), date_diff('week', DATE '2024-01-01', DATE '2024-02-01'), date_diff('hour', TIMESTAMP '2024-01-01 10:59:00', TIMESTAMP '2024-01-01 11:01:00')
SELECT epoch(date), epoch_ms(date), to_timestamp(epoch(date))::TIMESTAMP = date FROM 'pages.parquet' ORDER BY id
SELECT extract(year FROM INTERVAL '14 months'), extract(day FROM INTERVAL '3 days 4 hours'), extract(epoch FROM INTERVAL '1 hour'), INTERVAL '1 day' * 3 = INTERVAL 3 DAY, INTERVAL 24 HOUR = INTERVAL 1 DAY
SELECT floor(1.1 * 10), ceil(1.1 * 10), (1.1 * 10)::INT, 1.1 * 10 = 11
SELECT fullkey, value FROM json_tree('{"a": [1, {"b": 2}]}') WHERE type NOT IN ('OBJECT', 'ARRAY')
SELECT histogram(lang)['en'], map_keys(histogram(lang)) FROM 'docs.parquet'
SELECT i, (SELECT sum(j) FROM range(i + 1) u(j)) FROM range(4) t(i) ORDER BY i
SELECT id FROM 'pages.parquet' WHERE len(tags) > 1 ORDER BY id
SELECT id, [l.href FOR l IN links IF l.rel IS NOT NULL] FROM 'pages.parquet' ORDER BY id
SELECT id, any_value(lang) OVER (PARTITION BY n) FROM 'docs.parquet' ORDER BY id
SELECT id, avg(n) FILTER (WHERE n > 1) OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, lag(id, 1, -1) OVER (ORDER BY id), lead(id, 2) OVER (ORDER BY id), first_value(id) OVER (ORDER BY id DESC), last_value(id) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), nth_value(id, 2) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM 'docs.parquet' ORDER BY id
SELECT id, list(id) OVER (ORDER BY id ROWS 1 PRECEDING), string_agg(lang, ',') OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, list_contains(tags, 'cats'), 'cats' IN tags, array_position(tags, 'pets') FROM 'pages.parquet' ORDER BY id
SELECT id, list_has_any(tags, ['cats', 'x']), list_has_all(tags, ['cats']), tags && ['dogs'] FROM 'pages.parquet' ORDER BY id
SELECT id, list_sum(list_transform(links, lambda l: len(l.href))) FROM 'pages.parquet' ORDER BY id
SELECT id, list_transform(tags, lambda t, i: i || ':' || t) FROM 'pages.parquet' ORDER BY id
SELECT id, ntile(2) OVER (ORDER BY id), cume_dist() OVER (ORDER BY id), percent_rank() OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, sum(id) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW), sum(id) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) FROM 'docs.parquet' ORDER BY id
SELECT id, tags.list_transform(lambda t: upper(t)).list_sort() FROM 'pages.parquet' ORDER BY id
SELECT id, unnest(links, recursive := true) FROM 'pages.parquet' ORDER BY ALL
SELECT id, {'u': url, 'm': meta} AS s FROM 'pages.parquet' ORDER BY id LIMIT 1
SELECT js.k, js.tags[0], js.n.m FROM (SELECT js::JSON AS js, id FROM 'pages.parquet') ORDER BY id
SELECT json_group_array(lang), json_group_object(id::VARCHAR, lang) FROM (SELECT * FROM 'docs.parquet' ORDER BY id)
SELECT json_keys('{"a": {"b": 1}}', '$.a'), json_type('{"a": [1]}', '$.a'), json_array_length('{"a": [1, 2]}', '$.a')
SELECT key, count(*) FROM (SELECT unnest(json_keys(js)) AS key FROM 'pages.parquet') GROUP BY key ORDER BY key
SELECT lang l, count(*) c FROM 'docs.parquet' GROUP BY l HAVING c > 1 ORDER BY l
SELECT lang, array_agg(id ORDER BY id) FILTER (WHERE n > 1) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, count(*) FILTER (n > 1) AS big, count(*) AS all_ FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, first(id ORDER BY n DESC), max(n), arg_max(id, n) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, list(n ORDER BY n DESC NULLS LAST)[1:2] AS top2 FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, n FROM 'docs.parquet' ORDER BY 1, 2 NULLS FIRST
SELECT lang, n, sum(n) OVER (PARTITION BY lang ORDER BY id) AS run, n * 100 / sum(n) OVER (PARTITION BY lang) AS pct FROM 'docs.parquet' ORDER BY lang, id
SELECT lang, sum(n) AS s FROM 'docs.parquet' GROUP BY lang HAVING s > 2 ORDER BY s
SELECT levenshtein('a', 'b'), damerau_levenshtein('ab', 'ba'), jaro_winkler_similarity('abc', 'abd'), jaccard('ab', 'bc'), hamming('ab', 'ac'), mismatches('ab', 'ac')
SELECT list(struct_pack(k := lang, v := n) ORDER BY id) FROM 'docs.parquet'
SELECT list_cosine_distance(emb, [0.1, 0.2]) FROM 'pages.parquet' WHERE id < 4 ORDER BY id
SELECT list_cosine_similarity(a.emb, b.emb) FROM 'pages.parquet' a, 'pages.parquet' b WHERE a.id = 1 AND b.id = 2
SELECT list_reduce([1, 2, 3], lambda a, b: a + b), reduce(['a', 'b'], lambda a, b: a || b), list_reduce([1, 2], lambda a, b: a * b, 10)
SELECT list_sum([1.25::DECIMAL(5,2), 2.5::DECIMAL(5,2)]), list_avg([1.25::DECIMAL(5,2), 2.5::DECIMAL(5,2)])
SELECT map {'k': [1, 2]}['k'][1], map_contains_value(map {'a': 1}, 1), map_extract(map {'a': 1}, 'a')[1]
SELECT meta.author, count(*) FROM 'pages.parquet' GROUP BY meta.author ORDER BY ALL
SELECT meta.year, meta.year + 1 AS next FROM 'pages.parquet' ORDER BY id
SELECT n, first_value(n) OVER (), last_value(n) OVER () FROM (VALUES (1),(2),(3)) t(n) ORDER BY n
SELECT name FROM (SELECT meta.author AS name FROM 'pages.parquet') ORDER BY 1
SELECT p.id, e.key, e.value FROM 'pages.parquet' p, json_each(p.js) e ORDER BY ALL
SELECT p.id, s.tag, s.n FROM 'pages.parquet' p, LATERAL (SELECT unnest(p.tags) AS tag, len(p.tags) AS n) s ORDER BY ALL
SELECT rank_dense() OVER (ORDER BY lang) FROM 'docs.parquet' ORDER BY 1
SELECT regexp_extract('a=1;b=22', '(\w)=(\d+);?', 2), regexp_extract('x', '\d+'), regexp_extract_all('a=1;b=22', '(\w)=(\d+)', 2), regexp_replace('a.b.c', '\.', '-', 'g'), regexp_matches('ABC', '(?i)b'), regexp_full_match('abc', 'a.c'), 'a1b' SIMILAR TO '[a-z0-9]+'
SELECT regexp_replace(text, '\s+', ' ', 'g'), regexp_extract(url, '([^/]+)$', 1), regexp_extract(url, '^(\w+)://([^/]+)', ['scheme', 'host']) FROM 'pages.parquet' ORDER BY id
SELECT replace(url, 'https://', ''), split_part(url, '/', 3), substr(url, 9), substring(url, 9, 5), strpos(url, '.'), instr(url, 'c'), starts_with(url, 'https'), url.ends_with('x') FROM 'pages.parquet' ORDER BY id
SELECT split_part('a,b,c', ',', -1), split_part('a,b', ',', 5), string_split('a,,b', ','), regexp_split_to_array('a1b22c', '\d+'), string_to_array('a b', ' '), array_to_string([1, 2], '-'), list_aggregate(['a'], 'string_agg', ',')
SELECT sum(x) OVER (ORDER BY x), avg(x) OVER (ORDER BY x) FROM (VALUES (2.50::DECIMAL(5,2)),(3.5::DECIMAL(5,2))) t(x)
SELECT translate('abc', 'ab', 'xy'), replace('aaa', 'a', ''), repeat('ab', 2), reverse('añ'), instr('abc', 'c'), strpos('abc', 'z'), position('b' IN 'abc')
SELECT unnest.href FROM 'pages.parquet', unnest(links) ORDER BY ALL
SELECT url_encode('a b&c'), url_decode('a%20b'), to_base64('ab'::BLOB), from_base64('YWI='), hex('ab'), unhex('6162'), md5('a'), encode('ä'), decode('\xC3\xA4'::BLOB)
SELECT x FROM (VALUES (1),(1),(2)) t(x) EXCEPT ALL SELECT 1 ORDER BY x
SELECT x, x NOT IN (SELECT y FROM (VALUES (1),(NULL)) u(y)) FROM (VALUES (1),(2),(NULL)) t(x) ORDER BY x
SELECT {'a': 1, 'b': 2} = {'a': 1, 'b': 2}, [1, 2] = [1, 2], [1, 2] < [1, 3], (1, 2) < (1, 3), row(1, 'a') = row(1, 'a')
SET VARIABLE l = (SELECT list(id ORDER BY id) FROM 'docs.parquet'); SELECT len(getvariable('l'))
WITH RECURSIVE fib(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM fib WHERE b < 20) SELECT a FROM fib ORDER BY a
WITH RECURSIVE t(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n + 1, s || 'b' FROM t WHERE n < 3) SELECT * FROM t ORDER BY n
WITH d AS (FROM 'docs.parquet'), p AS (FROM 'pages.parquet') FROM d JOIN p USING (id) SELECT count(*)
SELECT 1.75::DECIMAL(5,2) % 1, (-1.75)::DECIMAL(5,2) % 1, 7.5::DECIMAL(5,2) % 2
SELECT x % 1, x % 0.5::DECIMAL(5,2) FROM (VALUES (1.75::DECIMAL(5,2)), (2.5::DECIMAL(5,2))) t(x)
SELECT count(*) FROM (VALUES (1.75::DECIMAL(5,2)), (2::DECIMAL(5,2))) t(x) WHERE x % 1 = 0

-- Windows by name in QUALIFY, aggregates inside of expressions, and names of columns.
SELECT lang, n, rank() OVER w FROM 'docs.parquet' WINDOW w AS (PARTITION BY lang ORDER BY n) QUALIFY rank() OVER w = 1 ORDER BY lang
SELECT id, sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE NO OTHERS) AS s FROM 'docs.parquet' ORDER BY id
SELECT id, mode(lang) OVER (PARTITION BY n IS NULL) IS NOT NULL AS m, product(id) OVER (ORDER BY id) AS p FROM 'docs.parquet' ORDER BY id
SELECT mode(lang) FILTER (WHERE id IN (1, 3)), histogram(n) FILTER (n > 1), product(id) FILTER (WHERE id < 4), count_if(n > 1) FILTER (lang = 'en') FROM 'docs.parquet'
PIVOT (FROM 'docs.parquet' SELECT lang, n, id % 2 AS odd) ON lang USING coalesce(sum(n), 0) GROUP BY odd ORDER BY odd
PIVOT (SELECT lang, n FROM 'docs.parquet') ON lang USING round(avg(n) * 2, 1)
PIVOT (SELECT lang, n FROM 'docs.parquet') ON lang USING count_if(n > 1)
SELECT sum(id), sum(id::DOUBLE), sum(id::DECIMAL(10,2)), avg(id) AS a, avg(id::DOUBLE) AS b FROM 'docs.parquet'
SELECT lang, max(n), max(n::VARCHAR), count(DISTINCT n), count(DISTINCT n::VARCHAR) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT lang, percentile_cont(0.9) WITHIN GROUP (ORDER BY n DESC) AS p FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT quantile_cont(n, 1.0 / 3), quantile_cont(n, 0.1), percentile_cont(0.25) WITHIN GROUP (ORDER BY n) FROM 'docs.parquet'
SELECT lang, quantile_cont(n, 0.9) FILTER (WHERE id > 1) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT id, quantile_cont(id, 0.25) OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT quantile_cont(n, 0.5) FROM 'docs.parquet' WHERE false
SELECT unnest(meta) FROM 'pages.parquet' ORDER BY ALL
SELECT author, year + 1 FROM (SELECT unnest(meta) FROM 'pages.parquet') ORDER BY ALL
SELECT id, unnest(meta) FROM 'pages.parquet' WHERE id < 3 ORDER BY id
SELECT a, b.c FROM (SELECT unnest({'a': 1, 'b': {'c': 2}}))
SELECT id, unnest(tags) AS t FROM 'pages.parquet' ORDER BY ALL
SELECT user.name FROM (SELECT {'name': 'ann', 'age': 3} AS user)
SELECT x.user.name, x.user.age + 1 FROM (SELECT {'name': 'ann', 'age': 3} AS user) x
SELECT name FROM (SELECT user.name FROM (SELECT {'name': 'ann'} AS user))
SELECT parse_filename(docs.filename), docs.id FROM 'docs.parquet' ORDER BY docs.id
SELECT col0 + 1 AS x, col1 FROM (VALUES (1, 'a'), (2, 'b')) ORDER BY x
WITH t AS (VALUES (1, 'x')) SELECT col1, col0 FROM t
SELECT t.col0 FROM (VALUES (1), (2)) t ORDER BY 1
VALUES (3), (1), (2) ORDER BY 1 DESC LIMIT 2
SELECT range FROM (SELECT * FROM range(3)) ORDER BY 1
SELECT {'a': 1, 'b': NULL}::JSON, [1, 2]::JSON, map {'k': 'v'}::JSON, '{"a" : 1}'::JSON
SELECT meta::JSON, tags::JSON, lang::JSON IS NULL FROM (SELECT meta, tags, NULL::VARCHAR AS lang FROM 'pages.parquet') ORDER BY ALL
SELECT map_extract(map {'a': 1}, 'b'), map_extract(map {'a': 1}, 'a'), map_extract(NULL::MAP(VARCHAR, INT), 'a')
SELECT list_concat([1], NULL, [2]), list_cat(NULL, [1]), array_concat([1], NULL)
SELECT array_reverse_sort([1, 3, 2]), array_cross_product([1.0, 2.0, 3.0]::DOUBLE[3], [2.0, 3.0, 4.0]::DOUBLE[3])
SELECT typeof(json_array_length('[1, 2]')) IN ('BIGINT', 'UBIGINT'), typeof(list_count([1, NULL])), list_unique([1, 1, NULL]) + 1
SELECT d.id, t.tag FROM 'pages.parquet' d LEFT JOIN LATERAL (SELECT unnest(d.tags) AS tag) t ON true ORDER BY ALL
SELECT column_name, min, max, count, null_percentage FROM (SUMMARIZE 'docs.parquet') ORDER BY 1
CREATE TABLE x(d, e) AS SELECT 1, 'a'; SELECT e, d FROM x
SET preserve_insertion_order = false; SELECT 1
USE main; SELECT 1
SELECT 1 << 3, (2::BIGINT << 3), id << 2 FROM 'docs.parquet' ORDER BY id
SELECT TRY_CAST('20240105' AS DATE), TRY_CAST('2024/1/5' AS DATE), TRY_CAST(x AS DATE) FROM (VALUES ('20240105'), ('2024-01-05'), ('2024/02/03'), ('12345')) t(x)
SELECT id, links[1].href, len(links) FROM 'pages.parquet' QUALIFY row_number() OVER (ORDER BY id DESC) <= 2 ORDER BY id
SELECT id, sum(id) OVER w, count(*) OVER w FROM 'docs.parquet' WINDOW w AS (ORDER BY id) QUALIFY sum(id) OVER w > 3 ORDER BY id

-- Tables and queries that are texts.
FROM query_table('docs.parquet') ORDER BY id
SELECT count(*) FROM query_table(['docs.parquet', 'docs.csv'])
WITH few AS (SELECT 1 AS n UNION ALL SELECT 2) SELECT sum(n) FROM query_table('few')
SELECT a.n FROM query('SELECT 1 AS n, 2 AS m') AS a

-- Options of CSV, names of columns in queries, joins by name, and numbers of rows.
SELECT * FROM read_csv('docs.csv', skip = 1, header = false, names = ['id', 'url', 'lang', 'n']) ORDER BY id
SELECT * FROM read_csv('docs.csv', dateformat = '%d/%m/%Y', timestampformat = '%d/%m/%Y %H:%M') ORDER BY id
SELECT * FROM read_csv('docs.csv', normalize_names = true) ORDER BY id
SELECT * FROM read_csv('docs.csv', ignore_errors = true) ORDER BY id
SELECT * FROM read_csv('docs.csv', ignore_errors = true, header = true, columns = {'id': 'INTEGER', 'url': 'VARCHAR', 'lang': 'INTEGER', 'n': 'INTEGER'})
SELECT * FROM read_csv('docs.csv', dtypes = ['VARCHAR', 'VARCHAR', 'VARCHAR', 'DOUBLE']) ORDER BY id
SELECT * FROM read_csv('docs.csv', hive_partitioning = false, files_to_sniff = 1) ORDER BY id
SELECT "max(n)" FROM (SELECT max(n) FROM 'docs.parquet')
SELECT lang, "sum(n)" FROM (SELECT lang, sum(n) FROM 'docs.parquet' GROUP BY lang) ORDER BY lang
WITH t AS (SELECT id, upper(lang) FROM 'docs.parquet') SELECT "upper(lang)" FROM t ORDER BY id
SELECT * FROM (SELECT count(*), count(*) FROM 'docs.parquet')
SELECT * FROM (SELECT n + 1, n + 1 FROM 'docs.parquet' WHERE id = 1)
SELECT id, title FROM 'docs.parquet' JOIN 'pages.parquet' USING (id, lang) WHERE lang = 'en' ORDER BY id
SELECT * FROM 'docs.parquet' d LEFT JOIN (SELECT id, title FROM 'pages.parquet') p USING (id) WHERE id > 3 ORDER BY id
WITH langs AS (SELECT lang, count(*) AS c FROM 'docs.parquet' GROUP BY lang) SELECT d.id, l.c FROM 'docs.parquet' d JOIN langs l USING (lang) WHERE lang = 'en' ORDER BY id
SELECT id, a, b FROM (SELECT 1 AS id, 2 AS a) JOIN (SELECT 1 AS id, 3 AS b) USING (id) JOIN (SELECT 1 AS id, 4 AS c) USING (id) WHERE id = 1
SELECT id, count(*) FROM (SELECT 1 AS id) x JOIN (SELECT 1 AS id) y USING (id) JOIN (SELECT 1 AS id) z USING (id) WHERE id > 0 GROUP BY id ORDER BY id
CREATE TABLE d AS FROM 'docs.parquet'; CREATE VIEW en AS SELECT * FROM d WHERE lang = 'en'; SELECT en.id, d.n FROM en JOIN d USING (id) WHERE id > 1
SELECT * FROM (SELECT 1 AS id, 2 AS a) NATURAL JOIN (SELECT 1 AS id, 3 AS b)
SELECT id FROM (SELECT 1 AS id, 2 AS a) NATURAL LEFT JOIN (SELECT 1 AS id, 3 AS b)
SELECT n, row_number() OVER () AS r, rank() OVER (ORDER BY n DESC) AS k FROM (VALUES (1), (2), (3)) t(n) ORDER BY n
SELECT row_number() OVER () AS r, n, sum(n) OVER (ORDER BY n DESC) AS s FROM (VALUES (3), (1), (2)) t(n) ORDER BY r
SELECT row_number() OVER () AS r, count(*) OVER () AS c, rank() OVER (ORDER BY n) AS k, dense_rank() OVER (PARTITION BY n ORDER BY n) AS d, n FROM (VALUES (3), (1), (2)) t(n) ORDER BY r
SELECT range, ordinality FROM range(5, 8) WITH ORDINALITY
SELECT * FROM generate_series(1, 3) WITH ORDINALITY AS t(x, i)
SELECT p.id, u.tag FROM 'pages.parquet' p LEFT JOIN LATERAL unnest(p.tags) AS u(tag) ON true ORDER BY ALL
SELECT '{"a": {"b": [1, 2]}}'->>'a', '{"a": {"b": [1, 2]}}'->>'$.a', json_extract_string('{"a": [1,  2]}', 'a')
SELECT ' abc '.trim(), 'abc'.substring(2), title.substring(1, 2) FROM 'pages.parquet' ORDER BY id
SELECT make_time(10, 11, 12.5)::VARCHAR, make_time(0, 0, 0)
CREATE MACRO f(x INTEGER) AS x + 1; SELECT f(2)
CREATE FUNCTION f(x INTEGER, y := 'b') AS x || y; SELECT f(2), f(1, y := 'c')
BEGIN; CREATE TABLE t AS SELECT 1 AS a; COMMIT; SELECT * FROM t
START TRANSACTION; CREATE TABLE t AS SELECT 1 AS a; END; SELECT * FROM t
CREATE TABLE t AS SELECT 1 AS a; VACUUM; ANALYZE; CHECKPOINT; DROP SCHEMA IF EXISTS nope; SELECT * FROM t
SELECT * FROM (VALUES (2, 'b'), (1, 'a')) AS t(n, s) UNION ALL SELECT * FROM (VALUES (3, 'c')) AS u(n, s) ORDER BY ALL DESC LIMIT 2
SELECT n FROM (VALUES (1), (2)) AS a(n) JOIN (VALUES (2), (3)) AS b(n) USING (n) WHERE list_sum([n FOR n IN [1, 2, 3] IF n > 1]) = 5
SELECT n, [n FOR n IN [7, 8]] AS l FROM (VALUES (1)) AS a(n) FULL JOIN (VALUES (2)) AS b(n) USING (n) ORDER BY n

-- Row numbers in the order of a sorted query.
SELECT id, r FROM (SELECT id, row_number() OVER () AS r FROM (SELECT * FROM 'docs.parquet' ORDER BY id DESC)) ORDER BY id
SELECT id, max(r) FROM (SELECT id, row_number() OVER () AS r FROM (SELECT * FROM 'docs.parquet' ORDER BY id DESC)) GROUP BY id ORDER BY id
WITH q AS (SELECT id FROM 'docs.parquet' ORDER BY -id) SELECT id, row_number() OVER () AS r, lag(id) OVER () AS before, count(*) OVER () AS c FROM q ORDER BY id
SELECT id, row_number() OVER () AS r, rank() OVER (ORDER BY id) AS k FROM (SELECT id FROM 'docs.parquet' ORDER BY id DESC LIMIT 3) ORDER BY id
SELECT list(id) FROM (SELECT id FROM 'docs.parquet' ORDER BY id % 2, -id) q

-- Definitions of macros are SQL of DuckDB.
CREATE MACRO m() AS TABLE SELECT * FROM (VALUES (1), (2)) a(x) POSITIONAL JOIN (VALUES (3), (4)) b(y); SELECT * FROM m() ORDER BY x
CREATE MACRO m(s) AS substring(s, -2); SELECT m('abc') AS s
CREATE MACRO m(j, k := 'a') AS j->>k; SELECT m('{"a": 1, "b": 2}') AS a, m('{"a": 1, "b": 2}', k := 'b') AS b
CREATE MACRO m(k) AS TABLE SELECT * EXCLUDE (n) RENAME (id AS i) FROM 'docs.parquet' WHERE id = k; SELECT * FROM m(2)
CREATE MACRO m() AS TABLE SELECT max(COLUMNS('^n$')) FROM 'docs.parquet'; SELECT * FROM m()
CREATE MACRO m() AS TABLE SELECT s.* FROM (SELECT {'a': 1, 'b': 2} AS s); SELECT * FROM m()
CREATE MACRO m(k) AS TABLE SELECT id FROM 'docs.parquet' FULL JOIN (SELECT 99 AS id) b USING (id) WHERE id > k; SELECT * FROM m(3) ORDER BY id
CREATE MACRO m() AS TABLE SELECT range FROM range(3); SELECT * FROM m()
CREATE MACRO m(l) AS [x + 1 FOR x IN l IF x > 1]; CREATE VIEW v AS SELECT m([1, 2, 3]) AS s; SELECT * FROM v
CREATE MACRO two(x) AS x * 2; CREATE MACRO m(k) AS TABLE SELECT two(id) AS d FROM 'docs.parquet' QUALIFY row_number() OVER (ORDER BY id) = k; SELECT * FROM m(2)
SELECT x[array_length(x)] AS a, x[1:array_length(x)] AS b, x[list_position(x, 2)] AS c FROM (SELECT [1, 2, 3] AS x)

-- Joins by name, parts of texts, prepared statements, folders key=value and more on documents.
SELECT * FROM (VALUES (1,'a'),(2,'b')) t(id,x) NATURAL JOIN (VALUES (1,'p'),(2,'q')) u(id,y) WHERE id = 1
SELECT id, x, y FROM (VALUES (1,'a'),(2,'b')) t(id,x) NATURAL JOIN (VALUES (1,'p'),(3,'q')) u(id,y) WHERE id > 0 ORDER BY id
SELECT * FROM (VALUES (1,'a'),(2,'b')) t(id,x) NATURAL FULL JOIN (VALUES (1,'p'),(3,'q')) u(id,y) ORDER BY id
SELECT * FROM (VALUES (1,'a'),(2,'b')) t(id,x) NATURAL RIGHT JOIN (VALUES (1,'p'),(3,'q')) u(id,y) ORDER BY id
SELECT * FROM (VALUES (1,'a'),(2,'b')) t(id,x) NATURAL LEFT JOIN (VALUES (1,'p'),(3,'q')) u(id,y) ORDER BY id
SELECT * FROM (VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) USING (id) JOIN (VALUES (5,'z')) v(k,w) USING (k)
SELECT id, k, w FROM (VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) USING (id) LEFT JOIN (VALUES (5,'z')) v(k,w) USING (k)
SELECT * FROM ((VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) USING (id))
SELECT t.id, w FROM ((VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) ON t.id = u.id) JOIN (VALUES (5,'z')) v(k,w) ON u.k = v.k
SELECT * FROM (VALUES (1)) t(id) LEFT JOIN ((VALUES (1,5)) u(id,k) JOIN (VALUES (5,'z')) v(k,w) ON u.k = v.k) ON t.id = u.id
SELECT * FROM (VALUES (1)) t(id) JOIN ((VALUES (1,5)) u(id,k) JOIN (VALUES (5,'z')) v(k,w) USING (k)) USING (id)
CREATE VIEW v AS SELECT * FROM (VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) ON t.id = u.id; FROM v
CREATE VIEW v AS SELECT * FROM (VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) ON t.id = u.id; SELECT id, id_1, x FROM v
CREATE TABLE v AS SELECT * FROM (VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) ON t.id = u.id; SELECT id, id_1, x FROM v
WITH v AS (SELECT * FROM (VALUES (1,'a')) t(id,x) JOIN (VALUES (1,5)) u(id,k) ON t.id = u.id) SELECT id, id_1, x FROM v
CREATE TABLE a AS SELECT 1 AS x; FROM main.a
CREATE TABLE a AS SELECT 1 AS x; SELECT main.a.x FROM main.a
CREATE TABLE a AS SELECT 1 AS x; SELECT a.x FROM main.a WHERE a.x = 1
CREATE TABLE main.a AS SELECT 1 AS x; SELECT x FROM a
SELECT s[len(s)] FROM (VALUES ('abc')) t(s)
SELECT s[n] FROM (VALUES ('abc', 2)) t(s, n)
SELECT s[n:n+1] FROM (VALUES ('abcd', 2)) t(s, n)
SELECT s[-n] FROM (VALUES ('abcd', 2)) t(s, n)
SELECT upper(s)[1], ('x' || s)[2], lower(s)[n] FROM (VALUES ('abcd', 2)) t(s, n)
SELECT text[position('t' IN text)] FROM 'pages.parquet' ORDER BY id
SELECT list_extract(x, length(x)) FROM (VALUES ([1,2,3])) t(x)
SELECT substr(s, 1, length(x)) FROM (VALUES ('abcdef', [1,2,3])) t(s, x)
SELECT x[len(x)], x[len(x)-1], x[1:len(x)-1] FROM (VALUES ([1,2,3])) t(x)
SELECT split_part('a/b/c', '/', len(['a','b']))
SELECT substr(s, len(x)), substring(s, len(x), len(x)) FROM (VALUES ('abcdef', [1,2,3])) t(s, x)
SELECT array_slice(x, 1, len(x)-1), list_slice(x, 2, len(x)) FROM (VALUES ([1,2,3])) t(x)
SELECT list_resize(x, len(x)+1), range(len(x)) FROM (VALUES ([1,2,3])) t(x)
CREATE MACRO plus(a INTEGER) AS a + 1; SELECT plus(2)
CREATE MACRO f(l INTEGER[]) AS list_transform(l, lambda x: x + 1); SELECT f([1,2])
CREATE MACRO f(l) AS list_transform(l, lambda x: x + 1); SELECT f([1,2])
CREATE FUNCTION f(l VARCHAR[], n INTEGER) AS list_filter(l, lambda x: len(x) > n); SELECT f(['a','bbb'], 1)
SELECT "count_star()" FROM (SELECT count(*) FROM 'docs.parquet')
SELECT "count_star()" + 1 FROM (SELECT lang, count(*) FROM 'docs.parquet' GROUP BY lang) ORDER BY 1
SELECT "sum(n)", "max(id)" FROM (SELECT sum(n), max(id) FROM 'docs.parquet')
SELECT lang, "count(n)" FROM (SELECT lang, count(n) FROM 'docs.parquet' GROUP BY 1) ORDER BY lang
PREPARE p AS SELECT $1 + $2; EXECUTE p(1, 2)
PREPARE p AS SELECT ? + ?; EXECUTE p(1, 2)
PREPARE p AS SELECT * FROM 'docs.parquet' WHERE id > $1 AND lang = $2 ORDER BY id; EXECUTE p(1, 'en')
PREPARE p AS SELECT $1::INTEGER + 1; EXECUTE p('4')
SELECT t.id, x FROM (VALUES (1, 5), (2, 6)) t(id, n), unnest([t.id, t.n]) u(x) ORDER BY ALL
SELECT id, x FROM 'docs.parquet' t, unnest([t.id, t.n]) u(x) ORDER BY ALL
SELECT id, x FROM 'docs.parquet', LATERAL unnest(string_split(url, '/')) u(x) ORDER BY ALL
SELECT id, x FROM 'docs.parquet' CROSS JOIN unnest(string_split(lang, '')) AS u(x) ORDER BY ALL
SELECT id FROM 'docs.parquet' d WHERE n >= ALL (SELECT n FROM 'docs.parquet' e WHERE e.lang = d.lang AND n IS NOT NULL) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n < ANY (SELECT n FROM 'docs.parquet' e WHERE e.lang = d.lang) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE lang = ANY (SELECT lang FROM 'docs.parquet' e WHERE e.id <> d.id) ORDER BY id
SELECT a << b FROM (VALUES (1, 3), (2, 4)) t(a, b)
SELECT a >> b, a & b, a | b, ~a, xor(a, b) FROM (VALUES (12, 2)) t(a, b)
SELECT MAP {'a': 1}['b'], MAP {'a': 1}['a'], map_extract(MAP {'a': 1}, 'b')
SELECT to_json({a: NULL, b: 1})
SELECT to_json(t) FROM (SELECT 1 AS a, NULL AS b) t
SELECT {'a': NULL}::JSON
SELECT skip FROM (SELECT 1 AS skip)
SELECT 1; -- a comment
SELECT 1 -- a comment; with a semicolon
SELECT 1; /* x */
SELECT lang, count(*) AS c FROM 'docs.parquet' GROUP BY lang HAVING c > 1 ORDER BY c DESC, lang
SELECT lang, count(*) FILTER (WHERE n > 1) AS big, avg(n) FROM 'docs.parquet' GROUP BY ALL ORDER BY ALL
SELECT split_part(split_part(url, '//', 2), '/', 1) AS host, count(*) FROM 'docs.parquet' WHERE url IS NOT NULL GROUP BY host ORDER BY host
SELECT regexp_extract(url, '^https?://([^/]+)', 1) AS host FROM 'docs.parquet' ORDER BY id
SELECT regexp_extract(url, '^(https?)://([^/]+)', ['scheme', 'host']) AS p FROM 'docs.parquet' WHERE id = 1
SELECT regexp_matches(text, 'cat|Hund'), regexp_full_match(lang, 'e.') FROM 'pages.parquet' ORDER BY id
SELECT regexp_replace(text, '[aeiou]', '*', 'g') FROM 'pages.parquet' WHERE id = 1
SELECT text ~ 'cats', text !~ 'cats', text ILIKE '%CATS%', text SIMILAR TO '.*cats.*' FROM 'pages.parquet' ORDER BY id
SELECT length(text), strlen(text), octet_length(encode(text)), array_length(string_split(text, ' ')) FROM 'pages.parquet' ORDER BY id
SELECT string_agg(lang, ',' ORDER BY id) FROM 'docs.parquet'
SELECT lang, list(id ORDER BY id DESC) FROM 'docs.parquet' GROUP BY lang ORDER BY lang
SELECT max_by(url, n), min_by(url, n), arg_max(id, n, 2) FROM 'docs.parquet'
SELECT first(url ORDER BY id), last(url ORDER BY id) FROM 'docs.parquet' WHERE url IS NOT NULL
SELECT id, row_number() OVER (PARTITION BY lang ORDER BY id) AS r FROM 'docs.parquet' QUALIFY r = 1 ORDER BY id
SELECT id, lag(id) OVER (ORDER BY id), lead(id, 2, 0) OVER (ORDER BY id), sum(n) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM 'docs.parquet' ORDER BY id
SELECT ntile(2) OVER (ORDER BY id), percent_rank() OVER (ORDER BY id), cume_dist() OVER (ORDER BY id) FROM 'docs.parquet' ORDER BY id
SELECT id, first_value(url IGNORE NULLS) OVER (ORDER BY id DESC) FROM 'docs.parquet' ORDER BY id
SELECT tag, count(*) FROM (SELECT unnest(tags) AS tag FROM 'pages.parquet') GROUP BY tag ORDER BY ALL
SELECT id, l.href FROM 'pages.parquet', unnest(links) AS t(l) WHERE l.rel = 'me'
SELECT list_filter(tags, lambda t: t LIKE 'c%'), list_transform(tags, lambda t: upper(t)) FROM 'pages.parquet' ORDER BY id
SELECT [t.href FOR t IN links IF t.rel IS NOT NULL] FROM 'pages.parquet' ORDER BY id
SELECT list_contains(tags, 'cats'), list_position(tags, 'pets'), list_has_any(tags, ['dogs']), list_has_all(tags, ['cats','pets']) FROM 'pages.parquet' ORDER BY id
SELECT list_aggregate(emb, 'sum'), list_min(emb), list_max(emb), list_avg(emb) FROM 'pages.parquet' ORDER BY id
SELECT array_to_string(tags, '|'), list_concat(tags, ['x']), list_append(tags, 'y'), list_prepend('z', tags) FROM 'pages.parquet' ORDER BY id
SELECT list_intersect(tags, ['cats']), tags && ['dogs'], tags @> ['cats'] FROM 'pages.parquet' ORDER BY id
SELECT list_dot_product(emb, emb), list_cosine_similarity(emb, [1.0, 0.0]), list_distance(emb, [0.0, 0.0]) FROM 'pages.parquet' WHERE emb IS NOT NULL ORDER BY id
SELECT list_sum([len(t) FOR t IN tags]) FROM 'pages.parquet' WHERE id = 1
SELECT flatten([[1, 2], [3]]), list_value(1, 2), array_agg(DISTINCT lang ORDER BY lang) FROM 'docs.parquet'
SELECT meta.author, meta['year'], struct_extract(meta, 'year') + 1 FROM 'pages.parquet' ORDER BY id
SELECT struct_pack(a := id, b := lang) FROM 'docs.parquet' ORDER BY id LIMIT 1
SELECT js->>'k', js->'n'->>'m', json_extract_string(js, '$.tags[0]'), js->>'$.tags[1]' FROM 'pages.parquet' ORDER BY id
SELECT json_array_length(js, '$.tags'), json_type(js, '$.k'), json_keys(js), json_valid(js) FROM 'pages.parquet' ORDER BY id
SELECT json_object('a', 1, 'b', [1,2]), json_array(1, 'x', NULL), json_group_array(id), json_group_object(lang, n) FROM 'docs.parquet' WHERE id < 3
SELECT CAST(js->'tags' AS VARCHAR[]) FROM 'pages.parquet' WHERE id < 3 ORDER BY id
SELECT from_json(js, '{"k": "INTEGER"}').k FROM 'pages.parquet' ORDER BY id
SELECT date_trunc('month', date), year(date), month(date), dayname(date), monthname(date), dayofweek(date), isodow(date), week(date), quarter(date), dayofyear(date) FROM 'pages.parquet' ORDER BY id
SELECT strftime(date, '%Y-%m-%d %H:%M'), strftime('%d.%m.%y', date), epoch(date), epoch_ms(date) FROM 'pages.parquet' ORDER BY id
SELECT date_diff('day', DATE '2024-01-01', date), datediff('hour', TIMESTAMP '2024-01-05 00:00:00', date), date_sub('month', DATE '2023-12-31', date::DATE) FROM 'pages.parquet' ORDER BY id
SELECT generate_series(DATE '2024-01-01', DATE '2024-01-03', INTERVAL 1 DAY), range(DATE '2024-01-01', DATE '2024-01-03', INTERVAL 1 DAY)
SELECT d::DATE FROM generate_series(DATE '2024-01-30', DATE '2024-02-02', INTERVAL '1 day') t(d)
SELECT CASE lang WHEN 'en' THEN 'English' WHEN 'de' THEN 'German' ELSE 'other' END, if(n > 2, 'big', 'small'), ifnull(n, 0), nullif(lang, 'en'), coalesce(url, 'none') FROM 'docs.parquet' ORDER BY id
SELECT greatest(id, n), least(id, n), abs(-n), sign(n), n % 2, n ** 2, sqrt(n), round(n / 3, 2), trunc(n / 3.0), ceil(n / 2), floor(n / 2), n // 2 FROM 'docs.parquet' ORDER BY id
SELECT levenshtein(lang, 'en'), jaccard(lang, 'en'), jaro_winkler_similarity(lang, 'en'), hamming(lang, 'en') FROM 'docs.parquet' ORDER BY id
SELECT trim('  a '), ltrim('xxa', 'x'), rtrim('axx', 'x'), trim(both 'x' FROM 'xax'), left('abc', -1), right('abc', -1), substr('abc', -2), substr('abc', 0, 2), ascii('é'), unicode('é'), chr(233), concat('a', NULL, 1), concat_ws('-', 'a', NULL, 'b'), string_split_regex('a1b2', '[0-9]'), bit_length('ab'), overlay('abc' PLACING 'X' FROM 2 FOR 1)
UNPIVOT (SELECT id, n FROM 'docs.parquet') ON id, n INTO NAME k VALUE v ORDER BY ALL
SELECT * FROM 'docs.parquet' PIVOT (sum(n) FOR lang IN ('en', 'de')) ORDER BY id
FROM 'docs.parquet' SELECT lang, sum(n) GROUP BY lang ORDER BY lang
SELECT * FROM 'docs.parquet' WHERE url IN (SELECT url FROM 'pages.parquet' WHERE lang = 'en') ORDER BY id
SELECT * FROM 'docs.parquet' d WHERE EXISTS (FROM 'pages.parquet' p WHERE p.url = d.url AND p.lang <> 'en') ORDER BY id
SELECT d.id, p.title FROM 'docs.parquet' d LEFT JOIN 'pages.parquet' p USING (url) ORDER BY d.id
SELECT d.id, p.title FROM 'docs.parquet' d ASOF JOIN 'pages.parquet' p ON d.lang = p.lang AND d.id >= p.id ORDER BY d.id
SELECT count(*) FROM 'docs.parquet' SEMI JOIN 'pages.parquet' USING (url)
SELECT url FROM 'docs.parquet' UNION SELECT url FROM 'pages.parquet' ORDER BY 1 NULLS LAST
SELECT lang FROM 'docs.parquet' EXCEPT ALL SELECT lang FROM 'pages.parquet' ORDER BY 1
SELECT lang FROM 'docs.parquet' INTERSECT SELECT lang FROM 'pages.parquet' ORDER BY 1
SELECT 1 AS a, 2 AS b UNION ALL BY NAME SELECT 3 AS b, 4 AS c ORDER BY b
WITH t AS MATERIALIZED (SELECT * FROM 'docs.parquet'), u AS (SELECT lang, count(*) AS c FROM t GROUP BY lang) SELECT t.id, c FROM t JOIN u USING (lang) ORDER BY id
WITH RECURSIVE p(n) AS (SELECT 1 UNION ALL SELECT n * 2 FROM p WHERE n < 100) SELECT max(n), count(*) FROM p
SELECT (SELECT max(n) FROM 'docs.parquet' e WHERE e.lang = d.lang) AS m, id FROM 'docs.parquet' d ORDER BY id
SELECT id, x FROM 'docs.parquet' d, LATERAL (SELECT d.n * 2 AS x) ORDER BY id
SELECT lang, n, sum(n) FROM 'docs.parquet' GROUP BY GROUPING SETS ((lang), (n), ()) ORDER BY ALL
SELECT lang, grouping(lang), count(*) FROM 'docs.parquet' GROUP BY ROLLUP (lang) ORDER BY ALL
SELECT lang, n, count(*) FROM 'docs.parquet' GROUP BY CUBE (lang, n) ORDER BY ALL
SELECT COLUMNS('i|n') FROM 'docs.parquet' ORDER BY id
SELECT max(COLUMNS(*)) FROM 'docs.parquet'
SELECT * EXCLUDE (url, lang) REPLACE (n * 10 AS n) FROM 'docs.parquet' ORDER BY id
SELECT DISTINCT ON (lang) lang, id FROM 'docs.parquet' ORDER BY lang, id DESC
SELECT * FROM 'docs.parquet' ORDER BY n DESC NULLS LAST, id LIMIT 2 OFFSET 1
SELECT id, n FROM 'docs.parquet' WHERE (id, n) IN ((1, 3), (2, 1)) ORDER BY id
SELECT 'a' < 'B', 'ä' = 'Ä', 'abc' BETWEEN 'a' AND 'b', NULL IS DISTINCT FROM 1, NOT NULL, true AND NULL
SELECT TRY_CAST('x' AS INTEGER), CAST('1.5' AS DOUBLE), '2024-01-01'::DATE, 1::BOOLEAN, 'true'::BOOLEAN, 1.9::INTEGER, '  5 '::INTEGER, 1e3::BIGINT, [1,2]::VARCHAR, {'a': 1}::VARCHAR, DATE '2024-01-01'::VARCHAR
CREATE TABLE t AS FROM 'docs.parquet'; UPDATE t SET n = n + 1 WHERE lang = 'en'; SELECT sum(n) FROM t
CREATE TABLE t AS FROM 'docs.parquet'; DELETE FROM t WHERE n IS NULL; SELECT count(*) FROM t
CREATE TABLE t (a INTEGER DEFAULT 5, b VARCHAR); INSERT INTO t (b) VALUES ('x'), ('y'); FROM t ORDER BY b
CREATE TABLE t (a INTEGER); INSERT INTO t SELECT range FROM range(5); SELECT sum(a), count(*) FROM t
CREATE OR REPLACE TABLE t AS SELECT 1 AS x; CREATE OR REPLACE TABLE t AS SELECT 2 AS x; FROM t
CREATE MACRO host(u) AS regexp_extract(u, '//([^/]+)', 1); SELECT host(url) FROM 'docs.parquet' ORDER BY id
CREATE MACRO top(k) AS TABLE SELECT id FROM 'docs.parquet' ORDER BY id LIMIT k; FROM top(2)
CREATE TEMP VIEW v AS SELECT id, lang FROM 'docs.parquet'; SELECT count(*) FROM v WHERE lang = 'en'
SET VARIABLE k = 3; SELECT id FROM 'docs.parquet' WHERE id > getvariable('k') ORDER BY id
SELECT year, month, count(*) FROM 'hive/*/*/*.csv' GROUP BY ALL ORDER BY ALL
SELECT sum(year), max(month) FROM read_csv('hive/**/*.csv')
SELECT * FROM read_csv('hive/*/*/*.csv', hive_partitioning = true) ORDER BY year, a
SELECT * FROM read_csv('hive/*/*/*.csv', hive_types = {'month': 'INTEGER'}) WHERE month > 1 ORDER BY a
SELECT * FROM read_csv('hive/*/*/*.csv', hive_types_autocast = false) WHERE year = '2024' ORDER BY a
SELECT count(*) FROM read_csv('hive/*/*/*.csv', hive_partitioning = false)
SELECT year, list(b ORDER BY a) FROM 'hive/*/*/*.csv' WHERE year BETWEEN 2024 AND 2030 GROUP BY year
SELECT len(content), year FROM read_text('hive/*/*/*.csv') ORDER BY year
SELECT month || '!', year::VARCHAR || '!' FROM 'hive/*/*/*.csv' ORDER BY ALL LIMIT 1
SELECT title[1], title[len(title)], text[-3:], text[:5], text[length(text) - 2:] FROM 'pages.parquet' WHERE id < 3 ORDER BY id
SELECT s[i] FROM (VALUES ('abc')) t(s), range(1, 4) r(i) ORDER BY ALL
SELECT s[i:j] FROM (VALUES ('abcdef', 2, 4), ('abcdef', -3, -2), ('abc', 0, 2), ('abc', 2, -1), ('abc', 3, 1), ('abc', -9, 2)) t(s, i, j) ORDER BY ALL
SELECT 'abcdef'[-9:2], 'abc'[0:2], 'abc'[2:-1], 'abc'[:], 'abc'[4], 'abc'[-4], 'abc'[0]
SELECT 3 > ALL (SELECT n FROM 'docs.parquet' WHERE lang = 'de' AND n < 3), 3 = ANY (SELECT n FROM 'docs.parquet'), 3 > ALL (SELECT n FROM 'docs.parquet')
SELECT * FROM (SELECT 1 AS id, 'a' AS x) NATURAL JOIN (SELECT 1 AS id, 'b' AS y) WHERE id = 1
SELECT id, url FROM 'docs.parquet' NATURAL JOIN (SELECT id FROM 'pages.parquet') WHERE id > 1 ORDER BY id
SELECT docs.id, pages.title FROM 'docs.parquet' NATURAL JOIN 'pages.parquet' ORDER BY docs.id
WITH a AS (SELECT 1 AS id, 2 AS x), b AS (SELECT 1 AS id, 3 AS y) SELECT * FROM a NATURAL FULL JOIN b
CREATE TABLE a AS SELECT 1 AS x; CREATE TABLE b AS SELECT 1 AS x, 2 AS y; SELECT x, y FROM main.a JOIN main.b USING (x) WHERE x = 1
CREATE TABLE a AS SELECT 1 AS x; INSERT INTO main.a VALUES (2); SELECT main.a.x FROM main.a ORDER BY main.a.x
SELECT "count_star()" AS c FROM (SELECT lang, count(*) FROM 'docs.parquet' GROUP BY lang) WHERE "count_star()" > 1 ORDER BY c
SELECT lang, "count_star()" FROM (SELECT lang, count(*) FROM 'docs.parquet' GROUP BY lang) ORDER BY lang
SELECT v.id_1 FROM (SELECT * FROM 'docs.parquet' d JOIN 'pages.parquet' p ON d.id = p.id) v ORDER BY 1

-- Prepared statements, metadata of files and queries in expressions.
SELECT element_at(MAP {'a': 1}, 'b'), element_at(MAP {'a': NULL}, 'a'), element_at(NULL::MAP(VARCHAR, INTEGER), 'a')
SELECT element_at(m, k), map_extract(m, k), map_extract_value(m, k) FROM (VALUES (MAP {'a': 1, 'b': NULL}, 'a'), (MAP {'c': 3}, 'a'), (MAP {'b': NULL}, 'b')) t(m, k)
PREPARE p AS SELECT $1 || $2; EXECUTE p('a', 'b')
PREPARE p AS SELECT $a + $b; EXECUTE p(b := 1, a := 2)
PREPARE p AS SELECT CASE WHEN $1 > 1 THEN 'a' ELSE $2 END; EXECUTE p(1, 'x')
PREPARE p AS SELECT $1::INTEGER + $1; EXECUTE p(2)
PREPARE p AS SELECT id FROM 'docs.parquet' WHERE lang IN ($1, $2) ORDER BY id LIMIT $3; EXECUTE p('en', 'fr', 2)
PREPARE p AS SELECT * FROM read_csv($1) WHERE id = $2; EXECUTE p('docs.csv', 2)
CREATE TABLE t (a INTEGER); PREPARE p AS INSERT INTO t VALUES ($1); EXECUTE p(1); EXECUTE p(2); FROM t ORDER BY a
PREPARE p AS SELECT 1 AS a; PREPARE p AS SELECT 2 AS a; EXECUTE p
SELECT 1.005::DECIMAL(5,2), CAST(2.345 AS DECIMAL(4,2)), -1.005::DECIMAL(5,2), TRY_CAST(1.005 AS NUMERIC(5,2))
SELECT mode() WITHIN GROUP (ORDER BY lang), mode(lang ORDER BY lang) FROM 'docs.parquet'
SELECT id, (SELECT title FROM 'pages.parquet' p WHERE p.url = d.url) FROM 'docs.parquet' d ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE (SELECT p.id FROM 'pages.parquet' p WHERE p.url = d.url) > 1 ORDER BY id
SELECT id, (SELECT p.tags FROM 'pages.parquet' p WHERE p.url = d.url)[1] AS tag FROM 'docs.parquet' d ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n > ALL (SELECT n FROM 'docs.parquet' e WHERE e.lang <> d.lang AND n IS NOT NULL) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n > ALL (SELECT n FROM 'docs.parquet' e WHERE e.lang <> d.lang) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n > ALL (SELECT n FROM 'docs.parquet' e WHERE e.id > d.id AND n IS NOT NULL) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n <> ALL (SELECT n FROM 'docs.parquet' e WHERE e.id <> d.id AND n IS NOT NULL) AND id > 1 ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n < ANY (SELECT n FROM 'docs.parquet' e WHERE e.id < d.id) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE n = ANY (SELECT e.id FROM 'docs.parquet' e WHERE e.id >= d.id) ORDER BY id
SELECT lang, count(*) FROM 'docs.parquet' GROUP BY ROLLUP (lang) ORDER BY ALL
SELECT path_in_schema, type, num_values, stats_min_value, stats_max_value, stats_null_count, compression, encodings, total_compressed_size, total_uncompressed_size FROM parquet_metadata('docs.parquet') ORDER BY column_id
SELECT path_in_schema, type, num_values, stats_null_count, compression, data_page_offset, dictionary_page_offset, row_group_bytes FROM parquet_metadata('pages.parquet') ORDER BY column_id
SELECT name, type, repetition_type, num_children, converted_type, scale, "precision", field_id, column_id FROM parquet_schema('pages.parquet') ORDER BY column_id
SELECT num_rows, num_row_groups, format_version, file_size_bytes, created_by FROM parquet_file_metadata(['docs.parquet', 'pages.parquet']) ORDER BY num_rows
SELECT count(*) FROM parquet_kv_metadata('docs.parquet')
SELECT Delimiter, HasHeader FROM sniff_csv('docs.csv')
SELECT sum(id)::INT, sum(n)::INT FROM read_csv('docs.csv', types = {'id': 'TINYINT', 'n': 'SMALLINT'})
SELECT id + 1 FROM read_csv('docs.csv', types = ['INTEGER', 'VARCHAR']) ORDER BY 1
SELECT list_transform([1,2], lambda x, i: x * i), quantile_disc(n, [0, 0.5, 1]) FROM 'docs.parquet'
CREATE TABLE t AS TABLE 'docs.parquet'; SELECT count(*) FROM t
SELECT lang, n, count(*) FROM 'docs.parquet' GROUP BY ROLLUP (1, 2) ORDER BY ALL
SELECT lang, n > 2 AS big, count(*) FROM 'docs.parquet' GROUP BY GROUPING SETS ((1), (2)) ORDER BY ALL
SELECT lang, n, count(*) FROM 'docs.parquet' GROUP BY CUBE (1, n) ORDER BY ALL
SELECT id, tag, x FROM (SELECT id, unnest(tags) AS tag FROM 'pages.parquet') t, LATERAL (SELECT upper(t.tag) AS x) ORDER BY ALL
SELECT (SELECT list(p.tags) FROM 'pages.parquet' p WHERE p.lang = d.lang) FROM 'docs.parquet' d ORDER BY id
SELECT (SELECT p.meta.author FROM 'pages.parquet' p WHERE p.id = d.id) FROM 'docs.parquet' d ORDER BY id
SELECT (SELECT p.n FROM (SELECT 1 AS n) p), (SELECT max(e.n) FROM 'docs.parquet' e WHERE e.lang = d.lang) FROM 'docs.parquet' d ORDER BY id
SELECT id, coalesce((SELECT p.title FROM 'pages.parquet' p WHERE p.id = d.id AND p.lang = d.lang), 'none') FROM 'docs.parquet' d ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE lang = (SELECT p.lang FROM 'pages.parquet' p WHERE p.id = d.id) ORDER BY id
SELECT path_in_schema, stats_min, stats_max FROM parquet_metadata('pages.parquet') WHERE path_in_schema <> 'text' AND path_in_schema NOT LIKE 'emb%' ORDER BY column_id
SET TIME ZONE 'UTC'; SELECT 1
SELECT Id, URL FROM (SELECT 1 AS "Id", 'x' AS "Url")
SELECT "ID", t.uRl FROM (SELECT 1 AS "Id", 'x' AS "Url") t WHERE id = 1 ORDER BY ID
SELECT max(id) FROM (SELECT 1 AS "Id", 2 AS "Lang") GROUP BY LANG HAVING count(lang) > 0
SELECT lang, ID FROM 'docs.parquet' ORDER BY "LANG", Id
SELECT a.Id, b."Id" FROM (SELECT 1 AS "ID") a JOIN (SELECT 1 AS "Id") b ON a.id = b.id
SELECT jaro_similarity('', ''), jaro_winkler_similarity('a', ''), jaro_similarity('', 'a')
SELECT '2024-01-05 10:00'::DATE, '2024-01-05T10:00'::DATE, ' 2024-01-05 '::DATE, TRY_CAST('2024-01-05 10:00' AS DATE)
SELECT x::DATE, TRY_CAST(x AS DATE) FROM (VALUES ('2024-01-05 '), (' 2024-01-06')) t(x)
SELECT strptime('10:11', '%H:%M'), strptime('10:11 PM', '%I:%M %p'), strptime('5 Jan', '%d %b'), strptime('5/1/24', '%d/%m/%y')
SELECT {'a': NULL}::VARCHAR, [NULL]::VARCHAR, MAP {'a': NULL}::VARCHAR, [{'a': NULL}]::VARCHAR
SELECT regexp_split_to_array('abc', ''), regexp_split_to_array('a1b', '[0-9]*'), string_split_regex('ab', 'x*'), regexp_split_to_array('', ''), regexp_split_to_array('1a1', '1'), regexp_split_to_array('äöü', ''), regexp_split_to_array('aab', '^a'), string_split_regex('', ',')
SELECT list_concat(NULL, NULL), list_concat(NULL::INT[], [1])
SELECT sum(x), skewness(x), kurtosis(x), kurtosis_pop(x), avg(x) FROM (VALUES (1), (2), (7), (9)) t(x)
SELECT * FROM read_csv(['hive/year=2022/month=02/*.csv', 'docs.csv'], union_by_name = true) ORDER BY ALL
SELECT typeof(id), id + 1, typeof(n) FROM read_csv('docs.csv', columns = {'id': 'UTINYINT', 'url': 'STRING', 'lang': 'TEXT', 'n': 'INT64'}) ORDER BY id
SELECT typeof(id), n FROM read_csv('docs.csv', types = {'id': 'UBIGINT', 'n': 'HUGEINT'}) ORDER BY id LIMIT 1
SELECT id, lang FROM read_json('docs.jsonl', columns = {id: 'INT4', lang: 'VARCHAR'}) ORDER BY id
SELECT * EXCLUDE (id) FROM (SELECT 1 AS "Id", 2 AS b)
SELECT * EXCLUDE ID REPLACE (B + 1 AS b) FROM (SELECT 1 AS "Id", 2 AS "B", 3 AS c)
SELECT * REPLACE (id + 1 AS id) FROM (SELECT 1 AS "Id", 2 AS b)
SELECT * RENAME (ID AS k) FROM (SELECT 1 AS "Id", 2 AS b)
SELECT * EXCLUDE (t.b) FROM (SELECT 1 AS a, 2 AS b) t, (SELECT 3 AS b) u
SELECT COLUMNS(* EXCLUDE (ID)), COLUMNS(['ID']) FROM (SELECT 1 AS "Id", 2 AS b)
SELECT t.* EXCLUDE (id) FROM (SELECT 1 AS "Id", 2 AS b) t
SELECT a.b, c FROM (SELECT 1 AS "Id", 2 AS "B") a JOIN (SELECT 1 AS id, 3 AS c) x USING (ID)
SELECT * FROM (SELECT 1 AS id, 2 AS b) a JOIN (SELECT 1 AS "ID", 3 AS c) x USING (Id)
SELECT * FROM (SELECT 1 AS "Id", 2 AS b) a LEFT JOIN (SELECT 2 AS id, 3 AS c) x USING (id)
SELECT id, b, c FROM (SELECT 1 AS "Id", 2 AS b) a FULL JOIN (SELECT 2 AS id, 3 AS c) x USING (id) ORDER BY id
SELECT * FROM (SELECT 1 AS "Id", 2 AS b) a NATURAL JOIN (SELECT 1 AS id, 3 AS c) x
SELECT s.name, S."NAME", (s).name, s['name'], struct_extract(s, 'name') FROM (SELECT {'Name': 1} AS s)
SELECT t.s.name, t.S.sub.deep, s.sub['deep'] FROM (SELECT {'Name': 1, 'Sub': {'Deep': 2}} AS "S") t
SELECT s.* FROM (SELECT {'Name': 1} AS "S") t
SELECT list_transform(l, lambda x: x.name) FROM (SELECT [{'Name': 1}] AS "L")
SELECT s.name, count(*) FROM (SELECT {'Name': 1} AS "S") WHERE s.name = 1 GROUP BY s.name
CREATE TABLE t("Id" INT, "Name" TEXT); INSERT INTO t (id, name) VALUES (1, 'a'), (2, 'b'); UPDATE t SET name = 'c' WHERE id = 1; DELETE FROM t WHERE id = 2; SELECT * FROM t
CREATE TABLE t("Id" INT, "Name" TEXT); INSERT INTO t BY NAME SELECT 'x' AS name, 1 AS id; ALTER TABLE t RENAME COLUMN id TO k; SELECT * FROM t
FROM 'scalars.json'
SELECT json + 1 FROM 'scalars.json' WHERE json > 1
FROM 'texts.json'
FROM 'lists.json'
SELECT * FROM 'objects.json' ORDER BY id
SELECT a.b[2].c, id FROM read_json('objects.json', format = 'auto') WHERE a IS NOT NULL
SELECT 'a' = 'A' COLLATE NOCASE, 'a' COLLATE NOCASE <> 'A', 'é' COLLATE NOACCENT = 'e', 'É' COLLATE NOCASE.NOACCENT = 'e', 'abc' COLLATE NOCASE LIKE 'A%', 'x' COLLATE NOCASE IN ('X', 'y'), 'B' COLLATE NOCASE BETWEEN 'a' AND 'c'
SELECT s FROM (VALUES ('b'), ('A'), ('a'), ('B')) t(s) ORDER BY s COLLATE NOCASE, s
SELECT s FROM (VALUES ('b'), ('A'), ('a'), ('B')) t(s) ORDER BY s COLLATE NOCASE DESC, s
SELECT s COLLATE "C" FROM (VALUES ('b'), ('a')) t(s) WHERE s COLLATE "C" < 'b' ORDER BY s COLLATE "POSIX"
SELECT id, k, m[k] FROM (SELECT id, m, unnest(map_keys(m)) AS k FROM (VALUES (1, MAP {'a': 1, 'b': 2}), (2, MAP {'c': NULL})) t(id, m)) ORDER BY 1, 2
SELECT m[n], m[n + 1] FROM (SELECT MAP {1: 'x', 2: 'y'} AS m, unnest([1, 2, 3]) AS n)
SELECT id, (SELECT count(*) FROM 'docs.parquet' b WHERE b.id <= a.id) FROM 'docs.parquet' a ORDER BY id
SELECT id, (SELECT max(n) FROM 'docs.parquet' b WHERE b.id < a.id) AS m FROM 'docs.parquet' a ORDER BY id
SELECT id, (SELECT sum(n) FROM 'docs.parquet' b WHERE b.lang = a.lang AND b.id <= a.id) AS m, lang FROM 'docs.parquet' a ORDER BY id
SELECT id FROM 'docs.parquet' a WHERE n > (SELECT avg(n) FROM 'docs.parquet' b WHERE b.id <> a.id) ORDER BY id
SELECT id, (SELECT lang FROM 'docs.parquet' b WHERE b.id < a.id ORDER BY id DESC LIMIT 1) AS prev FROM 'docs.parquet' a ORDER BY id
SELECT id, (SELECT string_agg(lang, ',' ORDER BY id) FROM 'docs.parquet' b WHERE b.id <= a.id) FROM 'docs.parquet' a ORDER BY id
SELECT lang, (SELECT count(*) FROM 'docs.parquet' b WHERE b.n BETWEEN 1 AND a.n) FROM 'docs.parquet' a ORDER BY id
SELECT id, (SELECT count(*) FROM 'docs.parquet' b WHERE b.id > a.id) - (SELECT count(n) FROM 'docs.parquet' b WHERE b.id < a.id) AS d FROM 'docs.parquet' a ORDER BY id
SELECT url, (SELECT list(id ORDER BY id) FROM 'docs.parquet' b WHERE b.id < a.id AND b.n > 1) FROM 'docs.parquet' a WHERE id > 1 ORDER BY a.id
SELECT cardinality([[1, 2], [3]]), cardinality([[]]), cardinality(MAP {'a': 1}), cardinality(NULL::INT[])
SELECT date_part(['year', 'month'], DATE '2024-05-06')
SELECT id, arg_max(id, n) OVER (PARTITION BY lang), arg_min(url, id) OVER () FROM 'docs.parquet' ORDER BY id
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY id DESC), percentile_disc(0.3) WITHIN GROUP (ORDER BY n) FROM 'docs.parquet'
SELECT * FROM read_csv('comma.csv', decimal_separator = ',')
SELECT typeof(price), price * 2, n FROM read_csv('comma.csv', delim = ';', decimal_separator = ',', types = {'price': 'DOUBLE'})
SELECT id FROM 'docs.parquet' ORDER BY lang COLLATE NOCASE DESC, id
SELECT x::VARCHAR FROM (SELECT DISTINCT x FROM (VALUES (1.5::DOUBLE), (2.5), ('nan'::DOUBLE), ('nan'::DOUBLE), (3)) t(x) ORDER BY x DESC LIMIT 2)
SELECT m FROM (SELECT x, max(y) AS m FROM (VALUES (1.5::DOUBLE, 1), ('nan'::DOUBLE, 2), ('nan'::DOUBLE, 3), (4, 4)) t(x, y) GROUP BY x ORDER BY m DESC LIMIT 10)
SELECT 7::UBIGINT // 2, 3441370213362267956::UBIGINT // 1000, 7::HUGEINT // 2, -7::HUGEINT // 2, 7::UBIGINT // 2.5, 7::UINTEGER // 2
SELECT count(DISTINCT (a, b)), count(*), count(DISTINCT {x: a}), count(DISTINCT [a, a + 1]) FROM (VALUES (1, 'x'), (1, 'x'), (1, NULL), (NULL, NULL), (2, 'x')) t(a, b)
SELECT b, count(DISTINCT s) AS n, sum(a) FROM (VALUES (1, 'x', {k: 1}), (2, 'x', NULL), (3, 'y', {k: 1}), (4, 'x', {k: 2})) t(a, b, s) GROUP BY b ORDER BY b
SELECT count(DISTINCT (a, b)) OVER (PARTITION BY a), a FROM (VALUES (1, 'x'), (1, 'y')) t(a, b)
SELECT h // 10 AS bucket, count(*) FROM (SELECT range::UBIGINT AS h FROM range(25)) GROUP BY bucket ORDER BY bucket
SELECT x AT TIME ZONE 'Asia/Tokyo', (x AT TIME ZONE 'Asia/Tokyo')::TIMESTAMP, (x AT TIME ZONE 'Asia/Tokyo')::DATE FROM (SELECT TIMESTAMPTZ '2021-08-21 23:19:33+00' AS x)
SELECT typeof(x), typeof(x AT TIME ZONE 'Asia/Tokyo'), typeof(TIMESTAMP '2024-01-01' AT TIME ZONE 'Asia/Tokyo') FROM (SELECT TIMESTAMPTZ '2021-08-21 23:19:33+00' AS x)
SELECT TIMESTAMP '2024-03-31 02:30:00' AT TIME ZONE 'Europe/Berlin', TIMESTAMP '2024-10-27 02:30:00' AT TIME ZONE 'Europe/Berlin', TIMESTAMP '2024-07-27 02:30:00' AT TIME ZONE 'Europe/Berlin'
SELECT ts AT TIME ZONE zone FROM (VALUES (TIMESTAMP '2024-07-01 12:00:00', 'Asia/Tokyo'), (TIMESTAMP '2024-07-01 12:00:00', 'America/New_York')) t(ts, zone)
SELECT timezone('Asia/Tokyo', TIMESTAMP '2024-01-01 00:00:00'), timezone('Asia/Tokyo', TIMESTAMPTZ '2024-01-01 00:00:00+00')
SELECT quantile_cont(x, 0.5), quantile_cont(x, 0.3) FROM (VALUES (TIMESTAMP '2024-01-01'), (TIMESTAMP '2024-01-02')) t(x)
SELECT quantile_cont(d, 0.25), quantile_cont(d, [0.5, 0.75]) FROM (VALUES (DATE '2024-01-01'), (DATE '2024-01-02'), (DATE '2024-01-05')) t(d)
SELECT g, quantile_cont(n, 0.5), percentile_cont(0.9) WITHIN GROUP (ORDER BY n DESC) FROM (VALUES ('a', 1), ('a', 4), ('b', 7)) t(g, n) GROUP BY g ORDER BY g
SELECT 'a_c' LIKE 'a\_c', 'a\b' LIKE 'a\b', 'a\b' NOT LIKE '%\%', 'a\x' ILIKE 'A\X', 'a%c' LIKE 'a$%c' ESCAPE '$', 'a' LIKE NULL
SELECT s FROM (VALUES ('C:\a'), ('50%')) t(s) WHERE s LIKE 'C:\%'
SELECT 'a\c' LIKE p, 'a%' LIKE p ESCAPE '$' FROM (VALUES ('a\%'), ('a$%')) t(p)
SELECT substring('abc', -9), substring('abc', -9, 3), substring('abc', -2, -1), substring('abc', 0, -1), substring('abc', 3, -2), substring('abc', -2, 9), substring('abc', 9, -7), substring('abc', 0, 0)
SELECT substr(s, n), substr(s, n, 2), substr(s, n, -1), s[n], s[n:2], s[1:n] FROM (VALUES ('aü🦆d', -2), ('abc', 0), ('abc', 2), ('abc', -9), ('abc', NULL), (NULL, 1)) t(s, n)
SELECT string_split(s, ''), s[0] FROM (VALUES (NULL), ('ab')) t(s)
SELECT TRY_CAST('12' AS TIME), TRY_CAST('-3' AS TIME), TRY_CAST('1e3' AS DECIMAL(10, 2)), TRY_CAST('x' AS DECIMAL(10, 2)), '12:30'::TIME, '1.005'::DECIMAL(4, 2)
SELECT sign('nan'::DOUBLE), sign(-0.5), sign(NULL), sign(2.5::DECIMAL(3, 1)), pow(2, -1), pow(2, 3), typeof(pow(2, 3)), 2 ** 3, pow(0, -1)::VARCHAR
SELECT format('{:.2f}', 'inf'::DOUBLE), printf('%5.2f', 'nan'::DOUBLE), format('{:.1e}', '-inf'::DOUBLE), format('{}', 'nan'::DOUBLE)
SELECT DATE '9999-12-31' < now(), DATE '9999-12-31' < TIMESTAMP '2024-01-01', TIMESTAMP '1650-05-03 10:00:00', epoch(TIMESTAMP '1650-05-03 10:00:00' - TIMESTAMP '1650-05-02')
SELECT date_trunc('year', d), date_trunc('week', d), date_diff('day', d, DATE '2024-01-01'), last_day(d), time_bucket(INTERVAL '1 day', d::TIMESTAMP), time_bucket(INTERVAL '3 months', d::TIMESTAMP) FROM (VALUES (DATE '1650-05-03'), (DATE '2024-05-03')) t(d)
SELECT d BETWEEN TIMESTAMP '1600-01-01' AND now(), coalesce(d, TIMESTAMP '2020-01-01'), greatest(d, TIMESTAMP '2020-01-01'), CASE WHEN true THEN d ELSE TIMESTAMP '2020-01-01' END, strptime('1650-01-02', '%Y-%m-%d') FROM (SELECT DATE '1650-01-01' AS d)
SELECT epoch_ms(n), epoch_ms(epoch_ms(n)), epoch_ms(DATE '1650-01-01'), epoch_ns(TIMESTAMP '2024-01-01 00:00:00.123456') FROM (VALUES (1700000000000), (NULL)) t(n)
SELECT (SELECT 1 WHERE false), coalesce((SELECT 1 FROM 'docs.parquet' WHERE id > 99), 0), (SELECT count(*) FROM 'docs.parquet' WHERE false)
SELECT id FROM 'docs.parquet' WHERE id = coalesce((SELECT 2 FROM 'docs.parquet' WHERE id = 1), 3)
SELECT m FROM (VALUES (1, 1), (2, 5), (3, 1), (4, 4), (5, NULL)) t(m, g) WHERE m + 0 IN (CASE WHEN g IS NULL THEN NULL ELSE g END, 3) ORDER BY m
SELECT m FROM (VALUES (1, 1), (2, 5), (3, 1), (4, 4), (5, NULL)) t(m, g) WHERE m NOT IN (if(g > 5, 1, g), 3, 30, 40, 50) ORDER BY m
SELECT f IS NOT DISTINCT FROM 0.1, nullif(f, 0.1), CASE f WHEN 0.1 THEN 1 END, f = 0.1, f IN (0.1, 2), f BETWEEN 0.1 AND 0.1 FROM (SELECT 0.1::FLOAT AS f)
SELECT a, b FROM (VALUES (1, 2), (NULL, 5), (3, NULL)) t(a, b) WHERE NOT list_contains([a, b], 3) ORDER BY b
SELECT list_contains([1, NULL], n), list_contains([1, 2], 3), list_contains(NULL::INT[], 1) FROM (VALUES (1), (2)) t(n)
SELECT p, round(p, 1) = p, round(p, 1) < round(p, 2), round(p, -1) FROM (VALUES (1.25::DECIMAL(10, 2)), (12.5::DECIMAL(10, 2))) t(p)
SELECT id, rank() OVER (ORDER BY -abs(n)), row_number() OVER (PARTITION BY abs(length(url)) ORDER BY sqrt(id * id)) FROM 'docs.parquet' ORDER BY id
SELECT list(id ORDER BY -abs(id)), string_agg(url, ',' ORDER BY length(url) % 3, -id) FROM 'docs.parquet'
SELECT id, sum(n) OVER (ORDER BY exp(sqrt(id)) ROWS 1 PRECEDING) FROM 'docs.parquet' QUALIFY row_number() OVER (PARTITION BY lang ORDER BY -abs(id)) = 1 ORDER BY id
SELECT (CASE WHEN s.a = 3 THEN s END).a AS v, coalesce(nullif(s, s).b, 'none') AS w FROM (VALUES ({a: 1, b: 'x'}), ({a: 3, b: 'y'})) t(s)
SELECT list_append(CASE WHEN l[1] = 3 THEN l END, 5), list_prepend(5, nullif(l, l)) FROM (VALUES ([1, 2]), ([3])) t(l)
SELECT count(*) FROM (VALUES (1)) t(a) WHERE 5 NOT IN (SELECT x FROM (VALUES (1), (NULL)) u(x))
SELECT count(*) FROM (VALUES (1)) t(a) WHERE 5 NOT IN (SELECT x FROM (VALUES (1)) u(x)) AND NULL NOT IN (SELECT 1 WHERE false)
SELECT c FROM (SELECT count(*) AS c FROM 'docs.parquet') WHERE (SELECT count(*) FROM 'docs.parquet' WHERE false) > 0
SELECT count(*) AS c FROM 'docs.parquet' HAVING (SELECT count(*) FROM 'docs.parquet') > 99
SELECT count(*) AS c FROM 'docs.parquet' HAVING (SELECT count(*) FROM 'docs.parquet') > 0
SELECT DISTINCT (s IN ('a', 'b')) IS TRUE FROM (VALUES ('a'), ('c'), (NULL)) t(s) ORDER BY 1
SELECT (b IS NOT FALSE) AS k, count(DISTINCT u), count(*) FROM (VALUES (true, 1), (false, 2), (NULL, 3)) t(b, u) GROUP BY 1 ORDER BY 1
SELECT b IS TRUE, b IS FALSE, b IS NOT TRUE, b IS NOT FALSE FROM (VALUES (true), (false), (NULL)) t(b) ORDER BY 1, 2
SELECT DATE '2020-01-05' - DATE '2020-01-01', typeof(DATE '2020-01-05' - DATE '2020-01-01'), current_date - DATE '9999-12-31' < 5
SELECT json_extract('{"arr": [1, 2]}', '$.arr[-1]'), '{"arr": [1, 2]}' ->> '$.arr[#-1]'
SELECT * FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-02', INTERVAL 12 HOUR) t(d)
SELECT count(*) FROM (VALUES (1.5::DECIMAL(10, 2), 1e20::DOUBLE), (2.5, 'inf'::DOUBLE), (0.5, 0.25)) t(p, x) WHERE p < x AND p BETWEEN x / 1e30 AND x AND p NOT IN (x, 1e17)
SELECT p < 1e30, p = 0.3, p IN (0.3, 2), coalesce(NULL::DECIMAL(10, 1), x), greatest(p, x), CASE WHEN p > 1 THEN p ELSE x END FROM (VALUES (0.3::DECIMAL(10, 1), 1.23e-17::DOUBLE)) t(p, x)
SELECT t.url, v.url FROM (VALUES ('p', ['a', 'b'])) t(url, links), unnest(t.links) AS v(url)
SELECT t.url, v.url, v.n FROM (VALUES ('p', [{url: 'a', n: 1}])) t(url, links), LATERAL (SELECT t.links[1].url AS url, t.links[1].n AS n) AS v
SELECT TRY_CAST('2001-08-20 5:05:00' AS TIMESTAMP), TRY_CAST('2001-8-20 05:05' AS TIMESTAMP), TRY_CAST('2024-01-01 10:00 ' AS TIMESTAMP), TRY_CAST('2024-12-31 24:00:00' AS TIMESTAMP), TRY_CAST('2024-02-30' AS TIMESTAMP), TRY_CAST('x' AS TIMESTAMP)
SELECT s::TIMESTAMP, TRY_CAST(s || 'x' AS TIMESTAMP) FROM (VALUES ('2024-1-5 7:30'), ('2024/01/05'), ('2024-01-05 07:30:00'), (NULL)) t(s)
SELECT lang, max(n) FROM 'docs.parquet' GROUP BY lang ORDER BY -abs(length(lang)) NULLS FIRST, sqrt(count(*)), lang LIMIT 5
SELECT url FROM 'docs.parquet' GROUP BY url ORDER BY -length(url), -coalesce(sum(n), 0), url
SELECT regexp_replace('price', 'price', 'costs $5 each'), regexp_replace('10 USD', '(\d+) USD', '$\1'), regexp_replace(s, 'x', r), regexp_replace('x', 'x', '$name') FROM (VALUES ('x', '$1'), ('x', '\0$$')) t(s, r)
SELECT '9223372036854775807'::BIGINT, '18446744073709551615'::UBIGINT, '12.5'::DECIMAL(4, 1), '2.7'::INT, '-5'::INT
SELECT n FROM (VALUES (3000000000), (5)) t(n) WHERE TRY_CAST(n AS INT) > 3 AND TRY_CAST(n AS TINYINT) IN (5, 9) AND TRY_CAST(n AS INT) BETWEEN 1 AND 9
SELECT x FROM (SELECT x::DECIMAL(5, 2) AS x FROM (VALUES (1.26), (1.3), (1.24), (1.5)) v(x)) WHERE x::DECIMAL(5, 1) = 1.3 OR x::DECIMAL(4, 0) IN (2, 7) ORDER BY x
SELECT t FROM (VALUES (TIMESTAMP '2024-01-01 23:00:00'), (TIMESTAMP '2024-01-03 02:00:00')) v(t) WHERE t::TIME > TIME '22:00:00'
SELECT (json ->> 'id')::INT FROM read_json_objects('docs.jsonl') ORDER BY 1
SELECT upper(t.s) AS s FROM (VALUES ('b'), ('a')) t(s) ORDER BY t.s
SELECT -d.id AS id, length(d.url), d.lang || '!' AS lang FROM 'docs.parquet' d ORDER BY lower(d.lang) DESC, d.id % 3, d.id LIMIT 3
SELECT s.day::DATE AS day, count(*), sum(s.n) AS n FROM (VALUES (TIMESTAMP '2024-01-02 10:00:00', 1), (TIMESTAMP '2024-01-01 09:00:00', 2), (TIMESTAMP '2024-01-01 08:00:00', 3)) s(day, n) GROUP BY s.day ORDER BY s.day
SELECT a.k * 10 AS k, b.v FROM (VALUES (2), (1)) a(k) JOIN (VALUES (1, 'x'), (2, 'y')) b(k, v) ON a.k = b.k ORDER BY b.k DESC
SELECT coalesce(d, '2020-01-01'), coalesce(t, '2020-01-01 10:00:00'), coalesce(b, 'false'), coalesce(NULL, d, '2021-05-06') FROM (VALUES (DATE '2020-01-02', TIMESTAMP '2020-01-02 10:00:00', true), (NULL, NULL, NULL)) v(d, t, b)
SELECT d::VARCHAR AS d FROM (VALUES (DATE '2020-01-02'), (NULL)) v(d) WHERE coalesce(d, '2020-01-01') < '2020-01-02'
SELECT d, sum(n) FROM (VALUES (DATE '2020-01-02', 1), (DATE '2020-01-03', 2)) v(d, n) GROUP BY d UNION ALL SELECT 'total', 3 ORDER BY 1
SELECT d FROM (VALUES (DATE '2020-01-02')) v(d) UNION ALL SELECT DATE '2020-01-03' UNION ALL SELECT 'total' UNION ALL SELECT NULL ORDER BY 1 NULLS LAST
SELECT true AS b UNION ALL SELECT 2 UNION ALL SELECT 2.5 ORDER BY 1
SELECT b, t FROM (VALUES (true, TIMESTAMP '2020-01-02 10:00:00')) v(b, t) UNION SELECT 'x', 'y' ORDER BY 1
SELECT b.* FROM (VALUES (1, 2)) a(k, x) JOIN (VALUES (1, 3)) b(k, y) USING (k) ORDER BY ALL
SELECT i, lead(x, 2 IGNORE NULLS) OVER (ORDER BY i), lag(x, 2 IGNORE NULLS) OVER (ORDER BY i), lag(x, 2 IGNORE NULLS) OVER (ORDER BY i DESC), lead(x, 3, -1 IGNORE NULLS) OVER (PARTITION BY i % 2 ORDER BY i) FROM (SELECT i, CASE WHEN i % 3 = 0 THEN i END AS x FROM range(20000) t(i)) WHERE i < 20000 ORDER BY i LIMIT 20 OFFSET 8180
SELECT * FROM (SELECT 'a' AS c, count(*) AS m FROM range(3) t(i) UNION ALL SELECT 'b', count(*) FROM range(4) t(i)) WHERE c = 'b'
SELECT * FROM (SELECT 4 AS c, max(i) AS m FROM range(3) t(i)) WHERE c = 7 OR c IN (8, 9)
SELECT c, n FROM (SELECT lang, 'all' AS c, count(*) AS n FROM 'docs.parquet' GROUP BY ROLLUP (lang)) WHERE c = 'none'
SELECT list_sum([1, 2]), list_sum([9007199254740993, 1]), list_sum([1.5::DECIMAL(10, 1), 2.25]), list_sum([0.5::DOUBLE, NULL]), list_sum([]::INT[]), list_sum([NULL]::BIGINT[]), (SELECT sum(x) FROM unnest(n) t(x)) FROM (VALUES ([9007199254740993])) v(n)
SELECT epoch((b - a) * 2), ((b - a) / 4)::VARCHAR, (b - a) * 2 > INTERVAL 2 DAY, epoch(2 * (b - a)) FROM (VALUES (TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-02 12:00:00')) t(a, b)
SELECT b.* EXCLUDE (y), b.* REPLACE (y + 1 AS y) FROM (VALUES (1, 2), (5, 6)) a(k, x) LEFT JOIN (VALUES (1, 3)) b(k, y) USING (k) ORDER BY a.k
SELECT a.*, b.* FROM (VALUES (1, 2), (5, 6)) a(k, x) RIGHT JOIN (VALUES (1, 3), (7, 8)) b(k, y) USING (k) ORDER BY ALL
SELECT g, last(x ORDER BY x, x), first(x ORDER BY x DESC, 1), arg_max(x, x), list(x ORDER BY g, x, x) FROM (VALUES (1, 2), (1, 3)) t(g, x) GROUP BY g
SELECT i, sum(x) OVER (ORDER BY i ROWS 1 PRECEDING), avg(x) OVER (ORDER BY i ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) FROM (VALUES (1, 1.0::DOUBLE), (2, 1e20::DOUBLE), (3, 1.0), (4, 2.0), (5, 3.0), (6, NULL), (7, NULL), (8, 4.0)) t(i, x) ORDER BY i
SELECT i, (sum(x) OVER (ORDER BY i ROWS 1 PRECEDING))::VARCHAR, (avg(x) OVER (ORDER BY i ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING))::VARCHAR FROM (VALUES (1, 'nan'::DOUBLE), (2, 2.0), (3, 'inf'::DOUBLE), (4, 2.0), (5, 3.0)) t(i, x) ORDER BY i
SELECT extract(hour FROM b - a), extract(minute FROM b - a), extract(second FROM b - a), extract(millisecond FROM b - a), date_part('day', b - a), hour(b - a), epoch(b - a), extract(epoch FROM b - a), date_part('microseconds', b - a) FROM (VALUES (TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-03 05:06:59.75'), (TIMESTAMP '2024-01-01', TIMESTAMP '1600-01-03'), (NULL, NULL)) t(a, b)
SELECT epoch_us(to_timestamp(epoch(x))), to_timestamp(0) = TIMESTAMPTZ '1970-01-01 00:00:00+00' FROM (VALUES (TIMESTAMP '1600-01-03'), (TIMESTAMP '9990-12-31 23:59:59'), (TIMESTAMP '2024-01-01 12:30:00.001'), (NULL)) t(x)
SELECT b - a BETWEEN INTERVAL 0 DAY AND INTERVAL 3 DAY, b - a IN (INTERVAL '64 days', INTERVAL 1 DAY), INTERVAL '24 hours' BETWEEN INTERVAL '1 day' AND INTERVAL '2 days' FROM (VALUES (TIMESTAMP '2024-01-01', TIMESTAMP '2024-03-05')) t(a, b)
SELECT i, rank() OVER (ORDER BY x) FROM (VALUES (1, INTERVAL '25 hours'), (2, INTERVAL '1 day'), (3, INTERVAL '30 days'), (4, INTERVAL '-1 day'), (5, INTERVAL '800 hours'), (6, NULL)) t(i, x) ORDER BY x DESC
SELECT x FROM (SELECT 5.00::DECIMAL(10, 2) AS x UNION ALL SELECT 1.23e-17::DOUBLE UNION ALL SELECT 1e20::DOUBLE) ORDER BY x
SELECT a.n FROM (VALUES (0.5::DECIMAL(10, 2), 1)) a(x, n) JOIN (VALUES (0.5::DOUBLE), (1e20::DOUBLE)) b(x) ON a.x = b.x
SELECT ip, unnest(['z','a']) AS k FROM (SELECT ip, count(*) FROM (VALUES ('x',1),('y',2)) t(ip,b) GROUP BY ip) ORDER BY ip, k
SELECT a.k, b.x, count(*) FROM (SELECT k, count(*) AS n FROM (VALUES (1), (2)) t(k) GROUP BY k) a JOIN (VALUES (1, 9), (1, 3), (2, 5)) b(k, x) ON a.k = b.k GROUP BY a.k, b.x ORDER BY a.k, b.x
SELECT DISTINCT ON (k, t) k, t FROM (SELECT k, list(x ORDER BY x) AS l FROM (VALUES (1, 'b'), (1, 'a'), (2, 'c')) v(k, x) GROUP BY k) s, unnest(s.l) u(t) ORDER BY k, t
SELECT g, min(f)::VARCHAR, max(f)::VARCHAR, min(f::FLOAT)::VARCHAR FROM (VALUES ('a', 1.0::DOUBLE), ('a', -5.0), ('a', 'nan'::DOUBLE), ('a', 2.0), ('b', 9.0), ('b', 'nan'), ('b', 3.0), ('c', NULL), ('d', 'nan'), ('e', '-inf'), ('e', 'inf')) t(g, f) GROUP BY g ORDER BY g
SELECT id, last_value(nullif(s, '') IGNORE NULLS) OVER (ORDER BY id), lag(upper(s) IGNORE NULLS) OVER (ORDER BY id), upper(first_value(s IGNORE NULLS) OVER (ORDER BY id)) FROM (VALUES (1,'a'),(2,NULL),(3,''),(4,NULL),(5,'b'),(6,NULL)) t(id,s) ORDER BY id
SELECT -row_number() OVER (ORDER BY i) AS n, -(i - 5) AS m FROM range(2) t(i) ORDER BY i
SELECT (-(b - a))::VARCHAR, DATE '2024-01-01' + (b - a) FROM (VALUES (TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-02 12:00:00')) t(a, b)
SELECT json_object('k', json_array(1, json_object('a', 2), NULL, 'x')), json_array(s, 1), json_array('[1]', 2) FROM (VALUES ('x')) t(s)
SELECT json_object('k', j->'a'), to_json(j->'a'), json_object('k', j::JSON, 't', j) FROM (VALUES ('{"a": [1]}'), (NULL)) t(j)
SELECT json_group_array(j->'a'), json_group_object(k, j::JSON) FROM (VALUES ('x', '{"a":[1]}'), ('y', '{"a": "s"}')) t(k, j)
SELECT json_object('v', x, 'w', coalesce(x, '{}'), 'c', CASE WHEN x IS NULL THEN '[]'::JSON ELSE x END, 'o', (SELECT json_group_array(i) FROM range(2) r(i))) FROM (SELECT j->'a' AS x FROM (VALUES ('{"a":[1, {"b": "c\"d"}]}'), ('{}')) t(j)) s ORDER BY 1
SELECT to_json(t) FROM (SELECT 1 AS a, '{"x": 1}'::JSON AS b, '{"x": 1}' AS c UNION ALL SELECT 2, '[]'::JSON, NULL) t ORDER BY 1
SELECT to_json([j->'a', j->'b']), to_json(json_extract(j, ['$.a', '$.b'])), json_object('l', list(j->'a')) FROM (VALUES ('{"a":1,"b":{"c":2}}')) t(j) GROUP BY ALL
SELECT (SELECT sum(x) + 1 FROM unnest(n) t(x)) AS a, (SELECT max(x)::INT - min(x) FROM unnest(n) t(x) WHERE x > 1) AS b, (SELECT round(avg(x), 1) FROM unnest(n) t(x)) AS c FROM (VALUES ([1, 2, 4]), ([]), (NULL)) t(n) ORDER BY 1
SELECT sum(CASE WHEN d > 1 THEN d ELSE 0.0 END) AS s, coalesce(max(d), 0.25) AS c, [max(d), 0.5] AS l, max(d) BETWEEN 0.5 AND 2.75 AS b FROM (VALUES (2.5::DECIMAL(10, 2)), (99999999999999999999.25::DECIMAL(38, 2))) t(d)
SELECT any_value(x ORDER BY y), any_value(x ORDER BY y DESC) FROM (VALUES (2, 9), (3, 2), (NULL, 1), (4, 5)) t(x, y)
SELECT (x + INTERVAL 3 QUARTER)::DATE, (x + INTERVAL (n) QUARTERS)::DATE, to_json(INTERVAL 1 DAY), to_json(TIMESTAMP '2024-01-02' - x::TIMESTAMP) FROM (VALUES (DATE '2024-01-01', 2)) t(x, n)
SELECT t.l[1], count(*) FROM (VALUES (['a'],1),(['b'],2)) t(l,k) GROUP BY t.l[1] ORDER BY 1
SELECT t.s.x[1] AS v, t.u[1:2] FROM (VALUES ({x: [1]}, 'abc')) t(s, u) GROUP BY t.s.x[1], t.u[1:2]
SELECT q.id, count(q.l[1]) OVER () AS c FROM (VALUES (1,[1])) q(id,l) QUALIFY count(q.l[1]) OVER () > 0
SELECT d.id, x.v FROM (VALUES (1), (2)) d(id) CROSS JOIN LATERAL (VALUES (d.id * 10), (d.id * 100)) x(v) ORDER BY ALL
SELECT d.id, x.n, x.v FROM (VALUES (1), (2)) d(id), LATERAL (VALUES ('a', d.id * 10), ('b', d.id * 100)) x(n, v) ORDER BY ALL
SELECT o->k, o->>k FROM (VALUES ('{"a":2,"b":"x"}','a'), ('{"a":2,"b":"x"}','b'), ('[1]', NULL)) t(o,k) ORDER BY 1
SELECT o->-1, o->>-1, o->i FROM (VALUES ('[1,"z"]', 0)) t(o, i)
SELECT json_extract(o, k), json_extract_string(o, '$.' || k) FROM (VALUES ('{"a":"q"}','a')) t(o,k)
SELECT d FROM (VALUES (DATE '2024-01-05'), (DATE '2023-12-01'), (DATE '2024-03-01')) t(d) WHERE (year(d), month(d)) >= (2024, 1) ORDER BY d
SELECT g FROM (VALUES ('A', 1), ('B', 2)) t(g, k) WHERE (lower(g), k) IN (('a', 1), ('b', 3)) AND (k + 1, upper(g)) <> (2, 'X')
SELECT (a + 1, b) < (3, 'b'), (a + 1, b) <= (2, 'a'), (lower(b), a) NOT IN (('a', 2), ('b', 1)) FROM (VALUES (1, 'a')) t(a, b)
SELECT list_has_all(l, m), list_has_any(l, m), list_has_all(m, l), l && ['a'] FROM (VALUES (['a'], NULL::VARCHAR[]), (['a', 'b'], ['b'])) t(l,m) ORDER BY 1
SELECT list_transform(l, lambda x: [x]), [[x] FOR x IN l], list_filter(l, lambda x: 99 IN [x]), list_transform([1, 2], lambda y, i: [y, i, y + 1]) FROM (VALUES ([1, 2], 99)) t(l, x)
SELECT list_reduce([3, 1, 2], lambda a, b, i: a + i), list_reduce([3, 1, 2], lambda a, b, i: a + i, 0)
SELECT a, sum(b) AS b FROM (VALUES (1, 2), (1, 3), (2, 1)) t(a, b) GROUP BY a HAVING b > 4
SELECT a, upper(b) AS b, count(*) AS n FROM (VALUES (1, 'x'), (1, 'x'), (2, 'y')) t(a, b) GROUP BY a, b HAVING b = 'x' AND n > 1
SELECT a, max(b) AS b FROM (VALUES (1, 2), (1, 3), (2, 1)) t(a, b) GROUP BY a HAVING min(b) < 3 AND b > 2
SELECT '2024-01-05T00:11:12+02:00'::TIMESTAMP, TIMESTAMP '2024-01-05 00:11:12Z', CAST(x AS TIMESTAMP), x::DATE, x::TIMESTAMPTZ = TIMESTAMPTZ '2024-01-04 22:11:12Z' FROM (VALUES ('2024-01-05T00:11:12+02:00')) t(x)
SELECT x::DATE, '2024-01-05T00:11:12+02:00'::DATE, '2024-1-5'::DATE, TRY_CAST(y AS DATE) FROM (VALUES ('2024-01-05T00:11:12+02:00', 'x'), ('2024-02-29', '2024-02-30'), ('2024-01-05 23:59:59', '2024-01-01')) t(x, y) ORDER BY 1, 4
SELECT DISTINCT a.k, b.x FROM (SELECT k, count(*) AS n FROM (VALUES (1), (2)) t(k) GROUP BY k) a JOIN (VALUES (1, 9), (1, 3), (2, 5)) b(k, x) ON a.k = b.k ORDER BY a.k, b.x
SELECT a.k, b.x, count(*) AS c FROM (SELECT k, count(*) AS n FROM (VALUES (1), (2)) t(k) GROUP BY k) a JOIN (VALUES (1, 9), (1, 3), (2, 5)) b(k, x) ON a.k = b.k GROUP BY ROLLUP (a.k, b.x) ORDER BY a.k, b.x
SELECT DISTINCT ON (a.k, b.x) a.k, b.x FROM (SELECT k, count(*) AS n FROM (VALUES (1), (2)) t(k) GROUP BY k) a JOIN (VALUES (1, 9), (1, 3), (2, 5)) b(k, x) ON a.k = b.k ORDER BY a.k, b.x
SELECT k, x FROM (SELECT a.k, b.x FROM (SELECT k, count(*) AS n FROM (VALUES (1), (2)) t(k) GROUP BY k) a JOIN (VALUES (1, 9), (1, 3), (2, 5)) b(k, x) ON a.k = b.k UNION SELECT 1, 4) ORDER BY k, x
SELECT a.k, b.x, row_number() OVER (PARTITION BY a.k, b.x ORDER BY b.x) AS r FROM (SELECT k, count(*) AS n FROM (VALUES (1), (2)) t(k) GROUP BY k) a LEFT JOIN (VALUES (1, 9), (1, 3), (1, 3)) b(k, x) ON a.k = b.k ORDER BY a.k, b.x, r
SELECT k, x FROM (SELECT a.k, b.x FROM (SELECT k FROM (VALUES (1), (2)) t(k) GROUP BY k) a, (VALUES (9), (3)) b(x)) ORDER BY k, x
SELECT k, s.x FROM (SELECT k, list(v) AS l FROM (VALUES (1, 9), (1, 3), (2, 5)) t(k, v) GROUP BY k) g, LATERAL (SELECT unnest(g.l) AS x) s ORDER BY k, s.x
SELECT sum(x) AS s, rank() OVER (PARTITION BY grouping(a) + grouping(b) ORDER BY sum(x) DESC) AS r FROM (VALUES ('u', 'v', 1), ('u', 'w', 2)) t(a, b, x) GROUP BY ROLLUP (a, b) ORDER BY s, r
WITH s AS (SELECT i, row_number() OVER (ORDER BY i % 3, i) AS n FROM range(50) t(i)) SELECT count(*) AS c FROM s a JOIN s b USING (i, n)
WITH s AS (SELECT g, sum(x) AS x FROM (VALUES ('a', 0.1::DOUBLE), ('a', 0.2), ('b', 0.3)) t(g, x) GROUP BY g) SELECT g FROM s WHERE x = (SELECT max(x) FROM s)
WITH s AS (SELECT i FROM range(50) t(i) LIMIT 5), u AS (SELECT i, i * 2 AS d FROM s) SELECT count(*) AS c FROM u a JOIN u b USING (d)
SELECT t < '9999-12-31' AS a, t IN ('9999-12-31', '2024-01-01') AS b, t BETWEEN '1000-01-01' AND '9999-12-31 10:00:00' AS c, coalesce(NULL, t, '9999-12-31') AS d, CASE WHEN t > '2024-06-01' THEN t ELSE '9999-12-31' END AS e, t = s AS f, nullif(t, '2024-01-01') AS g FROM (VALUES (TIMESTAMP '2024-01-01', '1600-01-01')) v(t, s)
SELECT * FROM (VALUES (1, 2)) a(id, a) JOIN (VALUES (1, 3)) b(id, b) USING (id) JOIN (VALUES (1, 4)) c(id, c) USING (id) JOIN (VALUES (1, 5)) d(id, d) USING (id) JOIN (VALUES (1, 6)) e(id, e) USING (id)
SELECT id, a, d, count(*) AS n FROM (VALUES (1, 2), (2, 9)) a(id, a) LEFT JOIN (VALUES (1, 3)) b(id, b) USING (id) LEFT JOIN (VALUES (1, 4)) c(id, c) USING (id) LEFT JOIN (VALUES (2, 5)) d(id, d) USING (id) WHERE id < 3 GROUP BY ALL ORDER BY id
SELECT c.* EXCLUDE (x), id FROM (VALUES (1, 2)) a(id, x) JOIN (VALUES (1, 2)) b(id, x) USING (id, x) JOIN (VALUES (1, 2, 7)) c(id, x, y) USING (id, x) JOIN (VALUES (1, 2)) d(id, x) USING (x, id)
-- Conditions of QUALIFY without a window function, NULL in structs and lists of parts, and PIVOT without a value.
SELECT id, lag(lang) OVER (ORDER BY id) AS p FROM (VALUES (1, 'en'), (2, 'de'), (3, 'en')) t(id, lang) QUALIFY lang = 'en' ORDER BY id
SELECT id, row_number() OVER w AS p FROM (VALUES (1, 'en'), (2, 'de'), (3, 'en')) t(id, lang) WINDOW w AS (ORDER BY id DESC) QUALIFY id > 1 ORDER BY id
SELECT lang, count(*) AS n, sum(count(*)) OVER () AS s FROM (VALUES (1, 'en'), (2, 'de'), (3, 'en')) t(id, lang) GROUP BY lang QUALIFY count(*) > 1
SELECT regexp_extract(s, '(a)(b)', ['x', 'y']) AS r, json_extract(s, ['$.a', '$.b']) IS NULL AS j, date_part(['year', 'month'], s::DATE) AS d FROM (VALUES (NULL::VARCHAR)) t(s)
PIVOT (SELECT 'a' AS k, 1 AS v, 2 AS g WHERE false) ON k USING sum(v) GROUP BY g
PIVOT (SELECT NULL AS k, 1 AS v, 2 AS g) ON k USING sum(v) GROUP BY g
SELECT c, count(*) AS n FROM (SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING) AS c FROM (SELECT CASE WHEN i % 2 = 0 THEN i END AS t FROM range(40000) r(i))) WHERE t IS NULL GROUP BY c ORDER BY 1
SELECT c, count(*) AS n FROM (SELECT t, sum(1) OVER (PARTITION BY p ORDER BY t DESC NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS c FROM (SELECT i % 2 AS p, CASE WHEN i % 3 = 0 THEN i END AS t FROM range(40000) r(i))) WHERE t IS NULL GROUP BY c ORDER BY 1
SELECT c, count(*) AS n FROM (SELECT t, last_value(t) OVER (ORDER BY t NULLS FIRST RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND INTERVAL 1 HOUR PRECEDING) IS NULL AS c FROM (SELECT CASE WHEN i % 2 = 0 THEN TIMESTAMP '2024-01-01' + to_hours(i) END AS t FROM range(20000) r(i))) GROUP BY c ORDER BY 1
SELECT c, count(*) AS n FROM (SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING) AS c FROM (SELECT CASE WHEN i % 2 = 0 THEN i::DOUBLE WHEN i % 3 = 0 THEN 'nan'::DOUBLE ELSE 'inf'::DOUBLE END AS t FROM range(30000) r(i))) GROUP BY c ORDER BY 1
SELECT i, sum(i) OVER (ORDER BY i RANGE BETWEEN 2 PRECEDING AND 1 PRECEDING) AS s, max(i) OVER (ORDER BY i) AS m FROM (VALUES (1), (2), (NULL), (4)) t(i) ORDER BY 1
COPY (SELECT 1 AS "A", 2 AS b) TO 'c1.parquet'; COPY (SELECT 3 AS a, 4 AS "B") TO 'c2.parquet'; SELECT sum(a) AS s, count(a) AS c, count(b) AS d FROM read_parquet(['c1.parquet', 'c2.parquet']) WHERE b > 1
COPY (SELECT 1 AS "A", 2 AS b) TO 'c1.parquet'; COPY (SELECT 3 AS a, 4 AS "B") TO 'c2.parquet'; SELECT * FROM read_parquet(['c1.parquet', 'c2.parquet'], union_by_name => true) WHERE a IS NOT NULL ORDER BY 1
COPY (SELECT 1 AS "A", 2 AS b) TO 'c1.csv' (HEADER); COPY (SELECT 3 AS a, 4 AS "B") TO 'c2.csv' (HEADER); SELECT * FROM read_csv(['c1.csv', 'c2.csv'], union_by_name => true) ORDER BY 1
COPY (SELECT i, v AS k FROM (VALUES (1, 'a=b:c%d'), (2, 'a b'), (3, 'https://x/y?z=1#q'), (4, 'é~|<>')) t(i, v)) TO 'hp' (FORMAT parquet, PARTITION_BY (k)); SELECT * FROM read_parquet('hp/**/*.parquet', hive_partitioning => true) ORDER BY i
COPY (SELECT 1 AS i, 1.50::DECIMAL(5,2) AS d, TIME '10:00:00' AS tm, NULL AS n, TIMESTAMP '2024-01-01 00:00:01' AS ts) TO 'ht' (FORMAT parquet, PARTITION_BY (d, n, tm, ts)); SELECT i, d::VARCHAR AS d, n, tm::TIME AS tm, ts::TIMESTAMP AS ts FROM read_parquet('ht/**/*.parquet', hive_partitioning => true)
COPY (SELECT x FROM (VALUES (1), (NULL), (3), (NULL)) t(x)) TO 'n.csv' (HEADER); SELECT count(*) AS c, count(x) AS n, sum(x) AS s FROM read_csv('n.csv')
SELECT epoch_ms(t) AS e FROM (VALUES (TIMESTAMP '1969-12-31 23:59:59.000001'), (TIMESTAMP '2024-01-01 00:00:00.9999'), (TIMESTAMP '1960-01-01')) v(t) ORDER BY 1
CREATE TABLE o (a INT, b VARCHAR); SELECT column_name, ordinal_position FROM information_schema.columns WHERE table_name = 'o' ORDER BY 2
SELECT percentile_cont([0.1, 0.5]) WITHIN GROUP (ORDER BY x) AS c, percentile_disc([0.5, 1.0]) WITHIN GROUP (ORDER BY x) AS d FROM (VALUES (1), (2)) t(x)
SELECT percentile_cont([0.1, 0.5]) WITHIN GROUP (ORDER BY x DESC) AS c FROM (VALUES (1), (2), (5)) t(x)
SELECT a, b, count(*) AS n FROM (VALUES (1, 2), (1, 3), (2, 3)) t(a, b) GROUP BY GROUPING SETS (ROLLUP (a), (b)) ORDER BY 1, 2, 3
SELECT a, b, c, sum(d) AS n FROM (VALUES (1, 2, 3, 4), (1, 3, 3, 5), (2, 3, 4, 6)) t(a, b, c, d) GROUP BY GROUPING SETS (CUBE (a, b), (c), ROLLUP ((a, b), c)) ORDER BY ALL
SELECT i, sum(i) OVER (ORDER BY i ROWS BETWEEN 1 + 1 PRECEDING AND (2 * 1) - 1 FOLLOWING) AS s FROM range(6) t(i) ORDER BY i
SELECT d, count(*) OVER (ORDER BY d RANGE BETWEEN '2 days'::INTERVAL PRECEDING AND CURRENT ROW) AS n FROM (VALUES (DATE '2024-01-01'), (DATE '2024-01-02'), (DATE '2024-01-05')) t(d) ORDER BY d
CREATE TABLE t (id INT, v VARCHAR DEFAULT 'x', w INT); INSERT INTO t VALUES (1, DEFAULT, 3), (2, 'y', DEFAULT); INSERT INTO t (w, v) VALUES (DEFAULT, DEFAULT); INSERT INTO t DEFAULT VALUES; SELECT * FROM t ORDER BY ALL
CREATE TABLE t (id INT, v VARCHAR DEFAULT 'x', w INT DEFAULT 1 + 1); INSERT INTO t VALUES (1, 'a', 3), (2, 'b', 4); UPDATE t SET v = DEFAULT, w = DEFAULT WHERE id = 2; SELECT * FROM t ORDER BY id
SELECT -a AS a FROM (VALUES (1), (2)) t(a) ORDER BY a + 0
SELECT left(s, 1) AS s FROM (VALUES ('abc'), ('zz'), ('b')) t(s) ORDER BY length(s) DESC
SELECT -a AS a, b AS x FROM (VALUES (1, 2), (2, 1)) t(a, b) ORDER BY a::INT, x
SELECT upper(s) AS s, count(*) OVER () AS n FROM (VALUES ('b'), ('A')) t(s) ORDER BY lower(s) || s DESC
WITH a AS (SELECT 1 AS x), b AS (WITH a AS (SELECT 2 AS x) SELECT * FROM a) SELECT a.x AS p, b.x AS q FROM a, b
WITH t AS (SELECT 1 AS x) SELECT * FROM (WITH t AS (SELECT x + 5 AS x FROM t) SELECT t.x FROM t) u, t
WITH t AS (SELECT 1 AS x UNION ALL SELECT 2) SELECT (WITH t AS (SELECT 7 AS y) SELECT max(y) FROM t) AS m, sum(x) AS s FROM t
SELECT * FROM (VALUES (1, 2)) a(m, i) FULL JOIN (VALUES (5, 2)) b(z, i) USING (i)
SELECT * FROM (VALUES (1, 2), (3, 4)) a(m, i) RIGHT JOIN (VALUES (5, 2), (6, 7)) b(z, i) USING (i) ORDER BY z
SELECT * FROM (VALUES (1, 2)) a(m, i) FULL JOIN (VALUES (5, 2)) b(z, i) USING (i) FULL JOIN (VALUES (7, 9)) c(y, i) USING (i) ORDER BY ALL
SELECT flag = 'true' AS a, 'f' = flag AS b, flag IN ('true', false) AS c, flag <> 'false' AS d FROM (VALUES (true)) t(flag)
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT string_agg(n::VARCHAR, ',') AS s FROM t
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT n, n * 2 AS m FROM t WHERE n > 2
PREPARE p AS SELECT ? + 1, sum(id) FROM (VALUES (1), (2)) t(id); EXECUTE p(1)
SELECT row_number() OVER (ORDER BY b DESC) AS b, a FROM (VALUES (1, 2), (2, 1)) t(a, b) QUALIFY b = 1
SELECT a, row_number() OVER (ORDER BY b DESC) AS r FROM (VALUES (1, 2), (2, 1)) t(a, b) QUALIFY a > 1
SELECT row_number() OVER (ORDER BY b DESC) AS r, a FROM (VALUES (1, 2), (2, 1)) t(a, b) QUALIFY r = 1
SELECT epoch_ms(TIMESTAMPTZ '1969-12-31 23:59:59.9999Z') AS a, epoch_ms(DATE '1960-01-01') AS b

-- Formats of times, offsets as texts, digits of decimals, and texts of distinct values.
SELECT strptime('10:00:00.123456', '%H:%M:%S.%f'), strptime('2024-01-05T10:00:00.123Z', '%Y-%m-%dT%H:%M:%S.%fZ'), strptime('10:00:00.5', '%H:%M:%S.%f')
SELECT strptime('10:00:00.5', '%H:%M:%S.%g'), strptime('10:00:00.123456789', '%H:%M:%S.%n'), try_strptime('10:00:00.1234', '%H:%M:%S.%g'), try_strptime('10:00:00.', '%H:%M:%S.%f')
SELECT strptime('20240105100000123456', '%Y%m%d%H%M%S%f'), strptime('2024-01-05 11:12:13', '%c'), strptime('2024-01-05', '%x'), strptime('100%f', '%H0%%f')
SELECT strptime('2024-01-05 10:00 Europe/Berlin', '%Y-%m-%d %H:%M %Z') = '2024-01-05 09:00:00Z', strptime('2024-01-05 10:00 CET', '%Y-%m-%d %H:%M %Z') = '2024-01-05 09:00:00Z', strptime('2024-01-05 10:00 PST', '%Y-%m-%d %H:%M %Z') = '2024-01-05 18:00:00Z'
SELECT strptime('2024-01-05 10:00 +01', '%Y-%m-%d %H:%M %z') = '2024-01-05 09:00:00Z', strptime('2024-01-05 10:00 +0530', '%Y-%m-%d %H:%M %z') = '2024-01-05 04:30:00Z'
SELECT strptime('69-01-01', '%y-%m-%d'), strptime('68-01-01', '%y-%m-%d'), strptime('05.25', '%S.%f'), strptime('07', '%M')
SELECT strptime(strftime(t, '%S.%f'), '%S.%f') = t FROM (SELECT TIMESTAMP '1900-01-01 00:00:05.25' AS t)
SELECT strftime(TIMESTAMP '2024-01-05 03:04:05', '%Y-%m-%dT%H:%M:%S%z'), strftime(TIMESTAMP '2024-01-05 03:04:05', '%H%Z|'), strftime(DATE '2024-01-05', '%z|%Z'), strftime('%f', TIMESTAMP '2024-01-05 03:04:05.5')
COPY (SELECT TIMESTAMP '2024-01-05 10:00:00.123456' AS t) TO 'time_format.csv' (TIMESTAMPFORMAT '%d/%m/%Y %H:%M:%S.%f'); SELECT t FROM read_csv('time_format.csv', all_varchar = true)
COPY (SELECT unnest(['2.679', '2.999', '-1.995', '1e-2', '.005']) AS p) TO 'decimals.csv'; SELECT p FROM read_csv('decimals.csv', header = true, columns = {'p': 'DECIMAL(10,2)'}) ORDER BY p
COPY (SELECT unnest([2.679, 2.999, -1.995]) AS p) TO 'decimals.jsonl' (FORMAT json); SELECT p FROM read_json('decimals.jsonl', columns = {p: 'DECIMAL(10,2)'}) ORDER BY p
SELECT string_agg(DISTINCT x, ', ' ORDER BY x) AS s, string_agg(DISTINCT x, '|' ORDER BY x DESC) AS t, count(*) AS n FROM (VALUES (200), (404), (NULL), (1000), (200)) t(x)
SELECT g, string_agg(DISTINCT x, ', ' ORDER BY x) AS s FROM (VALUES ('a', DATE '2024-01-02'), ('a', DATE '2023-01-01'), ('a', DATE '2024-01-02'), ('b', NULL)) t(g, x) GROUP BY g ORDER BY g
SELECT string_agg(DISTINCT x, ',' ORDER BY x) FILTER (WHERE x > 3) AS s FROM (VALUES (3), (20), (100)) t(x)
SELECT string_agg(DISTINCT x, ',' ORDER BY x) AS s, string_agg(x, ',' ORDER BY x DESC) AS u FROM (VALUES ('b'), ('a'), ('b')) t(x)
CREATE TABLE money_2 (k INT, p DECIMAL(10,2)); INSERT INTO money_2 VALUES (1, 0), (2, 0), (3, 7); UPDATE money_2 SET p = 1.005 WHERE k = 1; UPDATE money_2 SET p = -2.675 WHERE k = 2; SELECT * FROM money_2 ORDER BY k
CREATE TABLE money_1 (p DECIMAL(10,2)); INSERT INTO money_1 VALUES (1.005), (2.675), (-1.255), (3); SELECT p FROM money_1 ORDER BY p
SELECT a, EXISTS (SELECT 1 FROM range(5) u(k) WHERE k > t.a) AS e, NOT EXISTS (SELECT k FROM range(5) u(k) WHERE k > t.a) AS n FROM (VALUES (4), (0), (NULL)) t(a) ORDER BY a
SELECT d.id, EXISTS (SELECT 1 FROM 'pages.parquet' p WHERE p.id > d.id AND p.lang = d.lang) AS e, CASE WHEN EXISTS (FROM 'pages.parquet' p WHERE p.id <> d.id AND p.lang = d.lang) THEN 'x' ELSE 'y' END AS c FROM 'docs.parquet' d ORDER BY id
SELECT top, a FROM (VALUES (1, 2)) t(top, a)
SELECT a, top FROM (VALUES (1, 2)) t(top, a)
SELECT DISTINCT top - 1 AS t, view, interval, sort FROM (VALUES (1, 2, 3, 4)) t(top, view, interval, sort) ORDER BY view, sort
SELECT a, cluster, distribute, explain, exclude FROM (SELECT 1 AS a, 2 AS cluster, 3 AS distribute, 4 AS explain, 5 AS exclude) t
SELECT trim, struct, max(values) AS v FROM (SELECT 'a' AS trim, 1 AS struct, 2 AS values) GROUP BY trim, struct

-- Limits that a query returns, and items of lists and keys of maps.
SELECT id FROM 'docs.parquet' ORDER BY id LIMIT (SELECT 3)
SELECT id FROM 'docs.parquet' ORDER BY id DESC LIMIT (SELECT count(*) // 2 FROM 'docs.parquet') OFFSET (SELECT 1)
SELECT lang, count(*) AS n FROM 'docs.parquet' GROUP BY lang ORDER BY n DESC, lang LIMIT (SELECT 1 + 1)
SELECT DISTINCT lang FROM 'docs.parquet' ORDER BY lang LIMIT (SELECT 2)
SELECT count(*) FROM (SELECT id FROM 'docs.parquet' LIMIT (SELECT NULL::BIGINT))
SELECT id FROM (SELECT id FROM 'docs.parquet' UNION ALL SELECT 1000) ORDER BY id DESC OFFSET (SELECT 2)
SELECT contains([1, 2], 2), contains([1, NULL], 3), contains(['a', 'b'], 'c'), ['x'].contains('x'), contains('abc', 'bc'), contains([]::INT[], 1)
SELECT contains(MAP {'a': 1}, 'a'), contains(MAP {'a': 1}, 'b'), contains(MAP {1: 'x'}, 1), contains(NULL, 'a')
SELECT a, contains(a, 2) AS c FROM (VALUES ([1, 2]), ([3]), (NULL), ([NULL])) t(a) ORDER BY c, a

-- A query of WITH that is used twice, once with a condition that no row meets.
WITH w AS (SELECT id FROM 'docs.parquet' ORDER BY id LIMIT 3) SELECT a.id, b.id AS other FROM w a LEFT JOIN w b ON a.id = b.id AND false ORDER BY a.id
WITH w AS (SELECT id FROM 'docs.parquet' ORDER BY id LIMIT 3) SELECT a.id, b.id AS other FROM w a LEFT JOIN (SELECT * FROM w WHERE id = 1 AND id = 2) b ON a.id = b.id ORDER BY a.id
WITH w AS (SELECT id FROM 'docs.parquet' ORDER BY id LIMIT 3) SELECT count(*) FROM w a LEFT JOIN w b ON a.id = b.id AND (SELECT count(*) > 100 FROM 'pages.parquet')
WITH w AS (SELECT id FROM 'docs.parquet' ORDER BY id LIMIT 4) SELECT count(*) FROM w WHERE id IN (SELECT id FROM w WHERE id > 2)
WITH w AS (SELECT id FROM 'docs.parquet' ORDER BY id LIMIT 4) SELECT count(*) FROM w WHERE id NOT IN (SELECT id FROM w WHERE id > 2)
SELECT * FROM range(2) a(x) LEFT JOIN (SELECT count(*) AS c FROM range(3)) b ON false ORDER BY x
SELECT * FROM range(2) a(x) LEFT JOIN (SELECT count(*) AS c FROM range(3)) b ON x = c AND c = 1 AND c = 2 ORDER BY x

-- NULL in structs and rows is the largest value; NOT of a row that may be in a query.
SELECT max({'n': n, 'id': id}) AS a, min({'n': n, 'id': id}) AS b FROM (VALUES (100, 1), (NULL, 2), (7, 3)) v(n, id)
SELECT g, max(s) AS a, min(s) FILTER (WHERE s.n > 1) AS b FROM (VALUES ('x', {'n': 1}), ('x', {'n': NULL}), ('y', {'n': 5}), ('y', NULL)) v(g, s) GROUP BY g ORDER BY g
SELECT {'a': NULL::INT} < {'a': 1}, [NULL] < [1], {'a': NULL::INT} > {'a': 1}, [1, NULL] > [1, 2], [1] < [1, NULL]
SELECT n, id FROM (VALUES (100, 1), (NULL, 2), (7, 3)) v(n, id) WHERE (n, id) > (7, 4) ORDER BY id
SELECT n, m FROM (VALUES (1, NULL), (1, 2), (NULL, 3)) t(n, m) WHERE (n, m) < (1, 3)
SELECT n, m FROM (VALUES (1, NULL), (1, 2), (NULL, 3)) t(n, m) WHERE (n + 0, m) = (1, NULL)
SELECT n, m FROM (VALUES (1, NULL), (1, 2), (NULL, 3)) t(n, m) WHERE (n + 0, m) IN ((1, NULL), (NULL, 3)) ORDER BY m
SELECT s FROM (VALUES ({'a': 1}), ({'a': NULL}), ({'a': 0})) t(s) WHERE s BETWEEN {'a': 0} AND {'a': 5} ORDER BY s
SELECT count(*) FROM (VALUES (1, 2), (3, 4), (NULL, 5)) a(n, g) WHERE NOT ((n, g) IN (SELECT * FROM (VALUES (1, 2), (NULL, NULL)) b(x, y)))
SELECT count(*) FROM (VALUES (1, 2), (3, 4), (NULL, 5)) a(n, g) WHERE NOT ((n, g) IN (SELECT * FROM (VALUES (1, 2)) b(x, y)))

-- IN with columns, constants in the order of an aggregate, ranges of dates, and names of days.
SELECT p FROM (VALUES (0), (1)) t(p) WHERE p IN (0) AND p IN (p)
SELECT d.id, p.id AS other FROM 'docs.parquet' d JOIN 'pages.parquet' p ON d.id IN (1, 3) AND d.id IN (p.id, p.id + 1) ORDER BY ALL
SELECT p FROM (VALUES (0), (1)) t(p) WHERE p NOT IN (p, 5)
SELECT list(id ORDER BY 2) FROM (VALUES (3, 'b'), (1, 'c'), (2, 'a')) t(id, x)
SELECT string_agg(x, ',' ORDER BY 1, id) FROM (VALUES (3, 'b'), (1, 'c'), (2, 'a')) t(id, x)
SELECT len(range(DATE '2024-01-01', DATE '2024-06-02', INTERVAL 1 MONTH)), len(range(DATE '2024-01-01', DATE '2024-06-01', INTERVAL 1 MONTH)), len(range(DATE '2024-01-01', DATE '2024-01-01', INTERVAL 1 DAY)), len(range(DATE '2024-03-02', DATE '2024-01-01', INTERVAL '-1 month'))
SELECT try_strptime('Mon 2024-01-05', '%a %Y-%m-%d'), strptime('Friday, 05 January 2024', '%A, %d %B %Y')
SELECT ts FROM (VALUES (TIMESTAMP '2024-01-31 10:00:00'), (TIMESTAMP '2024-01-30 23:59:00')) t(ts) WHERE ts >= '2024-01-31 10:00'
SELECT ts FROM (VALUES (TIMESTAMP '2024-01-31 10:00:00')) t(ts) WHERE ts BETWEEN '2024-01-31 09:00' AND '2024-01-31 11:00' AND ts IN ('2024-01-31 10:00') AND ts = '2024-01-31T10:00'
SELECT epoch(INTERVAL (n || ' hours')) AS i FROM (VALUES (3), (26)) t(n)
SELECT typeof(row_number() OVER ()), typeof(rank() OVER (ORDER BY a)), typeof(dense_rank() OVER (ORDER BY a)), typeof(ntile(2) OVER (ORDER BY a)) FROM (VALUES (1)) t(a)
SELECT list_contains([1, 2], row_number() OVER (ORDER BY a)) AS c, -row_number() OVER (ORDER BY a) AS n FROM (VALUES (5), (6), (7)) t(a) ORDER BY n
SELECT -list_position([1, 2], 2), -array_length([1, 2]), list_contains([2], list_position([1, 2], 2))
COPY (SELECT 1 AS b, 2 AS a) TO 'named.json' (FORMAT json); CREATE TABLE named_1 (a INT, b INT); COPY named_1 FROM 'named.json'; SELECT * FROM named_1
SELECT d + 1 AS e, count(*) AS n FROM (VALUES (DATE '2024-01-01', true), (DATE '2024-01-02', false)) t(d, f) GROUP BY ROLLUP (d + 1, f) ORDER BY ALL
SELECT grouping(d + 1) AS g, f = true AS y, count(*) AS n, max(d + 1) AS m FROM (VALUES (DATE '2024-01-01', true), (DATE '2024-01-02', false)) t(d, f) GROUP BY CUBE (d + 1, f = true) ORDER BY ALL
SELECT date_trunc('month', date) AS m, lang, count(*) AS n FROM 'pages.parquet' GROUP BY GROUPING SETS ((date_trunc('month', date), lang), (lang), ()) ORDER BY ALL

-- False conditions above totals, orders of structs and lists, and joins after unnest.
SELECT * FROM (SELECT 'x' AS y, count(*) AS c, rank() OVER (ORDER BY count(*)) AS r FROM range(3)) WHERE y = 'z'
SELECT * FROM (SELECT 'x' AS y, a.c FROM (SELECT count(*) AS c FROM range(3)) a LEFT JOIN (SELECT max(i) AS c FROM range(4) t(i)) b ON a.c = b.c) WHERE y = 'z'
SELECT * FROM (SELECT 'all' AS k, sum(n) AS s, row_number() OVER (ORDER BY sum(n)) AS r FROM 'docs.parquet' UNION ALL SELECT lang, sum(n), row_number() OVER (ORDER BY sum(n)) FROM 'docs.parquet' GROUP BY lang) WHERE k = 'de'
SELECT s FROM (VALUES ([1, 2]), ([1, NULL]), ([NULL]), ([0]), (NULL), ([])) t(s) ORDER BY s
SELECT s FROM (VALUES ([1, 2]), ([1, NULL]), ([NULL]), ([0]), (NULL), ([])) t(s) ORDER BY s DESC
SELECT s.a, rank() OVER (ORDER BY s DESC) AS r FROM (VALUES ({'a': 1}), ({'a': NULL}), ({'a': 0})) t(s) ORDER BY s DESC
SELECT arg_max(x, {'a': y}), arg_min(x, {'a': y}), list(x ORDER BY {'a': y} DESC) FROM (VALUES (1, NULL), (2, 5), (3, 1)) t(x, y)
WITH w AS (SELECT id, n FROM 'docs.parquet' ORDER BY id LIMIT 4) SELECT u.id, (SELECT count(*) FROM w q WHERE q.n = u.id) AS c FROM w u ORDER BY u.id
WITH w AS (SELECT lang, count(*) AS c FROM 'docs.parquet' GROUP BY lang LIMIT 5) SELECT lang, c / (SELECT sum(c) FROM w) AS share FROM w WHERE (SELECT sum(c) FROM w) > 0 ORDER BY lang
SELECT a.k, v, b.x FROM (VALUES ([1, 2], 1), ([3], 3)) a(l, k), unnest(a.l) u(v) LEFT JOIN (VALUES (1, 'x'), (3, 'y')) b(k, x) ON u.v = b.k ORDER BY ALL
SELECT p.id, tag, d.lang FROM 'pages.parquet' p, unnest(p.tags) AS t(tag) JOIN 'docs.parquet' d ON t.tag = d.lang || 'ts' OR length(t.tag) = d.id ORDER BY ALL
SELECT id, lang FROM 'docs.parquet' t ORDER BY (SELECT count(*) FROM 'pages.parquet' u WHERE u.lang = t.lang) DESC, id
SELECT t.id, t.url AS u FROM 'docs.parquet' t ORDER BY (SELECT max(title) FROM 'pages.parquet' u WHERE u.id = t.id) DESC, t.n LIMIT 3
SELECT * FROM 'docs.parquet' t ORDER BY coalesce((SELECT max(-length(text)) FROM 'pages.parquet' u WHERE u.id = t.id), 0), id

-- NULL in lists, in patches and at paths of JSON.
SELECT list_has_any([NULL, ''], ['q', NULL]), list_has_any([1, NULL], [1]), list_has_all([1, NULL], [NULL]), list_has_all([1, 2], [1, NULL]), list_has_all([1], [NULL::INT])
SELECT list_has_any(l, m) AS a, list_has_all(l, m) AS b, list_intersect(l, m) AS c FROM (VALUES ([1, NULL], [NULL, 1]), (NULL, [1]), ([2], NULL), ([NULL], [NULL, 3]), ([4, 4, 5], [5, 4])) t(l, m) ORDER BY ALL
SELECT list_intersect([1, NULL, 2], [NULL, 2]), list_intersect([1], NULL), list_intersect(NULL::INT[], [1]), list_intersect(['a'], ['b'])
SELECT json_value('{"e": null}', '$.e'), json_value('{"e": [1]}', '$.e'), json_value('{"e": "x"}', '$.e'), json_value('null', '$')
SELECT '{"a": 1, "b": 2}'::JSON -> '$[*]', '[1, 2]'::JSON -> '$.*', '{"a": [1, 2], "b": {"c": 3}}'::JSON -> '$.*[*]', '{"a": [1, 2], "b": {"c": 3}}'::JSON -> '$.*.*', '{"a": [1, 2]}'::JSON ->> '$.a.*', '{"a": [{"b": 1}, {"b": 2}]}'::JSON -> '$.a[*].b', '3'::JSON -> '$[*]'
SELECT json_merge_patch('[1]', '{"a": null, "b": 1}'), json_merge_patch('"x"', '{"a": null}'), json_merge_patch('1', '{"a": {"b": null}}'), json_merge_patch('{"a": [1]}', '{"a": {"b": null, "c": 2}}'), json_merge_patch(NULL, '{"a": null}')

-- Functions after casts, keys in parentheses, and JSON in parentheses.
SELECT id FROM 'docs.parquet' ORDER BY url::VARCHAR.length(), id
SELECT -n::INT.abs() AS a, 1 + n::VARCHAR.length() * 2 AS b, d.lang::VARCHAR.upper().lower() AS c FROM 'docs.parquet' d ORDER BY id
SELECT ('{"k": 12}' ->> 'k')::VARCHAR.length() AS a, upper('abc')::VARCHAR.lower().length() AS b, [1, 2]::INT[].len()::VARCHAR.upper() AS c, 1.5::DECIMAL(5, 2)::VARCHAR.length() AS d, DATE '2024-01-05'::VARCHAR.length() AS e
SELECT upper((js) -> 'k'), (js) ->> 'k' AS b, coalesce((js) -> 'k', (js) -> 'n') AS c FROM 'pages.parquet' ORDER BY id
SELECT (n + 1) * 2 AS a, lang, count(*) AS c FROM 'docs.parquet' GROUP BY ROLLUP ((n + 1) * 2, lang) ORDER BY ALL
SELECT (n)::DOUBLE AS a, lang, count(*) AS c FROM 'docs.parquet' GROUP BY CUBE (lang, (n)::DOUBLE) ORDER BY ALL
SELECT (n + 1) * 2 AS a, lang, count(*) AS c FROM 'docs.parquet' GROUP BY GROUPING SETS ((n + 1) * 2, (lang), ((n + 1) * 2, lang), ()) ORDER BY ALL
SELECT (n + 1) + (2) AS a, lang, count(*) AS c FROM 'docs.parquet' GROUP BY ROLLUP ((n, lang), (n + 1) + (2)) ORDER BY ALL

-- JSON operators on structs, lists and maps.
SELECT meta -> 'author', meta ->> 'author', meta ->> '$.year', meta -> '$.none' FROM 'pages.parquet' ORDER BY id
SELECT links -> 0, links ->> '$[0].href', tags ->> -1, links -> '$[*].rel' FROM 'pages.parquet' ORDER BY id
SELECT json_extract(meta, '$.year'), json_extract_string(meta, 'author'), json_type(meta), json_keys(meta), json_structure(meta) FROM 'pages.parquet' ORDER BY id
SELECT {'a': 1, 'b': [1, 2]} ->> '$.b[1]', [1, 2] -> 0, MAP {'a': 1} -> 'a', {'a': '{"b": 1}'::JSON} -> '$.a.b'

-- Years of weeks, numbers beyond DOUBLE, and options of COPY.
SELECT date_trunc('isoyear', DATE '2024-06-01'), date_trunc('isoyear', TIMESTAMP '2021-01-02 10:00:00'), date_trunc('isoyear', DATE '2020-12-31'), datetrunc('ISOYEAR', DATE '2024-12-31'), date_trunc('isoyear', NULL::DATE), date_trunc('isoyear', TIMESTAMP '2019-12-30 00:00:00')
SELECT a, b > 1e308 AS high, b < -1e308 AS low, isinf(b) AS i, typeof(b) AS t, c FROM 'numbers.json' ORDER BY a
COPY (SELECT 1 AS a) TO 'plain.csv' (COMPRESSION none); SELECT * FROM 'plain.csv'
COPY (SELECT 1 AS a) TO 'plain.json' (FORMAT json, COMPRESSION none); SELECT * FROM 'plain.json'
COPY (SELECT 1 AS a) TO 'keys.parquet' (KV_METADATA {source: 'x', 'b c.d': 'y''z', version: 5}); SELECT decode(key) AS k, decode(value) AS v FROM parquet_kv_metadata('keys.parquet') WHERE decode(key) <> 'ARROW:schema' ORDER BY k
COPY (SELECT 1 AS a) TO 'second.parquet' (FORMAT parquet, PARQUET_VERSION v2); SELECT * FROM 'second.parquet'
UNPIVOT (SELECT 1 AS n, 2 AS b, 3 AS c) ON (n, b) AS 'x', (b, n) AS 'y' INTO NAME k VALUE v, w

-- LATERAL and queries of one value that compare by more than =, limit, group or use outer columns elsewhere.
SELECT d.id, x.id FROM 'docs.parquet' d, LATERAL (SELECT e.id FROM 'docs.parquet' e WHERE e.n <= d.n ORDER BY e.n DESC, e.id LIMIT 2) x ORDER BY ALL
SELECT d.id, x.id FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT e.id FROM 'docs.parquet' e WHERE e.lang = d.lang AND e.n < d.n ORDER BY e.n DESC, e.id LIMIT 2) x ON true ORDER BY ALL
SELECT d.id, x.id FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT e.id FROM 'docs.parquet' e WHERE e.lang = d.lang ORDER BY e.n DESC, e.id LIMIT 1 OFFSET 1) x ON true ORDER BY ALL
SELECT d.id, x.c, x.m FROM 'docs.parquet' d, LATERAL (SELECT count(*) AS c, max(e.n) AS m FROM 'docs.parquet' e WHERE e.n < d.n) x ORDER BY ALL
SELECT d.id, x.c FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT count(*) AS c FROM 'docs.parquet' e WHERE e.n < d.n HAVING count(*) > 1) x ON true ORDER BY ALL
SELECT d.id, x.lang, x.c FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT e.lang, count(*) AS c FROM 'docs.parquet' e WHERE e.n < d.n GROUP BY e.lang) x ON true ORDER BY ALL
SELECT d.id, x.lang, x.c FROM 'docs.parquet' d, LATERAL (SELECT e.lang, count(*) AS c FROM 'docs.parquet' e WHERE e.n <> d.n GROUP BY e.lang HAVING count(*) > 1 ORDER BY c DESC, e.lang LIMIT 1) x ORDER BY ALL
SELECT d.id, x.lang, x.s FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT e.lang, sum(e.n) AS s FROM 'docs.parquet' e WHERE e.lang = d.lang GROUP BY e.lang HAVING sum(e.n) > 3) x ON true ORDER BY ALL
SELECT d.id, x.s FROM 'docs.parquet' d, LATERAL (SELECT sum(e.n + d.n) AS s FROM 'docs.parquet' e WHERE e.lang = d.lang) x ORDER BY ALL
SELECT d.id, (SELECT d.n + max(e.n) FROM 'docs.parquet' e WHERE e.id < d.id) AS m FROM 'docs.parquet' d ORDER BY d.id
SELECT d.id, (SELECT max(e.n - d.n) FROM 'docs.parquet' e WHERE e.lang = d.lang) AS m FROM 'docs.parquet' d ORDER BY d.id
SELECT d.id FROM 'docs.parquet' d WHERE (SELECT count(*) FROM 'docs.parquet' e WHERE e.n > d.n) < 2 ORDER BY d.id
SELECT d.id, x.id, y.c FROM 'docs.parquet' d, LATERAL (SELECT e.id, e.n FROM 'docs.parquet' e WHERE e.id > d.id ORDER BY e.id LIMIT 1) x, LATERAL (SELECT count(*) AS c FROM 'docs.parquet' f WHERE f.n >= x.n) y ORDER BY ALL
SELECT d.id, x.* FROM 'docs.parquet' d JOIN LATERAL (SELECT e.id AS other, e.n FROM 'docs.parquet' e WHERE e.n >= d.n ORDER BY e.n, e.id LIMIT 3) AS x(a, b) ON x.a <> d.id ORDER BY ALL
SELECT d.id, d.n IN (SELECT e.n FROM 'docs.parquet' e WHERE e.lang = d.lang AND e.id <> d.id) AS a, d.n NOT IN (SELECT e.n FROM 'docs.parquet' e WHERE e.id < d.id) AS b FROM 'docs.parquet' d ORDER BY d.id
SELECT d.id, EXISTS (SELECT 1 FROM 'docs.parquet' e WHERE e.lang = d.lang AND e.n > d.n) AS a FROM 'docs.parquet' d ORDER BY d.id
SELECT sum((SELECT count(*) FROM 'pages.parquet' p WHERE p.lang = d.lang)) AS s FROM 'docs.parquet' d
SELECT d.lang, max((SELECT count(*) FROM 'pages.parquet' p WHERE p.id > d.id)) AS s FROM 'docs.parquet' d GROUP BY d.lang ORDER BY ALL
SELECT id, bool_or(n > 2) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS a, bool_and(n > 2) FILTER (WHERE lang = 'en') OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS b, bool_or(n > 2) OVER (PARTITION BY lang) AS c FROM 'docs.parquet' ORDER BY id
SELECT d.id FROM 'docs.parquet' d WHERE d.n NOT IN (SELECT e.n FROM 'docs.parquet' e WHERE e.lang = d.lang AND e.id < d.id) ORDER BY d.id
SELECT d.id, (SELECT string_agg(e.url, ',' ORDER BY e.id) FROM 'docs.parquet' e WHERE e.n > d.n) AS u, (SELECT count(DISTINCT e.lang) FROM 'docs.parquet' e WHERE e.id <> d.id AND e.n >= d.n) AS c FROM 'docs.parquet' d ORDER BY d.id
SELECT d.id, x.t FROM 'docs.parquet' d, LATERAL (SELECT list(p.title ORDER BY p.id) AS t FROM (SELECT * FROM 'pages.parquet' q WHERE q.id > d.id ORDER BY q.id LIMIT 2) p) x ORDER BY ALL
SELECT d.id, (SELECT max(c) FROM (SELECT count(*) AS c FROM 'docs.parquet' e WHERE e.n > d.n GROUP BY e.lang) s) AS m FROM 'docs.parquet' d ORDER BY d.id

-- Windows, limits, sorted rows and queries in FROM of queries that use columns of the row.
SELECT d.id, x.lang, x.v FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT e.lang, sum(e.n) OVER (PARTITION BY e.lang) AS v FROM 'docs.parquet' e WHERE e.id > d.id) x ON true ORDER BY ALL
SELECT d.id, x.v FROM 'docs.parquet' d, LATERAL (SELECT sum(e.n) OVER () AS v FROM 'docs.parquet' e WHERE e.lang = d.lang) x ORDER BY ALL
SELECT d.id FROM 'docs.parquet' d WHERE d.id IN (SELECT row_number() OVER (ORDER BY e.id) FROM 'docs.parquet' e WHERE e.lang = d.lang) ORDER BY d.id
SELECT d.id FROM 'docs.parquet' d WHERE EXISTS (SELECT 1 FROM 'docs.parquet' e WHERE e.id > d.id QUALIFY row_number() OVER (ORDER BY e.id) = 2) ORDER BY d.id
SELECT d.id FROM 'docs.parquet' d WHERE NOT EXISTS (SELECT 1 FROM 'docs.parquet' e WHERE e.id > d.id ORDER BY e.id OFFSET 1) ORDER BY d.id
SELECT d.id FROM 'docs.parquet' d WHERE EXISTS (SELECT e.id FROM 'docs.parquet' e WHERE e.n > d.n ORDER BY e.id LIMIT 2) ORDER BY d.id
SELECT d.id FROM 'docs.parquet' d WHERE d.n IN (SELECT e.n FROM 'docs.parquet' e WHERE e.id >= d.id ORDER BY e.id LIMIT 1) ORDER BY d.id
SELECT d.id FROM 'docs.parquet' d WHERE d.n NOT IN (SELECT DISTINCT e.n FROM 'docs.parquet' e WHERE e.n = d.n AND e.id > 2) ORDER BY d.id
SELECT d.id FROM 'docs.parquet' d WHERE d.n IN (SELECT max(e.n) FROM 'docs.parquet' e WHERE e.lang = d.lang GROUP BY e.id) ORDER BY d.id
SELECT d.id, NOT EXISTS (SELECT sum(e.n) FROM 'docs.parquet' e WHERE e.n = d.id) AS a, EXISTS (SELECT 1 FROM 'docs.parquet' e WHERE e.n > d.n HAVING count(*) > 1) AS b FROM 'docs.parquet' d ORDER BY d.id
SELECT d.id, (SELECT count(*) FROM (SELECT e.n AS v FROM 'docs.parquet' e WHERE e.lang = d.lang) s WHERE s.v > 2) AS a, (SELECT count(*) FROM (SELECT DISTINCT e.lang FROM 'docs.parquet' e WHERE e.id > d.id)) AS b FROM 'docs.parquet' d ORDER BY d.id
SELECT d.id, (WITH s AS (SELECT e.n AS v FROM 'docs.parquet' e WHERE e.id >= d.id) SELECT sum(v) FROM s) AS x FROM 'docs.parquet' d ORDER BY d.id
SELECT d.id, (SELECT sum(v) FROM (SELECT sum(e.n) OVER (ORDER BY e.id) AS v FROM 'docs.parquet' e WHERE e.lang = d.lang)) AS c FROM 'docs.parquet' d ORDER BY d.id
SELECT id, n > ANY (SELECT e.n FROM 'docs.parquet' e WHERE e.id < d.id) AS a, n <> ANY (SELECT e.n FROM 'docs.parquet' e) AS b, n <= ALL (SELECT DISTINCT e.n FROM 'docs.parquet' e WHERE e.lang = d.lang) AS c FROM 'docs.parquet' d ORDER BY id
SELECT x > ANY (SELECT y FROM (VALUES (1), (NULL)) t(y)) AS a, x < ANY (SELECT y FROM (VALUES (1), (NULL)) t(y)) AS b, x >= ANY (SELECT y FROM (VALUES (1)) t(y) WHERE false) AS c, x <> ANY (SELECT NULL::INT) AS d FROM (VALUES (0), (1), (2), (NULL)) s(x) ORDER BY x
SELECT count(*) AS c FROM (SELECT row_number() OVER () AS s, d.id FROM 'docs.parquet' d LEFT JOIN LATERAL (SELECT count(*) AS v FROM 'pages.parquet' p WHERE p.id = d.n) y ON true WHERE 0 < (SELECT count(*) FROM 'pages.parquet')) z

-- Correlated IN of other types, conditions that are NULL above totals, and lists without rows.
SELECT id FROM 'docs.parquet' d WHERE length(url) IN (SELECT (e.n + 20)::INT FROM 'docs.parquet' e WHERE e.n < d.id) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE d.id::BIGINT NOT IN (SELECT e.n::INT FROM 'docs.parquet' e WHERE e.n < d.id) ORDER BY id
SELECT id FROM 'docs.parquet' d WHERE 5::BIGINT IN (SELECT e.n::INT FROM 'docs.parquet' e WHERE e.n IS NOT DISTINCT FROM d.n) ORDER BY id
SELECT c FROM (SELECT count(lang) AS c FROM 'docs.parquet') WHERE c NOT IN (1, NULL)
SELECT sum(c) AS s FROM (SELECT lang, count(*) AS c FROM 'docs.parquet' GROUP BY ROLLUP (lang)) WHERE c <> nullif(length('a'), 1)
SELECT count(*) AS n FROM (SELECT max(id) AS c FROM 'docs.parquet') WHERE c > NULL::INT OR c IS NULL
SELECT list_aggregate(['a', lang], 'min') AS m, list_max([lang, 'b']) AS x FROM 'docs.parquet' WHERE id > 100
SELECT list_contains([]::INT[], NULL::INT) AS a, list_contains([]::INT[], x) AS b, list_contains([1, 2], x) AS c, x IN [] AS d, list_contains(l, x) AS e FROM (VALUES (1, [1]), (NULL, []), (NULL, [NULL]), (2, NULL)) t(x, l) ORDER BY ALL
SELECT d.id, x.c, x.m FROM 'docs.parquet' d, LATERAL (SELECT count(*) AS c, max(100) AS m FROM (SELECT 1 AS a FROM 'pages.parquet' WHERE false) q WHERE 1 = d.id) x ORDER BY ALL
