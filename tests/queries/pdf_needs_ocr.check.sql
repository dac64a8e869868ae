SELECT regexp_replace(url, '.*/', '') AS file, page, reason, characters, unmapped, array_to_string(broken_fonts, ', ') AS broken_fonts, error FROM '${output}' ORDER BY file, page;
