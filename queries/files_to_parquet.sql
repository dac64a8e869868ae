-- Packs the files of a folder, including members of packages, into one Parquet file that every tool
-- reads, in place of millions of small files. Nothing is left out: unreadable files are rows with
-- an error.
--
--   corpus-sql -f queries/files_to_parquet.sql -v input=scans/ -v output=scans.parquet
--
-- input   a file, folder, glob or URL
-- output  the Parquet file; it appears when it is complete

COPY (
    SELECT source_file, size, modified, content, error
    FROM read_files('${input:-data-samples/files}')
) TO '${output:-files.parquet}' STORED AS PARQUET;
