SELECT regexp_replace(url, '.*/files/', '') AS url, pages, document, errors, an_error FROM '${output}' ORDER BY url;
