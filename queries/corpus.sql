-- A corpus from web archives: main text, language, published quality rules, and no duplicates. Each page that is
-- not in the corpus is in removed.parquet, with the reason. The stages:
--
-- damaged     the page or its record could not be read, or only in part
-- response    the status is not 200, or the crawler cut the page
-- extract     no_text if a page has no main text
-- blocked     the domain or URL is on a list
-- language    not one of the languages to keep, or not certain
-- quality     breaks a rule of Gopher or FineWeb (see quality_rules), or, in a language without spaces, one of
--             quality_characters
-- lines       no page is removed, but lines that C4 drops, and citations such as [1]
-- same_url    the page was crawled several times: the latest is kept
-- same_text   an earlier page has the same text, except for case, width and white space
-- near_duplicate   an earlier page has nearly the same text, by MinHash
--
-- The output folder has corpus.parquet, removed.parquet (with the URL of the page kept in place of a duplicate, and a
-- row for each page that lost lines), summary.parquet (the numbers of each stage), and pages/, the pages with their
-- texts, which are empty for those that the first two stages remove. The files of the steps are removed at the end. Texts are neither sorted nor grouped. filter_documents.sql has
-- a threshold for each rule, and dedup_minhash.sql has more options: they continue from the folder pages/. With
-- --resume, an interrupted run continues with the missing archive or step.
--
--   corpus-sql --resume -f queries/corpus.sql -v input=crawl/ -v output=corpus/ -v languages=ja
--
-- input       web archives: a file, folder, glob or URL
-- output      a folder
-- blocked     the list of blocked domains and URLs (see url_blocked)
-- languages   the languages to keep, separated by commas; all that are detected if empty
-- confidence  the smallest accepted confidence of the detection
-- language_model   a fastText model in place of the built-in detection: 'lid.176.ftz' for languages that
--             it does not know, and for thresholds that were published for that model (docs/language.md)
-- by_characters   the languages whose texts are judged by characters
-- ignored     the names of rules that do not count, separated by commas
-- order       the order of pages: of those with the same URL, the last is kept; of those with the same text, or
--             nearly the same, the first
-- similarity  the smallest similarity of near duplicates
-- max_size    groups of near duplicates do not grow beyond this many pages
-- keep        true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    SELECT url, date, title,
           CASE WHEN status = 200 AND truncated IS NULL AND error IS NULL THEN coalesce(main_text, '') ELSE '' END AS document,
           status, truncated, error
    FROM web_pages('${input:-data-samples/web/}')
    WHERE job_require_languages('languages', '${languages:-}', '${language_model:-}')
          AND job_require_languages('by_characters', '${by_characters:-ja,zh,ko,th,lo,km,my}', '${language_model:-}')
          AND job_require_known('ignored', '${ignored:-}', job_quality_rules(), 'expected names of rules (docs/reference/text.md)')
          AND job_require_shares('confidence and similarity', [${confidence:-0.65}, ${similarity:-0.8}])
          AND job_require_counts('max_size', 1, [${max_size:-100000}])
) TO '${output:-corpus}/pages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH detected AS (
        SELECT *, url_blocked(url, '${blocked:-builtin:ad-hosts}') AS blocked, language(document, '${language_model:-}') AS detected
        FROM '${output:-corpus}/pages/'
    ),
    judged AS (
        SELECT url, date, title, document, detected['language'] AS language, detected['confidence'] AS confidence,
               CASE WHEN error IS NOT NULL THEN 'damaged'
                    WHEN status IS DISTINCT FROM 200 OR truncated IS NOT NULL THEN 'response'
                    WHEN document = '' THEN 'extract'
                    WHEN blocked IS NOT NULL THEN 'blocked'
                    WHEN detected IS NULL OR detected['confidence'] < ${confidence:-0.65}
                         OR '${languages:-}' <> '' AND NOT array_has(job_list('${languages:-}'), lower(detected['language']))
                    THEN 'language' END AS stage,
               CASE WHEN error IS NOT NULL THEN split_part(split_part(error, ':', 1), ' (', 1)
                    WHEN truncated IS NOT NULL THEN 'truncated_' || truncated
                    WHEN status IS DISTINCT FROM 200 THEN concat('status_', coalesce(CAST(status AS VARCHAR), 'none'))
                    ELSE coalesce(blocked, CASE WHEN document = '' THEN 'no_text' WHEN detected IS NULL THEN 'no_language'
                                      WHEN detected['confidence'] < ${confidence:-0.65} THEN 'uncertain_language'
                                      ELSE 'other_language' END) END AS reason,
               coalesce(array_has(job_list('${by_characters:-ja,zh,ko,th,lo,km,my}'), lower(detected['language'])), false)
                   AS by_characters
        FROM detected
    ),
    -- Rules are not evaluated for pages that an earlier stage removes.
    measured AS (
        SELECT *, quality_rules(CASE WHEN stage IS NULL AND NOT by_characters THEN document END, 'fineweb') AS q,
               quality_characters(CASE WHEN stage IS NULL AND by_characters THEN document END) AS c
        FROM judged
    ),
    broken AS (
        SELECT url, date, title, document, language, confidence, stage, reason, coalesce(q['c4']['text'], document) AS cleaned,
               array_except(CASE WHEN by_characters THEN array_concat(c['broken_repetition'], c['broken'])
                                 ELSE array_concat(array_concat(q['gopher_repetition']['broken'], q['gopher']['broken']),
                                                   array_concat(q['c4']['broken'], q['fineweb']['broken'])) END,
                            -- The stop words are English.
                            array_append(job_list('${ignored:-}'),
                                         CASE WHEN language <> 'en' THEN 'gopher_enough_stop_words' ELSE '' END)) AS rules
        FROM measured
    ),
    decided AS (
        SELECT *, CASE WHEN stage IS NOT NULL THEN stage WHEN cardinality(rules) > 0 THEN 'quality' END AS removed_by
        FROM broken
    ),
    compared AS (
        SELECT *, CASE WHEN removed_by IS NULL THEN lower(text_collapse_space(text_normalize(cleaned, 'nfkc'))) END AS text
        FROM decided
    )
    SELECT row_number() OVER () AS id, url, date, title, language, confidence, document, cleaned, removed_by,
           CASE WHEN stage IS NOT NULL THEN [reason] WHEN removed_by IS NOT NULL THEN rules END AS rules,
           text_hash(url) AS url_hash, text_hash(text) AS hash, minhash(text) AS signature
    FROM compared
) TO '${output:-corpus}/judged.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT row_number() OVER (ORDER BY ${order:-date, url}, id) AS rank, id, coalesce(url_hash, id) AS url_hash, hash
    FROM '${output:-corpus}/judged.parquet' WHERE removed_by IS NULL
) TO '${output:-corpus}/ranks.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT url_hash, max(rank) AS rank FROM '${output:-corpus}/ranks.parquet' GROUP BY url_hash
) TO '${output:-corpus}/urls.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT hash, min(ranks.rank) AS rank
    FROM '${output:-corpus}/ranks.parquet' AS ranks
    JOIN '${output:-corpus}/urls.parquet' AS urls ON urls.rank = ranks.rank
    GROUP BY hash
) TO '${output:-corpus}/texts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT ranks.rank, signature
    FROM '${output:-corpus}/texts.parquet' AS texts
    JOIN '${output:-corpus}/ranks.parquet' AS ranks ON ranks.rank = texts.rank
    JOIN (SELECT id, signature FROM '${output:-corpus}/judged.parquet') AS judged ON judged.id = ranks.id
) TO '${output:-corpus}/signed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT key, min(rank) AS first_rank
    FROM (SELECT rank, unnest(minhash_bands(signature, 18, 7)) AS key FROM '${output:-corpus}/signed.parquet')
    GROUP BY key HAVING count(*) > 1
) TO '${output:-corpus}/keys.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT DISTINCT first_rank, rank
    FROM (SELECT rank, unnest(minhash_bands(signature, 18, 7)) AS key FROM '${output:-corpus}/signed.parquet') AS banded
    JOIN '${output:-corpus}/keys.parquet' AS keys ON keys.key = banded.key
    WHERE first_rank < rank
) TO '${output:-corpus}/candidates.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Signatures are sorted for this join, if necessary on disk, instead of being held in memory.
SET datafusion.optimizer.prefer_hash_join = false;
SET datafusion.execution.batch_size = 1024;

COPY (
    SELECT first_rank, rank
    FROM (
        SELECT candidates.first_rank, candidates.rank, minhash_jaccard(one.signature, other.signature) AS similarity
        FROM '${output:-corpus}/candidates.parquet' AS candidates
        JOIN '${output:-corpus}/signed.parquet' AS one ON one.rank = candidates.first_rank
        JOIN '${output:-corpus}/signed.parquet' AS other ON other.rank = candidates.rank
    )
    WHERE similarity >= ${similarity:-0.8}
) TO '${output:-corpus}/edges.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

SET datafusion.optimizer.prefer_hash_join = true;
RESET datafusion.execution.batch_size;

COPY (
    WITH pairs AS (
        SELECT ranks.rank, 'same_url' AS stage, urls.rank AS kept_rank
        FROM '${output:-corpus}/ranks.parquet' AS ranks
        JOIN '${output:-corpus}/urls.parquet' AS urls ON urls.url_hash = ranks.url_hash
        WHERE ranks.rank <> urls.rank
        UNION ALL
        SELECT ranks.rank, 'same_text', texts.rank
        FROM '${output:-corpus}/ranks.parquet' AS ranks
        JOIN '${output:-corpus}/urls.parquet' AS urls ON urls.rank = ranks.rank
        JOIN '${output:-corpus}/texts.parquet' AS texts ON texts.hash = ranks.hash
        WHERE ranks.rank <> texts.rank
        UNION ALL
        SELECT id, 'near_duplicate', component
        FROM connected_components('SELECT first_rank, rank FROM ''${output:-corpus}/edges.parquet''', 'max_size', ${max_size:-100000})
        WHERE id <> component
    )
    SELECT ranks.id, stage, kept.id AS kept_id
    FROM pairs
    JOIN '${output:-corpus}/ranks.parquet' AS ranks ON ranks.rank = pairs.rank
    JOIN '${output:-corpus}/ranks.parquet' AS kept ON kept.rank = pairs.kept_rank
) TO '${output:-corpus}/duplicates.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT url, date, title, language, confidence, cleaned AS document
    FROM '${output:-corpus}/duplicates.parquet' AS duplicates
    RIGHT JOIN '${output:-corpus}/judged.parquet' AS judged ON duplicates.id = judged.id
    WHERE removed_by IS NULL AND duplicates.stage IS NULL
) TO '${output:-corpus}/corpus.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT judged.url, judged.date, coalesce(removed_by, duplicates.stage) AS stage, judged.rules, kept.url AS kept_url,
           judged.title, judged.language, judged.confidence, judged.document,
           character_length(CASE WHEN removed_by IS NULL THEN judged.cleaned ELSE judged.document END) AS characters
    FROM '${output:-corpus}/judged.parquet' AS judged
    LEFT JOIN '${output:-corpus}/duplicates.parquet' AS duplicates ON duplicates.id = judged.id
    LEFT JOIN (SELECT id, url FROM '${output:-corpus}/judged.parquet') AS kept ON kept.id = duplicates.kept_id
    WHERE removed_by IS NOT NULL OR duplicates.stage IS NOT NULL
    UNION ALL
    -- The lines that the corpus does not contain unchanged.
    SELECT url, date, 'lines', ['lines'], NULL, title, language, confidence,
           array_to_string(array_except(string_to_array(document, chr(10)), string_to_array(cleaned, chr(10))), chr(10)),
           character_length(document) - character_length(cleaned)
    FROM '${output:-corpus}/judged.parquet' WHERE removed_by IS NULL AND cleaned <> document
) TO '${output:-corpus}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH stages (number, stage) AS (
        VALUES (1, 'damaged'), (2, 'response'), (3, 'extract'), (4, 'blocked'), (5, 'language'), (6, 'quality'), (7, 'lines'),
               (8, 'same_url'), (9, 'same_text'), (10, 'near_duplicate')
    ),
    removed AS (
        SELECT stages.number, stages.stage, count(removed.stage) FILTER (WHERE removed.stage <> 'lines') AS pages,
               coalesce(sum(removed.characters), 0) AS characters
        FROM stages
        LEFT JOIN '${output:-corpus}/removed.parquet' AS removed ON removed.stage = stages.stage
        GROUP BY stages.number, stages.stage
    ),
    total AS (
        SELECT count(*) AS pages, coalesce(sum(character_length(document)), 0) AS characters
        FROM '${output:-corpus}/judged.parquet'
    )
    SELECT number, stage,
           total.pages - sum(removed.pages) OVER (ORDER BY number) + removed.pages AS pages_in,
           total.pages - sum(removed.pages) OVER (ORDER BY number) AS pages_out,
           total.characters - sum(removed.characters) OVER (ORDER BY number) + removed.characters AS characters_in,
           total.characters - sum(removed.characters) OVER (ORDER BY number) AS characters_out
    FROM removed CROSS JOIN total
) TO '${output:-corpus}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-corpus}/summary.parquet' ORDER BY number;
