-- Documents from web archives without boilerplate, by uzushio's paragraph filters. Nothing is lost:
-- each removed document and paragraph is written with the filter that removed it. The result is a
-- folder: documents.parquet has the kept documents, and removed.parquet the removed documents and
-- paragraphs; summary.parquet, which is also printed, counts documents, paragraphs and characters
-- in and out of each filter; stages/ has all documents with all their paragraphs. The filters, in
-- their order:
--
-- damaged       documents: cut by the crawler, or not readable completely
-- status        documents: the status code is not 200
-- length        documents: too few characters
-- hiragana      documents: too small a share of hiragana, for corpora of Japanese
-- links         documents: too large a share of characters in links
-- boilerplate   paragraphs: inside an element such as nav, or with a class such as "side-menu"
-- repeated      paragraphs: the same text as the paragraph before
-- compression   documents: the text compresses unusually well or badly
-- words         documents: too many different words of a list
-- final_length  documents: too few characters are left
--
-- Each file appears when it is complete. With --resume, an interrupted run continues
-- with the input files that are missing in stages/.
--
--   corpus-sql --resume -f queries/html_paragraph_filters.sql -v input='crawl/*.warc.gz' -v output=filtered
--   corpus-sql -f queries/html_paragraph_filters.sql -v input=crawl/ -v output=ja -v hiragana=0.15 -v least_compression=0.5 -v most_compression=0.75
--
-- input              a file, folder, glob or URL
-- output             a folder
-- length             the smallest number of characters before paragraphs are removed
-- hiragana           the smallest share of hiragana; 0.15 for Japanese
-- links              the largest share of characters in links
-- tags               the elements whose paragraphs are removed
-- names              the classes and ids whose paragraphs are removed, in div, p, ul and h1; a substring is enough
-- least_compression  the smallest ratio of compressed to plain text; 0.5 for Japanese
-- most_compression   the largest ratio; 0.75 for Japanese
-- words              a list of words: a file, or one that comes with the program
-- most_words         the largest number of different words of this list
-- final_length       the smallest number of remaining characters

COPY (
    WITH pages AS (
        -- Bullets show which lines start an item.
        SELECT url, date, status, paragraphs AS found, truncated, error
        FROM web_pages('${input:-data-samples/web/}', 'mode', 'bullets')
        WHERE job_require_shares('hiragana and links', [${hiragana:-0}, ${links:-0.4}])
              AND job_require_limits('least_compression and most_compression', ${least_compression:-0.25}, ${most_compression:-5})
              AND job_require_counts('length, final_length and most_words', 0, [${length:-50}, ${final_length:-200}, ${most_words:-9}])
    ),
    measured AS (
        SELECT *, coalesce(array_sum(array_transform(found, p -> p['characters'])), 0) AS characters,
               coalesce(array_sum(array_transform(found, p -> p['link_characters'])), 0) AS link_characters,
               text_characters(array_to_string(array_transform(found, p -> p['text']), ''))['hiragana'] AS hiragana
        FROM pages
    ),
    judged AS (
        SELECT url, date, found, truncated, error, CASE
            WHEN truncated IS NOT NULL OR error IS NOT NULL THEN {stage: 'damaged', value: CAST(NULL AS DOUBLE)}
            WHEN status IS DISTINCT FROM 200 THEN {stage: 'status', value: CAST(status AS DOUBLE)}
            WHEN characters < ${length:-50} THEN {stage: 'length', value: CAST(characters AS DOUBLE)}
            WHEN hiragana < ${hiragana:-0} * characters THEN {stage: 'hiragana', value: 1.0 * hiragana / characters}
            WHEN link_characters > ${links:-0.4} * characters THEN {stage: 'links', value: 1.0 * link_characters / characters}
            END AS removed
        FROM measured
    ),
    -- Paragraphs of removed documents are not filtered further.
    without_boilerplate AS (
        SELECT url, date, removed, truncated, error, array_transform(found, p -> {position: p['position'], path: p['path'], kind: p['kind'], text: p['text'], characters: p['characters'], link_characters: p['link_characters'],
            stage: CASE WHEN removed IS NULL AND (
                p['path'] ~ '(^|>)(${tags:-header|footer|aside|nav|noscript|form})([.#>]|$)'
                OR p['path'] ~* '(^|>)(div|p|ul|h1)[.#][^>]*(${names:-header|footer|side|menu|nav|banner|logo|pankuzu|breadcrumb|widget|button})'
                OR p['path'] ~* '(^|>)(div|p|ul|h1)([.#][^>]*)?[.#](left-?box|blog-?title-?inner|blog-?title|blog-?name|head-?block1|head-?blog-?name|head-?introduction)([.#>]|$)'
            ) THEN 'boilerplate' END}) AS found
        FROM judged
    ),
    -- filter_frequent_paragraphs.sql filters by the frequency of paragraphs in a whole crawl.
    without_repeats AS (
        SELECT url, date, removed, truncated, error, array_transform(
            arrays_zip(found, text_repeats(array_transform(found, p -> CASE WHEN removed IS NULL AND p['stage'] IS NULL THEN p['text'] END))),
            z -> {position: z['1']['position'], path: z['1']['path'], kind: z['1']['kind'], text: z['1']['text'], characters: z['1']['characters'], link_characters: z['1']['link_characters'],
                  stage: coalesce(z['1']['stage'], CASE WHEN z['2'] THEN 'repeated' END)}) AS found
        FROM without_boilerplate
    ),
    remaining AS (
        SELECT *, array_filter(found, p -> p['stage'] IS NULL) AS left_over FROM without_repeats
    ),
    remeasured AS (
        SELECT url, date, found, removed, truncated, error,
               coalesce(array_sum(array_transform(left_over, p -> p['characters'])), 0) AS characters,
               array_to_string(array_transform(left_over, p -> p['text']), chr(10)) AS text,
               text_compression_ratio(text) AS compression,
               cardinality(array_distinct(text_find_words(text, '${words:-builtin:english-adult-words}'))) AS words
        FROM remaining
    )
    SELECT url, date, found AS paragraphs, coalesce(removed, CASE
        WHEN compression NOT BETWEEN ${least_compression:-0.25} AND ${most_compression:-5} THEN {stage: 'compression', value: compression}
        WHEN words > ${most_words:-9} THEN {stage: 'words', value: CAST(words AS DOUBLE)}
        WHEN characters < greatest(${final_length:-200}, 1) THEN {stage: 'final_length', value: CAST(characters AS DOUBLE)}
        END) AS removed, truncated, error
    FROM remeasured
) TO '${output:-filtered}/stages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, date, html_markdown(array_filter(paragraphs, p -> p['stage'] IS NULL)) AS document,
           character_length(document) AS characters
    FROM '${output:-filtered}/stages/'
    WHERE removed IS NULL
) TO '${output:-filtered}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- A removed document is one row without position, with the text that was left, or the reason of the damage.
COPY (
    SELECT url, date, 'paragraph' AS level, p['position'] AS position, p['stage'] AS stage, CAST(NULL AS DOUBLE) AS value, p['path'] AS path, p['kind'] AS kind, p['text'] AS text, CAST(NULL AS VARCHAR) AS reason
    FROM (
        SELECT url, date, unnest(array_filter(paragraphs, p -> p['stage'] IS NOT NULL)) AS p
        FROM '${output:-filtered}/stages/'
    )
    UNION ALL
    SELECT url, date, 'document', NULL, removed['stage'], removed['value'], NULL, NULL, html_markdown(array_filter(paragraphs, p -> p['stage'] IS NULL)), CASE WHEN removed['stage'] = 'damaged' THEN coalesce(error, 'truncated: ' || truncated) END
    FROM '${output:-filtered}/stages/'
    WHERE removed IS NOT NULL
) TO '${output:-filtered}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH filters AS (
        SELECT * FROM (VALUES (1, 'damaged'), (2, 'status'), (3, 'length'), (4, 'hiragana'), (5, 'links'), (6, 'boilerplate'), (7, 'repeated'), (8, 'compression'), (9, 'words'), (10, 'final_length'), (11, 'kept')) AS filters (number, stage)
    ),
    documents AS (
        SELECT coalesce(removed['stage'], 'kept') AS stage, count(*) AS documents
        FROM '${output:-filtered}/stages/'
        GROUP BY 1
    ),
    paragraphs AS (
        SELECT coalesce(p['stage'], document_stage, 'kept') AS stage, count(*) AS paragraphs, sum(p['characters']) AS characters
        FROM (SELECT removed['stage'] AS document_stage, unnest(paragraphs) AS p FROM '${output:-filtered}/stages/')
        GROUP BY 1
    ),
    -- The input of a filter is the part that this filter and later ones remove, and the part that is kept.
    reached AS (
        SELECT number, filters.stage, coalesce(documents, 0) AS documents, coalesce(paragraphs, 0) AS paragraphs, coalesce(characters, 0) AS characters,
               sum(coalesce(documents, 0)) OVER onwards AS documents_in, sum(coalesce(paragraphs, 0)) OVER onwards AS paragraphs_in, sum(coalesce(characters, 0)) OVER onwards AS characters_in
        FROM filters LEFT JOIN documents ON filters.stage = documents.stage LEFT JOIN paragraphs ON filters.stage = paragraphs.stage
        WINDOW onwards AS (ORDER BY number DESC)
    )
    SELECT number, stage, documents_in, documents_in - documents AS documents_out, paragraphs_in, paragraphs_in - paragraphs AS paragraphs_out,
           characters_in, characters_in - characters AS characters_out
    FROM reached
    WHERE stage <> 'kept'
    ORDER BY number
) TO '${output:-filtered}/summary.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

SELECT * FROM '${output:-filtered}/summary.parquet' ORDER BY number;
