-- The pages for which the two HTML engines differ. A hash of each text is held in memory. Texts are
-- held only for pages that differ, which are read a second time.
--
--   corpus-sql -f queries/html_engines.sql -v input='crawl/*.warc.gz'
--
-- To compare a folder of pages, make an archive of it first:
--   COPY (SELECT 'resource' AS warc_type, source_file AS target_uri, content AS body
--         FROM read_files('pages/')) TO 'pages.warc.gz' STORED AS WARC
--
-- input  a file, folder, glob or URL
-- most   the number of differing pages to show

-- Records of an archive that is compressed as a whole have the same place, so an id is needed as well.
CREATE VIEW pages AS
SELECT concat(source_file, ' at ' || "offset") AS place, coalesce(record_id, target_uri, '') AS id, target_uri AS url,
       CASE WHEN warc_type = 'response' THEN http_response(body) END AS http,
       CASE WHEN warc_type = 'response' THEN http['body'] ELSE body END AS page,
       http['charset'] AS charset
FROM read_warc('${input:-data-samples/web/}')
WHERE warc_type = 'resource'
   OR (warc_type = 'response' AND http['sniffed_type'] IN ('text/html', 'application/xhtml+xml'));

SET corpus.html_engine = 'native';
CREATE TABLE native AS
SELECT place, id, text_hash128(document) AS hash, cardinality(string_to_array(document, chr(10))) AS lines
FROM (SELECT place, id, html_document(page, charset) AS document FROM pages);

SET corpus.html_engine = 'html5ever';
CREATE TABLE tree AS SELECT place, id, text_hash128(html_document(page, charset)) AS hash FROM pages;

CREATE TABLE different AS
SELECT place, id FROM native JOIN tree USING (place, id) WHERE native.hash <> tree.hash;

CREATE TABLE tree_texts AS
SELECT place, id, html_document(page, charset) AS document FROM different JOIN pages USING (place, id);

SET corpus.html_engine = 'native';
CREATE TABLE native_texts AS
SELECT place, id, url, html_document(page, charset) AS document FROM different JOIN pages USING (place, id);

CREATE VIEW lines AS
SELECT place, id, line, sum(side) AS surplus
FROM (
    SELECT place, id, unnest(string_to_array(document, chr(10))) AS line, 1 AS side FROM native_texts
    UNION ALL
    SELECT place, id, unnest(string_to_array(document, chr(10))), -1 FROM tree_texts
)
WHERE line <> ''
GROUP BY place, id, line;

SELECT (SELECT count(*) FROM native) AS pages,
       (SELECT count(*) FROM different) AS pages_that_differ,
       (SELECT sum(lines) FROM native) AS lines,
       (SELECT count(*) FROM lines WHERE surplus <> 0) AS lines_that_differ;

SELECT url, native_texts.place, sum(surplus) FILTER (WHERE surplus > 0) AS only_native,
       -sum(surplus) FILTER (WHERE surplus < 0) AS only_html5ever,
       min(line) FILTER (WHERE surplus > 0) AS line_of_native,
       min(line) FILTER (WHERE surplus < 0) AS line_of_html5ever
FROM native_texts
JOIN lines ON native_texts.place = lines.place AND native_texts.id = lines.id
WHERE surplus <> 0
GROUP BY url, native_texts.place, native_texts.id
ORDER BY native_texts.place, native_texts.id
LIMIT ${most:-20};
