SELECT url, date, characters, document FROM '${output}/documents.parquet' ORDER BY url;
SELECT url, level, position, stage, value, path, kind, text FROM '${output}/removed.parquet' ORDER BY url, position;
