SELECT url, date, http_status, media_type, sniffed_type, http_repaired, charset, charset_source, title, lang, description, canonical, published,
       octet_length(body) AS bytes, cardinality(warc_headers) AS warc_headers, cardinality(http_headers) AS http_headers,
       length(document) AS characters, error
FROM '${output}' ORDER BY url;
