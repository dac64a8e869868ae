SELECT url, language, character_length(document) AS characters, left(document, 40) AS start
FROM '${output}/documents.parquet' ORDER BY url;
SELECT url, language, stage, rules FROM '${output}/removed.parquet' ORDER BY stage, url;
