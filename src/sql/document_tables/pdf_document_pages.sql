-- The pages of PDF files, one row each.
--
-- options  words as for pdf_parse, such as 'dehyphenate hidden_layers'
-- password  tried if the empty password does not open a file
CREATE MACRO pdf_document_pages(location, options := '', password := '') AS TABLE
WITH records AS (
    SELECT
        *,
        pdf_pages(content, options, password) AS pages,
        pdf_packed_markdown(content, options, password) AS markdowns_,
        -- Keeps a row for files without pages.
        unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END) AS page_
    FROM read_pdf(location)
)
SELECT
    -- The path or URL of the file
    source_file,
    -- The page, from 1
    page_['page'] AS page,
    -- The width in points
    page_['width'] AS width,
    -- The height in points
    page_['height'] AS height,
    -- The rotation in degrees
    page_['rotation'] AS rotation,
    -- The text in reading order
    page_['text'] AS text,
    -- The page as Markdown; see pdf_page_markdown
    pdf_packed_page(markdowns_, page_['page']) AS markdown,
    -- Why the Markdown lacks parts, or NULL
    pdf_packed_page_error(markdowns_, page_['page']) AS markdown_error,
    -- Characters drawn
    page_['characters'] AS characters,
    -- Characters of unknown meaning, mostly U+FFFD in the text
    page_['unmapped'] AS unmapped,
    -- Characters whose meaning the file does not declare: taken from other tables of the embedded font, or from a usual order of glyphs
    page_['inferred'] AS inferred,
    -- Characters off the displayed page, which are not in the text
    page_['off_page'] AS off_page,
    -- The share that images cover
    page_['image_cover'] AS image_cover,
    -- Whether it has any text; NULL if it has none, but is incomplete
    page_['has_text'] AS has_text,
    -- How little the text looks like a language, 0 to 1
    page_['garbled'] AS garbled,
    -- Whether it is an image, or its text is useless; NULL if unknown
    page_['needs_ocr'] AS needs_ocr,
    -- Why it needs OCR: 'picture' (little text or none), 'stamp' (a picture with a text that other
    -- pages repeat), 'unmapped' (most characters are), 'garbled' or 'font' (much of the text is in
    -- broken fonts)
    page_['ocr_reason'] AS ocr_reason,
    -- Its fonts, in the order of their first use
    page_['fonts'] AS fonts,
    -- As `error_kind` of pdf_parse, or 'unreadable'
    coalesce(page_['error_kind'], CASE WHEN error IS NOT NULL THEN 'unreadable' END) AS error_kind,
    -- Why the file or the page could not be read, or only in part, or NULL
    coalesce(error, page_['error']) AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records;
