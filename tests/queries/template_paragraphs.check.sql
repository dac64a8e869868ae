SELECT * FROM '${output}';
