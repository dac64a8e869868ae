-- A report of scanned books as web pages: a plot of the widths of each book's pages, and the pages
-- that look cropped (as in hocr_cropping.sql), with a picture of their layout, the worst first.
-- `index.html` lists the books; each has its own folder. Files and values that cannot be read, and
-- files without a page, are printed with their errors at the end.
--
--   corpus-sql -f queries/hocr_report.sql -v input='books/*.seq' -v output=report/
--   corpus-sql -f queries/hocr_report.sql -v source=read_hocr -v key=source_file -v data=content -v input=scans/
--
-- input     SequenceFiles of hOCR, ALTO or PAGE XML: a file, folder, glob or URL
-- output    a folder
-- source, key, data   the function that reads them, and its columns with the key and the data
-- text      the largest accepted deviation of the text width, as a share of the usual width
-- picture   the same for the width of the picture
-- edge      the smallest accepted margin, as a share of the picture's width
-- pictures  the pages to draw: suspect (those that look cropped) or true (all)
--
-- The widths of all pages are held in memory; the pictures are not.

CREATE OR REPLACE TABLE report_files AS
WITH blocks AS (
    -- Keeps a row for pages without blocks.
    SELECT source_file, ocr_key(${key:-key}, source_file, ${data:-value}) AS page_key, error, digest(${data:-value}, 'blake3') AS hash,
           ocr_boxes(hocr_blocks(${data:-value}, NULL, 'boxes'), ${data:-value}) AS blocks, ocr_no_page(coalesce(empty(blocks), true), ${data:-value}) AS no_page,
           unnest_outer(blocks) AS block
    FROM ${source:-read_sequencefile}('${input:-data-samples/book/pages.seq}')
    WHERE job_require_shares('text, picture and edge', [${text:-0.3}, ${picture:-0.1}, ${edge:-0.01}])
),
pages AS (
    -- Records with the same key are one page, drawn from the record with this hash.
    SELECT ocr_book(page_key) AS book, source_file, page_key AS key, coalesce(block['page'], 1) AS page, min(hash) AS data_hash,
           nullif(max(block['page_x2'] - block['page_x1']), 0) AS stated_width,
           avg(block['width']) FILTER (WHERE block['width'] > 0) AS block_width,
           min(block['x1'] - coalesce(block['page_x1'], 0)) FILTER (WHERE block['width'] > 0) AS text_left,
           max(block['x2'] - coalesce(block['page_x1'], 0)) FILTER (WHERE block['width'] > 0) AS text_right,
           -- Unreadable documents are not pages.
           bool_or(block['position'] IS NOT NULL OR block IS NULL AND no_page IS NULL) AS is_page,
           min(coalesce(error, no_page, block['error'])) AS error
    FROM blocks
    GROUP BY source_file, page_key, coalesce(block['page'], 1)
)
SELECT *, row_number() OVER in_order AS number, lag(block_width) OVER in_order AS width_before
FROM pages
WINDOW in_order AS (PARTITION BY book, is_page ORDER BY ocr_order(key), key, page);

CREATE OR REPLACE VIEW report_pages AS SELECT * FROM report_files WHERE is_page;

COPY (
    -- The plots are 1000 wide; the upper one is 200 high, the lower one 120.
    WITH measured AS (
        SELECT book, regexp_replace(right(trim(regexp_replace(book, '[^\w-]+', '_', 'g'), '_'), 60), '^$', 'book') AS folder,
               replace(replace(replace(replace(right(book, 200), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;') AS title,
               count(*) AS pages, coalesce(median(stated_width), max(text_right)) AS default_width,
               median(stated_width) AS usual_page_width, median(block_width) AS usual_block_width, median(text_right - text_left) AS usual_width,
               200 / greatest(coalesce(max(stated_width), max(text_right)), max(block_width), 1) AS scale
        FROM report_pages
        GROUP BY book
    ),
    -- Two books may have the same folder name.
    named AS (
        SELECT *, folder || CASE WHEN book = min(book) OVER (PARTITION BY folder) THEN '' ELSE '-' || dense_rank() OVER (PARTITION BY folder ORDER BY book) END AS place
        FROM measured
    ),
    -- Records with several pages.
    several AS (
        SELECT source_file AS several_in, key AS several_of FROM report_pages GROUP BY source_file, key HAVING count(*) > 1
    ),
    judged AS (
        SELECT report_pages.*, number // 256 AS chunk, place, title, pages, scale, usual_width, usual_page_width, usual_block_width,
               replace(replace(replace(replace(right(regexp_replace(key, '^.*[/!]', ''), 100), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '"', '&quot;')
                   || CASE WHEN several_of IS NULL THEN '' ELSE ', page ' || page END AS label,
               -- Page numbers may have more than four digits.
               'page_' || lpad(CAST(number AS VARCHAR), CAST(greatest(4, length(CAST(number AS VARCHAR))) AS INT), '0') || '.svg' AS picture,
               coalesce(stated_width, default_width) AS width, text_right - text_left AS text_width,
               text_left AS left_margin, width - text_right AS right_margin,
               coalesce(least(left_margin, right_margin) < width * ${edge:-0.01}, false) AS at_edge,
               least(coalesce(abs(text_width / usual_width - 1), 0), 1) AS text_deviation,
               least(coalesce(abs(width / usual_page_width - 1), 0), 1) AS page_deviation,
               at_edge OR text_deviation > ${text:-0.3} OR page_deviation > ${picture:-0.1} AS suspect,
               text_deviation + page_deviation + CASE WHEN at_edge THEN 1 ELSE 0 END AS page_score,
               ${pictures:-suspect} AS has_picture
        FROM named
        JOIN report_pages ON report_pages.book = named.book
        LEFT JOIN several ON several_in = source_file AND several_of = key
    ),
    -- row_number() sorts pages before their texts are made, so texts are joined chunk by chunk: no step sorts texts, or
    -- holds one for each page.
    placed AS (
        SELECT *, CASE WHEN width_before IS NULL THEN 'M' ELSE 'L' END AS pen,
               1000.0 * (number - 0.5) / pages AS x, least(greatest(1000.0 / pages, 0.3), 24) AS column,
               round(x, 2) || ' ' || round(200 - scale * block_width, 1) AS point,
               '<title>' || number || ': ' || label || '</title>' AS hover
        FROM (SELECT *, row_number() OVER (PARTITION BY book, chunk ORDER BY number) AS place_in_chunk FROM judged)
    ),
    parts AS (
        SELECT book, chunk,
               string_agg('<rect x="' || round(x - column / 2, 2) || '" y="' || round(200 - scale * width, 1) || '" width="' || round(column, 2)
                   || '" height="' || round(scale * width, 1) || '"/>', '' ORDER BY place_in_chunk) AS page_bars,
               string_agg(CASE WHEN block_width IS NULL THEN '' ELSE pen || point || 'h0' END, '' ORDER BY place_in_chunk) AS curve,
               string_agg(CASE WHEN suspect THEN '<a href="' || picture || '"><circle cx="' || round(x, 2) || '" cy="' || round(200 - scale * coalesce(block_width, 0), 1)
                   || '" r="4">' || hover || '</circle></a>' ELSE '' END, '' ORDER BY place_in_chunk) AS marks,
               -- The position of the text, in hundredths of the picture's width.
               string_agg(CASE WHEN text_width IS NULL THEN '' ELSE CASE WHEN has_picture THEN '<a href="' || picture || '">' ELSE '' END || CASE WHEN suspect THEN '<rect class="bad" ' ELSE '<rect ' END
                   || 'x="' || round(x - column * 0.45, 2) || '" y="' || round(120 * least(greatest(text_left / width, -0.1), 1.1), 2)
                   || '" width="' || round(column * 0.9, 2)
                   || '" height="' || round(greatest(120 * (least(text_right / width, 1.1) - greatest(text_left / width, -0.1)), 0.5), 2) || '">' || hover || '</rect>'
                   || CASE WHEN has_picture THEN '</a>' ELSE '' END END, '' ORDER BY place_in_chunk) AS text_bars
        FROM placed
        GROUP BY book, chunk
    ),
    plots AS (
        SELECT book AS plots_of, string_agg(page_bars, '' ORDER BY chunk) AS page_bars, string_agg(curve, '' ORDER BY chunk) AS curve,
               string_agg(marks, '' ORDER BY chunk) AS marks, string_agg(text_bars, '' ORDER BY chunk) AS text_bars
        FROM parts
        GROUP BY book
    ),
    books AS (
        SELECT book, min(place) AS place, min(title) AS title, count(*) AS pages, count(text_width) AS text_pages,
               count(*) FILTER (WHERE suspect) AS suspects, coalesce(sum(page_score) FILTER (WHERE suspect), 0) / count(*) AS score,
               min(usual_width) AS usual_width, min(usual_block_width) AS usual_block_width, min(usual_page_width) AS usual_page_width,
               median(left_margin) AS usual_left, median(right_margin) AS usual_right,
               round(200 - min(scale) * min(usual_block_width), 1) AS usual_y, max(200 / scale) AS highest
        FROM judged
        GROUP BY book
    ),
    table_parts AS (
        SELECT book, chunk, string_agg(concat(
            '<tr><td><a href="', picture, '"><img src="', picture, '" alt="layout" loading="lazy"></a><td>', number,
            '<td class="key"><a href="', picture, '">', label, '</a><td class="n">', round(page_score, 2), '<td class="why">',
            CASE WHEN at_edge THEN 'at the edge<br>' END,
            CASE WHEN text_deviation > ${text:-0.3} THEN CASE WHEN text_width < usual_width THEN 'narrow text<br>' ELSE 'wide text<br>' END END,
            CASE WHEN page_deviation > ${picture:-0.1} THEN CASE WHEN width < usual_page_width THEN 'narrow picture' ELSE 'wide picture' END END,
            '<td class="n">', CAST(round(text_width) AS BIGINT), '<td class="n">', CAST(round(100 * text_width / usual_width) AS BIGINT), '&thinsp;%',
            '<td class="n">', CAST(round(width) AS BIGINT), '<td class="n">', CAST(round(left_margin) AS BIGINT), '<td class="n">', CAST(round(right_margin) AS BIGINT)),
            chr(10) ORDER BY place_in_chunk) AS rows
        FROM (
            SELECT *, row_number() OVER (PARTITION BY book, chunk ORDER BY rank) AS place_in_chunk
            FROM (
                SELECT * REPLACE (CAST(rank AS BIGINT) // 256 AS chunk)
                FROM (SELECT *, row_number() OVER (PARTITION BY book ORDER BY page_score DESC, number) AS rank FROM judged WHERE suspect)
            )
        )
        GROUP BY book, chunk
    ),
    tables AS (
        SELECT book AS table_of, string_agg(rows, chr(10) ORDER BY chunk) AS rows FROM table_parts GROUP BY book
    ),
    style AS (
        SELECT '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
:root { color-scheme: light dark; --ink: #1c2733; --dim: #667380; --rule: #d5dbe1; --paper: #fbfbfa; --page: #e4e8ec; --text: #0072b2; --soft: #7fb4d6; --bad: #d55e00 }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ea; --dim: #98a3ad; --rule: #3a444e; --paper: #161b20; --page: #2a323a; --text: #56b4e9; --soft: #3d7196; --bad: #f08a3c } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 66rem; margin: 2.5rem auto; padding: 0 1.5rem }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere } h2 { font-size: 1.05rem; margin: 2.2rem 0 .3rem } p { margin: .2rem 0; color: var(--dim) } a { color: inherit }
dl { display: flex; flex-wrap: wrap; gap: .4rem 2.2rem; margin: 1.2rem 0 } dt { color: var(--dim); font-size: .85rem } dd { margin: 0; font-size: 1.25rem }
svg.plot { display: block; width: 100%; height: auto; overflow: visible; margin: .8rem 0 } svg text { font-size: 11px; fill: var(--dim) } svg a { cursor: pointer }
.pages { fill: var(--page) } .curve { fill: none; stroke: var(--text); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round } .usual { stroke: var(--ink); stroke-dasharray: 5 4 } .axis { stroke: var(--rule) }
.marks circle, rect.bad { fill: var(--bad) } .marks circle { stroke: var(--paper) } .text rect { fill: var(--soft) } .text rect.bad { fill: var(--bad) } .limit { fill: none; stroke: var(--dim) }
table { border-collapse: collapse; margin-top: .8rem; width: 100% } th { text-align: left; font-size: .85rem; color: var(--dim); font-weight: normal } th, td { padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--rule); vertical-align: middle }
.key { overflow-wrap: anywhere } .n, .why { white-space: nowrap } .n { text-align: right; font-variant-numeric: tabular-nums } img { height: 7rem; display: block; border-radius: 3px } i { display: inline-block; width: .8em; height: .8em; border-radius: 2px }
</style>' AS head
    ),
    pictures AS (
        SELECT place || '/' || picture AS name, hocr_svg(data, page) AS content
        FROM (SELECT source_file, key, data_hash, page, place, picture FROM judged WHERE has_picture) AS wanted
        JOIN (
            SELECT source_file AS data_file, ocr_key(${key:-key}, source_file, ${data:-value}) AS data_key, ${data:-value} AS data
            FROM ${source:-read_sequencefile}('${input:-data-samples/book/pages.seq}')
        ) ON source_file = data_file AND key = data_key AND data_hash = digest(data, 'blake3')
    )
    SELECT place || '/index.html' AS name, head || '<title>' || title || '</title>
<p><a href="../index.html">All books</a></p><h1>' || title || '</h1>
<dl><div><dt>pages<dd>' || pages || '</div><div><dt>without blocks<dd>' || (pages - text_pages) || '</div><div><dt>usual width of text<dd>' || coalesce(CAST(CAST(round(usual_width) AS BIGINT) AS VARCHAR), '–')
    || '</div><div><dt>of a block<dd>' || coalesce(CAST(CAST(round(usual_block_width) AS BIGINT) AS VARCHAR), '–') || '</div><div><dt>of the picture<dd>' || coalesce(CAST(CAST(round(usual_page_width) AS BIGINT) AS VARCHAR), '–')
    || '</div><div><dt>usual margins<dd>' || coalesce(CAST(round(usual_left) AS BIGINT) || ' / ' || CAST(round(usual_right) AS BIGINT), '–') || '</div><div><dt>look cropped<dd>' || suspects || '</div><div><dt>score<dd>' || round(score, 3) || '</div></dl>
<h2>Width of blocks, page by page</h2><p><i style="background:var(--text)"></i> average width of blocks, <i style="background:var(--page)"></i> width of the picture, dashed: the median of the book. <i style="background:var(--bad)"></i> Pages that look cropped lead to their pictures.</p>
<svg class="plot" viewBox="-44 -8 1050 232"><g class="pages">' || coalesce(page_bars, '') || '</g>
<path class="axis" d="M0 200H1000"/><text x="-6" y="204" text-anchor="end">0</text><text x="-6" y="4" text-anchor="end">' || CAST(round(highest) AS BIGINT) || '</text><text x="0" y="218">page 1</text><text x="1000" y="218" text-anchor="end">' || pages || '</text>'
    || coalesce('<path class="usual" d="M0 ' || usual_y || 'H1000"/><text x="-6" y="' || (usual_y + 4) || '" text-anchor="end">' || CAST(round(usual_block_width) AS BIGINT) || '</text>', '') || '
<path class="curve" d="' || curve || '"/><g class="marks">' || marks || '</g></svg>
<h2>Where the text stands</h2><p>From the left edge of the picture (above) to the right one (below): <i style="background:var(--soft)"></i> all blocks together, the margins around them.</p>
<svg class="plot" viewBox="-44 -16 1050 166"><g class="text">' || text_bars || '</g><path class="limit" d="M0 0H1000M0 120H1000"/>
<text x="-6" y="4" text-anchor="end">left</text><text x="-6" y="124" text-anchor="end">right</text><text x="0" y="142">page 1</text><text x="1000" y="142" text-anchor="end">' || pages || '</text></svg>'
    || coalesce('
<h2>Pages that look cropped</h2><table><tr><th>layout<th>page<th>key<th class="n">score<th>because<th class="n">text<th class="n">of usual<th class="n">picture<th class="n">left<th class="n">right
' || rows || '</table>', '<h2>No page looks cropped</h2>') AS content
    FROM books JOIN plots ON plots_of = book LEFT JOIN tables ON table_of = book CROSS JOIN style
    UNION ALL
    SELECT 'index.html', head || '<title>Books</title><h1>Books</h1><table><tr><th>book<th class="n">pages<th class="n">look cropped<th class="n">score<th class="n">text<th class="n">picture
' || coalesce(list, '') || '</table>'
    FROM style CROSS JOIN (
        SELECT string_agg('<tr><td><a href="' || place || '/index.html">' || title || '</a><td class="n">' || pages || '<td class="n">' || suspects || '<td class="n">' || round(score, 3)
            || '<td class="n">' || coalesce(CAST(CAST(round(usual_width) AS BIGINT) AS VARCHAR), '') || '<td class="n">' || coalesce(CAST(CAST(round(usual_page_width) AS BIGINT) AS VARCHAR), ''), chr(10) ORDER BY score DESC, book) AS list
        FROM books
    )
    UNION ALL
    SELECT name, content FROM pictures WHERE content IS NOT NULL
) TO '${output:-hocr_report/}' STORED AS FILES;

SELECT key, page, error FROM report_files WHERE error IS NOT NULL ORDER BY ocr_order(key), key, page;
