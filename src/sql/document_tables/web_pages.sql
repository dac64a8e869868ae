-- The HTML pages in web archives: the HTTP responses that are HTML or XHTML by their bytes.
--
-- mode  additions to document and paragraphs, as in html_document: 'hidden', 'bullets' or 'uzushio'
CREATE MACRO web_pages(location, mode := 'default') AS TABLE
WITH records AS (
    SELECT
        *,
        http_response(body) AS http,
        -- A body that is still compressed is not a page.
        CASE WHEN http['sniffed_type'] IN ('text/html', 'application/xhtml+xml') THEN http['body'] END AS page_
    FROM read_warc(location)
    -- Damage may hide the head of a record. Old archives hold answers of DNS servers as responses. The
    -- condition needs only the head, so the source skips the bodies of other records.
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
    -- The status code of the response
    http['status'] AS status,
    -- The type as declared
    http['media_type'] AS media_type,
    -- The charset as detected; see charset_detect
    charset_detect(page_, http['charset'])['charset'] AS charset,
    -- The language as declared; language(document) detects it
    html_meta(page_, http['charset'], target_uri)['lang'] AS lang,
    -- The title
    html_meta(page_, http['charset'], target_uri)['title'] AS title,
    -- The description
    html_meta(page_, http['charset'], target_uri)['description'] AS description,
    -- The author
    html_meta(page_, http['charset'], target_uri)['author'] AS author,
    -- When the page was published, as declared
    html_meta(page_, http['charset'], target_uri)['published'] AS published,
    -- The absolute canonical address
    html_meta(page_, http['charset'], target_uri)['canonical'] AS canonical,
    -- The text; see html_document
    html_document(page_, http['charset'], mode) AS document,
    -- The text without menus, side bars and footers; see html_main_text
    html_main_text(page_, http['charset']) AS main_text,
    -- The page as Markdown, with tables, lists, code and formulas; see html_markdown
    html_markdown(page_, http['charset']) AS markdown,
    -- The headline and the main text as Markdown; see html_main_markdown
    html_main_markdown(page_, http['charset']) AS main_markdown,
    -- The main text with the metadata, read in one pass; see html_article
    html_article(page_, http['charset'], target_uri) AS article,
    -- The kind of the page, such as article, forum or product; see html_page_kind
    html_page_kind(page_, http['charset']) AS page_kind,
    -- The paragraphs, a list of structs; see html_paragraphs
    html_paragraphs(page_, http['charset'], mode) AS paragraphs,
    -- The links, a list of structs; see html_links
    html_links(page_, http['charset'], target_uri) AS links,
    -- The header of the response
    http['headers'] AS headers,
    -- The page itself, as text
    charset_decode(page_, charset_detect(page_, http['charset'])['charset']) AS html,
    -- Why the crawler cut the page, or NULL
    truncated,
    -- Why the record or the response could not be read, or NULL. Names the place if there is no address.
    coalesce(error, http['error']) || CASE WHEN target_uri IS NULL
        THEN concat(' (', source_file, ' at ' || "offset", ')') ELSE '' END AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records
-- The bytes of damaged pages may look like another type.
WHERE http['sniffed_type'] IN ('text/html', 'application/xhtml+xml') OR (http['sniffed_type'] IS NULL AND
    coalesce(error, http['error']) IS NOT NULL) OR (http['error'] IS NOT NULL AND http['media_type'] IN
    ('text/html', 'application/xhtml+xml'));
