-- Separates two addresses side by side: the blocks in the upper part of first pages, as one text
-- for the left half and one for the right half. It is a pattern for anything at a known position:
-- change the conditions on x1 and y1.
--
--   corpus-sql -f queries/pdf_invoice_columns.sql -v input='invoices/'
--
-- input  a file, folder, glob or URL
-- top, bottom, middle   the part of the page, and the end of its left half, as shares of its size

SELECT source_file,
       string_agg(b['text'], E'\n' ORDER BY b['y1']) FILTER (WHERE b['x1'] < middle) AS left_side,
       string_agg(b['text'], E'\n' ORDER BY b['y1']) FILTER (WHERE b['x1'] >= middle) AS right_side
FROM (
    SELECT source_file, pdf_pages(content)[1] AS page, page['height'] AS height,
           page['width'] * ${middle:-0.5} AS middle, unnest(pdf_blocks(content)) AS b
    FROM read_pdf('${input:-data-samples/pdf/invoice.pdf}')
)
WHERE job_require_shares('top, bottom and middle', [${top:-0.08}, ${bottom:-0.24}, ${middle:-0.5}])
      AND b['page'] = 1 AND b['y1'] BETWEEN ${top:-0.08} * height AND ${bottom:-0.24} * height
GROUP BY source_file
ORDER BY source_file;
