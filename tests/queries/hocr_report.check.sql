SELECT regexp_replace(source_file, '^.*/output[.]parquet/', '') AS file, (length(text) - length(replace(text, '<circle', ''))) // 7 AS circles,
       text LIKE '%at the edge%' AS at_edge, regexp_match(text, '<title>([^<]*)')[1] AS title
FROM (SELECT source_file, charset_decode(content, 'utf-8') AS text FROM read_files('${output}'))
ORDER BY file;
