-- A summary of a folder: the number and size of files by kind, and their errors.
-- Members of packages count as files; compressed files count by their content.
--
--   corpus-sql -f queries/files_report.sql -v input=scans/
--
-- input  a file, folder, glob or URL

SELECT
    lower(regexp_match(source_file, '\.([A-Za-z0-9]+)(\.(bz2|gz|lz4|xz|zst|zstd))?$')[1]) AS kind,
    count(*) AS files,
    sum(size) AS bytes,
    max(size) AS largest,
    count(error) AS errors,
    min(error) AS an_error
FROM read_files('${input:-data-samples/files}')
GROUP BY kind
ORDER BY bytes DESC NULLS LAST, kind;
