-- Scanned pages that look cropped, the worst books first. The text area of a page is the union of
-- its blocks, or of its lines if no page of the file has blocks; with the margins it is as wide as
-- the picture. A page is listed if its text touches or nearly touches an edge of the picture, or if
-- the width of its text or picture is unusual for its book. The score of a page is its relative deviation from the usual text width, plus its
-- relative deviation from the usual picture width, plus 1 at an edge. The score of a book is the
-- mean over all its pages, where inconspicuous pages count 0. A book consists of the pages whose
-- keys are equal up to the last slash. Files that cannot be read, or that have no page, are rows
-- with an error, at the end; a suspicious page has an error if a part of it could not be read.
--
--   corpus-sql -f queries/hocr_cropping.sql -v input='books/*.seq' -v least=3
--   corpus-sql -f queries/hocr_cropping.sql -v source=read_hocr -v key=source_file -v data=content -v input=scans/
--
-- input    SequenceFiles of hOCR, ALTO or PAGE XML: a file, folder, glob or URL
-- source, key, data   the function that reads them, and its columns with the key and the data
-- text     the largest accepted deviation of the text width, as a share of the usual width
-- picture  the same for the width of the picture
-- edge     the smallest accepted margin, as a share of the picture's width
-- least    the number of suspicious pages from which a book is listed

WITH pages AS (
    SELECT ocr_book(page_key) AS book, source_file, page_key AS key, block['page'] AS page,
           max(block['page_x2'] - block['page_x1']) FILTER (WHERE block['width'] > 0) AS page_width,
           min(block['x1'] - block['page_x1']) FILTER (WHERE block['width'] > 0) AS left_margin,
           min(block['page_x2'] - block['x2']) FILTER (WHERE block['width'] > 0) AS right_margin,
           max(block['x2']) FILTER (WHERE block['width'] > 0) - min(block['x1']) FILTER (WHERE block['width'] > 0) AS text_width,
           min(coalesce(error, no_page, block['error'])) AS error
    FROM (
        -- Keeps a row for files without blocks.
        SELECT source_file, ocr_key(${key:-key}, source_file, ${data:-value}) AS page_key, error,
               ocr_boxes(hocr_blocks(${data:-value}, NULL, 'boxes'), ${data:-value}) AS blocks, ocr_no_page(coalesce(empty(blocks), true), ${data:-value}) AS no_page,
               unnest_outer(blocks) AS block
        FROM ${source:-read_sequencefile}('${input:-data-samples/book/pages.seq}')
    )
    WHERE job_require_shares('text, picture and edge', [${text:-0.3}, ${picture:-0.1}, ${edge:-0.01}])
          AND job_require_counts('least', 1, [${least:-2}])
    GROUP BY source_file, page_key, block['page']
),
beside_usual AS (
    SELECT *, count(text_width) OVER (PARTITION BY book) AS book_pages,
           median(text_width) OVER (PARTITION BY book) AS usual_width,
           -- A page without a declared width is assumed to be as wide as the others.
           coalesce(nullif(page_width, 0), median(nullif(page_width, 0)) OVER (PARTITION BY book)) AS width,
           median(nullif(page_width, 0)) OVER (PARTITION BY book) AS usual_page_width
    FROM pages
),
judged AS (
    SELECT *, coalesce(least(left_margin, right_margin) < width * ${edge:-0.01}, false) AS at_edge,
           CASE WHEN text_width IS NOT NULL THEN least(abs(text_width / usual_width - 1), 1) END AS text_deviation,
           least(coalesce(abs(width / usual_page_width - 1), 0), 1) AS page_deviation
    FROM beside_usual
),
scored AS (
    -- NULL for files without a page.
    SELECT *, text_deviation + page_deviation + CASE WHEN at_edge THEN 1 ELSE 0 END AS page_score
    FROM judged
    WHERE at_edge OR text_deviation > ${text:-0.3} OR page_deviation > ${picture:-0.1} OR text_width IS NULL AND error IS NOT NULL
),
suspects AS (
    SELECT *, count(page_score) OVER (PARTITION BY book) AS suspects,
           sum(page_score) OVER (PARTITION BY book) / book_pages AS score
    FROM scored
)
SELECT round(score, 3) AS score, book, suspects, book_pages, round(page_score, 3) AS page_score, key, page,
       text_width, usual_width, page_width, usual_page_width, left_margin, right_margin, at_edge, error
FROM suspects
WHERE suspects >= ${least:-2} OR page_score IS NULL
ORDER BY page_score IS NULL, score DESC, book, page_score DESC, ocr_order(key), key, page;
