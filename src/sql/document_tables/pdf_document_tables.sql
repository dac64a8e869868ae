-- The tables in PDF files. A table that goes on over pages is one row.
--
-- options  words as for pdf_parse, such as 'hidden_layers'
-- password  tried if the empty password does not open a file
CREATE MACRO pdf_document_tables(location, options := '', password := '') AS TABLE
WITH records AS (
    SELECT
        *,
        pdf_tables(content, options, password) AS tables_,
        -- Keeps a row for files that cannot be read.
        unnest(CASE WHEN cardinality(tables_) > 0 THEN tables_ WHEN error IS NOT NULL THEN [NULL] END) AS table_
    FROM read_pdf(location)
)
SELECT
    -- The path or URL of the file
    source_file,
    -- The number of the table in the document, from 1
    table_['position'] AS position,
    -- The page where it begins, from 1
    table_['page'] AS page,
    -- The page where it ends
    table_['last_page'] AS last_page,
    -- The caption
    table_['caption'] AS caption,
    -- The number of rows at the start that are headers
    table_['header_rows'] AS header_rows,
    -- The rows, each a list of the texts of its cells, with NULL where a cell goes on
    table_['rows'] AS rows,
    -- The places of the cells; a cell on two pages has two
    table_['cells'] AS cells,
    -- The left edge, in points from the left of the displayed page
    table_['x1'] AS x1,
    -- The top edge, in points from its top
    table_['y1'] AS y1,
    -- The right edge
    table_['x2'] AS x2,
    -- The bottom edge
    table_['y2'] AS y2,
    -- How it was found: 'ruled' (lines separate its rows and columns), 'half-ruled' (lines separate some of them) or 'spaced'
    table_['found'] AS found,
    -- The certainty that this is a table with these cells, 0 to 1
    table_['sureness'] AS sureness,
    -- Why the file or a page could not be read, or only in part, or NULL
    coalesce(error, table_['error']) AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records;
