-- Every word of PDFs with its position, font, size and color: the basis for detecting tables, headings by their size,
-- or text under black bars. Unreadable documents and pages are rows with an error.
--
--   corpus-sql --resume -f queries/pdf_words.sql -v input=filings/ -v output=words/
--   corpus-sql -f queries/pdf_words.sql -v input='filings/' -v output=words.parquet
--
-- input     a file, folder, glob or URL
-- output    a folder, in which files appear one by one, and which --resume continues; or one file,
--           which appears when it is complete
-- errors    with --resume, a folder for the rows with an error
-- password  tried if the empty password does not open a file
--
-- Positions are in points (1/72 inch) from the top left corner of the page.

COPY (
    SELECT source_file AS url, w['page'] AS page, w['block'] AS block, w['line'] AS line,
           w['word'] AS word, w['x1'] AS x1, w['y1'] AS y1, w['x2'] AS x2, w['y2'] AS y2,
           w['font'] AS font, w['size'] AS size, w['bold'] AS bold, w['italic'] AS italic,
           w['color'] AS color, coalesce(error, w['error']) AS error
    FROM (
        -- Keeps a row for files without words.
        SELECT source_file, error, pdf_words(content, '', '${password:-}') AS words,
               unnest(CASE WHEN cardinality(words) > 0 THEN words ELSE [NULL] END) AS w
        FROM read_pdf('${input:-data-samples/pdf/}')
    )
) TO '${output:-words.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
