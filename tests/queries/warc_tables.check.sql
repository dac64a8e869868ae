SELECT url, position, caption, header_rows, array_to_string(array_transform(rows, r -> array_to_string(r, '|', '-')), ' / ') AS rows, error FROM '${output}' ORDER BY url, position;
