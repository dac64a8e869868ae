SELECT regexp_replace(url, '.*/', '') AS file, pages, left(markdown, 60) AS markdown, needs_ocr, ocr_reason, status FROM '${output}' ORDER BY url, pages;
