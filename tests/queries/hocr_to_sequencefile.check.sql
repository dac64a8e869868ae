SELECT regexp_replace(key, '.*/files/', '') AS file, octet_length(value) AS bytes, key_class, value_class, compression, codec
FROM read_sequencefile('${output}')
ORDER BY key;
