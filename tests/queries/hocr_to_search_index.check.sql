SELECT regexp_replace(url, '.*/files/', '') AS file, page, document FROM search('${output}', '*') ORDER BY file, page;
