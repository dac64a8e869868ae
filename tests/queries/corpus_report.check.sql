SELECT url, host, date, status, type, charset, language, characters, stage, reason, error
FROM '${output}/responses.parquet' ORDER BY url;
SELECT * FROM '${output}/counts.parquet' ORDER BY property, responses DESC, value;
SELECT html_document(content) AS page FROM read_files('${output}/index.html');
