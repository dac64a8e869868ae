-- Macros that jobs share. They take the names of columns as parameters if these begin with `_` in a job.

-- True if the value of a variable is allowed; otherwise an error with this message.
CREATE MACRO job_require(allowed, message) AS CASE WHEN allowed THEN true ELSE error(message) IS NULL END;

-- job_require for variables that are shares.
CREATE MACRO job_require_shares(variables, shares) AS
    job_require(list_count(shares) = cardinality(shares) AND array_min(shares) >= 0 AND array_max(shares) <= 1,
                variables || ': expected shares from 0 to 1, got ' || array_to_string(shares, ', ', 'NULL'));

-- job_require for two variables that are limits.
CREATE MACRO job_require_limits(variables, smallest, largest) AS
    job_require(coalesce(smallest <= largest, false),
                variables || ': expected a smallest value up to the largest one, got ' || coalesce(CAST(smallest AS VARCHAR), 'NULL')
                || ' and ' || coalesce(CAST(largest AS VARCHAR), 'NULL'));

-- job_require for variables that are numbers of things.
CREATE MACRO job_require_counts(variables, smallest, counts) AS
    job_require(list_count(counts) = cardinality(counts) AND array_min(counts) >= smallest AND array_max(counts) < 2147483648
                AND cardinality(array_filter(counts, n -> n % 1 <> 0)) = 0,
                variables || ': expected whole numbers from ' || smallest || ' on, got ' || array_to_string(counts, ', ', 'NULL'));

-- job_require for files with the statistics of paragraphs.
CREATE MACRO job_require_stats(paragraph_hash, paragraph_count) AS
    job_require(paragraph_hash IS NOT NULL AND paragraph_count IS NOT NULL,
                'stats: a file without the columns hash and occurrences: expected files of paragraph_stats.sql, dedup_paragraph_near.sql or merge_stats.sql');

-- The values of a variable that are separated by commas, in lower case.
CREATE MACRO job_list(list) AS array_remove_all(string_to_array(lower(replace(list, ' ', '')), ','), '');

-- job_require for a variable that is a list: the values that `known` does not have are an error.
CREATE MACRO job_require_known(variable, list, known, advice) AS
    job_require(cardinality(array_except(job_list(list), known)) = 0,
                variable || ': unknown ' || array_to_string(array_except(job_list(list), known), ', ') || '; ' || advice);

-- job_require for a variable that is a list of languages. A model has other names for languages than the built-in detection.
CREATE MACRO job_require_languages(variable, list, model) AS
    job_require_known(variable, list, CASE model WHEN '' THEN job_languages() ELSE job_list(list) END,
        'expected codes of ISO 639-1 such as ''en,ja'', or of ISO 639-3 if there is none; other languages need a model in language_model');

-- The languages that language() knows without a model.
CREATE MACRO job_languages() AS
    [
        'af', 'am', 'ar', 'as', 'ast', 'az', 'be', 'bg', 'bn', 'bo', 'br', 'ca', 'chr', 'cs', 'cy', 'da', 'de',
        'dsb', 'dv', 'el', 'en', 'eo', 'es', 'et', 'eu', 'fa', 'fi', 'fil', 'fr', 'fy', 'ga', 'gd', 'gl', 'gn',
        'gu', 'he', 'hi', 'hr', 'hsb', 'hu', 'hy', 'id', 'ii', 'is', 'it', 'iu', 'ja', 'ka', 'kab', 'kk', 'km',
        'kn', 'ko', 'ku', 'lo', 'lt', 'lv', 'mk', 'ml', 'mn', 'mr', 'ms', 'mt', 'my', 'ne', 'nl', 'nn', 'no',
        'nqo', 'oc', 'or', 'pa', 'pl', 'pt', 'rm', 'ro', 'ru', 'rw', 'sat', 'si', 'sk', 'sl', 'sq', 'sr', 'sv',
        'sw', 'syr', 'ta', 'te', 'tg', 'th', 'tr', 'ug', 'uk', 'ur', 'uz', 'vi', 'xh', 'zgh', 'zh', 'zu'
    ];

-- Documents with their group of equal ones, whose columns are NULL if no other is equal.
CREATE MACRO dedup_grouped(numbered_file, hash, group_file, group_hash) AS TABLE
    SELECT * FROM read_parquet(numbered_file) AS numbered
    LEFT JOIN read_parquet(group_file) AS groups ON group_hash = hash;

-- The rules of quality_rules() and quality_characters().
CREATE MACRO job_quality_rules() AS
    [
        'top_2_gram', 'top_3_gram', 'top_4_gram', 'duplicated_5_n_grams', 'duplicated_6_n_grams',
        'duplicated_7_n_grams', 'duplicated_8_n_grams', 'duplicated_9_n_grams', 'duplicated_10_n_grams',
        'dup_para_frac', 'dup_para_char_frac', 'dup_line_frac', 'dup_line_char_frac', 'gopher_short_doc',
        'gopher_long_doc', 'gopher_below_avg_threshold', 'gopher_above_avg_threshold', 'gopher_too_many_hashes',
        'gopher_too_many_ellipsis', 'gopher_too_many_bullets', 'gopher_too_many_end_ellipsis',
        'gopher_below_alpha_threshold', 'gopher_enough_stop_words', 'lorem_ipsum', 'curly_bracket',
        'too_few_sentences', 'empty', 'line_punct_ratio', 'short_line_ratio', 'char_dup_ratio', 'list_ratio',
        'top_4_characters', 'top_6_characters', 'top_8_characters', 'duplicated_10_characters',
        'duplicated_12_characters', 'duplicated_14_characters', 'duplicated_16_characters',
        'duplicated_18_characters', 'duplicated_20_characters', 'duplicate_paragraphs',
        'duplicate_paragraph_characters', 'duplicate_lines', 'duplicate_line_characters', 'too_short',
        'too_long', 'short_sentences', 'long_sentences', 'few_letters', 'many_katakana',
        'many_digits_and_symbols', 'few_punctuated_lines', 'many_short_lines', 'many_bullet_lines',
        'many_ellipsis_lines'
    ];

-- Documents and characters in and out, and the sizes of groups. `given_characters`, `kept_text` and `group_size` are columns.
CREATE MACRO dedup_summary(numbered_file, given_characters, kept_file, kept_text, group_file, group_size) AS TABLE
    WITH given AS (
        SELECT count(*) AS documents, coalesce(sum(given_characters), 0) AS characters FROM read_parquet(numbered_file)
    ),
    kept AS (
        SELECT count(*) AS documents, coalesce(sum(character_length(kept_text)), 0) AS characters
        FROM read_parquet(kept_file)
    ),
    grouped AS (
        SELECT count(*) AS groups, coalesce(max(group_size), 1) AS largest_group FROM read_parquet(group_file)
    )
    SELECT given.documents AS documents_in, kept.documents AS documents_out,
           given.characters AS characters_in, kept.characters AS characters_out, groups, largest_group
    FROM given CROSS JOIN kept CROSS JOIN grouped;

-- The places of the first of equal paragraphs, by the list of hashes of each document. A place is one number, the rank of the document and the
-- position in it, so the smallest one is found without sorting.
CREATE MACRO dedup_first_places(ranked_file, numbered_file, number, hash_list) AS TABLE
    SELECT min(rank * 16777216 + position) AS place
    FROM (
        SELECT ranked.rank, unnest(numbered.hashes) AS hash, unnest(range(CAST(cardinality(numbered.hashes) AS BIGINT))) AS position
        FROM read_parquet(ranked_file) AS ranked
        JOIN (SELECT number AS id, hash_list AS hashes FROM read_parquet(numbered_file)) AS numbered ON numbered.id = ranked.id
    )
    WHERE hash IS NOT NULL
    GROUP BY hash;

-- The positions of these places in each document.
CREATE MACRO dedup_first_positions(ranked_file, place_file) AS TABLE
    SELECT id, array_agg(position) AS positions
    FROM (
        SELECT ranked.id, CAST(place % 16777216 AS INT) AS position
        FROM read_parquet(ranked_file) AS ranked
        JOIN (SELECT place, place // 16777216 AS rank FROM read_parquet(place_file)) AS places ON places.rank = ranked.rank
    )
    GROUP BY id;

-- For each document and paragraph: whether it is the first of its equals, or has no hash. Even numbers are positions of
-- first paragraphs, odd numbers those of repeated ones.
CREATE MACRO dedup_is_first(position_file, numbered_file, number, hash_list) AS TABLE
    SELECT id, array_transform(arrays_zip(hashes, array_sort(array_concat(
                   array_transform(positions, position -> position * 2),
                   array_transform(array_except(range(CAST(cardinality(hashes) AS BIGINT)), positions), position -> position * 2 + 1)))),
               pair -> pair['1'] IS NULL OR pair['2'] % 2 = 0) AS firsts
    FROM (
        SELECT numbered.id, hashes, coalesce(positions.positions, range(0)) AS positions
        FROM read_parquet(position_file) AS positions
        RIGHT JOIN (SELECT number AS id, hash_list AS hashes FROM read_parquet(numbered_file)) AS numbered ON numbered.id = positions.id
    );

-- Documents, paragraphs and characters in and out. `paragraph_count` and `character_count` are expressions for a row of
-- `numbered_file`.
CREATE MACRO dedup_paragraph_summary(numbered_file, paragraph_count, character_count, removed_file, kept_file) AS TABLE
    WITH removed AS (
        SELECT count(*) AS paragraphs, coalesce(sum(character_length(text)), 0) AS characters
        FROM read_parquet(removed_file)
    ),
    total AS (
        SELECT count(*) AS documents, coalesce(CAST(sum(paragraph_count) AS BIGINT), 0) AS paragraphs,
               coalesce(sum(character_count), 0) AS characters
        FROM read_parquet(numbered_file)
    ),
    kept AS (
        SELECT count(*) AS documents FROM read_parquet(kept_file)
    )
    SELECT total.documents AS documents_in, kept.documents AS documents_out,
           total.paragraphs AS paragraphs_in, total.paragraphs - removed.paragraphs AS paragraphs_out,
           total.characters AS characters_in, total.characters - removed.characters AS characters_out
    FROM total CROSS JOIN removed CROSS JOIN kept;

-- The similarity of two paragraphs, by smaller shingles if both are short.
CREATE MACRO dedup_jaccard(one, other, short, short_shingle, shingle) AS
    CASE WHEN greatest(character_length(one), character_length(other)) <= short
         THEN text_jaccard(one, other, short_shingle)
         ELSE text_jaccard(one, other, shingle) END;

-- Pairs of paragraphs with the text of the first one.
CREATE MACRO dedup_first_texts(pair_file, text_file) AS TABLE
    SELECT pairs.place, pairs.first_place, text AS first_text
    FROM read_parquet(pair_file) AS pairs
    JOIN read_parquet(text_file) AS texts ON texts.place = pairs.first_place;

-- The pairs of these that are similar.
CREATE MACRO dedup_similar_pairs(pair_file, text_file, least, short, short_shingle, shingle) AS TABLE
    SELECT first_place, place, similarity
    FROM (
        SELECT pairs.first_place, pairs.place,
               dedup_jaccard(first_text, text, short, short_shingle, shingle) AS similarity
        FROM read_parquet(pair_file) AS pairs
        JOIN read_parquet(text_file) AS texts ON texts.place = pairs.place
    )
    WHERE similarity >= least;

-- The lines of a text that are not blank.
CREATE MACRO cleaning_split(text) AS
    array_filter(string_to_array(coalesce(text, ''), chr(10)), line -> trim(line) <> '');

-- A line with one space for each run of white space.
CREATE MACRO cleaning_collapse_space(line) AS regexp_replace(line, '[\s\u3000]+', ' ', 'g');

-- Numbers of documents by the hash of their URL, because numbers in the order of the input depend on the threads.
CREATE MACRO cleaning_ranks(numbered_file) AS TABLE
    SELECT row_number() OVER (ORDER BY url_hash, hash, id) AS rank, id
    FROM (SELECT id, url_hash, text_hash(array_to_string(hashes, ' ')) AS hash FROM read_parquet(numbered_file));

-- Lines with their positions and the stages that drop them, NULL for lines that are kept.
CREATE MACRO cleaning_lines(lines, stages) AS
    array_transform(arrays_zip(range(CAST(cardinality(lines) AS BIGINT)), lines, stages),
                    line -> {position: line['1'] + 1, stage: line['3'], text: line['2']});

CREATE MACRO cleaning_kept(judged) AS
    array_transform(array_filter(judged, line -> line['stage'] IS NULL), line -> line['text']);

CREATE MACRO cleaning_dropped(judged) AS
    array_filter(judged, line -> line['stage'] IS NOT NULL);

-- The stage of uzushio's jobs `chitra` and `warc` that drops a line, NULL if none does.
CREATE MACRO cleaning_line_stage(line, length, shortest, longest) AS
    CASE WHEN regexp_like(line, '[\w-]+@[\w-]+\.[\w.-]+') THEN 'remove_email'
         WHEN regexp_like(line, '(https?|sftp?)://[\w/:%#$&?()~.=+-]+') THEN 'remove_url'
         WHEN length NOT BETWEEN shortest AND longest THEN 'filter_by_sentence_length' END;

-- The stage of these jobs that drops a document because of its lines.
CREATE MACRO cleaning_document_stage(lines, script, ng_words) AS
    CASE WHEN array_any_match(lines, line -> regexp_like(line, script)) THEN 'remove_script_document'
         WHEN cardinality(text_find_words(array_to_string(lines, chr(10)), ng_words)) > 0 THEN 'remove_ng_word_document' END;

-- The lines of documents, a table with the column `lines`, after each change of these jobs, and what is kept of them.
-- `line_stage` is a lambda function, such as `line -> cleaning_line_stage(line, …)`.
CREATE MACRO cleaning_japanese(documents, characters, appended, line_stage) AS TABLE
    WITH cited AS (
        SELECT *, array_transform(lines, line -> text_remove_citations(line)) AS cited FROM query_table(documents)
    ),
    cleaned AS (
        SELECT *, array_transform(cited, line -> text_clean(line, characters)) AS cleaned FROM cited
    ),
    spaced AS (
        SELECT *, array_transform(cleaned, line -> cleaning_collapse_space(line)) AS spaced FROM cleaned
    ),
    joined AS (
        SELECT *, text_join_short(spaced, appended) AS joined FROM spaced
    ),
    judged AS (
        SELECT *, cleaning_lines(joined, array_transform(joined, line_stage)) AS judged_lines FROM joined
    )
    SELECT *, cleaning_kept(judged_lines) AS kept FROM judged;

-- The lines of documents, a table with the column `given_lines`, that do not repeat the line before, without the passages
-- of a list (`unrepeated`), and what was removed (`repeated`).
CREATE MACRO cleaning_repeated(documents, given_lines, templates) AS TABLE
    WITH judged AS (
        SELECT *, cleaning_lines(given_lines, array_transform(text_repeats(given_lines),
                      repeats -> CASE WHEN repeats THEN 'deduplicate_repeating_sentence' END)) AS repeats
        FROM query_table(documents)
    ),
    without AS (
        SELECT *, text_remove_boilerplate(array_to_string(cleaning_kept(repeats), chr(10)), templates) AS without FROM judged
    )
    SELECT *, array_filter(string_to_array(without['text'], chr(10)), line -> line <> '') AS unrepeated,
           array_concat(
               cleaning_dropped(repeats),
               array_transform(without['removed'], passage -> {position: CAST(NULL AS BIGINT), stage: 'remove_substring', text: passage})) AS repeated
    FROM without;

-- The paragraphs and characters that `cleaning_japanese` removes by changing lines.
CREATE MACRO cleaning_japanese_changes(lines, cited, cleaned, spaced, joined) AS
    [cleaning_change('remove_wikipedia_citation', lines, cited),
     cleaning_change('normalize_character', cited, cleaned),
     cleaning_change('normalize_whitespace', cleaned, spaced),
     cleaning_change('concat_short_sentence', spaced, joined)];

-- The paragraphs and characters that a stage removes by changing lines, for `changed` of cleaning_summary.
CREATE MACRO cleaning_change(stage, before, after) AS
    {stage: stage, paragraphs: CAST(cardinality(before) AS BIGINT) - CAST(cardinality(after) AS BIGINT),
     characters: character_length(array_to_string(before, '')) - character_length(array_to_string(after, ''))};

-- The parts that a job that cleans documents has dropped: a row for each part of a document, and for each document. `marked`
-- are files of documents, with the stage that dropped each, and the parts that were removed from it.
CREATE MACRO cleaning_removed(marked) AS TABLE
    SELECT url, 'paragraph' AS level, part['position'] AS position, part['stage'] AS stage, part['text'] AS text
    FROM (SELECT url, unnest(removed) AS part FROM read_parquet(marked))
    UNION ALL
    SELECT url, 'document', NULL, stage, document FROM read_parquet(marked) WHERE stage IS NOT NULL;

-- Documents, paragraphs and characters in and out of each stage: `names` are the stages in order, `removals` is a table of
-- the counts that a stage removed, in any number of rows, and `totals` has the counts at the start.
CREATE MACRO stages_summary(names, removals, totals) AS TABLE
    WITH stages AS (
        SELECT unnest(range(1, CAST(cardinality(names) AS BIGINT) + 1)) AS number, unnest(names) AS stage
    ),
    lost AS (
        SELECT number, stages.stage, CAST(coalesce(sum(documents), 0) AS BIGINT) AS documents,
               CAST(coalesce(sum(paragraphs), 0) AS BIGINT) AS paragraphs,
               CAST(coalesce(sum(characters), 0) AS BIGINT) AS characters
        FROM stages LEFT JOIN query_table(removals) AS removed ON removed.stage = stages.stage GROUP BY number, stages.stage
    ),
    remaining AS (
        SELECT number, stage, lost.documents AS lost_documents, lost.paragraphs AS lost_paragraphs,
               lost.characters AS lost_characters,
               total.documents - sum(lost.documents) OVER (ORDER BY number) AS documents,
               total.paragraphs - sum(lost.paragraphs) OVER (ORDER BY number) AS paragraphs,
               total.characters - sum(lost.characters) OVER (ORDER BY number) AS characters
        FROM lost CROSS JOIN query_table(totals) AS total
    )
    SELECT number, stage, documents + lost_documents AS documents_in, documents AS documents_out,
           paragraphs + lost_paragraphs AS paragraphs_in, paragraphs AS paragraphs_out,
           characters + lost_characters AS characters_in, characters AS characters_out
    FROM remaining;

-- stages_summary of a job that cleans documents: `dropped` are files with the rows of cleaning_removed, and `changed` in
-- `marked` says what stages removed by changing lines. Passages of boilerplate have several paragraphs.
CREATE MACRO cleaning_summary(names, marked, dropped) AS TABLE
    WITH removed AS (
        SELECT stage, 0 AS documents, CASE stage WHEN 'remove_substring' THEN regexp_count(text, chr(10)) + 1 ELSE 1 END AS paragraphs,
               character_length(replace(text, chr(10), '')) AS characters
        FROM read_parquet(dropped) WHERE level = 'paragraph'
        UNION ALL
        SELECT part['stage'], 0, part['paragraphs'], part['characters']
        FROM (SELECT unnest(changed) AS part FROM read_parquet(marked))
        UNION ALL
        SELECT stage, 1, paragraphs, character_length(replace(document, chr(10), ''))
        FROM read_parquet(marked) WHERE stage IS NOT NULL
    ),
    total AS (
        SELECT count(*) AS documents, CAST(sum(paragraphs_in) AS BIGINT) AS paragraphs,
               CAST(sum(characters_in) AS BIGINT) AS characters
        FROM read_parquet(marked)
    )
    SELECT * FROM stages_summary(names, 'removed', 'total');

-- A value as text: bytes that are not UTF-8 become hexadecimal digits.
CREATE MACRO job_text(value) AS coalesce(TRY_CAST(value AS VARCHAR), hex(value));

-- The key of a scanned page. Records without a key are told apart by their data, and belong to the book of their file.
CREATE MACRO ocr_key(key, source_file, data) AS
    coalesce(TRY_CAST(key AS VARCHAR), hex(key), concat(source_file, '/', md5(CASE WHEN key IS NULL THEN data END), ' without a key'));

-- The key of the book of a page.
CREATE MACRO ocr_book(key) AS regexp_replace(key, '[/!][^/!]*$', '');

-- The number of a page: the last number in its key.
CREATE MACRO ocr_page_number(key) AS TRY_CAST(regexp_match(key, '([0-9]{1,15})(\.[A-Za-z][^/!]*)?$')[1] AS BIGINT);

-- Keys in this order are in the order of their pages: page-2 before page-10.
CREATE MACRO ocr_order(key) AS
    concat(regexp_replace(key, '[0-9]{1,15}(\.[A-Za-z][^/!]*)?$', ''), lpad(CAST(ocr_page_number(key) AS VARCHAR), 15, '0'));

-- The boxes of a document's text: its blocks, or its lines if a program wrote no blocks.
CREATE MACRO ocr_boxes(blocks, data) AS
    CASE WHEN coalesce(empty(blocks), true) THEN hocr_lines(CASE WHEN coalesce(empty(blocks), true) THEN data END, NULL, 'boxes')
        ELSE blocks END;

-- The error of a document with lines, but without blocks.
CREATE MACRO ocr_no_blocks(is_empty, data) AS
    CASE WHEN is_empty AND NOT coalesce(empty(hocr_lines(CASE WHEN is_empty THEN data END, NULL, 'boxes')), true) THEN 'no blocks, only lines' END;

-- The error of a document in which nothing was found, if it has no page either. Others are not parsed for that.
CREATE MACRO ocr_no_page(is_empty, data) AS
    CASE WHEN is_empty AND coalesce(empty(hocr_pages(CASE WHEN is_empty THEN data END)), true) THEN 'no page' END;
