-- Functions under the names, and with the meaning, that they have in DuckDB: each is replaced by
-- the expression. Where another engine has the only function of a name, the meaning is its.

-- Conditions.
CREATE MACRO if(condition, yes, no) AS CASE WHEN condition THEN yes ELSE no END;
CREATE MACRO iff(condition, yes, no) AS CASE WHEN condition THEN yes ELSE no END;
CREATE MACRO iif(condition, yes, no) AS CASE WHEN condition THEN yes ELSE no END;
CREATE MACRO constant_or_null(value, other) AS CASE WHEN other IS NOT NULL THEN value END;
CREATE MACRO isnull(value) AS value IS NULL;
CREATE MACRO isnotnull(value) AS value IS NOT NULL;
CREATE MACRO safe_divide(number, other) AS number / nullif(other, 0);
CREATE MACRO string(value) AS CAST(value AS VARCHAR);
CREATE MACRO int(value) AS CAST(value AS INTEGER);
CREATE MACRO bigint(value) AS CAST(value AS BIGINT);
CREATE MACRO double(value) AS CAST(value AS DOUBLE);

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
CREATE MACRO unicode(text) AS CASE WHEN text = '' THEN -1 ELSE ascii(text) END;
CREATE MACRO ord(text) AS unicode(text);
CREATE MACRO regexp_matches(text, pattern, options := '') AS regexp_like(text, pattern, options);
CREATE MACRO regexp_full_match(text, pattern, options := '') AS regexp_like(text, '^(?:' || pattern || ')$', options);
CREATE MACRO string_split_regex(text, pattern, options := '') AS regexp_split_to_array(text, pattern, options);
CREATE MACRO str_split_regex(text, pattern, options := '') AS regexp_split_to_array(text, pattern, options);
CREATE MACRO regexp_split(text, pattern) AS regexp_split_to_array(text, pattern);
CREATE MACRO formatreadablesize(number) AS format_bytes(number);
CREATE MACRO parse_filename(path, trim_extension := false) AS CASE WHEN trim_extension THEN regexp_replace(split_part(path, '/', -1), '(.)\.[^.]*$', '\1') ELSE split_part(path, '/', -1) END;
CREATE MACRO parse_path(path) AS regexp_extract_all(path, '^/|[^/]+');
CREATE MACRO parse_dirname(path) AS CASE WHEN starts_with(path, '/') THEN '/' ELSE rtrim(regexp_extract(path, '^[^/]+/'), '/') END;
CREATE MACRO parse_dirpath(path) AS CASE WHEN contains(path, '/') THEN regexp_replace(path, '/[^/]*$', '') ELSE '' END;
CREATE MACRO editdist3(text, other) AS levenshtein(text, other);
CREATE MACRO mismatches(text, other) AS hamming(text, other);
CREATE MACRO locate(part, text) AS strpos(text, part);
CREATE MACRO rlike(text, pattern) AS regexp_like(text, pattern);
CREATE MACRO regexp_contains(text, pattern) AS regexp_like(text, pattern);
CREATE MACRO contains_substr(text, part) AS contains(lower(text), lower(part));
CREATE MACRO pg_size_pretty(number) AS format_bytes(number);
CREATE MACRO unbase64(text) AS decode(text, 'base64pad');
CREATE MACRO regexp_split_to_table(text, pattern) AS unnest(regexp_split_to_array(text, pattern));
CREATE MACRO to_binary(number) AS bin(number);
CREATE MACRO encode_utf8(text) AS arrow_cast(text, 'Binary');
CREATE MACRO decode_utf8(data) AS CAST(data AS VARCHAR);

-- JSON.
CREATE MACRO json_extract_string(json, path) AS json_text(json, path);
CREATE MACRO json_extract_path(json, path) AS json_extract(json, path);
CREATE MACRO json_extract_path_text(json, path) AS json_text(json, path);
CREATE MACRO get_json_object(json, path) AS json_text(json, path);
CREATE MACRO json_array_length(json, path := '$') AS CASE WHEN json_type(json, path) IS NOT NULL THEN coalesce(array_length(json_array(json, path)), 0) END;
CREATE MACRO json_valid(json) AS CASE WHEN json IS NOT NULL THEN json_error(json) IS NULL END;
CREATE MACRO json_exists(json, path) AS CASE WHEN json IS NOT NULL THEN json_type(json, path) IS NOT NULL END;
CREATE MACRO json(json) AS json_extract(json, '$');
CREATE MACRO json_value(json, path) AS CASE WHEN json_type(json, path) NOT IN ('OBJECT', 'ARRAY') THEN json_extract(json, path) END;
CREATE MACRO json_quote(value) AS to_json(value);
CREATE MACRO to_json_string(value) AS to_json(value);
CREATE MACRO json_query(json, path) AS json_extract(json, path);
CREATE MACRO json_extract_scalar(json, path) AS CASE WHEN json_type(json, path) NOT IN ('OBJECT', 'ARRAY') THEN json_text(json, path) END;
CREATE MACRO jsonb_array_elements(json) AS unnest(json_array(json));
CREATE MACRO jsonb_array_length(json) AS json_array_length(json);
CREATE MACRO row_to_json(value) AS to_json(value);
CREATE MACRO array_to_json(list) AS to_json(list);
CREATE MACRO json_array_elements(json) AS unnest(json_array(json));

-- Encodings.
CREATE MACRO base64(data) AS encode(data, 'base64pad');
CREATE MACRO to_base64(data) AS encode(data, 'base64pad');
CREATE MACRO from_base64(text) AS decode(text, 'base64pad');
CREATE MACRO to_hex(value) AS hex(value);
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
CREATE MACRO epoch_us(timestamp) AS CAST(round(date_part('epoch', timestamp) * 1000000) AS BIGINT);
CREATE MACRO epoch_ns(timestamp) AS CAST(CAST(timestamp AS TIMESTAMP) AS BIGINT);
CREATE MACRO epoch_ms(timestamp) AS CAST(round(date_part('epoch', timestamp) * 1000) AS BIGINT);
CREATE MACRO millisecond(timestamp) AS date_part('millisecond', timestamp);
CREATE MACRO microsecond(timestamp) AS date_part('microsecond', timestamp);
CREATE MACRO decade(date) AS CAST(floor(date_part('year', date) / 10.0) AS BIGINT);
CREATE MACRO century(date) AS CAST(ceil(date_part('year', date) / 100.0) AS BIGINT);
CREATE MACRO millennium(date) AS CAST(ceil(date_part('year', date) / 1000.0) AS BIGINT);
CREATE MACRO yearweek(date) AS date_part('isoyear', date) * 100 + date_part('week', date);
CREATE MACRO isoyear(date) AS date_part('isoyear', date);
CREATE MACRO add_months(date, number) AS date + interval_of(number, 'month');
CREATE MACRO format_date(format, date) AS strftime(date, format);
CREATE MACRO format_timestamp(format, timestamp) AS strftime(timestamp, format);
CREATE MACRO parse_date(format, text) AS CAST(strptime(text, format) AS DATE);
CREATE MACRO parse_timestamp(format, text) AS strptime(text, format);
CREATE MACRO era(date) AS CAST(date_part('year', date) > 0 AS BIGINT);
CREATE MACRO julian(date) AS date_part('epoch', date) / 86400 + 2440588;
CREATE MACRO age_today(timestamp) AS age(current_date(), timestamp);
CREATE MACRO make_timestamp("year", "month", "day", "hour", "minute", "second") AS to_timestamp_micros(CAST(round((date_part('epoch', make_date("year", "month", "day")) + "hour" * 3600 + "minute" * 60 + "second") * 1000000) AS BIGINT));
CREATE MACRO date_add(date, "interval") AS date + "interval";
CREATE MACRO date_minus(date, "interval") AS date - "interval";
CREATE MACRO date_trunc_decade(date) AS date_trunc('year', date) - interval_of(CAST(date_part('year', date) AS BIGINT) % 10, 'year');
CREATE MACRO date_trunc_century(date) AS date_trunc('year', date) - interval_of(CAST(date_part('year', date) AS BIGINT) % 100, 'year');
CREATE MACRO date_trunc_millennium(date) AS date_trunc('year', date) - interval_of(CAST(date_part('year', date) AS BIGINT) % 1000, 'year');
CREATE MACRO make_timestamp_of(microseconds) AS to_timestamp_micros(CAST(microseconds AS BIGINT));
CREATE MACRO make_timestamp_ms(milliseconds) AS to_timestamp_millis(CAST(milliseconds AS BIGINT));
CREATE MACRO make_timestamp_ns(nanoseconds) AS to_timestamp_nanos(CAST(nanoseconds AS BIGINT));
CREATE MACRO timezone(zone, timestamp) AS timestamp AT TIME ZONE zone;
CREATE MACRO current_localtimestamp() AS arrow_cast(now(), 'Timestamp(Microsecond, None)');
CREATE MACRO transaction_timestamp() AS now();
CREATE MACRO get_current_time() AS current_time();
CREATE MACRO time_bucket_days("interval", timestamp) AS date_bin("interval", timestamp, TIMESTAMP '2000-01-03');
CREATE MACRO time_bucket_offset("interval", timestamp, "offset") AS date_bin("interval", timestamp - "offset", TIMESTAMP '2000-01-03') + "offset";
CREATE MACRO time_bucket_months("interval", timestamp) AS date_bin("interval", timestamp, TIMESTAMP '2000-01-01');
CREATE MACRO monthname(date) AS to_char(date, '%B');
CREATE MACRO dayname(date) AS to_char(date, '%A');
CREATE MACRO last_day(date) AS CAST(date_trunc('month', date) + INTERVAL '1 month' - INTERVAL '1 day' AS DATE);
CREATE MACRO to_years(number) AS interval_of(number, 'year');
CREATE MACRO to_months(number) AS interval_of(number, 'month');
CREATE MACRO to_weeks(number) AS interval_of(number, 'week');
CREATE MACRO to_days(number) AS interval_of(number, 'day');
CREATE MACRO to_hours(number) AS interval_of(number, 'hour');
CREATE MACRO to_minutes(number) AS interval_of(number, 'minute');
CREATE MACRO to_seconds(number) AS interval_of(CAST(number * 1000000 AS BIGINT), 'microsecond');
CREATE MACRO to_milliseconds(number) AS interval_of(CAST(number * 1000 AS BIGINT), 'microsecond');
CREATE MACRO get_current_timestamp() AS now();
-- Specifiers with another meaning in chrono: %f, %g, %n, %c and %x.
CREATE MACRO strftime(date, format) AS to_char(date, replace(replace(replace(replace(replace(replace(replace(format, '%%', chr(1)), '%f', '%6f'), '%g', '%3f'), '%n', '%9f'), '%c', '%Y-%m-%d %H:%M:%S'), '%x', '%Y-%m-%d'), chr(1), '%%'));
-- The number of borders between two times: date_diff('day', start, end) calls date_diff_day.
CREATE MACRO date_diff_year("start", "end") AS CAST(date_part('year', "end") - date_part('year', "start") AS BIGINT);
CREATE MACRO date_diff_decade("start", "end") AS CAST(floor(date_part('year', "end") / 10.0) - floor(date_part('year', "start") / 10.0) AS BIGINT);
CREATE MACRO date_diff_century("start", "end") AS CAST(floor(date_part('year', "end") / 100.0) - floor(date_part('year', "start") / 100.0) AS BIGINT);
CREATE MACRO date_diff_millennium("start", "end") AS CAST(floor(date_part('year', "end") / 1000.0) - floor(date_part('year', "start") / 1000.0) AS BIGINT);
CREATE MACRO date_diff_quarter("start", "end") AS CAST(date_part('year', "end") * 4 + date_part('quarter', "end") - date_part('year', "start") * 4 - date_part('quarter', "start") AS BIGINT);
CREATE MACRO date_diff_month("start", "end") AS CAST(date_part('year', "end") * 12 + date_part('month', "end") - date_part('year', "start") * 12 - date_part('month', "start") AS BIGINT);
CREATE MACRO date_diff_week("start", "end") AS CAST(trunc((date_part('epoch', date_trunc('day', "end")) - date_part('epoch', date_trunc('day', "start"))) / 604800) AS BIGINT);
CREATE MACRO date_diff_day("start", "end") AS CAST((date_part('epoch', date_trunc('day', "end")) - date_part('epoch', date_trunc('day', "start"))) / 86400 AS BIGINT);
CREATE MACRO date_diff_hour("start", "end") AS CAST((date_part('epoch', date_trunc('hour', "end")) - date_part('epoch', date_trunc('hour', "start"))) / 3600 AS BIGINT);
CREATE MACRO date_diff_minute("start", "end") AS CAST((date_part('epoch', date_trunc('minute', "end")) - date_part('epoch', date_trunc('minute', "start"))) / 60 AS BIGINT);
CREATE MACRO date_diff_second("start", "end") AS CAST(date_part('epoch', date_trunc('second', "end")) - date_part('epoch', date_trunc('second', "start")) AS BIGINT);
CREATE MACRO date_diff_millisecond("start", "end") AS CAST(round((date_part('epoch', date_trunc('millisecond', "end")) - date_part('epoch', date_trunc('millisecond', "start"))) * 1000) AS BIGINT);
CREATE MACRO date_diff_microsecond("start", "end") AS CAST(round((date_part('epoch', "end") - date_part('epoch', "start")) * 1000000) AS BIGINT);
-- The number of whole parts between two times: date_sub('day', start, end) calls date_sub_day.
CREATE MACRO date_sub_month("start", "end") AS whole_months("start", "end");
CREATE MACRO date_sub_quarter("start", "end") AS CAST(trunc(whole_months("start", "end") / 3.0) AS BIGINT);
CREATE MACRO date_sub_year("start", "end") AS CAST(trunc(whole_months("start", "end") / 12.0) AS BIGINT);
CREATE MACRO date_sub_week("start", "end") AS CAST(trunc((date_part('epoch', "end") - date_part('epoch', "start")) / 604800) AS BIGINT);
CREATE MACRO date_sub_day("start", "end") AS CAST(trunc((date_part('epoch', "end") - date_part('epoch', "start")) / 86400) AS BIGINT);
CREATE MACRO date_sub_hour("start", "end") AS CAST(trunc((date_part('epoch', "end") - date_part('epoch', "start")) / 3600) AS BIGINT);
CREATE MACRO date_sub_minute("start", "end") AS CAST(trunc((date_part('epoch', "end") - date_part('epoch', "start")) / 60) AS BIGINT);
CREATE MACRO date_sub_second("start", "end") AS CAST(trunc(date_part('epoch', "end") - date_part('epoch', "start")) AS BIGINT);

-- Numbers.
CREATE MACRO mod(number, divisor) AS number % divisor;
CREATE MACRO sign(number) AS CAST(signum(number) AS BIGINT);
CREATE MACRO ceiling(number) AS ceil(number);
CREATE MACRO xor(number, other) AS number XOR other;
CREATE MACRO even(number) AS CASE WHEN number >= 0 THEN 2 * ceil(number / 2.0) ELSE 2 * floor(number / 2.0) END;
CREATE MACRO isinf(number) AS abs(CAST(number AS DOUBLE)) = CAST('inf' AS DOUBLE);
CREATE MACRO isfinite(number) AS NOT isnan(CAST(number AS DOUBLE)) AND abs(CAST(number AS DOUBLE)) < CAST('inf' AS DOUBLE);
CREATE MACRO add(number, other) AS number + other;
CREATE MACRO subtract(number, other) AS number - other;
CREATE MACRO multiply(number, other) AS number * other;
CREATE MACRO fmod(number, divisor) AS number % divisor;
CREATE MACRO roundbankers(number, digits := 0) AS round_even(number, digits);
CREATE MACRO signbit(number) AS number < 0;

-- Lists. DuckDB sorts NULL last, and leaves it out of sets.
CREATE MACRO list_sort(list, "order" := 'ASC', nulls := 'NULLS LAST') AS array_sort(list, "order", nulls);
CREATE MACRO list_reverse_sort(list) AS array_sort(list, 'DESC', 'NULLS LAST');
CREATE MACRO list_distinct(list) AS array_distinct(array_compact(list));
CREATE MACRO list_unique(list) AS CASE WHEN list IS NOT NULL THEN coalesce(array_length(array_distinct(array_compact(list))), 0) END;
CREATE MACRO list_first(list) AS list[1];
CREATE MACRO list_last(list) AS list[-1];
CREATE MACRO list_string_agg(list, separator := ',') AS array_to_string(list, separator);
CREATE MACRO list_bool_and(list) AS CASE WHEN list_count(list) > 0 THEN NOT array_has(list, false) END;
CREATE MACRO list_bool_or(list) AS CASE WHEN list_count(list) > 0 THEN array_has(list, true) END;
CREATE MACRO list_min(list) AS array_min(list);
CREATE MACRO list_count(list) AS CASE WHEN list IS NOT NULL THEN coalesce(array_length(array_compact(list)), 0) END;
CREATE MACRO list_where(list, mask) AS CASE WHEN list IS NOT NULL AND mask IS NOT NULL THEN array_transform(array_filter(arrays_zip(list, mask), __pair -> __pair['2']), __pair -> __pair['1']) END;
CREATE MACRO size(list) AS len(list);
CREATE MACRO sort_array(list) AS array_sort(list);
CREATE MACRO slice(list, start, length) AS list[start:start + length - 1];
CREATE MACRO array_upper(list, dimension) AS len(list);
CREATE MACRO list_select(list, places) AS array_transform(places, __place -> list[__place]);
CREATE MACRO list_grade_up(list) AS array_transform(array_sort(list_enumerate(list)), __pair -> __pair['number']);
CREATE MACRO array_push_front(list, value) AS array_prepend(value, list);
CREATE MACRO list_var_pop(list) AS list_avg(array_transform(list, __item -> power(__item - list_avg(list), 2)));
CREATE MACRO list_var_samp(list) AS CASE WHEN list_count(list) > 1 THEN list_avg(array_transform(list, __item -> power(__item - list_avg(list), 2))) * list_count(list) / (list_count(list) - 1) END;
CREATE MACRO list_stddev_pop(list) AS sqrt(list_var_pop(list));
CREATE MACRO list_stddev_samp(list) AS sqrt(list_var_samp(list));
CREATE MACRO list_cosine_similarity(list, other) AS 1 - cosine_distance(list, other);
CREATE MACRO list_cosine_distance(list, other) AS cosine_distance(list, other);
CREATE MACRO generate_subscripts(list, dimension) AS unnest(range(1, CAST(len(list) AS BIGINT) + 1));

-- Maps.
CREATE MACRO map_contains(map, key) AS array_has(map_keys(map), key);
CREATE MACRO map_contains_value(map, value) AS array_has(map_values(map), value);
CREATE MACRO map_extract_value(map, key) AS map[key];
CREATE MACRO map_concat(map, other) AS map_from_entries(array_concat(array_filter(map_entries(map), __entry -> NOT array_has(map_keys(other), __entry['key'])), map_entries(other)));

-- Aggregates.
CREATE MACRO product(value) AS list_product(array_agg(value));
CREATE MACRO sem(value) AS stddev_pop(value) / sqrt(count(value));
CREATE MACRO geomean(value) AS exp(avg(ln(value)));
CREATE MACRO geometric_mean(value) AS exp(avg(ln(value)));
CREATE MACRO fsum(value) AS sum(CAST(value AS DOUBLE));
CREATE MACRO kahan_sum(value) AS sum(CAST(value AS DOUBLE));
CREATE MACRO quantile_disc(value, share) AS array_sort(array_agg(value) FILTER (WHERE value IS NOT NULL))[greatest(1, CAST(ceil(share * count(value)) AS BIGINT))];
CREATE MACRO quantile(value, share) AS array_sort(array_agg(value) FILTER (WHERE value IS NOT NULL))[greatest(1, CAST(ceil(share * count(value)) AS BIGINT))];
CREATE MACRO quantiles(list, number) AS CASE WHEN number > 0 THEN list END;
CREATE MACRO max_n(value, number) AS array_sort(array_agg(value) FILTER (WHERE value IS NOT NULL), 'DESC')[1:number];
CREATE MACRO min_n(value, number) AS array_sort(array_agg(value) FILTER (WHERE value IS NOT NULL))[1:number];
CREATE MACRO arg_max_n(value, key, number) AS (array_agg(value ORDER BY key DESC) FILTER (WHERE value IS NOT NULL AND key IS NOT NULL))[1:number];
CREATE MACRO arg_min_n(value, key, number) AS (array_agg(value ORDER BY key) FILTER (WHERE value IS NOT NULL AND key IS NOT NULL))[1:number];
CREATE MACRO weighted_avg(value, weight) AS sum(CAST(value AS DOUBLE) * weight) / sum(CASE WHEN value IS NOT NULL THEN weight END);
CREATE MACRO wavg(value, weight) AS sum(CAST(value AS DOUBLE) * weight) / sum(CASE WHEN value IS NOT NULL THEN weight END);
CREATE MACRO skewness(value) AS CASE WHEN count(value) > 2 THEN sqrt(CAST(count(value) AS DOUBLE) * (count(value) - 1)) / (count(value) - 2) * (sum(power(CAST(value AS DOUBLE), 3)) / count(value) - 3 * sum(power(CAST(value AS DOUBLE), 2)) * sum(CAST(value AS DOUBLE)) / power(count(value), 2) + 2 * power(sum(CAST(value AS DOUBLE)) / count(value), 3)) / nullif(sqrt(power((sum(power(CAST(value AS DOUBLE), 2)) / count(value) - power(sum(CAST(value AS DOUBLE)) / count(value), 2)), 3)), 0) END;
CREATE MACRO kurtosis_pop(value) AS CASE WHEN count(value) > 1 THEN (sum(power(CAST(value AS DOUBLE), 4)) / count(value) - 4 * sum(power(CAST(value AS DOUBLE), 3)) * sum(CAST(value AS DOUBLE)) / power(count(value), 2) + 6 * sum(power(CAST(value AS DOUBLE), 2)) * power(sum(CAST(value AS DOUBLE)), 2) / power(count(value), 3) - 3 * power(sum(CAST(value AS DOUBLE)) / count(value), 4)) / nullif(power((sum(power(CAST(value AS DOUBLE), 2)) / count(value) - power(sum(CAST(value AS DOUBLE)) / count(value), 2)), 2), 0) - 3 END;
CREATE MACRO kurtosis(value) AS CASE WHEN count(value) > 3 THEN (count(value) - 1) * ((count(value) + 1) * (sum(power(CAST(value AS DOUBLE), 4)) / count(value) - 4 * sum(power(CAST(value AS DOUBLE), 3)) * sum(CAST(value AS DOUBLE)) / power(count(value), 2) + 6 * sum(power(CAST(value AS DOUBLE), 2)) * power(sum(CAST(value AS DOUBLE)), 2) / power(count(value), 3) - 3 * power(sum(CAST(value AS DOUBLE)) / count(value), 4)) / nullif(power((sum(power(CAST(value AS DOUBLE), 2)) / count(value) - power(sum(CAST(value AS DOUBLE)) / count(value), 2)), 2), 0) - 3 * (count(value) - 1)) / (CAST(count(value) - 2 AS DOUBLE) * (count(value) - 3)) END;
CREATE MACRO entropy(value) AS coalesce(list_entropy(array_agg(value)), 0.0);
CREATE MACRO mad(value) AS list_mad(array_agg(value));
CREATE MACRO json_group_array(value) AS '[' || coalesce(string_agg(coalesce(to_json(value), 'null'), ','), '') || ']';
CREATE MACRO json_group_object(key, value) AS '{' || coalesce(string_agg(to_json(CAST(key AS VARCHAR)) || ':' || coalesce(to_json(value), 'null'), ','), '') || '}';
CREATE MACRO collect_list(value) AS array_agg(value) FILTER (WHERE value IS NOT NULL);
CREATE MACRO collect_set(value) AS array_agg(DISTINCT value) FILTER (WHERE value IS NOT NULL);
CREATE MACRO percentile_approx(value, share) AS approx_percentile_cont(value, share);
CREATE MACRO approx_top_k(value, number) AS array_transform(array_sort(array_transform(map_entries(list_histogram(array_agg(value))), __entry -> {count: __entry['value'], item: __entry['key']}), 'DESC')[1:number], __entry -> __entry['item']);
CREATE MACRO reservoir_quantile(value, share) AS approx_percentile_cont(value, share);
CREATE MACRO sum_no_overflow(value) AS sum(value);
CREATE MACRO favg(value) AS avg(CAST(value AS DOUBLE));
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

-- The session.
CREATE MACRO current_schema() AS 'public';
CREATE MACRO current_database() AS 'datafusion';
CREATE MACRO pg_typeof(value) AS lower(typeof(value));

-- Tables.
CREATE MACRO read_text(location) AS TABLE SELECT source_file AS filename, CAST(content AS VARCHAR) AS content, "size", modified AS last_modified FROM read_files(location, 'unpack', 'false');
CREATE MACRO read_blob(location) AS TABLE SELECT source_file AS filename, content, "size", modified AS last_modified FROM read_files(location, 'unpack', 'false');
CREATE MACRO glob(location) AS TABLE SELECT source_file AS file FROM read_files(location, 'unpack', 'false');
CREATE MACRO read_ndjson_objects(location) AS TABLE SELECT text AS json FROM read_lines(location);
-- Without the id and the parent of DuckDB: a column id would hide that of a table before it.
CREATE MACRO json_each(json, path := '$') AS TABLE SELECT e['key'] AS key, e['value'] AS value, e['kind'] AS "type", e['atom'] AS atom, e['fullkey'] AS fullkey, e['path'] AS path FROM (SELECT unnest(json_rows(json, path)) AS e);
CREATE MACRO json_tree(json, path := '$') AS TABLE SELECT e['key'] AS key, e['value'] AS value, e['kind'] AS "type", e['atom'] AS atom, e['fullkey'] AS fullkey, e['path'] AS path FROM (SELECT unnest(json_tree_rows(json, path)) AS e);

-- The catalog.
CREATE MACRO duckdb_tables() AS TABLE SELECT table_catalog AS database_name, table_schema AS schema_name, table_name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema <> 'information_schema';
CREATE MACRO duckdb_views() AS TABLE SELECT table_catalog AS database_name, table_schema AS schema_name, table_name AS view_name, table_schema = 'information_schema' AS internal FROM information_schema.tables WHERE table_type = 'VIEW' OR table_schema = 'information_schema';
CREATE MACRO duckdb_columns() AS TABLE SELECT table_catalog AS database_name, table_schema AS schema_name, table_name, column_name, ordinal_position AS column_index, is_nullable = 'YES' AS is_nullable, sql_type_name(data_type) AS data_type FROM information_schema.columns WHERE table_schema <> 'information_schema';
CREATE MACRO duckdb_schemas() AS TABLE SELECT catalog_name AS database_name, schema_name FROM information_schema.schemata;
CREATE MACRO duckdb_settings() AS TABLE SELECT name, value, description FROM information_schema.df_settings;
CREATE MACRO duckdb_functions() AS TABLE SELECT name AS function_name, kind AS function_type, syntax, description FROM corpus_functions();
CREATE MACRO pragma_table_info(name) AS TABLE SELECT CAST(ordinal_position AS BIGINT) AS cid, column_name AS name, sql_type_name(data_type) AS "type", is_nullable = 'NO' AS "notnull", column_default AS dflt_value, false AS pk FROM information_schema.columns WHERE table_name = name ORDER BY cid;
CREATE MACRO pragma_version() AS TABLE SELECT version() AS library_version;
