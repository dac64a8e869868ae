-- Searches an index made by one of the *_to_search_index.sql queries. Returns the best hits first,
-- each with the excerpt of its text that contains the words.
--
--   corpus-sql -f queries/search.sql -v index=pdf-index/ -v query='"great flood" AND (gauge OR keep*)'
--
-- index  the folder of an index
-- query  words (all are required), "phrases", AND, OR, NOT, -word, (…), title:word, appl*,
--        word~1 (one letter may differ); a table of hits can be joined like any other
-- limit  the number of hits

SELECT *
FROM search('${index:-pdf-index/}', '${query:-river}', ${limit:-20})
ORDER BY score DESC;
