SELECT url, position, left(text, 40) AS start FROM '${output}/removed.parquet' ORDER BY url, position;
SELECT count(*) AS documents, sum(character_length(document)) AS characters FROM '${output}/documents.parquet';
