-- A summary of a collection of PDFs. For each program that made them: the number of documents and
-- pages, how many are unreadable or partly unreadable, and how many need OCR or have garbled text.
-- Then the errors by kind, each with an example.
--
--   corpus-sql -f queries/pdf_report.sql -v input='filings/'
--
-- input     a file, folder, glob or URL
-- password  tried if the empty password does not open a file

CREATE OR REPLACE TABLE documents AS
SELECT source_file, producer, pages, pages_ok, status, encrypted, needs_ocr, garbled, error_kind,
       error_stage, error
FROM pdf_documents('${input:-data-samples/*pdf/*.pdf}', 'password', '${password:-}');

SELECT coalesce(producer, '(unknown)') AS producer, count(*) AS documents, sum(pages) AS pages,
       sum(pages_ok) AS pages_ok,
       count(*) FILTER (WHERE status = 'partial') AS partial,
       count(*) FILTER (WHERE status = 'failed') AS failed,
       count(*) FILTER (WHERE encrypted) AS encrypted,
       count(*) FILTER (WHERE needs_ocr) AS needs_ocr,
       count(*) FILTER (WHERE garbled > 0.5) AS garbled
FROM documents
GROUP BY 1
ORDER BY documents DESC, producer
LIMIT 50;

SELECT error_kind, error_stage, count(*) AS documents, min(source_file) AS example, min(error) AS example_error
FROM documents
WHERE error_kind IS NOT NULL
GROUP BY 1, 2
ORDER BY documents DESC, 1, 2;
