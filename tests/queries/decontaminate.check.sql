SELECT url, item, ngrams, round(share, 3) AS share FROM '${output}/contaminated.parquet' ORDER BY url, item;
SELECT url, item, start, "end", left(text, 30) AS starts FROM '${output}/passages.parquet' ORDER BY url, start;
SELECT item, ngrams, documents, round(largest_share, 3) AS largest_share FROM '${output}/items.parquet' ORDER BY item;
SELECT count(*) AS documents, sum(character_length(document)) AS characters FROM '${output}/documents.parquet';
