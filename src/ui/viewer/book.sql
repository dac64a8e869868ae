-- The pages of a scanned book with their crop scores, as in the job hocr_cropping.
WITH pages AS (
    SELECT page_key, block['page'] AS page, avg(block['width']) AS average_width,
        max(block['page_x2'] - block['page_x1']) AS page_width, min(block['x1'] - block['page_x1']) AS left_margin,
        min(block['page_x2'] - block['x2']) AS right_margin, max(block['x2']) - min(block['x1']) AS text_width
    FROM (SELECT page_key, unnest(hocr_blocks(data, NULL, 'boxes')) AS block FROM pages_of_the_book)
    WHERE block['width'] > 0
    GROUP BY page_key, block['page']
),
beside_usual AS (
    SELECT *, count(*) OVER () AS pages, median(average_width) OVER () AS usual_average_width,
        median(text_width) OVER () AS usual_text_width, median(nullif(page_width, 0)) OVER () AS usual_width,
        coalesce(nullif(page_width, 0), median(nullif(page_width, 0)) OVER ()) AS width
    FROM pages
)
SELECT page_key, page, pages, average_width, usual_average_width, text_width, usual_text_width, width, usual_width,
    left_margin, right_margin, coalesce(least(left_margin, right_margin) < width * 0.01, false) AS at_edge,
    least(abs(text_width / usual_text_width - 1), 1) + least(coalesce(abs(width / usual_width - 1), 0), 1)
        + CASE WHEN at_edge THEN 1 ELSE 0 END AS score
FROM beside_usual
ORDER BY page_key, page
LIMIT 100000
