SELECT source_file, size, octet_length(content) AS length, error FROM '${output}' ORDER BY source_file;
SELECT DISTINCT arrow_typeof(source_file) AS source_file, arrow_typeof(size) AS size,
  arrow_typeof(modified) AS modified, arrow_typeof(content) AS content FROM '${output}';
