SELECT regexp_replace(url, '.*/pdf/', '') AS url, title, author, created, pages, pages_ok, has_text, round(garbled, 2) AS garbled, needs_ocr, status, error FROM '${output}' ORDER BY url;
SELECT regexp_replace(url, '.*/pdf/', '') AS url, document FROM '${output}' ORDER BY url;
