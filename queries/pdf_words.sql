-- Every word of PDFs with its place, font, size and colour, one row per word, as one Parquet file:
-- what tables are told from, headings by their size, what lies under a black bar. A document that
-- could not be read, or a page, is a row with its error.
--
--   corpus-sql -f queries/pdf_words.sql -v input='filings/' -v output=words.parquet
--
-- input   a file, folder, glob or URL
-- output  the file; it appears when it is complete
-- Places are points from the top left of the page; 72 of them are an inch.

COPY (
    SELECT source_file AS url, w['page'] AS page, w['block'] AS block, w['line'] AS line,
           w['word'] AS word, w['x1'] AS x1, w['y1'] AS y1, w['x2'] AS x2, w['y2'] AS y2,
           w['font'] AS font, w['size'] AS size, w['bold'] AS bold, w['italic'] AS italic,
           w['color'] AS color, coalesce(error, w['error']) AS error
    FROM (
        -- A file without words stays as a row.
        SELECT source_file, error, unnest(CASE WHEN cardinality(words) > 0 THEN words ELSE [NULL] END) AS w
        FROM (
            SELECT source_file, error, pdf_words(content) AS words
            FROM read_pdf('${input:-data-samples/pdf/}')
        )
    )
) TO '${output:-words.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
