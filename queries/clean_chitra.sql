-- Cleans Japanese documents line by line, by uzushio's configuration `chitra`. Wikipedia's citations,
-- invisible characters and runs of white space are removed from lines; lines with e-mail addresses or URLs
-- and lines of unusual length are dropped; documents with few lines, with braces of scripts or with words of
-- a list are dropped.
--
-- The output folder has documents.parquet, removed.parquet (everything that was dropped, and the stage that
-- dropped it), summary.parquet (documents, paragraphs and characters in and out of each stage), and
-- stages/, from which these are made. Paragraphs are lines here.
--
-- Macros that such jobs share start with cleaning_. Their SQL: SHOW FUNCTIONS LIKE 'cleaning%'.
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
--             spaces, which become spaces here
-- length      how the length of `line` is measured: text_characters(line)['utf16'] counts as uzushio does
-- joined      lines of at most this many characters are appended to the line before
-- shortest, longest   the lengths of lines that are kept
-- lines       the minimum number of lines of a document
-- script      documents with a line that matches this expression are dropped; uzushio's has | in addition
-- ng_words    the list of words (see text_find_words). In uzushio, matches start and end at Sudachi's morphemes, here
--             at words of the built-in splitter

COPY (
    WITH split AS (
        SELECT "${input.id}" AS url, ${input.row} AS input, string_to_array(coalesce("${input.text}", ''), chr(10)) AS lines
        FROM '${input:-data-samples/documents/}'
        WHERE job_require_limits('shortest and longest', ${shortest:-10}, ${longest:-200})
              AND job_require_counts('joined and lines', 0, [${joined:-2}, ${lines:-5}])
    ),
    kept AS (
        SELECT * FROM cleaning_japanese('split', '${characters:-clean}', ${joined:-2},
            line -> cleaning_line_stage(line, ${length:-character_length(line)}, ${shortest:-10}, ${longest:-200}))
    ),
    decided AS (
        SELECT *, CASE WHEN cardinality(kept) < ${lines:-5} THEN 'remove_short_document'
                       ELSE cleaning_document_stage(kept, '${script:-[\x7b\x7d]}', '${ng_words:-builtin:japanese-ng-words}') END AS stage
        FROM kept
    )
    SELECT url, array_to_string(kept, chr(10)) AS document, stage, cardinality(kept) AS paragraphs,
           cardinality(lines) AS paragraphs_in, character_length(array_to_string(lines, '')) AS characters_in,
           cleaning_dropped(judged_lines) AS removed,
           cleaning_japanese_changes(lines, cited, cleaned, spaced, joined) AS changed, input
    FROM decided
) TO '${output:-cleaned}/stages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT ${input.columns from input, document} FROM '${output:-cleaned}/stages/' WHERE stage IS NULL
) TO '${output:-cleaned}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_removed('${output:-cleaned}/stages/')
) TO '${output:-cleaned}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT * FROM cleaning_summary(
        ['remove_wikipedia_citation', 'normalize_character', 'normalize_whitespace', 'concat_short_sentence',
         'remove_email', 'remove_url', 'filter_by_sentence_length', 'remove_short_document',
         'remove_script_document', 'remove_ng_word_document'],
        '${output:-cleaned}/stages/', '${output:-cleaned}/removed.parquet')
    ORDER BY number
) TO '${output:-cleaned}/summary.parquet' STORED AS PARQUET;

SELECT * FROM '${output:-cleaned}/summary.parquet' ORDER BY number;
