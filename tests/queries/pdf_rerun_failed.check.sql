SELECT regexp_replace(url, '.*/damaged-pdf/', '') AS url, document, pages, pages_ok, status, error_kind, error FROM '${output}' ORDER BY url;
