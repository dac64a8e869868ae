SELECT url, date, characters, document FROM '${output}/documents.parquet' ORDER BY url;
SELECT url, position, filter, value, path, kind, text FROM '${output}/removed.parquet' ORDER BY url, position;
