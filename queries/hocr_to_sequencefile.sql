-- Packs a folder of OCR files, or of any others, into one SequenceFile: the name of each file as
-- key (Text) and its bytes as value (BytesWritable), compressed in blocks. Hadoop and Spark read it,
-- and one large file is read many times as fast as a million small ones. What could not be read
-- is left out, and listed with its error at the end.
--
--   corpus-sql -f queries/hocr_to_sequencefile.sql -v input='scans/' -v output=scans.seq
--
-- input   a file, folder, glob or URL
-- output  the file; it appears when it is complete
-- codec   deflate, gzip, bzip2, snappy, lz4 or zstd

COPY (
    SELECT source_file AS key, content AS value
    FROM read_hocr('${input:-data-samples/files/}')
    WHERE error IS NULL
) TO '${output:-scans.seq}' STORED AS SEQUENCEFILE OPTIONS (codec '${codec:-deflate}');

SELECT source_file, error
FROM read_hocr('${input:-data-samples/files/}')
WHERE error IS NOT NULL
ORDER BY source_file;
