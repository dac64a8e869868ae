SELECT regexp_replace(source_file, '.*/', '') AS file, "offset", length, warc_type, date, target_uri,
  content_length, headers, error FROM '${output}' ORDER BY source_file, "offset", record_id;
