SELECT regexp_replace(url, '.*/files/', '') AS url, page, page_number, image, document, error FROM '${output}' ORDER BY url, page;
