SELECT occurrences, documents, count(*) AS paragraphs FROM '${output}' GROUP BY 1, 2 ORDER BY 1 DESC, 2 DESC;
