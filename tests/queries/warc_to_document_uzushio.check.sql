SELECT * FROM '${output}' ORDER BY "WARC-Target-URI";
