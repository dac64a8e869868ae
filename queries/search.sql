-- Searches an index that one of the *_to_search_index.sql queries made: the best hits first, each
-- with the part of its text in which the words stand.
--
--   corpus-sql -f queries/search.sql -v index=pdf-index/ -v query='"great flood" AND (gauge OR keep*)'
--
-- index  the folder of an index
-- query  words (all of them have to be there), "phrases", AND, OR, NOT, -word, (…), title:word, appl*,
--        word~1 (one letter may differ); a table of hits is joined like any other
-- limit  so many hits

SELECT *
FROM search('${index:-pdf-index/}', '${query:-river}', ${limit:-20})
ORDER BY score DESC;
