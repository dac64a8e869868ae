SELECT url, character_length(document) AS characters, left(document, 40) AS start
FROM '${output}/documents.parquet' ORDER BY url;
SELECT stage, level, count(*) AS dropped, min(position) AS position, left(min(text), 40) AS example
FROM '${output}/removed.parquet' GROUP BY stage, level ORDER BY stage, level;
