SELECT * FROM '${output}/removed.parquet' ORDER BY url;
SELECT count(*) AS documents, count(DISTINCT document) AS texts FROM '${output}/documents.parquet';
