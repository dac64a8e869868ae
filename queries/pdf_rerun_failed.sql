-- Reads the PDFs again that an earlier run of pdf_to_document.sql could not read completely, with
-- other limits (and a password), and writes their rows to a separate file. It supplements the
-- earlier file: read both, and use the last row of each url.
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
    SELECT source_file AS url, d['text'] AS document, d['title'] AS title, d['author'] AS author,
           d['created'] AS created, d['pages'] AS pages, d['pages_ok'] AS pages_ok,
           d['has_text'] AS has_text, d['garbled'] AS garbled, d['needs_ocr'] AS needs_ocr,
           coalesce(d['status'], 'failed') AS status,
           coalesce(d['error_kind'], CASE WHEN error IS NOT NULL THEN 'unreadable' END) AS error_kind,
           d['error_page'] AS error_page, coalesce(error, d['error']) AS error
    FROM (
        SELECT source_file, error, pdf_parse(content, '', '${password:-secret}') AS d
        FROM read_pdf('${input:-data-samples/damaged-pdf/}')
        WHERE source_file IN (
            SELECT url FROM '${documents:-pdf_documents.parquet}'
            WHERE error_kind IN (SELECT unnest(string_to_array('${kinds:-password,truncated,limit,timeout,memory,killed,unreadable}', ',')))
        )
    )
) TO '${output:-pdf_again.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');
