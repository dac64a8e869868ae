-- A text in the charset that its head declares, or that its bytes show.
SELECT charset_decode(data, charset_detect(data, declared)['charset']) AS text
FROM shown
