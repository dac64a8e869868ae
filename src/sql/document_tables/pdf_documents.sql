-- PDF files, one row each.
--
-- options  words as for pdf_parse, such as 'dehyphenate hidden_layers'
-- password  tried if the empty password does not open a file
CREATE MACRO pdf_documents(location, options := '', password := '') AS TABLE
WITH records AS (
    SELECT
        *,
        pdf_parse(content, options, password) AS pdf
    FROM read_pdf(location)
)
SELECT
    -- The path or URL of the file
    source_file,
    -- The title
    pdf['title'] AS title,
    -- The author
    pdf['author'] AS author,
    -- The subject
    pdf['subject'] AS subject,
    -- The keywords
    pdf['keywords'] AS keywords,
    -- The program in which the document was written
    pdf['creator'] AS creator,
    -- The program that made the PDF
    pdf['producer'] AS producer,
    -- When it was created
    pdf['created'] AS created,
    -- When it was modified
    pdf['modified'] AS modified,
    -- The version of PDF
    pdf['version'] AS version,
    -- Whether it is encrypted
    pdf['encrypted'] AS encrypted,
    -- The number of pages
    pdf['pages'] AS pages,
    -- The number of pages that could be read
    pdf['pages_ok'] AS pages_ok,
    -- The text of all pages in reading order
    pdf['text'] AS document,
    -- The document as Markdown; see pdf_markdown
    pdf['markdown'] AS markdown,
    -- The table of contents
    pdf['outline'] AS outline,
    -- Whether it has any text; NULL if it has none, but is incomplete
    pdf['has_text'] AS has_text,
    -- How little the text looks like a language, 0 to 1
    pdf['garbled'] AS garbled,
    -- Whether pages are images, or their text is useless; NULL if unknown
    pdf['needs_ocr'] AS needs_ocr,
    -- The number of pages that need OCR
    pdf['ocr_pages'] AS ocr_pages,
    -- The `ocr_reason` of pdf_pages that most of these pages have, if it needs OCR
    pdf['ocr_reason'] AS ocr_reason,
    -- The size of the file in bytes
    size,
    -- 'ok', 'partial' (parts could be read) or 'failed'
    coalesce(pdf['status'], 'failed') AS status,
    -- As `error_kind` of pdf_parse, or 'unreadable'
    coalesce(pdf['error_kind'], CASE WHEN error IS NOT NULL THEN 'unreadable' END) AS error_kind,
    -- As `error_stage` of pdf_parse
    pdf['error_stage'] AS error_stage,
    -- The first page that could not be read completely
    pdf['error_page'] AS error_page,
    -- Why the file or a page could not be read, or NULL
    coalesce(error, pdf['error']) AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records;
