-- Filters documents of any language by published rules, in the order of FineWeb: blocked URLs, the
-- language, the repetition and quality rules of Gopher, C4 and FineWeb. A document is removed by the first stage
-- whose rules it breaks. C4 also removes lines, which are missing in the documents that are kept.
--
-- Languages without spaces between words have rules about characters (see quality_characters) instead of rules about
-- words: two characters count as a word, so that a sequence of two words becomes a sequence of four characters.
-- Gopher's rule about stop words is for English only.
--
-- The output folder has documents.parquet, removed.parquet (with the stage, the names of the broken rules, their
-- limits and the measured values; and, with the level lines, the lines that C4 removes), summary.parquet (documents,
-- paragraphs and characters in and out of each stage, and the broken rules), and stages/, from which these are made.
-- Paragraphs are lines that are not blank.
--
-- Each file appears when it is complete. With --resume, an interrupted run continues
-- with the input files that are missing in stages/.
--
--   corpus-sql --resume -f queries/filter_documents.sql -v input=documents.parquet -v output=filtered/ -v languages=en
--
-- input       documents with any columns, which are kept: Parquet or JSON lines, a file, folder or glob. language and
--             confidence are added; they are called language_1 and confidence_1 if the input has such columns
-- text        the column with the text; by default the first of text, content and document that the input has
-- id          the column with the URL; by default the first of url and id
-- output      a folder
-- blocked     the list of blocked domains and URLs (see url_blocked)
-- languages   the languages to keep, separated by commas; all that are detected if empty
-- confidence  the smallest accepted confidence of the detection
-- language_model   a fastText model in place of the built-in detection: 'lid.176.ftz' for languages that
--             it does not know, and for thresholds that were published for that model (docs/language.md)
-- by_characters   the languages with rules by characters
-- max_duplicate_paragraphs, max_duplicate_paragraph_characters, max_duplicate_lines,
-- max_duplicate_line_characters   the largest accepted shares of repeated paragraphs and lines
-- max_top_2_gram … max_top_4_gram   those of the most frequent sequence of words
-- max_duplicated_5_gram … max_duplicated_10_gram   those of repeated sequences of words
-- min_words, max_words, min_word_length, max_word_length, max_symbols, max_bullet_lines, max_ellipsis_lines,
-- min_alphabetic_words, min_stop_words   the limits of Gopher
-- min_characters, max_characters, min_sentence_length, max_sentence_length, min_letters, max_katakana,
-- max_digits_and_symbols   the limits of the rules by characters
-- min_sentences   the limit of C4
-- min_punctuated_lines, max_short_lines, max_repeated_characters, max_newlines   the limits of FineWeb

COPY (
    WITH detected AS (
        SELECT *, language(CASE WHEN blocked IS NULL THEN document END, '${language_model:-}') AS detected
        FROM (
            SELECT "${input.id}" AS url, coalesce("${input.text}", '') AS document, ${input.row} AS input,
                   url_blocked(CAST("${input.id}" AS VARCHAR), '${blocked:-builtin:ad-hosts}') AS blocked
            FROM '${input:-data-samples/documents/}'
            WHERE job_require_languages('languages', '${languages:-}', '${language_model:-}')
                  AND job_require_languages('by_characters', '${by_characters:-ja,zh,ko,th,lo,km,my}', '${language_model:-}')
                  AND job_require_shares('confidence', [${confidence:-0.65}])
                  AND job_require_limits('min_words and max_words', ${min_words:-50}, ${max_words:-100000})
                  AND job_require_limits('min_characters and max_characters', ${min_characters:-100}, ${max_characters:-200000})
                  AND job_require_limits('min_sentence_length and max_sentence_length', ${min_sentence_length:-8}, ${max_sentence_length:-200})
                  AND job_require_limits('min_word_length and max_word_length', ${min_word_length:-3}, ${max_word_length:-10})
                  AND job_require_shares('max_duplicate_paragraphs, max_duplicate_paragraph_characters, max_duplicate_lines, max_duplicate_line_characters',
                          [${max_duplicate_paragraphs:-0.3}, ${max_duplicate_paragraph_characters:-0.2}, ${max_duplicate_lines:-0.3},
                           ${max_duplicate_line_characters:-0.2}])
                  AND job_require_shares('max_top_2_gram to max_top_4_gram, max_duplicated_5_gram to max_duplicated_10_gram',
                          [${max_top_2_gram:-0.2}, ${max_top_3_gram:-0.18}, ${max_top_4_gram:-0.16}, ${max_duplicated_5_gram:-0.15},
                           ${max_duplicated_6_gram:-0.14}, ${max_duplicated_7_gram:-0.13}, ${max_duplicated_8_gram:-0.12},
                           ${max_duplicated_9_gram:-0.11}, ${max_duplicated_10_gram:-0.1}])
                  AND job_require_shares('max_bullet_lines, max_ellipsis_lines, min_alphabetic_words, min_letters, max_katakana, max_digits_and_symbols',
                          [${max_bullet_lines:-0.9}, ${max_ellipsis_lines:-0.3}, ${min_alphabetic_words:-0.8}, ${min_letters:-0.7},
                           ${max_katakana:-0.5}, ${max_digits_and_symbols:-0.2}])
                  AND job_require_shares('min_punctuated_lines, max_short_lines, max_repeated_characters',
                          [${min_punctuated_lines:-0.12}, ${max_short_lines:-0.67}, ${max_repeated_characters:-0.01}])
        )
    ),
    judged AS (
        SELECT url, document, input, blocked, detected['language'] AS language, detected['confidence'] AS confidence,
               CASE WHEN detected IS NULL THEN 'no_language'
                    WHEN '${languages:-}' <> '' AND NOT array_has(job_list('${languages:-}'), lower(detected['language']))
                    THEN 'other_language'
                    WHEN detected['confidence'] < ${confidence:-0.65} THEN 'uncertain_language' END AS language_rule,
               coalesce(array_has(job_list('${by_characters:-ja,zh,ko,th,lo,km,my}'), lower(detected['language'])), false)
                   AS by_characters
        FROM detected
    ),
    -- Rules of later stages are not evaluated for documents without a language to keep.
    measured AS (
        SELECT *, quality_rules(CASE WHEN language_rule IS NULL AND NOT by_characters THEN document END, 'fineweb') AS q,
               quality_characters(CASE WHEN language_rule IS NULL AND by_characters THEN document END) AS c
        FROM judged
    ),
    named AS (
        SELECT url, document, input, blocked, language, confidence, language_rule, by_characters,
               q['gopher'] AS gopher, q['fineweb'] AS fineweb, c AS characters,
               coalesce(q['c4']['text'], document) AS cleaned,
               q['c4']['sentences'] AS sentences, q['c4']['broken'] AS c4_rules,
               CASE WHEN by_characters
                    THEN {duplicate_paragraphs: c['duplicate_paragraphs'],
                          duplicate_paragraph_characters: c['duplicate_paragraph_characters'],
                          duplicate_lines: c['duplicate_lines'],
                          duplicate_line_characters: c['duplicate_line_characters'],
                          top_ngrams: c['top_ngrams'], duplicate_ngrams: c['duplicate_ngrams']}
                    ELSE {duplicate_paragraphs: q['gopher_repetition']['duplicate_paragraphs'],
                          duplicate_paragraph_characters: q['gopher_repetition']['duplicate_paragraph_characters'],
                          duplicate_lines: q['gopher_repetition']['duplicate_lines'],
                          duplicate_line_characters: q['gopher_repetition']['duplicate_line_characters'],
                          top_ngrams: q['gopher_repetition']['top_ngrams'],
                          duplicate_ngrams: q['gopher_repetition']['duplicate_ngrams']} END AS repetition
        FROM measured
    ),
    broken AS (
        SELECT *, [language_rule] AS language_rules,
               [CASE WHEN repetition['duplicate_paragraphs'] > ${max_duplicate_paragraphs:-0.3} THEN 'dup_para_frac' END,
                CASE WHEN repetition['duplicate_paragraph_characters'] > ${max_duplicate_paragraph_characters:-0.2} THEN 'dup_para_char_frac' END,
                CASE WHEN repetition['duplicate_lines'] > ${max_duplicate_lines:-0.3} THEN 'dup_line_frac' END,
                CASE WHEN repetition['duplicate_line_characters'] > ${max_duplicate_line_characters:-0.2} THEN 'dup_line_char_frac' END,
                CASE WHEN repetition['top_ngrams'][1] > ${max_top_2_gram:-0.2} THEN 'top_2_gram' END,
                CASE WHEN repetition['top_ngrams'][2] > ${max_top_3_gram:-0.18} THEN 'top_3_gram' END,
                CASE WHEN repetition['top_ngrams'][3] > ${max_top_4_gram:-0.16} THEN 'top_4_gram' END,
                CASE WHEN repetition['duplicate_ngrams'][1] > ${max_duplicated_5_gram:-0.15} THEN 'duplicated_5_n_grams' END,
                CASE WHEN repetition['duplicate_ngrams'][2] > ${max_duplicated_6_gram:-0.14} THEN 'duplicated_6_n_grams' END,
                CASE WHEN repetition['duplicate_ngrams'][3] > ${max_duplicated_7_gram:-0.13} THEN 'duplicated_7_n_grams' END,
                CASE WHEN repetition['duplicate_ngrams'][4] > ${max_duplicated_8_gram:-0.12} THEN 'duplicated_8_n_grams' END,
                CASE WHEN repetition['duplicate_ngrams'][5] > ${max_duplicated_9_gram:-0.11} THEN 'duplicated_9_n_grams' END,
                CASE WHEN repetition['duplicate_ngrams'][6] > ${max_duplicated_10_gram:-0.1} THEN 'duplicated_10_n_grams' END]
                   AS repetition_rules,
               CASE WHEN by_characters THEN
               [CASE WHEN characters['characters'] < ${min_characters:-100} THEN 'too_short' END,
                CASE WHEN characters['characters'] > ${max_characters:-200000} THEN 'too_long' END,
                CASE WHEN characters['mean_sentence_length'] < ${min_sentence_length:-8} THEN 'short_sentences' END,
                CASE WHEN characters['mean_sentence_length'] > ${max_sentence_length:-200} AND language NOT IN ('th', 'lo') THEN 'long_sentences' END,
                CASE WHEN characters['letters'] < ${min_letters:-0.7} THEN 'few_letters' END,
                CASE WHEN characters['katakana'] > ${max_katakana:-0.5} THEN 'many_katakana' END,
                CASE WHEN characters['digits_and_symbols'] > ${max_digits_and_symbols:-0.2} THEN 'many_digits_and_symbols' END,
                CASE WHEN characters['bullet_lines'] > ${max_bullet_lines:-0.9} THEN 'many_bullet_lines' END,
                CASE WHEN characters['ellipsis_lines'] > ${max_ellipsis_lines:-0.3} THEN 'many_ellipsis_lines' END]
               ELSE
               [CASE WHEN gopher['words'] < ${min_words:-50} THEN 'gopher_short_doc' END,
                CASE WHEN gopher['words'] > ${max_words:-100000} THEN 'gopher_long_doc' END,
                CASE WHEN gopher['mean_word_length'] < ${min_word_length:-3} THEN 'gopher_below_avg_threshold' END,
                CASE WHEN gopher['mean_word_length'] > ${max_word_length:-10} THEN 'gopher_above_avg_threshold' END,
                CASE WHEN gopher['hash_ratio'] > ${max_symbols:-0.1} THEN 'gopher_too_many_hashes' END,
                CASE WHEN gopher['ellipsis_ratio'] > ${max_symbols:-0.1} THEN 'gopher_too_many_ellipsis' END,
                CASE WHEN gopher['bullet_lines'] > ${max_bullet_lines:-0.9} THEN 'gopher_too_many_bullets' END,
                CASE WHEN gopher['ellipsis_lines'] > ${max_ellipsis_lines:-0.3} THEN 'gopher_too_many_end_ellipsis' END,
                CASE WHEN gopher['alphabetic_words'] < ${min_alphabetic_words:-0.8} THEN 'gopher_below_alpha_threshold' END,
                CASE WHEN gopher['stop_words'] < ${min_stop_words:-2} AND language = 'en' THEN 'gopher_enough_stop_words' END]
               END AS gopher_rules,
               [CASE WHEN array_has(c4_rules, 'lorem_ipsum') OR by_characters AND document ILIKE '%lorem ipsum%' THEN 'lorem_ipsum' END,
                CASE WHEN array_has(c4_rules, 'curly_bracket') OR by_characters AND document LIKE '%{%' THEN 'curly_bracket' END,
                CASE WHEN sentences < ${min_sentences:-5} THEN 'too_few_sentences' END] AS c4_broken,
               CASE WHEN by_characters THEN
               [CASE WHEN characters['punctuated_lines'] < ${min_punctuated_lines:-0.12} AND language NOT IN ('th', 'lo') THEN 'line_punct_ratio' END,
                CASE WHEN characters['short_lines'] > ${max_short_lines:-0.67} THEN 'short_line_ratio' END,
                CASE WHEN characters['duplicate_line_characters'] > ${max_repeated_characters:-0.01} THEN 'char_dup_ratio' END]
               ELSE
               [CASE WHEN fineweb['punctuated_lines'] < ${min_punctuated_lines:-0.12} THEN 'line_punct_ratio' END,
                CASE WHEN fineweb['short_lines'] > ${max_short_lines:-0.67} THEN 'short_line_ratio' END,
                CASE WHEN fineweb['duplicate_characters'] > ${max_repeated_characters:-0.01} THEN 'char_dup_ratio' END,
                CASE WHEN fineweb['newline_ratio'] > ${max_newlines:-0.3} THEN 'list_ratio' END]
               END AS fineweb_rules
        FROM named
    ),
    decided AS (
        SELECT *, CASE WHEN blocked IS NOT NULL THEN 'url'
                       WHEN array_any_match(language_rules, rule -> rule IS NOT NULL) THEN 'language'
                       WHEN array_any_match(repetition_rules, rule -> rule IS NOT NULL) THEN 'gopher_repetition'
                       WHEN array_any_match(gopher_rules, rule -> rule IS NOT NULL) THEN 'gopher_quality'
                       WHEN array_any_match(c4_broken, rule -> rule IS NOT NULL) THEN 'c4'
                       WHEN array_any_match(fineweb_rules, rule -> rule IS NOT NULL) THEN 'fineweb' END AS stage
        FROM broken
    )
    SELECT url, document, CASE WHEN stage IS NULL THEN cleaned END AS kept,
           CASE WHEN stage = 'fineweb' AND cleaned <> document THEN cleaned END AS judged, language, confidence, stage,
           array_filter(CASE stage WHEN 'url' THEN [blocked] WHEN 'language' THEN language_rules WHEN 'gopher_repetition' THEN repetition_rules
                                   WHEN 'gopher_quality' THEN gopher_rules WHEN 'c4' THEN c4_broken
                                   WHEN 'fineweb' THEN fineweb_rules END, rule -> rule IS NOT NULL) AS rules,
           -- Lines that are not blank: the first one, and those found by a search that skips to the next line
           -- feed.
           CAST(regexp_like(document, '^[^\S\n]*\S') AS BIGINT) + regexp_count(document, '\n\s*\S') AS paragraphs,
           character_length(document) AS characters,
           CAST(regexp_like(cleaned, '^[^\S\n]*\S') AS BIGINT) + regexp_count(cleaned, '\n\s*\S') AS cleaned_paragraphs,
           character_length(cleaned) AS cleaned_characters,
           repetition, gopher, sentences, fineweb, characters AS by_characters, input
    FROM decided
) TO '${output:-filtered}/stages/' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT ${input.columns from input, kept}, language, confidence
    FROM '${output:-filtered}/stages/' WHERE stage IS NULL
) TO '${output:-filtered}/documents.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT url, stage, rules,
           -- The limits that the rules have above.
           array_transform(rules, rule -> element_at(map {
               'dup_para_frac': ${max_duplicate_paragraphs:-0.3},
               'dup_para_char_frac': ${max_duplicate_paragraph_characters:-0.2},
               'dup_line_frac': ${max_duplicate_lines:-0.3},
               'dup_line_char_frac': ${max_duplicate_line_characters:-0.2}, 'top_2_gram': ${max_top_2_gram:-0.2},
               'top_3_gram': ${max_top_3_gram:-0.18}, 'top_4_gram': ${max_top_4_gram:-0.16},
               'duplicated_5_n_grams': ${max_duplicated_5_gram:-0.15},
               'duplicated_6_n_grams': ${max_duplicated_6_gram:-0.14},
               'duplicated_7_n_grams': ${max_duplicated_7_gram:-0.13},
               'duplicated_8_n_grams': ${max_duplicated_8_gram:-0.12},
               'duplicated_9_n_grams': ${max_duplicated_9_gram:-0.11},
               'duplicated_10_n_grams': ${max_duplicated_10_gram:-0.1}, 'too_short': ${min_characters:-100},
               'too_long': ${max_characters:-200000}, 'short_sentences': ${min_sentence_length:-8},
               'long_sentences': ${max_sentence_length:-200}, 'few_letters': ${min_letters:-0.7},
               'many_katakana': ${max_katakana:-0.5}, 'many_digits_and_symbols': ${max_digits_and_symbols:-0.2},
               'many_bullet_lines': ${max_bullet_lines:-0.9}, 'many_ellipsis_lines': ${max_ellipsis_lines:-0.3},
               'gopher_short_doc': ${min_words:-50}, 'gopher_long_doc': ${max_words:-100000},
               'gopher_below_avg_threshold': ${min_word_length:-3},
               'gopher_above_avg_threshold': ${max_word_length:-10}, 'gopher_too_many_hashes': ${max_symbols:-0.1},
               'gopher_too_many_ellipsis': ${max_symbols:-0.1}, 'gopher_too_many_bullets': ${max_bullet_lines:-0.9},
               'gopher_too_many_end_ellipsis': ${max_ellipsis_lines:-0.3},
               'gopher_below_alpha_threshold': ${min_alphabetic_words:-0.8},
               'gopher_enough_stop_words': ${min_stop_words:-2}, 'too_few_sentences': ${min_sentences:-5},
               'line_punct_ratio': ${min_punctuated_lines:-0.12}, 'short_line_ratio': ${max_short_lines:-0.67},
               'char_dup_ratio': ${max_repeated_characters:-0.01}, 'list_ratio': ${max_newlines:-0.3}
           }, rule)[1]) AS limits,
           language, confidence, repetition, gopher, sentences, fineweb, by_characters, document,
           'document' AS level,
           -- Documents that FineWeb removes have already lost the lines that C4 removes.
           CASE stage WHEN 'fineweb' THEN cleaned_paragraphs ELSE paragraphs END AS paragraphs,
           CASE stage WHEN 'fineweb' THEN cleaned_characters ELSE characters END AS characters
    FROM '${output:-filtered}/stages/' WHERE stage IS NOT NULL
    UNION ALL
    SELECT url, 'c4', ['lines'], CAST([NULL] AS double[]), language, confidence, repetition, gopher, sentences, fineweb,
           by_characters, array_to_string(array_except(string_to_array(document, chr(10)), string_to_array(coalesce(kept, judged), chr(10))), chr(10)),
           'lines', paragraphs - cleaned_paragraphs, characters - cleaned_characters
    FROM '${output:-filtered}/stages/'
    WHERE (stage IS NULL OR stage = 'fineweb') AND characters <> cleaned_characters
) TO '${output:-filtered}/removed.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    WITH removed AS (
        SELECT stage, CASE level WHEN 'document' THEN 1 ELSE 0 END AS documents, paragraphs, characters
        FROM '${output:-filtered}/removed.parquet'
    ),
    total AS (
        SELECT count(*) AS documents, CAST(sum(paragraphs) AS BIGINT) AS paragraphs,
               CAST(sum(characters) AS BIGINT) AS characters
        FROM '${output:-filtered}/stages/'
    ),
    counted AS (
        SELECT stage, rule, count(*) AS documents
        FROM (SELECT stage, unnest(rules) AS rule FROM '${output:-filtered}/stages/' WHERE stage IS NOT NULL)
        GROUP BY stage, rule
    ),
    listed AS (
        SELECT stage, string_agg(rule || ' ' || documents, ', ' ORDER BY documents DESC, rule) AS rules
        FROM counted GROUP BY stage
    )
    SELECT summary.*, rules
    FROM stages_summary(['url', 'language', 'gopher_repetition', 'gopher_quality', 'c4', 'fineweb'], 'removed', 'total') AS summary
    LEFT JOIN listed ON listed.stage = summary.stage ORDER BY number
) TO '${output:-filtered}/summary.parquet' STORED AS PARQUET;

SELECT * EXCLUDE (rules) FROM '${output:-filtered}/summary.parquet' ORDER BY number;

-- The rules that removed most documents.
SELECT stage, rule, count(*) AS documents
FROM (SELECT stage, unnest(rules) AS rule FROM '${output:-filtered}/stages/' WHERE stage IS NOT NULL)
GROUP BY stage, rule ORDER BY documents DESC, stage, rule LIMIT 10;
