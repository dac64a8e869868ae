-- Packs a folder of files into one Parquet file. Members of packages are files, too. No file is left out:
-- unreadable files are rows with an error.
--
--   corpus-sql --resume -f queries/files_to_parquet.sql -v input=scans/ -v output=packed/
--   corpus-sql -f queries/files_to_parquet.sql -v input=scans/ -v output=scans.parquet
--
-- input   a file, folder, glob or URL
-- output  a folder, in which files appear one by one, and which --resume continues; or one file,
--         which appears when it is complete
-- errors  with --resume, a folder for the rows with an error

COPY (
    SELECT source_file, size, modified, content, error
    FROM read_files('${input:-data-samples/files}')
) TO '${output:-files.parquet}' STORED AS PARQUET OPTIONS ('errors' '${errors:-}');
