SELECT url, stage, rules, language, kept_url FROM '${output}/removed.parquet' ORDER BY url;
SELECT url, language, title, left(document, 30) AS start FROM '${output}/corpus.parquet' ORDER BY url;
