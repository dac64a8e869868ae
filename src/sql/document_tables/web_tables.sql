-- The tables of HTML pages in web archives, but those that only arrange their cells.
CREATE MACRO web_tables(location) AS TABLE
WITH records AS (
    SELECT
        *,
        http_response(body) AS http,
        html_tables(CASE WHEN http['sniffed_type'] IN ('text/html', 'application/xhtml+xml') THEN http['body'] END,
            http['charset']) AS tables_,
        -- Keeps a row for records that cannot be read.
        unnest(CASE WHEN cardinality(tables_) > 0 THEN tables_ WHEN coalesce(error, http['error']) IS NOT NULL AND
            (tables_ IS NOT NULL OR http['sniffed_type'] IS NULL OR http['media_type'] IN ('text/html',
            'application/xhtml+xml')) THEN [NULL] END) AS table_
    FROM read_warc(location)
    -- Old archives hold answers of DNS servers as responses. The condition needs only the head, so the source
    -- skips the bodies of other records.
    WHERE (warc_type = 'response' OR warc_type IS NULL) AND (lower(content_type) LIKE 'application/http%' OR
        content_type IS NULL)
)
SELECT
    -- The path or URL of the file
    source_file,
    -- The offset of the record in the file
    "offset",
    -- The address of the page
    target_uri AS url,
    -- When the page was fetched
    date,
    -- The number of the table in its page, from 1
    table_['position'] AS position,
    -- The caption
    table_['caption'] AS caption,
    -- The number of rows at the start that are headers
    table_['header_rows'] AS header_rows,
    -- The rows, each a list of the texts of its cells, with NULL where a cell goes on
    table_['rows'] AS rows,
    -- Why the record or the response could not be read, what a limit left out, or NULL
    coalesce(error, http['error'], table_['error']) AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records;
