COPY (
    SELECT source_file AS url, pdf_parse(content)['error_kind'] AS error_kind
    FROM read_pdf('data-samples/damaged-pdf/')
) TO '${output}' STORED AS PARQUET;
