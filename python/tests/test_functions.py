"""The scalar functions, on values and on arrays."""

import inspect
import pydoc
import sys

import polars
import pyarrow
import pytest

import corpus_sql as cs

PAGE = "<html><head><meta charset=utf-8></head><body><p>A paragraph with some words of text.</p></body></html>"


def test_values_come_and_go_as_those_of_python(samples):
    for page in [PAGE, PAGE.encode(), bytearray(PAGE.encode()), memoryview(PAGE.encode())]:
        assert cs.html_main_text(page) == "A paragraph with some words of text."
    assert cs.html_main_text(None) is None
    assert cs.charset_detect("日本語のテキスト".encode("euc-jp"), None, "jp")["charset"] == "EUC-JP"
    assert cs.charset_decode(b"\x93\xfa\x96{", "Shift_JIS") == "日本"
    assert cs.url_parts("http://a.example/x?y=1")["host"] == "a.example"
    assert cs.text_words("two words") == ["two", "words"]
    assert cs.warc_digest_ok(cs.warc_digest("sha1", b"x"), b"x") is True
    assert cs.hamming_distance(1, 2) == 2
    assert cs.text_jaccard("a b c", "a b c", "1 words") == 1.0
    # The result of one function is an argument of another: lists of structs with NULLs.
    assert "A paragraph" in cs.html_markdown(cs.html_paragraphs(PAGE))


def test_long_documents_are_those_of_short_ones():
    page = "<p>Ein langer Absatz über Brücken und Flüsse.</p>" * 1000
    expected = "\n\n".join(["Ein langer Absatz über Brücken und Flüsse."] * 1000)
    for document in [page, page.encode(), page.encode("latin-1")]:
        assert cs.html_document(document, "iso-8859-1" if isinstance(document, bytes) else None) == expected
    assert cs.warc_digest("sha1", b"x" * 10000) == cs.warc_digest("sha1", pyarrow.array([b"x" * 10000]))[0]
    # Next to an array, a single value is the same for all rows.
    digests = pyarrow.array([cs.warc_digest("sha1", b"x" * 10000), cs.warc_digest("sha1", b"x")])
    assert cs.warc_digest_ok(digests, b"x" * 10000).to_pylist() == [True, False]


def test_the_memory_of_long_documents_is_shared_and_given_back():
    page = b"<p>some text</p>" * 1000
    before = sys.getrefcount(page)
    for _ in range(3):
        assert cs.html_document(page).startswith("some text\n\nsome")
        assert cs.html_parse(page)["document"] == cs.html_document(page)
        assert cs.charset_decode(page, "utf-8") == page.decode()
        assert len(cs.warc_digest("sha1", page)) == 37
    assert sys.getrefcount(page) == before


@pytest.mark.parametrize("length", [0, 1, 12, 13, 4095, 4096, 100_000])
def test_a_value_gives_what_an_array_of_it_gives(length):
    text = ("é <b>x</b>" * length)[:length]
    for value in [text, text.encode(), bytearray(text.encode()), memoryview(text.encode())]:
        array = pyarrow.array([value if isinstance(value, str) else bytes(value)])
        for function in [cs.html_document, cs.charset_detect, cs.document_kind, cs.html_links, cs.mail_parse]:
            assert function(value) == function(array)[0], function
        assert cs.warc_digest("md5", value) == cs.warc_digest("md5", array)[0]
    for function in [cs.text_hash, cs.text_words, cs.url_host, cs.json_text, cs.text_lines]:
        arguments = ["$.a"] if function is cs.json_text else []
        assert function(text, *arguments) == function(pyarrow.array([text]), *arguments)[0], function


def test_arguments_that_are_left_out_are_none():
    page = b"<p>\xe9t\xe9</p>"
    assert cs.html_document(page, None, None) == cs.html_document(page)
    assert cs.html_document(page, None, "uzushio") == cs.html_document(page, mode="seed")
    assert cs.html_document(None, "utf-8", "seed") is None
    with pytest.raises(cs.SqlError, match="argument 1 of html_document"):
        cs.html_document(5)
    with pytest.raises(cs.SqlError, match="nonsense"):
        cs.html_document(page, "nonsense")
    with pytest.raises(cs.SqlError, match="nonsense"):
        cs.html_document(page, None, "nonsense")
    with pytest.raises(cs.SqlError, match="takes 1 to 3 arguments, not 0"):
        cs.functions._calls["html_document"]()
    with pytest.raises(cs.SqlError, match="takes 1 to 3 arguments, not 4"):
        cs.functions._calls["html_document"](page, None, None, None)
    with pytest.raises(UnicodeEncodeError):
        cs.html_document("\ud800")


def test_pdfs_are_parsed_in_the_workers_of_the_package(samples):
    for path in sorted((samples / "pdf").glob("*.pdf"))[:5]:
        parsed = cs.pdf_parse(path.read_bytes())
        assert set(parsed) >= {"text", "title", "pages", "error"}
    assert cs.pdf_parse(b"no PDF")["error"]


def test_keywords_and_defaults_are_those_of_the_documentation():
    with_charset = cs.html_main_text(data=b"<p>\xe9t\xe9</p>", charset="iso-8859-1")
    assert with_charset == "été"
    with pytest.raises(TypeError, match="cahrset"):
        cs.html_main_text(b"", cahrset="utf-8")
    with pytest.raises(cs.SqlError, match="'nfc'"):
        cs.text_normalize("a", "NFX")
    with pytest.raises(TypeError, match="object"):
        cs.text_normalize(object())
    with pytest.raises(cs.SqlError, match="^argument 1 of url_host must be text, not"):
        cs.url_host(5)
    with pytest.raises(cs.SqlError, match="different types: text and integer"):
        cs.text_repeats(["a", 1])


@pytest.mark.parametrize("kind", [pyarrow.array, polars.Series, lambda values: pyarrow.chunked_array([values[:1], values[1:]])])
def test_arrays_give_arrays(kind):
    pages = kind([PAGE.encode(), None, b"<p>\xe9t\xe9 comme il faut</p>"])
    texts = cs.html_main_text(pages, "windows-1252")
    expected = ["A paragraph with some words of text.", None, "été comme il faut"]
    assert texts.to_pylist() == pyarrow.array(texts).to_pylist() == expected
    assert polars.Series(texts).to_list() == expected
    assert [texts[0], texts[-1], len(texts)] == [expected[0], expected[2], 3]
    with pytest.raises(IndexError):
        texts[3]
    # Long arrays are processed in parts.
    many = [PAGE if number % 3 != 1 else None for number in range(1000)]
    assert cs.html_main_text(kind(many)).to_pylist() == [cs.html_main_text(page) for page in many]
    # The result of one function is an argument of the next.
    assert cs.text_hash(texts).to_pylist()[1] is None
    columns = cs.html_document(pages, kind(["utf-8", None, "windows-1252"]))
    assert columns.to_pylist()[2] == "été comme il faut"
    with pytest.raises(cs.SqlError, match="different lengths: 3 and 1"):
        cs.html_main_text(pages, pyarrow.array(["utf-8"]))


def test_empty_arrays_are_no_special_case():
    assert cs.text_words(pyarrow.array([], pyarrow.string())).to_pylist() == []
    assert cs.text_words(pyarrow.chunked_array([], pyarrow.string())).to_pylist() == []


def test_functions_agree_with_sql(con):
    documented = {
        row["name"]
        for batch in con.sql("SELECT name, kind FROM corpus_functions()")
        for row in batch.to_pylist()
        if row["kind"] == "scalar"
    }
    assert set(cs.functions.__all__) <= documented
    assert {"html_main_text", "pdf_parse", "text_words", "url_surt"} <= set(cs.functions.__all__)


def test_help_helps():
    text = pydoc.render_doc(cs.html_main_text, renderer=pydoc.plaintext)
    assert "html_main_text(data: object, charset: object = None)" in text
    assert "Returns:" in text and "In SQL:" in text and "SELECT html_main_text(" in text
    for name in cs.functions.__all__:
        function = getattr(cs, name)
        assert len(inspect.getdoc(function)) > 80, name
        assert inspect.signature(function).parameters, name
