-- Pages to send to OCR, and why: one row per page that needs it. A page is a picture with little text, or its text is
-- of no use: most characters have no meaning, it looks like no language, or much of it is in a font whose characters
-- are wrong while other fonts are intact. Pages that cannot be read, or only in part, are rows with an error. The
-- second statement counts the pages and documents by reason.
--
--   corpus-sql -f queries/pdf_needs_ocr.sql -v input='filings/' -v output=ocr.parquet
--   corpus-sql --resume -f queries/pdf_needs_ocr.sql -v input='filings/' -v output=ocr/
--
-- input     a file, folder, glob or URL
-- output    a folder, in which files appear one by one, and which --resume continues; or one file,
--           which appears when it is complete
-- password  tried if the empty password does not open a file

COPY (
    SELECT source_file AS url, page, needs_ocr, ocr_reason AS reason, characters, unmapped, inferred, garbled, image_cover,
           array_transform(array_filter(fonts, f -> f['broken']), f -> f['font']) AS broken_fonts, error
    FROM pdf_document_pages('${input:-data-samples/*pdf*/*.pdf}', 'password', '${password:-}')
    WHERE needs_ocr OR error IS NOT NULL
) TO '${output:-pdf_needs_ocr.parquet}' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

SELECT coalesce(reason, '(error)') AS reason, count(*) AS pages, count(DISTINCT url) AS documents, min(url) AS example
FROM '${output:-pdf_needs_ocr.parquet}'
GROUP BY 1
ORDER BY pages DESC, reason;
