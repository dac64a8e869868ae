-- Two corpora: the first has two in the place of one, the second four in the place of two.
COPY (
    SELECT text_hash(column1) AS hash, text_hash(column2) AS kept_hash, column3 AS occurrences, column4 AS documents
    FROM (VALUES ('one', 'one', 3, 2), ('two', 'one', 1, 1), ('three', 'three', 4, 4),
                 ('one', 'one', 4, 4), ('four', 'two', 5, 1), ('two', 'two', 2, 2), ('five', NULL, 1, 1))
) TO '${output}' STORED AS PARQUET;
