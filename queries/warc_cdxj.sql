-- A sorted CDXJ index of web archives for pywb and other replay tools. Its lines equal those of
-- cdxj-indexer, byte for byte. An archive that is compressed as a whole, not record by record, is an
-- error, because an index cannot name places in it.
--
--   corpus-sql -f queries/warc_cdxj.sql -v input='crawl/*.warc.gz' -v output=index.cdxj
--
-- input   a file, folder, glob or URL
-- output  the index; it appears when it is complete

COPY (
    SELECT DISTINCT warc_cdxj(warc_type, target_uri, date, content_type, payload_digest, body, length,
                              "offset", source_file) AS line
    FROM read_warc('${input:-data-samples/warc/crawl.warc.gz}')
    WHERE job_require(length IS NOT NULL OR error IS NOT NULL OR warc_type NOT IN ('response', 'revisit', 'resource', 'metadata'),
                      concat('''', source_file, ''' is compressed as a whole, so an index cannot name its records: leave it out, or write it anew, ',
                             'record by record: COPY (SELECT * FROM read_warc(''', source_file, ''')) TO ''new.warc.gz'' STORED AS WARC'))
      AND line IS NOT NULL
    ORDER BY line
) TO '${output:-index.cdxj}' STORED AS CSV
OPTIONS ('format.has_header' 'false', 'format.quote_style' 'Never', 'format.delimiter' '	');
