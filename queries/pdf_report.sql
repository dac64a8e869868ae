-- A summary of a collection of PDFs. For each program that made them: the number of documents and
-- pages, how many are unreadable or partly unreadable, and how many need OCR or have garbled text.
-- Then the errors by kind, each with an example.
--
--   corpus-sql -f queries/pdf_report.sql -v input='filings/'
--
-- input  a file, folder, glob or URL

CREATE OR REPLACE TABLE documents AS
SELECT source_file, error AS file_error, d['producer'] AS producer, d['pages'] AS pages,
       d['pages_ok'] AS pages_ok, d['status'] AS status, d['encrypted'] AS encrypted,
       d['needs_ocr'] AS needs_ocr, d['garbled'] AS garbled, d['error_kind'] AS error_kind,
       d['error_stage'] AS error_stage, d['error'] AS document_error
FROM (
    SELECT source_file, error, pdf_parse(content) AS d
    FROM read_pdf('${input:-data-samples/*pdf/*.pdf}')
);

SELECT coalesce(producer, '(unknown)') AS producer, count(*) AS documents, sum(pages) AS pages,
       sum(pages_ok) AS pages_ok,
       count(*) FILTER (WHERE status = 'partial') AS partial,
       count(*) FILTER (WHERE status = 'failed' OR status IS NULL) AS failed,
       count(*) FILTER (WHERE encrypted) AS encrypted,
       count(*) FILTER (WHERE needs_ocr) AS needs_ocr,
       count(*) FILTER (WHERE garbled > 0.5) AS garbled
FROM documents
GROUP BY 1
ORDER BY documents DESC, producer
LIMIT 50;

SELECT coalesce(error_kind, 'unreadable') AS error_kind, error_stage, count(*) AS documents,
       min(source_file) AS example, min(coalesce(file_error, document_error)) AS example_error
FROM documents
WHERE error_kind IS NOT NULL OR file_error IS NOT NULL
GROUP BY 1, 2
ORDER BY documents DESC, 1, 2;
