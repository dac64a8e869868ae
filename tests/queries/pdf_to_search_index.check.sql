SELECT regexp_replace(url, '.*/pdf/', '') AS file, page, snippet FROM search('${output}', '"great flood"') ORDER BY file, page;
SELECT regexp_replace(url, '.*/pdf/', '') AS file, page, snippet FROM search('${output}', '検索') ORDER BY file, page;
SELECT count(*) AS pages FROM search('${output}', '*');
