-- Packs a folder of files into one SequenceFile: block-compressed, with the name of each file as
-- key (Text) and its bytes as value (BytesWritable). Hadoop and Spark read it, many times as fast
-- as a million small files. Unreadable files are left out, and counted in the summary.
-- --log json names them.
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
