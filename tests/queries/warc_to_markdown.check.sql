SELECT * FROM '${output}' ORDER BY url;
