-- Cleans the Japanese documents of a web archive, by uzushio's configuration `warc`: paragraphs that are not
-- Japanese, and paragraphs that occurred before in any document, are dropped; then lines and documents as in
-- clean_chitra.sql, and repeated text as in clean_rm_template.sql.
--
-- The output folder has documents.parquet, removed.parquet (everything that was dropped, and the stage that
-- dropped it), summary.parquet (documents, paragraphs and characters in and out of each stage), and
-- stages/, from which these are made. The files of the other steps are removed at the end. From the
-- stage remove_wikipedia_citation on, paragraphs are lines.
--
-- Macros that such jobs share start with cleaning_ or dedup_. Their SQL: SHOW FUNCTIONS LIKE 'dedup%'.
--
-- Each file appears when it is complete. With --resume, an interrupted run continues
-- with the step that is missing.
--
--   corpus-sql --resume -f queries/warc_to_document.sql -v input=crawl/ -v output=documents/
--   corpus-sql --resume -f queries/clean_warc_ja.sql -v input=documents/ -v output=cleaned/
--
-- input       documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text        the column with the text; by default the first of text, content and document that the input has
-- id          the column that identifies documents; by default the first of url and id
-- output      a folder
-- kana, japanese   the shares of kana, and of kana and Chinese characters, that a paragraph has to exceed
-- characters  the rule for invisible characters (see text_clean): 'uzushio' removes tabs and ideographic
--             spaces, which become spaces here
-- length      how the length of `line` is measured: text_characters(line)['utf16'] counts as uzushio does
-- joined      lines of at most this many characters are appended to the line before
-- shortest, longest   the lengths of lines that are kept
-- lines       the minimum number of lines of a document
-- script      documents with a line that matches this expression are dropped; uzushio's has | in addition
-- ng_words    the list of words (see text_find_words). In uzushio, matches start and end at Sudachi's morphemes, here
--             at words of the built-in splitter
-- templates   the list of passages (see text_remove_boilerplate)
-- keep        true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    WITH split AS (
        SELECT "${input.id}" AS url, ${input.row} AS input,
               array_filter(string_to_array(coalesce("${input.text}", ''), chr(10) || chr(10)), part -> trim(part) <> '') AS parts
        FROM '${input:-data-samples/documents/}'
        WHERE job_require_shares('kana and japanese', [${kana:-0.05}, ${japanese:-0.7}])
              AND job_require_limits('shortest and longest', ${shortest:-10}, ${longest:-200})
              AND job_require_counts('joined and lines', 0, [${joined:-2}, ${lines:-5}])
    ),
    judged AS (
        SELECT url, input, cardinality(parts) AS paragraphs_in,
               array_transform(parts, part -> {text: part, japanese: quality_japanese(part)}) AS parts
        FROM split
    ),
    numbered AS (
        SELECT row_number() OVER () AS id, url, input, paragraphs_in, text_hash(CAST(url AS VARCHAR)) AS url_hash,
               array_transform(parts, part -> {text: part['text'],
                   stage: CASE WHEN part['japanese']['kana'] > ${kana:-0.05} AND part['japanese']['japanese'] > ${japanese:-0.7}
                          THEN NULL ELSE 'filter_japanese' END}) AS parts
        FROM judged
    )
    SELECT *, array_transform(parts, part -> CASE WHEN part['stage'] IS NULL THEN text_hash(part['text']) END) AS hashes
    FROM numbered
) TO '${output:-cleaned}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    SELECT * FROM cleaning_ranks('${output:-cleaned}/numbered.parquet')
) TO '${output:-cleaned}/ranked.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(1)', 'keep' '${keep:-false}');

-- Of equal paragraphs, the first is kept.
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
    WITH parts AS (
        SELECT url, input, paragraphs_in, array_transform(arrays_zip(range(CAST(cardinality(parts) AS BIGINT)), parts, firsts),
                   part -> {position: part['1'] + 1, text: part['2']['text'],
                            stage: coalesce(part['2']['stage'], CASE WHEN NOT part['3'] THEN 'deduplicate_element' END)}) AS parts
        FROM '${output:-cleaned}/firsts.parquet' AS firsts
        JOIN '${output:-cleaned}/numbered.parquet' AS numbered ON numbered.id = firsts.id
    ),
    alive AS (
        SELECT *, array_to_string(cleaning_kept(parts), chr(10)) AS text
        FROM parts
    ),
    counted AS (
        SELECT *, string_to_array(text, chr(10)) AS all_lines FROM alive
    ),
    dropped AS (
        SELECT *, CASE WHEN cardinality(all_lines) < ${lines:-5} THEN 'remove_short_document' END AS first_stage FROM counted
    ),
    split AS (
        SELECT *, string_to_array(CASE WHEN first_stage IS NULL THEN text ELSE '' END, chr(10)) AS lines FROM dropped
    ),
    kept AS (
        SELECT * FROM cleaning_japanese('split', '${characters:-clean}', ${joined:-2},
            line -> cleaning_line_stage(line, ${length:-character_length(line)}, ${shortest:-10}, ${longest:-200}))
    ),
    decided AS (
        SELECT *, CASE WHEN cardinality(kept) < ${lines:-5} THEN 'remove_short_document_again'
                       ELSE cleaning_document_stage(kept, '${script:-[\x7b\x7d]}', '${ng_words:-builtin:japanese-ng-words}') END AS stage
        FROM kept
    ),
    undecided AS (
        SELECT *, string_to_array(CASE WHEN first_stage IS NULL AND stage IS NULL THEN array_to_string(kept, chr(10)) ELSE '' END, chr(10)) AS rest FROM decided
    ),
    final AS (
        SELECT * FROM cleaning_repeated('undecided', rest, '${templates:-builtin:japanese-boilerplate}')
    ),
    named AS (
        -- A document has the text that it had when the stage dropped it.
        SELECT *, coalesce(first_stage, stage, CASE WHEN cardinality(unrepeated) < ${lines:-5} THEN 'remove_short_document_at_end' END) AS dropped_by,
               CASE WHEN first_stage IS NOT NULL THEN all_lines WHEN stage IS NOT NULL THEN kept ELSE unrepeated END AS result
        FROM final
    )
    SELECT url, array_to_string(result, chr(10)) AS document, dropped_by AS stage, cardinality(result) AS paragraphs,
           paragraphs_in,
           character_length(replace(array_to_string(array_transform(parts, part -> part['text']), ''), chr(10), '')) AS characters_in,
           array_concat(
               array_transform(cleaning_dropped(parts), part -> {position: part['position'], stage: part['stage'], text: part['text']}),
               cleaning_dropped(judged_lines),
               repeated) AS removed,
           array_concat(
               [{stage: 'split_into_sentence',
                 paragraphs: CAST(cardinality(cleaning_kept(parts)) AS BIGINT) - CAST(cardinality(all_lines) AS BIGINT),
                 characters: 0}],
               cleaning_japanese_changes(lines, cited, cleaned, spaced, joined)) AS changed, input
    FROM named
) TO '${output:-cleaned}/stages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT ${input.columns from input, document} FROM '${output:-cleaned}/stages/' WHERE stage IS NULL
) TO '${output:-cleaned}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_removed('${output:-cleaned}/stages/')
) TO '${output:-cleaned}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_summary(
        ['filter_japanese', 'deduplicate_element', 'split_into_sentence', 'remove_short_document',
         'remove_wikipedia_citation', 'normalize_character', 'normalize_whitespace', 'concat_short_sentence',
         'remove_email', 'remove_url', 'filter_by_sentence_length', 'remove_short_document_again',
         'remove_script_document', 'remove_ng_word_document', 'deduplicate_repeating_sentence',
         'remove_substring', 'remove_short_document_at_end'],
        '${output:-cleaned}/stages/', '${output:-cleaned}/removed.parquet')
    ORDER BY number
) TO '${output:-cleaned}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-cleaned}/summary.parquet' ORDER BY number;
