-- All pages of a PDF.
SELECT pdf_pages(data) AS found, pdf_parse(data) AS parsed, pdf_words(data) AS words, pdf_structure(data) AS blocks,
    pdf_tables(data) AS tables, pdf_page_markdown(data) AS markdown
FROM shown
