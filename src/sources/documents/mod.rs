//! Definitions of the tables of documents: their columns, in SQL, and what they mean. They are
//! planned in [`document_tables`](crate::document_tables).

mod mixed;

use crate::options::FormatOption;
use mixed::DOCUMENTS;

/// A table function over the records of a source.
#[derive(Debug)]
pub struct DocumentTable {
    pub name: &'static str,
    /// What a row is, in one sentence.
    pub about: &'static str,
    /// The table function that reads the records. It takes the same arguments.
    pub reader: &'static str,
    /// Options that the reader does not have. `${name}` in the SQL is the value as a literal.
    pub options: &'static [OwnOption],
    /// Columns of the inner query, from which `columns` are computed.
    pub steps: &'static [(&'static str, &'static str)],
    /// The condition for records, or nothing.
    pub records: &'static str,
    /// The condition for the rows of the table, or nothing.
    pub rows: &'static str,
    pub columns: &'static [DocumentColumn],
}

/// A column of a table of documents.
#[derive(Debug)]
pub struct DocumentColumn {
    pub name: &'static str,
    /// Its SQL, from the columns of the records and the steps.
    pub expression: &'static str,
    /// What it contains, for the documentation.
    pub about: &'static str,
}

/// An option of a table of documents.
#[derive(Debug)]
pub struct OwnOption {
    pub option: FormatOption,
    pub default: &'static str,
}

/// All tables of documents.
pub const TABLES: &[DocumentTable] = &[
    WEB_PAGES,
    PDF_DOCUMENTS,
    PDF_DOCUMENT_PAGES,
    OCR_PAGES,
    DOCUMENTS,
];

const fn column(
    name: &'static str,
    expression: &'static str,
    about: &'static str,
) -> DocumentColumn {
    DocumentColumn {
        name,
        expression,
        about,
    }
}

const SOURCE_FILE: DocumentColumn =
    column("source_file", "source_file", "The path or URL of the file");

const WEB_PAGES: DocumentTable = DocumentTable {
    name: "web_pages",
    about: "The HTML pages in web archives: the HTTP responses that are HTML or XHTML by their \
            bytes, and the records that cannot be read.",
    reader: "read_warc",
    options: &[OwnOption {
        option: FormatOption::text(
            "mode",
            "what document and paragraphs contain in addition, as in html_document: 'hidden', 'bullets', \
             'hidden, bullets' or 'seed'",
        ),
        default: "default",
    }],
    steps: &[("http", "http_response(body)")],
    // Damage may hide the head of a record. Old archives hold answers of DNS servers as responses.
    // The condition needs nothing but the head, so that the source skips the bodies of other
    // records.
    records: "(warc_type = 'response' OR warc_type IS NULL) \
              AND (content_type LIKE 'application/http%' OR content_type IS NULL)",
    rows: "http['sniffed_type'] IN ('text/html', 'application/xhtml+xml') \
           OR (http['sniffed_type'] IS NULL AND coalesce(error, http['error']) IS NOT NULL)",
    columns: &[
        SOURCE_FILE,
        column(
            "offset",
            "\"offset\"",
            "The offset of the record in the file",
        ),
        column("url", "target_uri", "The address of the page"),
        column("date", "date", "When the page was fetched"),
        column(
            "status",
            "http['status']",
            "The status code of the response",
        ),
        column("media_type", "http['media_type']", "The type as declared"),
        column(
            "charset",
            "charset_detect(http['body'], http['charset'])['charset']",
            "The charset as detected; see charset_detect",
        ),
        column(
            "lang",
            "html_meta(http['body'], http['charset'], target_uri)['lang']",
            "The language as declared; language(document) detects it",
        ),
        column(
            "title",
            "html_meta(http['body'], http['charset'], target_uri)['title']",
            "The title",
        ),
        column(
            "description",
            "html_meta(http['body'], http['charset'], target_uri)['description']",
            "The description",
        ),
        column(
            "author",
            "html_meta(http['body'], http['charset'], target_uri)['author']",
            "The author",
        ),
        column(
            "published",
            "html_meta(http['body'], http['charset'], target_uri)['published']",
            "When the page was published, as declared",
        ),
        column(
            "canonical",
            "html_meta(http['body'], http['charset'], target_uri)['canonical']",
            "The absolute canonical address",
        ),
        column(
            "document",
            "html_document(http['body'], http['charset'], ${mode})",
            "The text; see html_document",
        ),
        column(
            "main_text",
            "html_main_text(http['body'], http['charset'])",
            "The text without menus, side bars and footers; see html_main_text",
        ),
        column(
            "paragraphs",
            "html_paragraphs(http['body'], http['charset'], ${mode})",
            "The paragraphs, a list of structs; see html_paragraphs",
        ),
        column(
            "links",
            "html_links(http['body'], http['charset'], target_uri)",
            "The links, a list of structs; see html_links",
        ),
        column("headers", "http['headers']", "The header of the response"),
        column(
            "html",
            "charset_decode(http['body'], charset_detect(http['body'], http['charset'])['charset'])",
            "The page itself, as text",
        ),
        column(
            "truncated",
            "truncated",
            "Why the crawler cut the page, or NULL",
        ),
        column(
            "error",
            "coalesce(error, http['error'])",
            "Why the record or the response could not be read, or NULL",
        ),
    ],
};

const PDF_OPTIONS: &[OwnOption] = &[
    OwnOption {
        option: FormatOption::text(
            "options",
            "words as for pdf_parse, such as 'dehyphenate hidden_layers'",
        ),
        default: "",
    },
    OwnOption {
        option: FormatOption::text(
            "password",
            "tried if the empty password does not open a file",
        ),
        default: "",
    },
];

const PDF_DOCUMENTS: DocumentTable = DocumentTable {
    name: "pdf_documents",
    about: "PDF files, one row each, also those that cannot be read.",
    reader: "read_pdf",
    options: PDF_OPTIONS,
    steps: &[("pdf", "pdf_parse(content, ${options}, ${password})")],
    records: "",
    rows: "",
    columns: &[
        SOURCE_FILE,
        column("title", "pdf['title']", "The title"),
        column("author", "pdf['author']", "The author"),
        column("subject", "pdf['subject']", "The subject"),
        column("keywords", "pdf['keywords']", "The keywords"),
        column(
            "creator",
            "pdf['creator']",
            "The program in which the document was written",
        ),
        column(
            "producer",
            "pdf['producer']",
            "The program that made the PDF",
        ),
        column("created", "pdf['created']", "When it was created"),
        column("modified", "pdf['modified']", "When it was modified"),
        column("version", "pdf['version']", "The version of PDF"),
        column("encrypted", "pdf['encrypted']", "Whether it is encrypted"),
        column("pages", "pdf['pages']", "The number of pages"),
        column(
            "pages_ok",
            "pdf['pages_ok']",
            "The number of pages that could be read",
        ),
        column(
            "document",
            "pdf['text']",
            "The text of all pages in reading order",
        ),
        column(
            "outline",
            "pdf['outline']",
            "The table of contents, a list of structs",
        ),
        column("has_text", "pdf['has_text']", "Whether it has any text"),
        column(
            "garbled",
            "pdf['garbled']",
            "How little the text looks like a language, 0 to 1",
        ),
        column(
            "needs_ocr",
            "pdf['needs_ocr']",
            "Whether pages are images, or their text is useless; NULL if a page is incomplete",
        ),
        column("size", "size", "The size of the file in bytes"),
        column(
            "status",
            "coalesce(pdf['status'], 'failed')",
            "'ok', 'partial' (some pages, or parts of pages, could be read) or 'failed'",
        ),
        column(
            "error_kind",
            "coalesce(pdf['error_kind'], CASE WHEN error IS NOT NULL THEN 'unreadable' END)",
            "As `error_kind` of pdf_parse, or 'unreadable'",
        ),
        column(
            "error_stage",
            "pdf['error_stage']",
            "As `error_stage` of pdf_parse",
        ),
        column(
            "error_page",
            "pdf['error_page']",
            "The first page that could not be read completely",
        ),
        column(
            "error",
            "coalesce(error, pdf['error'])",
            "Why the file or a page could not be read, or NULL",
        ),
    ],
};

const PDF_DOCUMENT_PAGES: DocumentTable = DocumentTable {
    name: "pdf_document_pages",
    about: "The pages of PDF files, one row each, and a row for each file that cannot be read.",
    reader: "read_pdf",
    options: PDF_OPTIONS,
    steps: &[
        ("pages", "pdf_pages(content, ${options}, ${password})"),
        // Keeps a row for files without pages.
        (
            "page_",
            "unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END)",
        ),
    ],
    records: "",
    rows: "",
    columns: &[
        SOURCE_FILE,
        column("page", "page_['page']", "The page, from 1"),
        column("width", "page_['width']", "The width in points"),
        column("height", "page_['height']", "The height in points"),
        column("rotation", "page_['rotation']", "The rotation in degrees"),
        column("text", "page_['text']", "The text in reading order"),
        column(
            "characters",
            "page_['characters']",
            "The number of characters drawn",
        ),
        column(
            "unmapped",
            "page_['unmapped']",
            "The number of characters of unknown meaning",
        ),
        column(
            "image_cover",
            "page_['image_cover']",
            "The share of the page that images cover",
        ),
        column("has_text", "page_['has_text']", "Whether it has any text"),
        column(
            "garbled",
            "page_['garbled']",
            "How little the text looks like a language, 0 to 1",
        ),
        column(
            "needs_ocr",
            "page_['needs_ocr']",
            "Whether it is an image, or its text is useless; NULL if it is incomplete",
        ),
        column(
            "error_kind",
            "coalesce(page_['error_kind'], CASE WHEN error IS NOT NULL THEN 'unreadable' END)",
            "As `error_kind` of pdf_parse, or 'unreadable'",
        ),
        column(
            "error",
            "coalesce(error, page_['error'])",
            "Why the file or the page could not be read, or only in part, or NULL",
        ),
    ],
};

const OCR_PAGES: DocumentTable = DocumentTable {
    name: "ocr_pages",
    about: "The pages in hOCR, ALTO and PAGE XML files, one row each, and a row for each file that \
            cannot be read or has no pages.",
    reader: "read_hocr",
    options: &[],
    steps: &[
        ("pages", "hocr_pages(content)"),
        (
            "page_",
            "unnest(CASE WHEN cardinality(pages) > 0 THEN pages ELSE [NULL] END)",
        ),
    ],
    records: "",
    rows: "",
    columns: &[
        SOURCE_FILE,
        column("page", "page_['page']", "The page in the file, from 1"),
        column(
            "page_number",
            "page_['page_number']",
            "The number of the page as the file declares it",
        ),
        column("image", "page_['image']", "The image of the page"),
        column("lang", "page_['lang']", "The language"),
        column("width", "page_['width']", "The width of the page"),
        column("height", "page_['height']", "The height of the page"),
        column(
            "unit",
            "page_['unit']",
            "The unit of width and height: 'pixel', or what ALTO declares",
        ),
        column("text", "page_['text']", "The text in reading order"),
        column(
            "error",
            "coalesce(error, page_['error'], CASE WHEN page_ IS NULL THEN 'no page' END)",
            "Why the file or the page could not be read, or NULL",
        ),
    ],
};
