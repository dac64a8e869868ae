-- Cleans Japanese documents line by line, by the rules of uzushio's CorpusCleaner with its configuration
-- `chitra`. Wikipedia's citations, invisible characters and runs of white space are removed from lines; lines
-- with e-mail addresses or URLs and lines of unusual length are dropped; documents with few lines, with braces
-- of scripts or with words of a list are dropped.
--
-- The output folder has documents.parquet, removed.parquet (everything that was dropped, and the stage that
-- dropped it), summary.parquet (documents, paragraphs and characters in and out of each stage), and
-- stages/, from which these are made. Paragraphs are lines here.
--
-- Each file appears when it is complete. With --resume, an interrupted run continues
-- with the input files that are missing in stages/.
--
--   corpus-sql --resume -f queries/clean_chitra.sql -v input=documents.parquet -v output=cleaned/
--
-- input       documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text        the column with the text; by default the first of text, content and document that the input has
-- id          the column that identifies documents; by default the first of url and id
-- output      a folder
-- characters  the rule for invisible characters (see text_clean): 'uzushio' removes tabs and ideographic
--             spaces, which are made spaces here
-- length      how the length of `line` is measured: text_characters(line)['utf16'] counts as uzushio does
-- joined      lines of at most this many characters are appended to the line before
-- shortest, longest   the lengths of lines that are kept
-- lines       the number of lines that a document needs
-- script      documents with a line that matches this expression are dropped; uzushio's has | in addition
-- ng_words    the list of words (see text_find_words). uzushio's start and end where morphemes of Sudachi do,
--             here where words of the built-in splitter do

COPY (
    WITH split AS (
        SELECT "${input.id}" AS url, ${input.row} AS input, string_to_array(coalesce("${input.text}", ''), chr(10)) AS lines
        FROM '${input:-data-samples/documents/}'
    ),
    cited AS (
        SELECT *, array_transform(lines, line -> text_remove_citations(line)) AS cited FROM split
    ),
    cleaned AS (
        SELECT *, array_transform(cited, line -> text_clean(line, '${characters:-clean}')) AS cleaned FROM cited
    ),
    spaced AS (
        SELECT *, array_transform(cleaned, line -> regexp_replace(line, '[\s\u3000]+', ' ', 'g')) AS spaced
        FROM cleaned
    ),
    joined AS (
        SELECT *, text_join_short(spaced, ${joined:-2}) AS joined FROM spaced
    ),
    judged AS (
        SELECT *, array_transform(joined, line -> CASE
                      WHEN regexp_like(line, '[\w-]+@[\w-]+\.[\w.-]+') THEN 'remove_email'
                      WHEN regexp_like(line, '(https?|sftp?)://[\w/:%#$&?()~.=+-]+') THEN 'remove_url'
                      WHEN ${length:-character_length(line)} NOT BETWEEN ${shortest:-10} AND ${longest:-200}
                      THEN 'filter_by_sentence_length' END) AS reasons
        FROM joined
    ),
    numbered AS (
        SELECT *, array_transform(arrays_zip(range(CAST(cardinality(joined) AS BIGINT)), joined, reasons),
                                  line -> {position: line['1'] + 1, stage: line['3'], text: line['2']}) AS judged_lines
        FROM judged
    ),
    kept AS (
        SELECT *, array_transform(array_filter(judged_lines, line -> line['stage'] IS NULL), line -> line['text']) AS kept
        FROM numbered
    ),
    decided AS (
        SELECT *, CASE WHEN cardinality(kept) < ${lines:-5} THEN 'remove_short_document'
                       WHEN array_any_match(kept, line -> regexp_like(line, '${script:-[\x7b\x7d]}')) THEN 'remove_script_document'
                       WHEN cardinality(text_find_words(array_to_string(kept, chr(10)), '${ng_words:-builtin:japanese-ng-words}')) > 0
                       THEN 'remove_ng_word_document' END AS stage
        FROM kept
    )
    SELECT url, array_to_string(kept, chr(10)) AS document, stage, cardinality(kept) AS paragraphs,
           cardinality(lines) AS paragraphs_in, character_length(array_to_string(lines, '')) AS characters_in,
           array_filter(judged_lines, line -> line['stage'] IS NOT NULL) AS removed,
           [{stage: 'remove_wikipedia_citation', paragraphs: CAST(cardinality(lines) AS BIGINT) - CAST(cardinality(cited) AS BIGINT),
             characters: character_length(array_to_string(lines, '')) - character_length(array_to_string(cited, ''))},
            {stage: 'normalize_character', paragraphs: CAST(cardinality(cited) AS BIGINT) - CAST(cardinality(cleaned) AS BIGINT),
             characters: character_length(array_to_string(cited, '')) - character_length(array_to_string(cleaned, ''))},
            {stage: 'normalize_whitespace', paragraphs: CAST(cardinality(cleaned) AS BIGINT) - CAST(cardinality(spaced) AS BIGINT),
             characters: character_length(array_to_string(cleaned, '')) - character_length(array_to_string(spaced, ''))},
            {stage: 'concat_short_sentence', paragraphs: CAST(cardinality(spaced) AS BIGINT) - CAST(cardinality(joined) AS BIGINT),
             characters: character_length(array_to_string(spaced, '')) - character_length(array_to_string(joined, ''))}] AS changed, input
    FROM decided
) TO '${output:-cleaned}/stages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT ${input.columns from input, document} FROM '${output:-cleaned}/stages/' WHERE stage IS NULL
) TO '${output:-cleaned}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, 'paragraph' AS level, part['position'] AS position, part['stage'] AS stage, part['text'] AS text
    FROM (SELECT url, unnest(removed) AS part FROM '${output:-cleaned}/stages/')
    UNION ALL
    SELECT url, 'document', NULL, stage, document FROM '${output:-cleaned}/stages/' WHERE stage IS NOT NULL
) TO '${output:-cleaned}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH stages (number, stage) AS (
        VALUES (1, 'remove_wikipedia_citation'), (2, 'normalize_character'),
               (3, 'normalize_whitespace'), (4, 'concat_short_sentence'), (5, 'remove_email'),
               (6, 'remove_url'), (7, 'filter_by_sentence_length'),
               (8, 'remove_short_document'), (9, 'remove_script_document'),
               (10, 'remove_ng_word_document')
    ),
    removed AS (
        SELECT stage, 0 AS documents, 1 AS paragraphs, character_length(replace(text, chr(10), '')) AS characters
        FROM '${output:-cleaned}/removed.parquet' WHERE level = 'paragraph'
        UNION ALL
        SELECT part['stage'], 0, part['paragraphs'], part['characters']
        FROM (SELECT unnest(changed) AS part FROM '${output:-cleaned}/stages/')
        UNION ALL
        SELECT stage, 1, paragraphs, character_length(replace(document, chr(10), ''))
        FROM '${output:-cleaned}/stages/' WHERE stage IS NOT NULL
    ),
    lost AS (
        SELECT number, stages.stage, CAST(coalesce(sum(documents), 0) AS BIGINT) AS documents,
               CAST(coalesce(sum(paragraphs), 0) AS BIGINT) AS paragraphs,
               CAST(coalesce(sum(characters), 0) AS BIGINT) AS characters
        FROM stages LEFT JOIN removed ON removed.stage = stages.stage GROUP BY number, stages.stage
    ),
    total AS (
        SELECT count(*) AS documents, CAST(sum(paragraphs_in) AS BIGINT) AS paragraphs,
               CAST(sum(characters_in) AS BIGINT) AS characters
        FROM '${output:-cleaned}/stages/'
    ),
    remaining AS (
        SELECT number, stage, lost.documents AS lost_documents, lost.paragraphs AS lost_paragraphs,
               lost.characters AS lost_characters,
               total.documents - sum(lost.documents) OVER (ORDER BY number) AS documents,
               total.paragraphs - sum(lost.paragraphs) OVER (ORDER BY number) AS paragraphs,
               total.characters - sum(lost.characters) OVER (ORDER BY number) AS characters
        FROM lost CROSS JOIN total
    )
    SELECT number, stage, documents + lost_documents AS documents_in, documents AS documents_out,
           paragraphs + lost_paragraphs AS paragraphs_in, paragraphs AS paragraphs_out,
           characters + lost_characters AS characters_in, characters AS characters_out
    FROM remaining ORDER BY number
) TO '${output:-cleaned}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-cleaned}/summary.parquet' ORDER BY number;
