-- Scanned pages that look cropped, the worst books first: pages whose text comes closer to an edge
-- of the picture than a hundredth of its width, or is much narrower than is usual in their book. The
-- text of a page is the union of its blocks; a book is what the keys of its pages have before their
-- last slash. The score of a book is the share of its pages that look so.
--
--   corpus-sql -f queries/hocr_cropping.sql -v input='books/*.seq' -v least=3
--
-- input   SequenceFiles of hOCR, ALTO or PAGE XML: a file, folder, glob or URL
-- narrow  what is narrow: so much of the median width of the book's pages
-- least   so many pages of a book have to look cropped

WITH pages AS (
    SELECT regexp_replace(key, '/[^/]*$', '') AS book, key,
           max(block['page_x2'] - block['page_x1']) AS page_width,
           min(block['x1'] - block['page_x1']) AS left_margin,
           min(block['page_x2'] - block['x2']) AS right_margin,
           max(block['x2']) - min(block['x1']) AS text_width
    FROM (
        SELECT key, unnest(hocr_blocks(value, NULL, 'boxes')) AS block
        FROM read_sequencefile('${input:-data-samples/sequence/scans.seq}')
    )
    WHERE block['width'] > 0
    GROUP BY key, block['page']
),
books AS (
    SELECT book, count(*) AS pages, median(text_width) AS usual_width FROM pages GROUP BY book
),
judged AS (
    SELECT pages.*, books.pages AS book_pages, usual_width,
           left_margin < page_width / 100 OR right_margin < page_width / 100 AS at_edge,
           text_width < usual_width * ${narrow:-0.7} AS narrow
    FROM pages JOIN books ON pages.book = books.book
),
suspects AS (
    SELECT *, count(*) OVER (PARTITION BY book) AS suspects,
           CAST(count(*) OVER (PARTITION BY book) AS DOUBLE) / book_pages AS score
    FROM judged WHERE at_edge OR narrow
)
SELECT round(score, 3) AS score, book, key, page_width, left_margin, right_margin, text_width,
       usual_width, at_edge, narrow
FROM suspects
WHERE suspects >= ${least:-1}
ORDER BY score DESC, book, key;
