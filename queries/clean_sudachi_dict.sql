-- Makes a list of different Japanese sentences, by uzushio's configuration `sudachiDictCorpus`: lines without
-- invisible characters and runs of white space, each only once in the whole corpus.
--
-- The output folder has documents.parquet, removed.parquet (everything that was dropped, and the stage that
-- dropped it), summary.parquet (documents, paragraphs and characters in and out of each stage), and
-- stages/, from which these are made. Paragraphs are lines here. The files of the other steps are
-- removed at the end.
--
-- Macros that such jobs share start with cleaning_ or dedup_. Their SQL: SHOW FUNCTIONS LIKE 'dedup%'.
--
-- Each file appears when it is complete. With --resume, an interrupted run continues
-- with the step that is missing.
--
--   corpus-sql --resume -f queries/clean_sudachi_dict.sql -v input=documents.parquet -v output=cleaned/
--
-- input       documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text        the column with the text; by default the first of text, content and document that the input has
-- id          the column that identifies documents; by default the first of url and id
-- output      a folder
-- characters  the rule for invisible characters (see text_clean): 'uzushio, keep space' is uzushio's
-- keep        true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    WITH split AS (
        SELECT "${input.id}" AS url, ${input.row} AS input,
               cleaning_split("${input.text}") AS lines
        FROM '${input:-data-samples/documents/}'
    ),
    cleaned AS (
        SELECT url, input, lines, array_transform(lines, line -> text_clean(line, '${characters:-clean}')) AS cleaned FROM split
    ),
    spaced AS (
        SELECT *, array_transform(cleaned, line -> cleaning_collapse_space(line)) AS spaced FROM cleaned
    )
    SELECT row_number() OVER () AS id, url, input, text_hash(CAST(url AS VARCHAR)) AS url_hash, spaced AS lines,
           array_transform(spaced, line -> text_hash(line)) AS hashes,
           cardinality(lines) AS paragraphs_in, character_length(array_to_string(lines, '')) AS characters_in,
           [cleaning_change('normalize_character', lines, cleaned),
            cleaning_change('normalize_whitespace', cleaned, spaced)] AS changed
    FROM spaced
) TO '${output:-cleaned}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM cleaning_ranks('${output:-cleaned}/numbered.parquet')
) TO '${output:-cleaned}/ranked.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

-- Of equal lines, the first is kept.
COPY (
    SELECT * FROM dedup_first_places('${output:-cleaned}/ranked.parquet', '${output:-cleaned}/numbered.parquet', id, hashes)
) TO '${output:-cleaned}/places.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_first_positions('${output:-cleaned}/ranked.parquet', '${output:-cleaned}/places.parquet')
) TO '${output:-cleaned}/positions.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM dedup_is_first('${output:-cleaned}/positions.parquet', '${output:-cleaned}/numbered.parquet', id, hashes)
) TO '${output:-cleaned}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

COPY (
    WITH judged AS (
        SELECT url, input, paragraphs_in, characters_in, changed,
               cleaning_lines(lines, array_transform(firsts,
                   is_first -> CASE WHEN NOT is_first THEN 'deduplicate_element' END)) AS judged
        FROM '${output:-cleaned}/firsts.parquet' AS firsts
        JOIN '${output:-cleaned}/numbered.parquet' AS numbered ON numbered.id = firsts.id
    ),
    kept AS (
        SELECT *, cleaning_kept(judged) AS kept FROM judged
    )
    SELECT url, array_to_string(kept, chr(10)) AS document,
           CASE WHEN cardinality(kept) = 0 THEN 'no_sentence_left' END AS stage, cardinality(kept) AS paragraphs,
           paragraphs_in, characters_in, cleaning_dropped(judged) AS removed, changed, input
    FROM kept
) TO '${output:-cleaned}/stages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT ${input.columns from input, document} FROM '${output:-cleaned}/stages/' WHERE stage IS NULL
) TO '${output:-cleaned}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_removed('${output:-cleaned}/stages/')
) TO '${output:-cleaned}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_summary(
        ['normalize_character', 'normalize_whitespace', 'deduplicate_element', 'no_sentence_left'],
        '${output:-cleaned}/stages/', '${output:-cleaned}/removed.parquet')
    ORDER BY number
) TO '${output:-cleaned}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-cleaned}/summary.parquet' ORDER BY number;
