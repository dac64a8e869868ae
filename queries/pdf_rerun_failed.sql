-- Reads the PDFs again that pdf_to_document.sql could not read completely: with other limits (and a
-- password), into a separate file. It supplements the earlier file: read both, and use the last row
-- of each url.
--
--   corpus-sql -f queries/pdf_to_document.sql -v input=data-samples/damaged-pdf/
--   corpus-sql -f queries/pdf_rerun_failed.sql
--
-- documents   the output of the earlier run; its column url names the files
-- input       the location of the files
-- kinds       the kinds of errors worth another attempt
-- password    tried if the empty password does not open a file
-- cpu_seconds, memory   the limits of one document
-- output      the file; it appears when it is complete

SET corpus.pdf_cpu_seconds = ${cpu_seconds:-60};
SET corpus.pdf_memory = '${memory:-4GiB}';

COPY (
    SELECT source_file AS url, document, title, author, created, pages, pages_ok, has_text, garbled,
           needs_ocr, status, error_kind, error_page, error
    FROM pdf_documents('${input:-data-samples/damaged-pdf/}', 'password', '${password:-secret}')
    WHERE source_file IN (
        SELECT url FROM '${documents:-pdf_documents.parquet}'
        WHERE job_require_known('kinds', '${kinds:-password,truncated,limit,timeout,memory,killed,unreadable}',
                  ['password', 'unsupported_crypto', 'invalid', 'truncated', 'limit', 'timeout', 'memory', 'killed', 'panic', 'damaged', 'xfa_form', 'unreadable'],
                  'expected values of error_kind (docs/reference/pdf.md)')
              AND error_kind IN (SELECT unnest(job_list('${kinds:-password,truncated,limit,timeout,memory,killed,unreadable}')))
    )
) TO '${output:-pdf_again.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
