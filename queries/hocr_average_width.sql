-- The average width of the text blocks of each page in SequenceFiles: as in the Hadoop job
-- hocr-parser-hadoopjob for hOCR, blocks are divs whose class is exactly ocrx_block, the output key
-- consists of the runs of three or more digits in the record's key, the average is an integer, and
-- pages without blocks are left out. Unlike that job, a title that continues after the box (`bbox
-- 267 270 1384 387;x_wconf 97`) is valid, and a box with fewer than four numbers does not count.
-- hocr_block_width.sql does the same for pages of any program.
--
--   corpus-sql -f queries/hocr_average_width.sql -v input='books/*.seq'
--
-- input  a file, folder, glob or URL

SELECT key, sum(width) // sum(blocks) AS average_width
FROM (
    -- Once per record, because a record has many blocks.
    SELECT 'Z' || array_to_string(regexp_extract_all(job_text(max(record)), '[0-9]{3,15}'), '/') AS key,
           sum(CAST(block['x2'] AS BIGINT) - CAST(block['x1'] AS BIGINT)) AS width, count(*) AS blocks
    FROM (
        SELECT key AS record, unnest(hocr_blocks(value, 'utf-8', 'boxes')) AS block
        FROM read_sequencefile('${input:-data-samples/sequence/scans.seq}')
    )
    WHERE block['tag'] = 'div' AND block['class'] = 'ocrx_block'
      AND starts_with(block['title'], 'bbox ') AND block['x2'] IS NOT NULL
    GROUP BY record
)
WHERE key <> 'Z'
GROUP BY key
ORDER BY key;
