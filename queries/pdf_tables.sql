-- The tables of PDFs: one row per table, one row per cell, and a CSV file per table.
--
-- The output folder has tables.parquet (a row per table: its page, its caption, its rows as lists of texts; and a
-- row for each file or page that cannot be read), cells.parquet (a row per cell, with its position and its box), and
-- csv/, with a file for each table, named after its document and its number.
--
--   corpus-sql -f queries/pdf_tables.sql -v input='filings/' -v output=tables/
--   corpus-sql --resume -f queries/pdf_tables.sql -v input='filings/' -v sureness=0.8 -v output=tables/
--
-- input     a file, folder, glob or URL
-- output    a folder
-- sureness  the minimum sureness of the tables, 0 to 1
-- password  tried if the empty password does not open a file
--
-- Boxes are in points (1/72 inch) from the top left corner of the page.

COPY (
    SELECT source_file AS url, position, page, last_page, caption, header_rows, rows, cells, x1, y1, x2, y2, found, sureness,
           error
    FROM pdf_document_tables('${input:-data-samples/pdf/}', 'password', '${password:-}')
    WHERE job_require_shares('sureness', [${sureness:-0}]) AND (sureness >= ${sureness:-0} OR error IS NOT NULL)
) TO '${output:-pdf_tables}/tables.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, position, cell['page'] AS page, cell['row'] AS row, cell['column'] AS "column", cell['row_span'] AS row_span,
           cell['column_span'] AS column_span, cell['row'] <= header_rows AS is_header,
           rows[cell['row']][cell['column']] AS text, cell['x1'] AS x1, cell['y1'] AS y1, cell['x2'] AS x2, cell['y2'] AS y2
    FROM (SELECT url, position, header_rows, rows, unnest(cells) AS cell FROM '${output:-pdf_tables}/tables.parquet')
) TO '${output:-pdf_tables}/cells.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- Documents of the same name in other folders get a part of the hash of their address.
COPY (
    WITH documents AS (
        SELECT url, left(regexp_replace(regexp_replace(url, '^.*[/\\!]', ''), '[.][pP][dD][fF]$', ''), 60) AS file
        FROM (SELECT DISTINCT url FROM '${output:-pdf_tables}/tables.parquet' WHERE position IS NOT NULL)
    ),
    names AS (
        SELECT url, file || CASE WHEN url = min(url) OVER (PARTITION BY lower(file)) THEN '' ELSE '-' || left(md5(url), 8) END
               AS file
        FROM documents
    )
    SELECT file || '-' || position || '.csv' AS name,
           array_to_string(array_transform(rows, r -> array_to_string(array_transform(r, c -> CASE WHEN c ~ '[",\r\n]'
               THEN '"' || replace(c, '"', '""') || '"' ELSE coalesce(c, '') END), ',')), chr(10)) || chr(10) AS content
    FROM names JOIN '${output:-pdf_tables}/tables.parquet' USING (url)
    WHERE position IS NOT NULL
) TO '${output:-pdf_tables}/csv' STORED AS FILES;
