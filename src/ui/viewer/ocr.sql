-- A scanned page: its words and blocks, with the boxes of the document.
WITH parsed AS (
    SELECT hocr_pages(data)[chosen_page] AS found, cardinality(hocr_pages(data)) AS pages,
        hocr_words(data) AS words, hocr_blocks(data) AS blocks
    FROM shown
)
SELECT chosen_page AS page, pages, found['text'] AS text, found['image'] AS image, found['page_number'] AS page_number,
    found['error'] AS error, found['x1'] AS left_edge, found['y1'] AS top_edge,
    found['width'] AS width, found['height'] AS height,
    array_transform(array_filter(words, w -> w['page'] = chosen_page), w -> {text: w['text'],
        confidence: w['confidence'], x0: w['x1'], y0: w['y1'], x1: w['x2'], y1: w['y2']}) AS boxes,
    array_transform(array_filter(blocks, b -> b['page'] = chosen_page), b -> {'order': b['position'],
        x0: b['x1'], y0: b['y1'], x1: b['x2'], y1: b['y2']}) AS blocks
FROM parsed
