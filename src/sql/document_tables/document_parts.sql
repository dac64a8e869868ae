-- The files that are attached to PDFs and mails, and those in them, read as by documents.
CREATE MACRO document_parts(location) AS TABLE
WITH records AS (
    SELECT
        *,
        -- Each parser is called with NULL for parts of other kinds, because DataFusion may evaluate all branches
        -- of a CASE.
        http_response(CASE WHEN lower(media_type) LIKE 'application/http%' THEN content END) AS http_,
        CASE WHEN http_['body'] IS NOT NULL THEN http_['body'] ELSE content END AS whole_,
        coalesce(http_['media_type'], nullif(lower(split_part(media_type, ';', 1)), 'application/http')) AS type_,
        document_kind(whole_, type_, CASE WHEN http_ IS NULL THEN coalesce(url, source_file) END) AS whole_kind_,
        document_attachments(whole_, whole_kind_) AS parts_,
        -- Keeps a row for documents that cannot be read.
        unnest(CASE WHEN cardinality(parts_) > 0 THEN parts_ WHEN error IS NOT NULL THEN [NULL] END) AS part_,
        part_['content'] AS data_,
        document_kind(data_, part_['media_type'], part_['name']) AS kind_,
        CASE WHEN kind_ = 'html' THEN data_ END AS page_,
        pdf_parse(CASE WHEN kind_ = 'pdf' THEN data_ END) AS pdf_,
        office_parse(CASE WHEN kind_ IN ('epub', 'docx', 'odt') THEN data_ END) AS office_,
        mail_parse(CASE WHEN kind_ = 'eml' THEN data_ END) AS mail_,
        CASE WHEN kind_ = 'text' THEN data_ END AS text_
    FROM read_documents(location)
)
SELECT
    -- The path or URL of the file
    source_file,
    -- The offset of the record in an archive, SequenceFile or mailbox; otherwise NULL
    "offset",
    -- The address in a web archive, the key in a SequenceFile
    url,
    -- The number of the part in its document, from 1
    part_['position'] AS position,
    -- The name of the part, after those of the parts around it
    part_['name'] AS name,
    -- The type of the part as declared
    part_['media_type'] AS media_type,
    -- The description of the part
    part_['description'] AS description,
    -- When the part was last modified
    part_['modified'] AS modified,
    -- The page with its icon, or NULL
    part_['page'] AS page,
    -- The size of the part in bytes
    part_['size'] AS size,
    -- As document_kind
    kind_ AS kind,
    -- The title
    coalesce(html_meta(page_)['title'], pdf_['title'], office_['title'], mail_['subject']) AS title,
    -- The text of HTML, PDF, EPUB, DOCX, ODT, mails and plain text; otherwise NULL
    coalesce(html_document(page_), pdf_['text'], office_['text'], mail_['text'], charset_decode(text_,
        charset_detect(text_)['charset'])) AS text,
    -- The part itself
    data_ AS content,
    -- Why the document or the part could not be read, or NULL
    coalesce(error, part_['error'], pdf_['error'], office_['error'], mail_['error']) AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records;
