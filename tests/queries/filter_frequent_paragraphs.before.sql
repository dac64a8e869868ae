-- As if the corpus were 50 times as large.
COPY (
    SELECT text_hash(lower(text_collapse_space(text_normalize(part, 'nfkc')))) AS hash, count(*) * 50 AS occurrences
    FROM (SELECT unnest(string_to_array(document, chr(10) || chr(10))) AS part FROM 'data-samples/documents/')
    GROUP BY 1
) TO '${output}' STORED AS PARQUET;
