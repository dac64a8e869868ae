-- Packs the files of a folder, members of packages included, into one Parquet file: millions
-- of small files become one that every tool reads. Nothing is left out: what cannot be read
-- is a row whose error says why.
--
--   corpus-sql -f queries/files_to_parquet.sql -v input=scans/ -v output=scans.parquet
--
-- input   a file, folder, glob or URL
-- output  the Parquet file; it appears when it is complete

COPY (
    SELECT source_file, size, modified, content, error
    FROM read_files('${input:-data-samples/files}')
) TO '${output:-files.parquet}' STORED AS PARQUET;
