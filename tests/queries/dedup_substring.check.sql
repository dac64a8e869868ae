SELECT url, start, "end", left(text, 30) AS starts, first_url FROM '${output}/removed.parquet' ORDER BY url, start;
SELECT count(*) AS documents, sum(character_length(document)) AS characters FROM '${output}/documents.parquet';
