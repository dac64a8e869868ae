-- A web page: its texts, its paragraphs, and itself in UTF-8.
WITH detected AS (
    SELECT readable AS page, CASE WHEN chosen_charset IS NULL THEN declared END AS assumed, declared, url,
        charset_detect(data, declared) AS detected, data AS bytes, chosen_charset
    FROM shown
)
SELECT
    {chosen: coalesce(chosen_charset, detected['charset']), declared: declared, 'source': detected['source'],
     confidence: detected['confidence']} AS charset,
    charset_decode(bytes, coalesce(chosen_charset, detected['charset'], 'utf-8')) AS html,
    html_meta(page, assumed, url)['title'] AS title, html_meta(page, assumed, url)['lang'] AS lang,
    html_document(page, assumed) AS document, html_main_text(page, assumed) AS main_text,
    html_markdown(page, assumed, url) AS markdown, html_paragraphs(page, assumed) AS paragraphs
FROM detected
