-- A report of the text in web archives as one web page: how many responses are complete, are HTML,
-- have text, are in the wanted languages, and are kept; by month, language, charset, status, type
-- and host; and the reasons why the others are not kept. The page needs no network. Its numbers are
-- also in `counts.parquet`, and every response with its reason is in `responses.parquet`.
--
--   corpus-sql -f queries/corpus_report.sql -v input='crawl/*.warc.gz' -v languages=ja -v output=report
--
-- input      a file, folder, glob or URL
-- languages  the languages to keep, separated by commas; '' keeps all
-- language_model   a fastText model in place of the built-in detection: 'lid.176.ftz' for languages that
--            it does not know, and for thresholds that were published for that model (docs/language.md)
-- statuses   the status codes to keep; '' keeps all
-- length     the smallest number of characters to keep
-- most       the number of values per property, the most frequent ones, on the page; the others are added up
-- output     a folder
--
-- The column stage is the last stage that a response reaches: 1 response, 2 complete, 3 HTML,
-- 4 parsed, 5 with text, 6 in a wanted language, 7 kept.

COPY (
    WITH detected AS (
        SELECT source_file, "offset", target_uri, date, truncated, error, http_response(body) AS http,
               CASE WHEN error IS NULL AND truncated IS NULL AND http['sniffed_type'] IN ('text/html', 'application/xhtml+xml')
                    THEN html_parse(http['body'], http['charset']) END AS page,
               language(page['document'], '${language_model:-}') AS detected
        FROM read_warc('${input:-data-samples/web/}')
        -- Records with an unreadable header have no type.
        WHERE (warc_type = 'response' OR warc_type IS NULL)
              AND job_require_languages('languages', '${languages:-en,ja}', '${language_model:-}')
              AND job_require('${statuses:-200}' = '' OR regexp_like('${statuses:-200}', '^ *[0-9]{3}( *, *[0-9]{3})* *$'),
                              'statuses: expected codes separated by commas such as 200,203, got ${statuses:-200}')
    ),
    described AS (
        SELECT source_file, "offset", target_uri AS url, url_host(target_uri) AS host, date,
               http['status'] AS status, coalesce(http['sniffed_type'], http['media_type']) AS type, truncated, page['charset'] AS charset,
               CASE WHEN page['document'] <> '' THEN coalesce(detected['language'], 'unknown') END AS language,
               character_length(page['document']) AS characters, page['error'] AS page_error,
               coalesce(error, http['error'], page['error']) AS error, error AS record_error
        FROM detected
    ),
    judged AS (
        SELECT *, CASE
            WHEN record_error IS NOT NULL THEN {stage: 1, reason: 'damaged record: ' || split_part(record_error, ':', 1)}
            WHEN truncated IS NOT NULL THEN {stage: 1, reason: 'cut by the crawler: ' || truncated}
            WHEN status IS NULL THEN {stage: 1, reason: 'not HTTP'}
            WHEN type IS NULL OR type NOT IN ('text/html', 'application/xhtml+xml') THEN {stage: 2, reason: 'not HTML: ' || coalesce(type, 'unknown')}
            WHEN page_error IS NOT NULL THEN {stage: 3, reason: 'not readable: ' || split_part(page_error, ':', 1)}
            WHEN language IS NULL THEN {stage: 4, reason: 'no text'}
            WHEN '${languages:-en,ja}' <> '' AND NOT array_has(job_list('${languages:-en,ja}'), lower(language)) THEN {stage: 5, reason: 'language: ' || language}
            WHEN '${statuses:-200}' <> '' AND NOT array_has(job_list('${statuses:-200}'), CAST(status AS VARCHAR)) THEN {stage: 6, reason: 'status: ' || status}
            WHEN characters < ${length:-50} THEN {stage: 6, reason: 'fewer than ${length:-50} characters'}
            ELSE {stage: 7, reason: NULL} END AS judgement
        FROM described
    )
    SELECT source_file, "offset", url, host, date, status, type, charset, language, characters, error,
           judgement['stage'] AS stage, judgement['reason'] AS reason
    FROM judged
) TO '${output:-corpus_report}/responses.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

COPY (
    SELECT p['property'] AS property, p['value'] AS value, count(*) AS responses,
           count(*) FILTER (WHERE stage >= 2) AS complete, count(*) FILTER (WHERE stage >= 3) AS html,
           count(*) FILTER (WHERE stage >= 4) AS parsed, count(*) FILTER (WHERE stage >= 5) AS with_text,
           count(*) FILTER (WHERE stage >= 6) AS in_languages, count(*) FILTER (WHERE stage >= 7) AS kept,
           coalesce(sum(characters), 0) AS characters, coalesce(sum(characters) FILTER (WHERE stage >= 7), 0) AS kept_characters,
           min(CASE WHEN p['property'] IN ('reason', 'error') THEN url END) AS example
    FROM (
        SELECT stage, characters, url, unnest([
            {property: 'all', value: 'all'},
            {property: 'reason', value: reason},
            {property: 'month', value: coalesce(left(CAST(date AS VARCHAR), 7), 'unknown')},
            {property: 'language', value: language},
            {property: 'charset', value: charset},
            {property: 'status', value: coalesce(CAST(status AS VARCHAR), 'none')},
            {property: 'type', value: coalesce(type, 'unknown')},
            {property: 'host', value: coalesce(host, 'unknown')},
            {property: 'error', value: split_part(error, ':', 1)}
        ]) AS p
        FROM '${output:-corpus_report}/responses.parquet'
    )
    WHERE p['value'] IS NOT NULL
    GROUP BY 1, 2
) TO '${output:-corpus_report}/counts.parquet' STORED AS PARQUET OPTIONS ('compression' 'zstd(3)');

-- Keeps only the most frequent values, instead of sorting all hosts.
SET datafusion.optimizer.enable_window_topn = true;

CREATE OR REPLACE TABLE report_counts AS
WITH frequent AS (
    SELECT *, row_number() OVER (PARTITION BY property ORDER BY responses DESC, value) AS place
    FROM '${output:-corpus_report}/counts.parquet'
    WHERE property <> 'month'
    QUALIFY place <= ${most:-20}
    UNION ALL
    -- Months are columns of a plot, so there may be more of them.
    (SELECT *, 1 FROM '${output:-corpus_report}/counts.parquet' WHERE property = 'month' ORDER BY responses DESC LIMIT 600)
),
others AS (
    SELECT property, sum(sign) AS of_values, sum(responses) AS responses, sum(with_text) AS with_text, sum(kept) AS kept
    FROM (
        SELECT property, 1 AS sign, responses, with_text, kept FROM '${output:-corpus_report}/counts.parquet'
        UNION ALL
        SELECT property, -1, -responses, -with_text, -kept FROM frequent
    )
    GROUP BY property
    HAVING sum(sign) > 0
)
SELECT *, false AS is_rest, 1 AS of_values FROM frequent
UNION ALL
SELECT property, of_values || CASE of_values WHEN 1 THEN ' other' ELSE ' others' END, responses, NULL, NULL, NULL, with_text, NULL, kept, NULL, NULL, NULL, ${most:-20} + 1, true, of_values FROM others;

COPY (
    -- The numbers and labels of the page. Labels from the archives may contain HTML and are escaped.
    WITH written AS (
        SELECT *, trim(reverse(regexp_replace(reverse(CAST(number AS VARCHAR)), '(\d{3})', '\1,', 'g')), ',') AS number_text,
               replace(replace(replace(replace(left(raw_label, 100), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;') AS label,
               replace(replace(replace(replace(left(raw_note, 90), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;') AS note,
               100.0 / nullif(max(number) FILTER (WHERE NOT is_rest) OVER (PARTITION BY property), 0) AS scale,
               property IN ('reason', 'error') AS is_loss
        FROM (
            SELECT property, place, value AS raw_label, coalesce(example, '') AS raw_note, responses AS number, with_text, kept, is_rest FROM report_counts
            UNION ALL
            SELECT 'funnel', s['place'], s['label'], s['note'], s['number'], 0, 0, false
            FROM (SELECT unnest([
                {place: 1, label: 'Responses', note: 'records of this type', number: responses},
                {place: 2, label: 'Complete', note: 'undamaged, not cut by the crawler, with an HTTP head', number: complete},
                {place: 3, label: 'HTML', note: 'judged by the bytes of the body', number: html},
                {place: 4, label: 'Parsed', note: 'in a readable charset and compression', number: parsed},
                {place: 5, label: 'With text', note: 'outside of scripts, forms and hidden elements', number: with_text},
                {place: 6, label: 'In the languages', note: coalesce(nullif('${languages:-en,ja}', ''), 'any'), number: in_languages},
                {place: 7, label: 'Kept', note: coalesce('status ' || nullif('${statuses:-200}', ''), 'any status') || ', at least ${length:-50} characters', number: kept}
            ]) AS s FROM report_counts WHERE property = 'all')
            UNION ALL
            SELECT 'facts', f['place'], f['label'], '', f['number'], 0, 0, false
            FROM (SELECT unnest([
                {place: 1, label: 'pages kept', number: kept},
                {place: 2, label: 'characters in them', number: kept_characters},
                {place: 3, label: 'characters of all pages', number: characters},
                {place: 4, label: 'hosts', number: (SELECT sum(of_values) FROM report_counts WHERE property = 'host')}
            ]) AS f FROM report_counts WHERE property = 'all')
            UNION ALL
            SELECT 'source', 1, '${input:-data-samples/web/}', '', 0, 0, 0, false
        )
    ),
    singles AS (
        SELECT string_agg('<div><dt>' || label || '<dd>' || number_text || '</div>', '' ORDER BY place) FILTER (WHERE property = 'facts') AS facts,
               string_agg('<tr><th>' || label || ' <small>' || note || '</small><td class="bar"><svg viewBox="0 0 100 1" preserveAspectRatio="none"><rect class="all" width="100" height="1"/><rect class="kept" width="'
                   || coalesce(round(number * scale, 3), 0) || '" height="1"/></svg><td class="n">' || number_text || '<td class="n dim">' || coalesce(round(number * scale, 1) || '&thinsp;%', '–'), chr(10) ORDER BY place)
                   FILTER (WHERE property = 'funnel') AS funnel,
               max(label) FILTER (WHERE property = 'source') AS source
        FROM written
    ),
    -- One column per month with responses: three rectangles, each in front of the previous one.
    months AS (
        SELECT string_agg('<g><title>' || label || ': ' || number_text || ' responses, ' || kept || ' kept</title>' || bar || 'class="all" height="' || round(number * scale, 2) || '"/>' || bar || 'class="text" height="' || round(with_text * scale, 2) || '"/>'
                   || bar || 'class="kept" height="' || round(kept * scale, 2) || '"/></g>', '' ORDER BY label) AS month_columns,
               min(label) AS first_month, max(label) AS last_month, first_value(number_text ORDER BY number DESC) AS busiest
        FROM (
            SELECT *, '<rect x="' || round(100.0 * (row_number() OVER (ORDER BY label) - 1) / count(*) OVER (), 2) || '" width="' || round(least(85.0 / count(*) OVER (), 8), 2) || '" ' AS bar
            FROM written WHERE property = 'month' AND label ~ '^\d{4}-\d{2}$'
        )
    ),
    tables AS (
        SELECT string_agg('<section><h2>' || title || '</h2><p>' || meaning || '</p><table class="values"><tr><th>' || property || '<th class="n">' || counted || '<th class="n">' || CASE WHEN is_loss THEN 'share' ELSE 'kept' END || table_rows || '</table></section>', chr(10) ORDER BY rank) AS sections
        FROM (
            SELECT property, is_loss, string_agg(chr(10) || '<tr><td><bdi>' || label || '</bdi>' || CASE WHEN note <> '' THEN ' <small><bdi>' || note || '</bdi></small>' ELSE '' END 
                || CASE WHEN is_rest THEN '' ELSE '<svg viewBox="0 0 100 1" preserveAspectRatio="none"><rect class="'
                || CASE WHEN is_loss THEN 'lost" width="' || round(number * scale, 3)
                   ELSE 'all" width="' || round(number * scale, 3) || '" height="1"/><rect class="text" width="' || round(with_text * scale, 3) || '" height="1"/><rect class="kept" width="' || round(kept * scale, 3) END || '" height="1"/></svg>' END
                || '<td class="n">' || number_text || '<td class="n dim">' || round(CASE WHEN is_loss THEN 100.0 * number / responses ELSE 100.0 * kept / number END, 1) || '&thinsp;%', '' ORDER BY place) AS table_rows
            FROM written CROSS JOIN (SELECT responses FROM report_counts WHERE property = 'all')
            GROUP BY property, is_loss
        )
        JOIN (VALUES
            (1, 'reason', 'Why responses are not kept', 'The first reason that applies, with an example.', 'responses'),
            (2, 'language', 'Languages', 'As detected in the text of pages.', 'pages'),
            (3, 'charset', 'Charsets', 'As detected in the bytes of HTML pages.', 'pages'),
            (4, 'status', 'Status codes', 'As sent by the servers.', 'responses'),
            (5, 'type', 'Media types', 'As detected in the bytes of bodies.', 'responses'),
            (6, 'host', 'Hosts', 'From the addresses.', 'responses'),
            (7, 'error', 'Errors', 'Of records, HTTP and pages; what could be read is used.', 'responses')
        ) AS titles (rank, of_property, title, meaning, counted) ON property = of_property
    )
    SELECT 'index.html' AS name, '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Corpus report</title>
<style>
:root { color-scheme: light dark; --ink: #1c2733; --dim: #667380; --rule: #dde2e7; --paper: #fbfbfa; --all: #ccd4db; --text: #9cc3dd; --kept: #0072b2; --lost: #d55e00 }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ea; --dim: #98a3ad; --rule: #333c45; --paper: #161b20; --all: #323b44; --text: #3d7196; --kept: #56b4e9; --lost: #f08a3c } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem; margin: 2.5rem auto; padding: 0 1.25rem }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.05rem; margin: 0 } p { margin: .2rem 0; color: var(--dim) } small { display: block; color: var(--dim); font-weight: normal }
dl { display: flex; flex-wrap: wrap; gap: .4rem 2.2rem; margin: 1.2rem 0 } dt { color: var(--dim); font-size: .85rem } dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums }
table { border-collapse: collapse; width: 100%; margin-top: .6rem } th { text-align: left; font-weight: normal } td, th { padding: .4rem 0; border-bottom: 1px solid var(--rule); vertical-align: top }
.values { table-layout: fixed } .values tr:first-child th { font-size: .85rem; color: var(--dim) } .values td:first-child { overflow-wrap: anywhere } .values th + th { width: 6.5rem } .values th + th + th { width: 4.5rem }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-left: .8rem } .dim { color: var(--dim) }
svg { display: block; width: 100% } .values svg { height: 6px; margin-top: .25rem } .funnel svg { height: 1.4rem; border-radius: 3px } .months svg { height: 9rem; border-bottom: 1px solid var(--dim) }
.all { fill: var(--all); background: var(--all) } .text { fill: var(--text); background: var(--text) } .kept { fill: var(--kept); background: var(--kept) } .lost { fill: var(--lost) }
.funnel { margin: 1rem 0 1.6rem } .funnel th { width: 19rem; font-weight: 600; padding-right: 1rem } .funnel td { width: 4rem } .funnel .bar { width: auto }
.legend span { display: inline-block; margin-right: 1.4rem } i { display: inline-block; width: .8em; height: .8em; border-radius: 2px } .axis { display: flex; justify-content: space-between; color: var(--dim); font-size: .85rem }
.months { margin-top: 2rem } main { columns: 2 26rem; column-gap: 3rem; margin-top: 2.2rem } main section { break-inside: avoid; margin-bottom: 2.2rem } footer { border-top: 1px solid var(--rule); padding: .8rem 0; overflow-wrap: anywhere }
@media (max-width: 40rem) { .funnel tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--rule); padding: .5rem 0 } .funnel td, .funnel th { border: 0; padding: 0 } .funnel th { order: 1; flex: 1; width: auto; padding-right: .8rem } .funnel .n { order: 2; padding-left: .7rem } .funnel .bar { order: 3; flex-basis: 100%; margin-top: .4rem } .funnel svg { height: .7rem }
    .values th + th { width: 4.8rem } .values th + th + th { width: 4rem } }
</style>
<h1>From web archives to text</h1>
<dl>' || coalesce(facts, '') || '</dl>
<table class="funnel">' || coalesce(funnel, '<tr><td>There are no responses.') || '</table>
<p class="legend"><span><i class="kept"></i> kept</span><span><i class="text"></i> with text, not kept</span><span><i class="all"></i> other responses</span></p>'
    || coalesce('
<section class="months"><h2>Months</h2><p>When responses were recorded, one column per month. The highest is ' || busiest || '.</p><svg viewBox="0 0 100 100" preserveAspectRatio="none"><g transform="matrix(1 0 0 -1 0 100)">' || month_columns
    || '</g></svg><div class="axis"><span>' || first_month || '</span><span>' || CASE WHEN first_month < last_month THEN last_month ELSE '' END || '</span></div></section>', '') || '
<main>' || coalesce(sections, '') || '</main>
<footer><p>Made by corpus-sql with queries/corpus_report.sql from ' || source || '. The numbers are in counts.parquet, and each response with its reason in responses.parquet.</p></footer>' AS content
    FROM singles CROSS JOIN months LEFT JOIN tables ON true
) TO '${output:-corpus_report}' STORED AS FILES;

SET datafusion.optimizer.enable_window_topn = false;
