SELECT * FROM '${output}' ORDER BY occurrences DESC;
