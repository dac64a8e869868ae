-- Functions under the names, and with the meaning, that they have in DuckDB: each is replaced by
-- the expression. Where another engine has the only function of a name, the meaning is its.

-- Conditions.
CREATE MACRO if(condition, yes, no) AS CASE WHEN condition THEN yes ELSE no END;
CREATE MACRO iff(condition, yes, no) AS CASE WHEN condition THEN yes ELSE no END;
CREATE MACRO iif(condition, yes, no) AS CASE WHEN condition THEN yes ELSE no END;

-- Texts. An empty separator splits into characters.
CREATE MACRO string_split(text, separator) AS CASE WHEN text = '' OR separator IS NULL THEN make_array(text) ELSE string_to_array(text, nullif(separator, '')) END;
CREATE MACRO str_split(text, separator) AS CASE WHEN text = '' OR separator IS NULL THEN make_array(text) ELSE string_to_array(text, nullif(separator, '')) END;
CREATE MACRO split(text, separator) AS CASE WHEN text = '' OR separator IS NULL THEN make_array(text) ELSE string_to_array(text, nullif(separator, '')) END;
CREATE MACRO prefix(text, start) AS starts_with(text, start);
CREATE MACRO startswith(text, start) AS starts_with(text, start);
CREATE MACRO suffix(text, "end") AS ends_with(text, "end");
CREATE MACRO endswith(text, "end") AS ends_with(text, "end");
CREATE MACRO lcase(text) AS lower(text);
CREATE MACRO ucase(text) AS upper(text);
CREATE MACRO strlen(text) AS octet_length(text);
CREATE MACRO unicode(text) AS ascii(text);
CREATE MACRO ord(text) AS ascii(text);
CREATE MACRO regexp_matches(text, pattern, options := '') AS regexp_like(text, pattern, options);
CREATE MACRO regexp_full_match(text, pattern, options := '') AS regexp_like(text, '^(?:' || pattern || ')$', options);
CREATE MACRO editdist3(text, other) AS levenshtein(text, other);

-- Encodings.
CREATE MACRO base64(data) AS encode(data, 'base64pad');
CREATE MACRO to_base64(data) AS encode(data, 'base64pad');
CREATE MACRO from_base64(text) AS decode(text, 'base64pad');
CREATE MACRO hex(data) AS upper(encode(data, 'hex'));
CREATE MACRO unhex(text) AS decode(text, 'hex');
CREATE MACRO from_hex(text) AS decode(text, 'hex');

-- Dates.
CREATE MACRO year(date) AS date_part('year', date);
CREATE MACRO quarter(date) AS date_part('quarter', date);
CREATE MACRO month(date) AS date_part('month', date);
CREATE MACRO week(date) AS date_part('week', date);
CREATE MACRO weekofyear(date) AS date_part('week', date);
CREATE MACRO day(date) AS date_part('day', date);
CREATE MACRO dayofmonth(date) AS date_part('day', date);
CREATE MACRO dayofweek(date) AS date_part('dow', date);
CREATE MACRO weekday(date) AS date_part('dow', date);
CREATE MACRO isodow(date) AS (date_part('dow', date) + 6) % 7 + 1;
CREATE MACRO dayofyear(date) AS date_part('doy', date);
CREATE MACRO hour(timestamp) AS date_part('hour', timestamp);
CREATE MACRO minute(timestamp) AS date_part('minute', timestamp);
CREATE MACRO second(timestamp) AS date_part('second', timestamp);
CREATE MACRO epoch(timestamp) AS date_part('epoch', timestamp);
CREATE MACRO epoch_ms(timestamp) AS CAST(round(date_part('epoch', timestamp) * 1000) AS BIGINT);
CREATE MACRO monthname(date) AS to_char(date, '%B');
CREATE MACRO dayname(date) AS to_char(date, '%A');
CREATE MACRO last_day(date) AS CAST(date_trunc('month', date) + INTERVAL '1 month' - INTERVAL '1 day' AS DATE);
CREATE MACRO strptime(text, format) AS to_timestamp(text, format);
CREATE MACRO get_current_timestamp() AS now();
-- Specifiers with another meaning in chrono: %f, %g, %n, %c and %x.
CREATE MACRO strftime(date, format) AS to_char(date, replace(replace(replace(replace(replace(replace(replace(format, '%%', chr(1)), '%f', '%6f'), '%g', '%3f'), '%n', '%9f'), '%c', '%Y-%m-%d %H:%M:%S'), '%x', '%Y-%m-%d'), chr(1), '%%'));
-- The number of borders between two times: date_diff('day', start, end) calls date_diff_day.
CREATE MACRO date_diff_year("start", "end") AS CAST(date_part('year', "end") - date_part('year', "start") AS BIGINT);
CREATE MACRO date_diff_quarter("start", "end") AS CAST(date_part('year', "end") * 4 + date_part('quarter', "end") - date_part('year', "start") * 4 - date_part('quarter', "start") AS BIGINT);
CREATE MACRO date_diff_month("start", "end") AS CAST(date_part('year', "end") * 12 + date_part('month', "end") - date_part('year', "start") * 12 - date_part('month', "start") AS BIGINT);
CREATE MACRO date_diff_day("start", "end") AS CAST((date_part('epoch', date_trunc('day', "end")) - date_part('epoch', date_trunc('day', "start"))) / 86400 AS BIGINT);
CREATE MACRO date_diff_hour("start", "end") AS CAST((date_part('epoch', date_trunc('hour', "end")) - date_part('epoch', date_trunc('hour', "start"))) / 3600 AS BIGINT);
CREATE MACRO date_diff_minute("start", "end") AS CAST((date_part('epoch', date_trunc('minute', "end")) - date_part('epoch', date_trunc('minute', "start"))) / 60 AS BIGINT);
CREATE MACRO date_diff_second("start", "end") AS CAST(date_part('epoch', date_trunc('second', "end")) - date_part('epoch', date_trunc('second', "start")) AS BIGINT);

-- Numbers.
CREATE MACRO mod(number, divisor) AS number % divisor;
CREATE MACRO sign(number) AS CAST(signum(number) AS BIGINT);
CREATE MACRO ceiling(number) AS ceil(number);

-- Lists. DuckDB sorts NULL last, and leaves it out of sets.
CREATE MACRO list_sort(list, "order" := 'ASC', nulls := 'NULLS LAST') AS array_sort(list, "order", nulls);
CREATE MACRO list_reverse_sort(list) AS array_sort(list, 'DESC', 'NULLS LAST');
CREATE MACRO list_distinct(list) AS array_distinct(array_compact(list));
CREATE MACRO list_unique(list) AS CASE WHEN list IS NOT NULL THEN coalesce(array_length(array_distinct(array_compact(list))), 0) END;
CREATE MACRO list_min(list) AS array_min(list);
CREATE MACRO list_count(list) AS CASE WHEN list IS NOT NULL THEN coalesce(array_length(array_compact(list)), 0) END;

-- Aggregates.
CREATE MACRO mode(value) AS list_mode(array_agg(value));
CREATE MACRO histogram(value) AS list_histogram(array_agg(value));
CREATE MACRO count_if(condition) AS sum(CASE WHEN condition THEN 1 WHEN NOT condition THEN 0 END);
CREATE MACRO countif(condition) AS sum(CASE WHEN condition THEN 1 WHEN NOT condition THEN 0 END);
CREATE MACRO arg_max(value, number) AS first_value(value ORDER BY number DESC) FILTER (WHERE value IS NOT NULL AND number IS NOT NULL);
CREATE MACRO argmax(value, number) AS first_value(value ORDER BY number DESC) FILTER (WHERE value IS NOT NULL AND number IS NOT NULL);
CREATE MACRO max_by(value, number) AS first_value(value ORDER BY number DESC) FILTER (WHERE value IS NOT NULL AND number IS NOT NULL);
CREATE MACRO arg_min(value, number) AS first_value(value ORDER BY number) FILTER (WHERE value IS NOT NULL AND number IS NOT NULL);
CREATE MACRO argmin(value, number) AS first_value(value ORDER BY number) FILTER (WHERE value IS NOT NULL AND number IS NOT NULL);
CREATE MACRO min_by(value, number) AS first_value(value ORDER BY number) FILTER (WHERE value IS NOT NULL AND number IS NOT NULL);

-- Tables.
CREATE MACRO read_text(location) AS TABLE SELECT source_file AS filename, CAST(content AS VARCHAR) AS content, "size", modified AS last_modified FROM read_files(location, 'unpack', 'false');
CREATE MACRO read_blob(location) AS TABLE SELECT source_file AS filename, content, "size", modified AS last_modified FROM read_files(location, 'unpack', 'false');
CREATE MACRO glob(location) AS TABLE SELECT source_file AS file FROM read_files(location, 'unpack', 'false');
