SELECT regexp_replace(url, '.*/files/', '') AS url, pages, document, errors, error FROM '${output}' ORDER BY url;
