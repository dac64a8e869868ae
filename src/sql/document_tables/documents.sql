-- Everything at a location, one row per document: files, members of packages, responses in web archives,
-- values of SequenceFiles, messages of mailboxes, and the files in PDFs and mails, after them.
CREATE MACRO documents(location) AS TABLE
WITH wholes AS (
    SELECT
        *,
        -- Each parser is called with NULL for documents of other kinds, because DataFusion may evaluate all
        -- branches of a CASE.
        http_response(CASE WHEN lower(media_type) LIKE 'application/http%' THEN content END) AS response_,
        -- The first condition of a CASE is always evaluated. In other places the response would be parsed
        -- once for each use.
        CASE WHEN response_['body'] IS NOT NULL THEN response_['body'] ELSE content END AS whole_,
        coalesce(response_['media_type'], nullif(lower(split_part(media_type, ';', 1)), 'application/http')) AS type_,
        -- The name decides what an empty document is. Responses without a body need no document.
        document_kind(whole_, type_, CASE WHEN response_ IS NULL THEN coalesce(url, source_file)
            END) AS whole_kind_,
        document_attachments(whole_, whole_kind_) AS parts_,
        -- NULL is the document itself. Its error, a first part without a position, is left out.
        CASE WHEN parts_[1]['position'] IS NOT NULL THEN array_prepend(NULL, parts_)
            WHEN cardinality(parts_) > 1 THEN array_prepend(NULL, parts_[2:]) ELSE [NULL] END AS all_
    FROM read_documents(location)
), records AS (
    SELECT
        *,
        unnest(all_) AS part_,
        CASE WHEN part_ IS NULL THEN response_ END AS http_,
        CASE WHEN part_ IS NULL THEN whole_ ELSE part_['content'] END AS data_,
        CASE WHEN part_ IS NULL THEN whole_kind_ ELSE document_kind(part_['content'], part_['media_type'],
            part_['name']) END AS kind_,
        CASE WHEN kind_ = 'html' THEN data_ END AS page_,
        pdf_parse(CASE WHEN kind_ = 'pdf' THEN data_ END) AS pdf_,
        office_parse(CASE WHEN kind_ IN ('epub', 'docx', 'odt') THEN data_ END) AS office_,
        mail_parse(CASE WHEN kind_ = 'eml' THEN data_ END) AS mail_,
        mail_messages(CASE WHEN kind_ = 'mbox' THEN data_ END) AS messages_,
        hocr_pages(CASE WHEN kind_ IN ('hocr', 'alto', 'page_xml') THEN data_ END) AS pages_,
        CASE WHEN kind_ = 'text' THEN data_ END AS text_
    FROM wholes
)
SELECT
    -- The path or URL of the file
    source_file,
    -- The offset of the record in an archive, SequenceFile or mailbox; otherwise NULL
    "offset",
    -- The address in a web archive, the key in a SequenceFile
    url,
    -- The name of an attached file, after those of the files around it; NULL for the document itself
    CASE WHEN part_ IS NOT NULL THEN coalesce(part_['name'], 'attachment ' || part_['position']) END AS attachment,
    -- As document_kind; 'mbox' is a mailbox in a package
    kind_ AS kind,
    -- When the mail was sent, the document was fetched, or the file, member or attachment last changed
    coalesce(mail_['date'], CASE WHEN part_ IS NULL THEN date ELSE part_['modified'] END) AS date,
    -- The title, or the subject of a message
    coalesce(html_meta(page_, http_['charset'], url)['title'], pdf_['title'], office_['title'],
        mail_['subject']) AS title,
    -- The author, or the sender of a message
    coalesce(html_meta(page_, http_['charset'], url)['author'], pdf_['author'], office_['author'],
        mail_['sender']) AS author,
    -- The language as declared; language(text) detects it
    coalesce(html_meta(page_, http_['charset'], url)['lang'], office_['lang'], mail_['lang'],
        pages_[1]['lang']) AS lang,
    -- The text
    coalesce(html_document(page_, http_['charset']), pdf_['text'], office_['text'], mail_['text'],
        array_to_string(array_transform(pages_, p -> p['text']), chr(10) || chr(10)),
        array_to_string(array_transform(messages_, m -> m['text']), chr(10) || chr(10)), charset_decode(text_,
        charset_detect(text_, http_['charset'])['charset'])) AS text,
    -- The text of HTML, PDF, EPUB, DOCX, ODT and OCR as Markdown; otherwise NULL
    coalesce(html_markdown(page_, http_['charset']), pdf_['markdown'],
        office_markdown(CASE WHEN kind_ IN ('epub', 'docx', 'odt') THEN data_ END), hocr_markdown(CASE WHEN kind_
        IN ('hocr', 'alto', 'page_xml') THEN data_ END)) AS markdown,
    -- The number of pages of PDF, OCR, DOCX and ODT
    coalesce(CAST(pdf_['pages'] AS bigint), CAST(office_['pages'] AS bigint),
        CAST(cardinality(array_filter(pages_, p -> p['page'] IS NOT NULL)) AS bigint)) AS pages,
    -- Why content is missing, such as 'no reader for image/png' or 'empty file', or NULL
    coalesce(CASE WHEN part_ IS NULL THEN error ELSE part_['error'] END, http_['error'], CASE WHEN octet_length(data_) = 0 AND http_ IS NULL THEN 'no content' END,
        pdf_['error'], office_['error'], mail_['error'], pages_[1]['error'], pages_[-1]['error'],
        CASE WHEN kind_ NOT IN ('html', 'pdf', 'epub', 'docx', 'odt', 'eml', 'mbox', 'hocr', 'alto', 'page_xml',
        'text') THEN 'no reader for ' || kind_ WHEN kind_ IS NULL THEN 'no content' END) AS error,
    -- The names of folders, such as year=2024/.
    *
FROM records;
