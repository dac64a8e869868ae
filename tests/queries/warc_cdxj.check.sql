CREATE EXTERNAL TABLE lines (line TEXT) STORED AS CSV LOCATION '${output}'
OPTIONS ('format.has_header' 'false', 'format.delimiter' '	', 'format.quote' '~');
SELECT line FROM lines ORDER BY line;
