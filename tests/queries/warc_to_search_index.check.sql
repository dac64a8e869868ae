SELECT url, title, snippet FROM search('${output}', '春') ORDER BY url;
SELECT count(*) AS pages FROM search('${output}', '*');
