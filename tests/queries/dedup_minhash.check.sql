SELECT url, kept_url, round(similarity, 3) AS similarity, characters, left(start, 40) AS start
FROM '${output}/removed.parquet' ORDER BY url;
SELECT * FROM '${output}/sizes.parquet' ORDER BY size;
SELECT size, url FROM '${output}/largest.parquet' ORDER BY size DESC, url;
SELECT count(*) AS documents FROM '${output}/documents.parquet';
