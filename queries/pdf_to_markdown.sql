-- PDFs as Markdown, one row per file: headings, paragraphs over columns and pages, lists, tables, code and notes, without
-- running heads and page numbers. Unreadable files are rows with an error and with the pages that could be read.
--
--   corpus-sql --resume -f queries/pdf_to_markdown.sql -v input=filings/ -v output=markdown/
--   corpus-sql -f queries/pdf_to_markdown.sql -v input='filings/' -v output=markdown.parquet
--
-- input     a file, folder, glob or URL
-- output    a folder, in which files appear one by one, and which --resume continues; or one file,
--           which appears when it is complete
-- errors    with --resume, a folder for the rows with an error
-- password  tried if the empty password does not open a file

COPY (
    SELECT source_file AS url, title, author, created, pages, markdown, needs_ocr, ocr_reason, status, error_kind, error
    FROM pdf_documents('${input:-data-samples/pdf/}', 'password', '${password:-}')
) TO '${output:-pdf_markdown.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
