-- The average width of the text blocks of scanned pages, and the width of the page. A page with
-- much narrower blocks than its neighbors was cropped, or is a picture. Reads hOCR of any program,
-- ALTO and PAGE XML in folders, packages and compressed files. Files that cannot be read, or that
-- have no page, or lines but no blocks, are rows with an error.
--
--   corpus-sql -f queries/hocr_block_width.sql -v input='scans/'
--
-- input  a file, folder, glob or URL

SELECT source_file, block['page'] AS page, count(block['width']) AS blocks,
       avg(block['width']) AS average_width, max(block['page_x2'] - block['page_x1']) AS page_width,
       count(block['error']) FILTER (WHERE block['position'] IS NOT NULL) AS damaged_boxes,
       min(coalesce(error, block['error'], no_page)) AS error
FROM (
    -- Keeps a row for files without blocks.
    SELECT source_file, error, hocr_blocks(content, NULL, 'boxes') AS blocks,
           coalesce(ocr_no_page(coalesce(empty(blocks), true), content), ocr_no_blocks(coalesce(empty(blocks), true), content)) AS no_page,
           unnest_outer(blocks) AS block
    FROM read_hocr('${input:-data-samples/files/}')
)
GROUP BY source_file, block['page']
ORDER BY source_file, page;
