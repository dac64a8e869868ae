SELECT url, position, kept_url, kept_position, round(similarity, 3) AS similarity, left(text, 40) AS start
FROM '${output}/removed.parquet' ORDER BY url, position;
SELECT round(similarity, 3) AS similarity, size, left(start, 40) AS start, left(kept_start, 40) AS kept_start
FROM '${output}/similar.parquet' ORDER BY start;
SELECT occurrences, near_occurrences, count(*) AS paragraphs, count(DISTINCT kept_hash) AS kept
FROM '${output}/stats.parquet' GROUP BY occurrences, near_occurrences ORDER BY near_occurrences, occurrences;
SELECT count(*) AS documents, sum(character_length(document)) AS characters FROM '${output}/documents.parquet';
