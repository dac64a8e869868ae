COPY (
    SELECT regexp_replace(source_file, '.*/pdf/', '') AS url, pdf_parse(content)['title'] AS title
    FROM read_pdf('data-samples/pdf/')
) TO '${output}' STORED AS SEARCH_INDEX;
