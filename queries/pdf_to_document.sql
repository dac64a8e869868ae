-- The text of PDFs in one Parquet file, one row per file. Reads folders, packages, and
-- SequenceFiles (with read_sequencefile and value instead of read_pdf and content). Unreadable
-- files are rows with an error and with the pages that could be read.
--
--   corpus-sql --resume -f queries/pdf_to_document.sql -v input=filings/ -v output=documents/
--   corpus-sql -f queries/pdf_to_document.sql -v input='filings/' -v output=filings.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error
-- password   tried if the empty password does not open a file
--
-- --retry-errors reads the failed files of a folder again, for example with other limits or a password.
-- pdf_rerun_failed.sql does that for output in one file.

COPY (
    SELECT source_file AS url, d['text'] AS document, d['title'] AS title, d['author'] AS author,
           d['created'] AS created, d['pages'] AS pages, d['pages_ok'] AS pages_ok,
           d['has_text'] AS has_text, d['garbled'] AS garbled, d['needs_ocr'] AS needs_ocr,
           coalesce(d['status'], 'failed') AS status,
           coalesce(d['error_kind'], CASE WHEN error IS NOT NULL THEN 'unreadable' END) AS error_kind,
           d['error_page'] AS error_page, coalesce(error, d['error']) AS error
    FROM (
        SELECT source_file, error, pdf_parse(content, '', '${password:-}') AS d
        FROM read_pdf('${input:-data-samples/pdf/}')
    )
) TO '${output:-pdf_documents.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
