-- How well scanned books were read: a row for each book (its column key is NULL), then one for each
-- of its pages. Confidences are those of words; where these have none, of lines or else of blocks.
-- A book is what the keys of its pages have before their last slash.
--
--   corpus-sql -f queries/hocr_quality.sql -v input='books/*.seq'
--   corpus-sql -f queries/hocr_quality.sql -v source=read_hocr -v key=source_file -v data=content -v input=scans/
--
-- input   SequenceFiles of hOCR, ALTO or PAGE XML: a file, folder, glob or URL
-- source  the function that reads them; key and data are its columns
--
-- pages, empty_pages  pages, and those without any words, lines and blocks
-- missing_pages       so many numbers are left out before this page; numbers are the last ones in keys
-- words               on the page, or on the median page of the book
-- confidence_of       what the percentiles p5, p25 and p50 are of, in the scale of confidence_kind;
--                     a percentile is the confidence that no more than so many percent are below
-- skew                degrees by which lines descend to the right, the median: from their baselines
-- columns             blocks beside each other over most of the height that has any, but narrow ones;
--                     of a book: the median page
-- empty_boxes         boxes without any width or height, or inside out
-- outside_boxes       boxes that are not within their page, and words as large as it
-- damaged_boxes       boxes that could not be read
-- errors, an_error    everything that could not be read, boxes included; the first message of them
--
-- The confidences of all words are held in memory.

-- What is gathered here are to be words, which are small, and not documents: these are not dealt out
-- to other threads, which gathers them. Files, and parts of SequenceFiles, have a thread each anyway.
SET datafusion.execution.batch_size = 8192;
SET datafusion.optimizer.enable_round_robin_repartition = false;

WITH documents AS (
    SELECT source_file, ${key:-key} AS key, ${data:-value} AS data, error
    FROM ${source:-read_sequencefile}('${input:-data-samples/book/pages.seq}')
    WHERE ${key:-key} IS NOT NULL
),
elements AS (
    SELECT source_file, key, 'page' AS level, unnest(hocr_pages(data, NULL, 'boxes')) AS e, NULL AS problem FROM documents
    UNION ALL
    SELECT source_file, key, 'block', unnest(hocr_blocks(data, NULL, 'boxes')), NULL FROM documents
    UNION ALL
    SELECT source_file, key, 'line', unnest(hocr_lines(data, NULL, 'boxes')), NULL FROM documents
    UNION ALL
    SELECT source_file, key, 'word', unnest(hocr_words(data, NULL, 'boxes')), NULL FROM documents
    UNION ALL
    -- A document that has nothing, or could not be read, is one page.
    SELECT source_file, key, 'document', NULL, error FROM documents
),
flat AS (
    SELECT regexp_replace(key, '[/!][^/!]*$', '') AS book, source_file, key, level, coalesce(e['page'], 1) AS page,
           e['x1'] AS x1, e['y1'] AS y1, e['x2'] AS x2, e['y2'] AS y2, e['width'] AS width, e['depth'] AS depth,
           e['page_x1'] AS px1, e['page_y1'] AS py1, e['page_x2'] AS px2, e['page_y2'] AS py2,
           e['confidence'] AS confidence, e['confidence_kind'] AS kind, e['baseline_slope'] AS slope, coalesce(e['error'], problem) AS error,
           e['position'] IS NULL AND level = 'page' AS is_unreadable
    FROM elements
    -- Of what is not read every level has a row.
    WHERE level IN ('document', 'page') OR e['position'] IS NOT NULL
),
-- Blocks begin and end; between two such heights their number is the same.
edges AS (
    SELECT source_file, key, page, edge['y'] AS y, edge['step'] AS step
    FROM (
        SELECT source_file, key, page, unnest([named_struct('y', y1, 'step', 1), named_struct('y', y2, 'step', -1)]) AS edge
        FROM flat
        -- What is narrow is no column: page numbers, notes on the margin.
        WHERE level = 'block' AND y2 > y1 AND depth = 0 AND width > 0.1 * coalesce(px2 - px1, 0)
    )
),
strips AS (
    SELECT source_file, key, page,
           sum(step) OVER (PARTITION BY source_file, key, page ORDER BY y, step ROWS UNBOUNDED PRECEDING) AS beside,
           lead(y) OVER (PARTITION BY source_file, key, page ORDER BY y, step) - y AS height
    FROM edges
),
layouts AS (
    SELECT source_file, key, page, beside AS columns,
           row_number() OVER (PARTITION BY source_file, key, page ORDER BY sum(height) DESC, beside) AS place
    FROM strips WHERE beside > 0 GROUP BY source_file, key, page, beside
),
counted AS (
    SELECT book, source_file, key, page, NOT bool_or(is_unreadable) AS is_page,
           count(*) FILTER (WHERE level = 'word') AS words,
           count(*) FILTER (WHERE level IN ('word', 'line', 'block')) = 0 AS is_empty,
           median(degrees(atan(slope))) FILTER (WHERE level = 'line') AS skew,
           count(*) FILTER (WHERE x2 <= x1 OR y2 <= y1) AS empty_boxes,
           count(*) FILTER (WHERE px2 > px1 AND py2 > py1 AND level <> 'page' AND (x1 < px1 OR y1 < py1 OR x2 > px2 OR y2 > py2
               OR (level = 'word' AND x1 = px1 AND y1 = py1 AND x2 = px2 AND y2 = py2))) AS outside_boxes,
           count(*) FILTER (WHERE x1 IS NULL AND starts_with(error, 'bbox')) AS damaged_boxes,
           count(error) AS errors, min(error) AS an_error,
           array_agg(confidence) FILTER (WHERE level = 'word' AND confidence IS NOT NULL) AS of_words, min(kind) FILTER (WHERE level = 'word') AS word_kind,
           array_agg(confidence) FILTER (WHERE level = 'line' AND confidence IS NOT NULL) AS of_lines, min(kind) FILTER (WHERE level = 'line') AS line_kind,
           array_agg(confidence) FILTER (WHERE level = 'block' AND confidence IS NOT NULL) AS of_blocks, min(kind) FILTER (WHERE level = 'block') AS block_kind
    FROM flat GROUP BY book, source_file, key, page
),
pages AS (
    SELECT counted.*, columns,
           CASE WHEN is_page THEN TRY_CAST(regexp_match(counted.key, '([0-9]{1,15})(\.[A-Za-z][^/!]*)?$')[1] AS BIGINT) END AS number
    FROM counted LEFT JOIN layouts ON counted.source_file = layouts.source_file AND counted.key = layouts.key
        AND counted.page = layouts.page AND place = 1
),
followed AS (
    SELECT *, greatest(coalesce(number - lag(number) OVER (PARTITION BY book ORDER BY number, key, page) - 1, 0), 0) AS missing
    FROM pages
),
facts AS (
    SELECT book, source_file, key, page, count(*) FILTER (WHERE is_page) AS pages, count(*) FILTER (WHERE is_page AND is_empty) AS empty_pages, sum(missing) AS missing_pages,
           median(words) FILTER (WHERE is_page) AS words, median(skew) AS skew, median(columns) AS columns, sum(empty_boxes) AS empty_boxes,
           sum(outside_boxes) AS outside_boxes, sum(damaged_boxes) AS damaged_boxes, sum(errors) AS errors, min(an_error) AS an_error,
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
       round(skew, 2) AS skew, columns, empty_boxes, outside_boxes, damaged_boxes, errors, an_error
FROM read
ORDER BY book, key NULLS FIRST, page;

SET datafusion.execution.batch_size = 256;
SET datafusion.optimizer.enable_round_robin_repartition = true;
