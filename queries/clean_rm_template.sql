-- Removes text that many pages repeat, by uzushio's configuration `rmTemplate`: documents that occurred
-- before, lines that repeat the line before, passages of a list, and documents with too few remaining lines.
--
-- The output folder has documents.parquet, removed.parquet (everything that was dropped, and the stage that
-- dropped it), summary.parquet (documents, paragraphs and characters in and out of each stage), and
-- stages/, from which these are made. Paragraphs are lines here. The files of the other steps
-- are removed at the end.
--
-- Macros that such jobs share start with cleaning_. Their SQL: SHOW FUNCTIONS LIKE 'cleaning%'.
--
-- Each file appears when it is complete. With --resume, an interrupted run continues
-- with the step that is missing.
--
--   corpus-sql --resume -f queries/clean_rm_template.sql -v input=documents.parquet -v output=cleaned/
--
-- input       documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob
-- text        the column with the text; by default the first of text, content and document that the input has
-- id          the column that identifies documents; by default the first of url and id
-- output      a folder
-- templates   the list of passages (see text_remove_boilerplate)
-- lines       the minimum number of lines of a document
-- keep        true keeps the files of the steps, with which --resume continues when a variable has changed

COPY (
    SELECT row_number() OVER () AS id, "${input.id}" AS url, coalesce("${input.text}", '') AS document,
           text_hash(CAST("${input.id}" AS VARCHAR)) AS url_hash, text_hash(coalesce("${input.text}", '')) AS hash,
           ${input.row} AS input
    FROM '${input:-data-samples/documents/}'
    WHERE job_require_counts('lines', 0, [${lines:-5}])
) TO '${output:-cleaned}/numbered.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

-- Of equal documents, the first by the hash of its URL is kept. Only hashes are sorted.
COPY (
    SELECT id, row_number() OVER (PARTITION BY hash ORDER BY url_hash, id) = 1 AS is_first
    FROM '${output:-cleaned}/numbered.parquet'
) TO '${output:-cleaned}/firsts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)', 'keep' '${keep:-false}');

COPY (
    WITH split AS (
        SELECT url, document, input, is_first, cleaning_split(document) AS lines
        FROM '${output:-cleaned}/numbered.parquet' JOIN '${output:-cleaned}/firsts.parquet' USING (id)
    ),
    cleaned AS (
        SELECT * FROM cleaning_repeated('split', lines, '${templates:-builtin:japanese-boilerplate}')
    )
    SELECT url, array_to_string(CASE WHEN is_first THEN unrepeated ELSE lines END, chr(10)) AS document,
           CASE WHEN NOT is_first THEN 'deduplicate_element'
                WHEN cardinality(unrepeated) < ${lines:-5} THEN 'remove_short_document' END AS stage,
           cardinality(CASE WHEN is_first THEN unrepeated ELSE lines END) AS paragraphs,
           cardinality(lines) AS paragraphs_in, character_length(array_to_string(lines, '')) AS characters_in,
           CASE WHEN is_first THEN repeated END AS removed,
           -- No stage changes lines.
           CASE WHEN false THEN [cleaning_change('', lines, lines)] END AS changed, input
    FROM cleaned
) TO '${output:-cleaned}/stages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT ${input.columns from input, document} FROM '${output:-cleaned}/stages/' WHERE stage IS NULL
) TO '${output:-cleaned}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_removed('${output:-cleaned}/stages/')
) TO '${output:-cleaned}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_summary(
        ['deduplicate_element', 'deduplicate_repeating_sentence', 'remove_substring', 'remove_short_document'],
        '${output:-cleaned}/stages/', '${output:-cleaned}/removed.parquet')
    ORDER BY number
) TO '${output:-cleaned}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-cleaned}/summary.parquet' ORDER BY number;
