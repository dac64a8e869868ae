COPY (
    SELECT text_hash(column1) AS hash, column2 AS occurrences, column3 AS documents
    FROM (VALUES ('one', 3, 2), ('two', 1, 1), ('one', 4, 4))
) TO '${output}' STORED AS PARQUET;
