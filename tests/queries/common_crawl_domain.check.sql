SELECT url, date, lang, title, left(text, 30) AS text, regexp_replace(source_file, '.*/', '') AS file, "offset", error
FROM '${output}' ORDER BY url;
