-- The text of PDFs in one Parquet file, one row per file. Reads folders and packages. Unreadable
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
    SELECT source_file AS url, document, title, author, created, pages, pages_ok, has_text, garbled,
           needs_ocr, status, error_kind, error_page, error
    FROM pdf_documents('${input:-data-samples/pdf/}', 'password', '${password:-}')
) TO '${output:-pdf_documents.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'errors' '${errors:-}');
