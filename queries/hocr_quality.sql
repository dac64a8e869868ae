-- The OCR quality of scanned books: a row per book (its column key is NULL), followed by a row per
-- page. Confidences are those of words, or else of lines, or else of blocks. A book consists of the
-- pages whose keys are equal up to the last slash.
--
--   corpus-sql -f queries/hocr_quality.sql -v input='books/*.seq'
--   corpus-sql -f queries/hocr_quality.sql -v source=read_hocr -v key=source_file -v data=content -v input=scans/
--
-- input   SequenceFiles of hOCR, ALTO or PAGE XML: a file, folder, glob or URL
-- source, key, data   the function that reads them, and its columns with the key and the data
--
-- pages, empty_pages  the number of pages, and of those without words, lines and blocks; a file without
--                     a page is an error
-- missing_pages       how many page numbers are missing before this page; a page number is the last
--                     number in a key
-- words               the number of words on the page, or on the median page of the book
-- confidence_of       the level of the percentiles p5, p25 and p50, in units of confidence_kind;
--                     at most that percentage of the confidences is below a percentile
-- skew                the median angle, in degrees, by which baselines descend to the right
-- columns             the number of blocks side by side over most of the height with blocks, not
--                     counting narrow ones; for a book, that of the median page
-- empty_boxes         boxes that are inverted or have no width or height
-- outside_boxes       boxes outside their page, and words as large as the page
-- damaged_boxes       boxes that could not be parsed
-- errors, error       the number of files and values that could not be parsed, with boxes, and one error
--
-- The confidences of all words are held in memory.

WITH documents AS (
    SELECT source_file, ocr_key(${key:-key}, source_file, ${data:-value}) AS page_key, ${key:-key} IS NULL AS has_no_key, error AS problem,
           CASE WHEN ${data:-value} IS NULL THEN hocr_summary('') ELSE hocr_summary(${data:-value}) END AS parts, unnest(parts) AS s,
           ocr_no_page(NOT array_any_match(parts, part -> part['words'] + part['lines'] + part['blocks'] > 0), ${data:-value}) AS no_page
    FROM ${source:-read_sequencefile}('${input:-data-samples/book/pages.seq}')
),
summaries AS (
    SELECT source_file, page_key AS key, has_no_key, coalesce(s['page'], 1) AS page, s, s['page'] IS NULL OR no_page IS NOT NULL AS is_unreadable,
           CASE WHEN coalesce(s['page'], 1) = 1 THEN coalesce(problem, no_page) END AS problem
    FROM documents
),
counted AS (
    SELECT ocr_book(key) AS book, source_file, key, page, NOT bool_or(is_unreadable) AS is_page,
           -- Records with the same key are one page, but those without a key are not.
           CASE WHEN bool_or(has_no_key) THEN count(*) ELSE 1 END AS copies,
           coalesce(sum(s['words']), 0) AS words, coalesce(sum(s['words'] + s['lines'] + s['blocks']), 0) = 0 AS is_empty,
           median(s['skew']) AS skew, max(s['columns']) AS columns, coalesce(sum(s['empty_boxes']), 0) AS empty_boxes,
           coalesce(sum(s['outside_boxes']), 0) AS outside_boxes, coalesce(sum(s['damaged_boxes']), 0) AS damaged_boxes,
           sum(s['errors']) + count(problem) AS errors, least(min(s['error']), min(problem)) AS error,
           flatten(array_agg(s['word_confidences']) FILTER (WHERE s['word_confidences'] IS NOT NULL)) AS of_words, min(s['word_confidence_kind']) AS word_kind,
           flatten(array_agg(s['line_confidences']) FILTER (WHERE s['line_confidences'] IS NOT NULL)) AS of_lines, min(s['line_confidence_kind']) AS line_kind,
           flatten(array_agg(s['block_confidences']) FILTER (WHERE s['block_confidences'] IS NOT NULL)) AS of_blocks, min(s['block_confidence_kind']) AS block_kind
    FROM summaries GROUP BY source_file, key, page
),
pages AS (
    SELECT *, CASE WHEN is_page THEN ocr_page_number(key) END AS number
    FROM counted
),
-- DataFusion emits groups of GROUPING SETS twice if it knows that their rows are sorted by the same
-- column, so the window is partitioned by an expression.
followed AS (
    SELECT *, greatest(coalesce(number - lag(number) OVER (PARTITION BY book || '' ORDER BY number, key, page) - 1, 0), 0) AS missing
    FROM pages
),
facts AS (
    SELECT book, source_file, key, page, coalesce(sum(copies) FILTER (WHERE is_page), 0) AS pages, coalesce(sum(copies) FILTER (WHERE is_page AND is_empty), 0) AS empty_pages, sum(missing) AS missing_pages,
           median(words) FILTER (WHERE is_page) AS words, median(skew) AS skew, median(columns) AS columns, sum(empty_boxes) AS empty_boxes,
           sum(outside_boxes) AS outside_boxes, sum(damaged_boxes) AS damaged_boxes, sum(errors) AS errors, min(error) AS error,
           flatten(array_agg(of_words) FILTER (WHERE of_words IS NOT NULL)) AS of_words, min(word_kind) AS word_kind,
           flatten(array_agg(of_lines) FILTER (WHERE of_lines IS NOT NULL)) AS of_lines, min(line_kind) AS line_kind,
           flatten(array_agg(of_blocks) FILTER (WHERE of_blocks IS NOT NULL)) AS of_blocks, min(block_kind) AS block_kind
    FROM followed GROUP BY GROUPING SETS ((book), (book, source_file, key, page))
),
read AS (
    SELECT *, array_sort(coalesce(of_words, of_lines, of_blocks)) AS sorted,
           CASE WHEN of_words IS NOT NULL THEN 'word' WHEN of_lines IS NOT NULL THEN 'line' WHEN of_blocks IS NOT NULL THEN 'block' END AS confidence_of,
           CASE WHEN of_words IS NOT NULL THEN word_kind WHEN of_lines IS NOT NULL THEN line_kind ELSE block_kind END AS confidence_kind
    FROM facts
)
SELECT book, key, page, pages, empty_pages, missing_pages, CAST(words AS DOUBLE) AS words, confidence_of, confidence_kind,
       sorted[CAST(ceil(0.05 * cardinality(sorted)) AS BIGINT)] AS p5,
       sorted[CAST(ceil(0.25 * cardinality(sorted)) AS BIGINT)] AS p25,
       sorted[CAST(ceil(0.5 * cardinality(sorted)) AS BIGINT)] AS p50,
       round(skew, 2) AS skew, columns, empty_boxes, outside_boxes, damaged_boxes, errors, error
FROM read
ORDER BY book, key IS NOT NULL, ocr_order(key), key, page;
