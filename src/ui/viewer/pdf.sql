-- A page of a PDF: words, blocks, tables and fonts, with boxes in points from the top left.
SELECT chosen_page AS page, parsed['pages'] AS pages, parsed['title'] AS title,
    coalesce(found[chosen_page]['error'], parsed['error']) AS error, found[chosen_page]['width'] AS width, found[chosen_page]['height'] AS height,
    found[chosen_page]['text'] AS text, found[chosen_page]['needs_ocr'] AS needs_ocr, found[chosen_page]['ocr_reason'] AS ocr_reason,
    array_transform(found[chosen_page]['fonts'], f -> {name: f['font'], characters: f['characters'], unmapped: f['unmapped'],
        inferred: f['inferred'], implausible: f['implausible'], broken: f['broken']}) AS fonts,
    array_transform(array_filter(words, w -> w['page'] = chosen_page),
        w -> {text: w['word'], x0: w['x1'], y0: w['y1'], x1: w['x2'], y1: w['y2']}) AS words,
    array_transform(array_filter(blocks, b -> b['page'] = chosen_page), b -> {kind: b['kind'], 'order': b['position'],
        x0: b['x1'], y0: b['y1'], x1: b['x2'], y1: b['y2']}) AS blocks,
    array_transform(array_filter(tables, t -> t['page'] = chosen_page), t -> {
        box: {x0: t['x1'], y0: t['y1'], x1: t['x2'], y1: t['y2']},
        cells: array_transform(array_filter(t['cells'], c -> c['page'] = chosen_page),
            c -> {x0: c['x1'], y0: c['y1'], x1: c['x2'], y1: c['y2']})}) AS tables,
    markdown[chosen_page] AS markdown
FROM shown
