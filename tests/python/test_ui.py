"""The interface in the browser: `corpus-sql ui`, used by Debian's Chromium.

CHROMIUM names the browser. While you change the page, CORPUS_SQL_PAGE=src/ui/page serves the files
of that folder in place of those in the binary.
"""

import io
import json
import os
import re
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from conftest import ROOT, SAMPLES, TIMEOUT
from warcs import response

api = pytest.importorskip("playwright.sync_api")
Image = pytest.importorskip("PIL.Image")
expect = api.expect
expect.set_options(timeout=TIMEOUT * 1000)

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PAGE = os.environ.get("CORPUS_SQL_PAGE")

# The files of the page itself; the server adds their headers.
PAGE_FILE = re.compile(r"^http://127\.0\.0\.1:\d+/([\w-]+\.(?:js|css|svg))?(?:\?.*)?$")

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def chromium():
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no browser: install chromium (apt install chromium), or name one in CHROMIUM")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return {**kept, "HOME": str(home), "LC_ALL": "C.UTF-8"}


@contextmanager
def serving(binary, env, folder, *args, opens=".", before=()):
    """Runs the interface in a folder; returns its address, and ends it as Ctrl-C does."""
    command = [*before, binary, "ui", "--no-browser", *args, "--", opens]
    process = subprocess.Popen(
        command, cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        printed = []
        for line in process.stdout:
            printed.append(line)
            if address := re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line):
                yield address.group()
                break
        else:
            pytest.fail(f"no address was printed: {''.join(printed)}")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIMEOUT)
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def corpus(binary, env, tmp_path_factory):
    """A folder with documents of all kinds, what jobs made of some, and a search index."""
    commands = subprocess.run([binary, "--help"], capture_output=True, text=True).stdout
    if not re.search(r"^ +ui ", commands, re.MULTILINE):
        pytest.skip("this build has no interface in the browser")
    folder = tmp_path_factory.mktemp("corpus")
    for name in ("book", "damaged-warc", "documents", "files", "office", "pdf", "text", "web"):
        shutil.copytree(SAMPLES / name, folder / name)
    (folder / "ALTO.xml").write_text(ALTO)
    (folder / "PAGE.xml").write_text(PAGE_XML)
    Image.new("RGB", (600, 400), "white").save(folder / "scan.png")
    jobs = {
        "filter_documents": ("filtered/", "-v", "input=documents/"),
        "dedup_minhash": ("near/", "-v", "input=documents/"),
        "pdf_to_search_index": ("pdf-index/", "-v", "input=pdf/"),
    }
    for job, (output, *variables) in jobs.items():
        command = [binary, "-q", "-f", ROOT / "queries" / f"{job}.sql", "-v", f"output={output}", *variables]
        subprocess.run(command, cwd=folder, env=env, check=True, capture_output=True, timeout=TIMEOUT)
    return folder


ALTO = """<?xml version="1.0"?><alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">
<Description><MeasurementUnit>pixel</MeasurementUnit>
<sourceImageInformation><fileName>scan.png</fileName></sourceImageInformation></Description><Layout>
<Page ID="p1" PHYSICAL_IMG_NR="1" WIDTH="600" HEIGHT="400"><PrintSpace HPOS="0" VPOS="0" WIDTH="600" HEIGHT="400">
<TextBlock ID="b1" HPOS="50" VPOS="60" WIDTH="400" HEIGHT="40"><TextLine HPOS="50" VPOS="60" WIDTH="400" HEIGHT="40">
<String HPOS="50" VPOS="60" WIDTH="180" HEIGHT="40" CONTENT="Certain" WC="0.99"/><SP/>
<String HPOS="250" VPOS="60" WIDTH="200" HEIGHT="40" CONTENT="doubtful" WC="0.41"/>
</TextLine></TextBlock></PrintSpace></Page></Layout></alto>
"""

PAGE_XML = """<?xml version="1.0"?><PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="scan.png" imageWidth="600" imageHeight="400"><TextRegion id="r1" type="paragraph">
<Coords points="50,60 450,60 450,100 50,100"/><TextLine id="l1"><Coords points="50,60 450,60 450,100 50,100"/>
<Word id="w1"><Coords points="50,60 230,60 230,100 50,100"/>
<TextEquiv conf="0.99"><Unicode>Sicher</Unicode></TextEquiv></Word>
<Word id="w2"><Coords points="250,60 450,60 450,100 250,100"/>
<TextEquiv conf="0.41"><Unicode>zweifelhaft</Unicode></TextEquiv></Word>
<TextEquiv><Unicode>Sicher zweifelhaft</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>
"""


@pytest.fixture(scope="module")
def address(binary, env, corpus):
    with serving(binary, env, corpus) as address:
        yield address


def newest_file(route, request):
    """Replaces a file of the page by that in CORPUS_SQL_PAGE; the headers stay."""
    name = PAGE_FILE.match(request.url).group(1) or "index.html"
    body = (Path(PAGE) / name).read_text(encoding="utf-8")
    kind = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}.get(name.rsplit(".")[-1])
    answer = route.fetch()
    headers = {**answer.headers, "content-type": f"{kind or 'text/html'}; charset=utf-8"}
    route.fulfill(status=200, headers=headers, body=body)


@pytest.fixture
def opened(chromium):
    """Opens addresses in new windows, which must not report errors, nor request other servers."""
    contexts = []
    problems = []

    def opened(address, viewport=DESKTOP, **options):
        context = chromium.new_context(viewport=viewport, **options)
        contexts.append(context)
        if PAGE:
            context.route(PAGE_FILE, newest_file)
        page = context.new_page()
        page.requests = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: page.requests.append(request.url))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not problems


@pytest.fixture
def page(opened, address):
    """The interface on a screen of 1,280 × 800, after its first statement."""
    page = opened(address)
    ended(page)
    return page


def ended(page, state="done"):
    """Waits for the end of the statement, which must be this one."""
    status = page.locator("#status")
    expect(status).to_have_text(re.compile("^(done|failed|stopped) "))
    assert state in status.inner_text(), page.locator("#sql").inner_text()


def run(page, sql, state="done"):
    page.get_by_label("SQL statement").fill(sql)
    page.keyboard.press("Control+Enter")
    # The status of the last statement is replaced when the request starts.
    expect(page.locator("#run")).to_be_enabled()
    expect(page.locator("#stop")).to_be_disabled()
    ended(page, state)


def rows(page):
    return page.get_by_role("grid").get_by_role("rowgroup").get_by_role("row")


def cell(page, row, column):
    """A cell of the row at this place on the screen."""
    return rows(page).nth(row).get_by_role("gridcell").nth(column)


def document(page):
    return page.locator("#document")


def choose(page, row=0):
    rows(page).nth(row).click()
    expect(document(page).locator(".document:not([aria-busy])")).to_be_attached()
    expect(document(page).get_by_role("tablist")).to_be_visible()


def tab(page, name):
    document(page).get_by_role("tab", name=name, exact=True).click()
    return document(page).get_by_role("tabpanel")


def test_from_opening_to_a_saved_job(page, corpus, binary, env):
    # The token has left the address, and the first statement has run.
    assert "token" not in page.url
    expect(rows(page).first).to_be_visible()
    expect(document(page).get_by_role("tablist")).to_be_visible()

    page.get_by_role("button", name="Contents of web").click()
    page.get_by_role("button", name="site.warc.gz").click()
    ended(page, "10 rows")
    assert "web/site.warc.gz" in page.get_by_label("SQL statement").input_value()

    editor = page.get_by_label("SQL statement")
    editor.fill("")
    editor.press_sequentially("SELECT url, html_main_t")
    expect(page.get_by_role("listbox")).to_contain_text("html_main_text")
    page.keyboard.press("Enter")
    assert editor.input_value() == "SELECT url, html_main_text("

    run(page, "SELECT url,\n  titel FROM web_pages('web/site.warc.gz')", "failed")
    alert = page.locator("#results").get_by_role("alert")
    expect(alert).to_contain_text("titel")
    expect(page.locator(".wrong")).to_have_text("titel")
    alert.get_by_role("button", name="line 2").click()
    expect(editor).to_be_focused()

    columns = 'url, title, length(main_text) AS characters, source_file, "offset"'
    sql = f"SELECT {columns} FROM web_pages('web/site.warc.gz')"
    run(page, sql)
    page.get_by_role("columnheader", name="characters").get_by_role("button").click(click_count=2, delay=50)
    expect(page.get_by_role("columnheader", name="characters")).to_have_attribute("aria-sort", "descending")
    expect(cell(page, 0, 2)).to_have_text("624")
    choose(page)
    expect(document(page).locator("h2")).to_contain_text("Bridge reopens")

    page.get_by_role("button", name="Save as job").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("long_pages")
    expect(dialog.get_by_label("Variable for 'web/site.warc.gz'")).to_have_value("input")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_role("status")).to_contain_text("long_pages.sql")
    saved = (corpus / "long_pages.sql").read_text()
    assert "${input}" in saved
    command = dialog.get_by_role("status").locator("code").inner_text()
    assert command.startswith("corpus-sql ")
    shell = f"corpus-sql() {{ '{binary}' \"$@\"; }}\n{command} --format csv -q"
    ran = subprocess.run(["bash", "-c", shell], cwd=corpus, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) > 9
    # A job is never overwritten.
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("long_pages.sql")
    dialog.get_by_role("button", name="Close").click()

    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog").locator("li").first).to_contain_text("length(main_text)")
    page.keyboard.press("Escape")
    page.reload()
    expect(editor).to_have_value(sql)
    ended(page)


PAGES = "SELECT url, source_file, \"offset\" FROM web_pages('web/site.warc.gz') WHERE url LIKE '%{}'"
DOCUMENTS = "SELECT source_file, url, \"offset\", kind, title FROM documents('{}')"

# Statements whose first row is a document, and what its tabs show.
KINDS = {
    "web page": (
        PAGES.format("/news/bridge"),
        {
            "Page": "The old bridge over the river",
            "Paragraphs": "Most read",
            "Charset": "UTF-8",
            "HTTP": "text/html; charset=utf-8",
            "Row": "site.warc.gz",
        },
    ),
    "Japanese web page": (PAGES.format("/poem"), {"Page": "春が来て", "Charset": "EUC-JP"}),
    "PDF": (
        "SELECT source_file, page FROM pdf_document_pages('pdf/invoice.pdf')",
        {"Page": "Watering", "Text": "Watering can, 10 litres", "Fonts": "Helvetica-Bold"},
    ),
    "PDF without text": (DOCUMENTS.format("pdf/scanned-filing.pdf"), {"Page": "needs OCR"}),
    "hOCR in a SequenceFile": (
        DOCUMENTS.format("book/pages.seq") + " WHERE url LIKE '%00007%'",
        {"Page": "stood", "Text": "stood", "Measures": "Average width"},
    ),
    "hOCR": (DOCUMENTS.format("files/scans/page-0001.hocr"), {"Text": "The first page of a made-up book."}),
    "PAGE": (DOCUMENTS.format("PAGE.xml"), {"Page": "zweifelhaft", "Text": "Sicher", "Measures": "600 × 400"}),
    "ALTO": (DOCUMENTS.format("ALTO.xml"), {"Page": "doubtful", "Measures": "600 × 400"}),
    "EPUB": (DOCUMENTS.format("office/book.epub"), {"Text": "verger"}),
    "DOCX": (DOCUMENTS.format("office/report.docx"), {"Text": "Apples"}),
    "ODT": (DOCUMENTS.format("office/letter.odt"), {"Text": "Birnen"}),
    "image": ("SELECT source_file FROM read_files('scan.png')", {"Content": "image/png"}),
    "mail": (DOCUMENTS.format("office/message.eml"), {"Text": "Die Äpfel sind reif"}),
    "text": (DOCUMENTS.format("text/lines.txt"), {"Text": ""}),
    "removed by a rule": (
        "SELECT * FROM 'filtered/removed.parquet' WHERE url = 'https://portal.example.com/'",
        {"Reason": "top_4_gram", "Row": "gopher_repetition"},
    ),
}


NEAR_DUPLICATES = """
SELECT r.url, r.kept_url, r.similarity, d.document AS text, k.document AS kept_text
FROM 'near/removed.parquet' AS r
JOIN 'documents/pages.jsonl' AS d ON d.url = r.url
JOIN 'documents/pages.jsonl' AS k ON k.url = r.kept_url
WHERE r.url = 'https://news.example.org/5.html'
"""


@pytest.mark.parametrize("kind", KINDS)
def test_documents(page, kind):
    sql, tabs = KINDS[kind]
    run(page, sql)
    choose(page)
    for name, text in tabs.items():
        expect(tab(page, name)).to_contain_text(text)


def test_a_web_page_beside_its_texts(page):
    run(page, PAGES.format("/news/bridge"))
    choose(page)
    frame = document(page).frame_locator("iframe")
    expect(frame.locator("h1")).to_have_text("Bridge reopens after two years")
    panel = tab(page, "Page")
    panel.get_by_label("Text:").select_option("Markdown")
    expect(panel.locator("pre")).to_contain_text("# Bridge reopens after two years")

    paragraphs = tab(page, "Paragraphs")
    expect(paragraphs.locator(".kept").filter(has_text="The old bridge over the river")).to_have_count(1)
    dropped = paragraphs.locator(".dropped").filter(has_text="Rain expected")
    expect(dropped).to_contain_text("dropped:")
    colours = [
        one.evaluate("node => getComputedStyle(node).borderLeftColor")
        for one in (paragraphs.locator(".kept").first, dropped)
    ]
    assert colours[0] != colours[1]

    following = document(page).get_by_role("button", name="Next record")
    following.press("Enter")
    expect(document(page).locator("h2")).to_contain_text("春の詩")
    expect(following).to_be_focused()
    document(page).get_by_role("button", name="Previous record").click()
    expect(document(page).locator("h2")).to_contain_text("Bridge reopens")


def test_another_charset_is_compared(page):
    run(page, PAGES.format("/poem"))
    choose(page)
    panel = tab(page, "Charset")
    panel.get_by_label("Compare with:").select_option("Shift_JIS")
    expect(panel.locator(".side-by-side section").first).to_contain_text("春が来て")
    expect(panel.locator("ins").first).to_be_visible()
    assert "春が来て" not in panel.locator(".side-by-side section").nth(1).inner_text()


def is_whole(part):
    """Whether nothing of it reaches over its side."""
    return part.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_pdf_is_drawn(page):
    run(page, "SELECT source_file, page FROM pdf_document_pages('pdf/invoice.pdf')")
    choose(page)
    drawn = tab(page, "Page").locator("svg")
    expect(drawn.locator("rect.cell")).to_have_count(16)
    expect(drawn.locator(".order").first).to_be_visible()
    order = tab(page, "Page").get_by_label("reading order")
    order.uncheck()
    expect(drawn.locator(".order").first).to_be_hidden()
    # Each word is at its place: the total is under the table, at its right.
    table = drawn.locator("rect.table").bounding_box()
    total = drawn.locator("text", has_text="124.70").bounding_box()
    assert total["y"] >= table["y"] + table["height"] - 1
    assert total["x"] > table["x"] + table["width"] / 2

    run(page, "SELECT source_file, page FROM pdf_document_pages('pdf/article.pdf') ORDER BY page")
    choose(page)
    document(page).get_by_role("button", name="Next page").press("Enter")
    expect(document(page).get_by_label("Page", exact=True).and_(page.locator("input"))).to_have_value("2")
    expect(tab(page, "Text")).to_contain_text("great flood")
    # The last page has no next one.
    document(page).get_by_role("button", name="Next page").press("Enter")
    expect(document(page).locator("h2")).to_be_focused()

    run(page, "SELECT source_file, page FROM pdf_document_pages('pdf/garbled.pdf')")
    choose(page)
    panel = tab(page, "Fonts")
    expect(panel.locator("td.bad").first).to_be_visible()
    assert is_whole(panel)


BLANK_PDF = b"""%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 200]>> endobj
trailer <</Root 1 0 R>>
%%EOF
"""


def test_a_blank_page(page, corpus):
    (corpus / "blank.pdf").write_bytes(BLANK_PDF)
    run(page, DOCUMENTS.format("blank.pdf"))
    choose(page)
    panel = tab(page, "Page")
    expect(panel).to_contain_text("This page has no words.")
    expect(panel.get_by_role("checkbox")).to_have_count(0)


def test_a_page_whose_boxes_count_from_another_corner(page, corpus):
    moved = '<div class="ocr_page" title="bbox 1000 2000 1600 2400"><p class="ocr_par" title="bbox 1050 2060 1250 2100">' \
        '<span class="ocrx_word" title="bbox 1050 2060 1250 2100; x_wconf 90">Moved</span>' \
        '<span class="ocrx_word" title="bbox 1300 2060 1320 2300">Downwards</span></p></div>'
    (corpus / "moved.hocr").write_text(f"<html><body>{moved}</body></html>")
    run(page, DOCUMENTS.format("moved.hocr"))
    choose(page)
    drawn = tab(page, "Page").locator("svg")
    paper, word = drawn.locator(".paper").bounding_box(), drawn.locator("text", has_text="Moved").bounding_box()
    assert 0.05 < (word["x"] - paper["x"]) / paper["width"] < 0.11
    assert 0.1 < (word["y"] - paper["y"]) / paper["height"] < 0.25
    vertical = drawn.locator("text", has_text="Downwards").bounding_box()
    assert vertical["height"] > 4 * vertical["width"]


def test_a_scan_is_under_its_words_with_their_confidence(page):
    run(page, DOCUMENTS.format("ALTO.xml"))
    with page.expect_response(re.compile("/frame/")) as scan:
        choose(page)
        panel = tab(page, "Page")
    assert scan.value.headers["content-type"] == "image/png"
    expect(panel.locator("svg image")).to_be_visible()
    words = [panel.locator("svg rect", has_text=re.compile(f"^{word}")) for word in ("Certain", "doubtful")]
    fills = [word.evaluate("node => getComputedStyle(node).fill") for word in words]
    assert fills[0] != fills[1]
    expect(panel.locator(".legend")).to_contain_text("below 60 (1)")


def test_scans_come_from_folders_and_servers(binary, env, opened, plain_web, tmp_path):
    corpus, images = tmp_path / "corpus", tmp_path / "images"
    for number in ("0001", "0002", "0003"):
        path = corpus / "B1" / f"{number}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ALTO.replace("scan.png", f"{number}.tif"))
    images.mkdir()
    Image.new("RGB", (600, 400), "white").save(images / "0001.jpg")
    (corpus / "B1" / "0003.tif").write_bytes(b"II*\0")
    scan = io.BytesIO()
    Image.new("RGB", (600, 400), "white").save(scan, "WEBP")
    plain_web.files["/iiif/B1/0002/full/max/0/default.jpg"] = scan.getvalue()
    server = plain_web.url("/iiif/{key}/info.json")
    with serving(binary, env, corpus, "--scans", f"{images}/{{page}}.jpg", "--scans", server) as address:
        page = opened(address)
        ended(page)
        run(page, "SELECT source_file, url, kind FROM documents('B1/') ORDER BY source_file")
        for row in (0, 1):
            choose(page, row)
            panel = tab(page, "Page")
            expect(panel.locator("svg image")).to_be_visible()
            expect(panel.locator("svg .layer-words")).to_be_hidden()
        # The program has asked the server, by the file's name below the opened folder; the page has not.
        assert not [url for url in page.requests if url.startswith(plain_web.url())]
        assert {request.path for request in plain_web.requests} == {"/iiif/B1/0002/full/max/0/default.jpg"}
        # After 0003.tif.
        choose(page, 3)
        panel = tab(page, "Page")
        expect(panel).to_contain_text("404")
        expect(panel.locator("svg .layer-words")).to_be_visible()
    with serving(binary, env, corpus) as address:
        page = opened(address)
        ended(page)
        run(page, DOCUMENTS.format("B1/0003.xml"))
        choose(page)
        panel = tab(page, "Page")
        expect(panel).to_contain_text("browsers cannot show image/tiff")
        expect(panel.locator("svg .layer-words")).to_be_visible()
        (corpus / "B1" / "0004.xml").write_text(ALTO.replace("scan.png", f"{'0' * 200}.png"))
        run(page, DOCUMENTS.format("B1/0004.xml"))
        choose(page)
        note = tab(page, "Page").get_by_text("was not found")
        assert note.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_page_is_measured_beside_its_book(page):
    run(page, DOCUMENTS.format("book/pages.seq") + " WHERE url LIKE '%Z2000/%' ORDER BY url")
    choose(page)
    panel = tab(page, "Measures")
    expect(panel.get_by_role("row", name="Width of the text")).to_be_visible()
    expect(panel).to_contain_text("Crop score")


def test_near_duplicates_are_compared(page):
    run(page, NEAR_DUPLICATES)
    choose(page)
    panel = tab(page, "Compare")
    expect(panel.locator("del")).to_have_text("nine")
    expect(panel.locator("ins")).to_have_text("eight")


def test_samples_of_duplicates_are_beside_what_was_kept(page):
    page.get_by_role("button", name="Funnel of near").click()
    sample = document(page).locator("details").filter(has_text="https://news.example.org/5.html")
    if sample.get_attribute("open") is None:
        sample.locator("summary").click()
    expect(sample.locator(".side-by-side section")).to_have_count(2)
    expect(sample.locator(".side-by-side section").nth(1)).to_contain_text("When the library of Northam burned down")
    # The job stores the start of what it removes; the rest is no difference.
    expect(sample.locator("ins")).to_have_count(0)


def test_the_funnel_and_another_threshold(page):
    page.get_by_role("button", name="Funnel of filtered").click()
    stage = document(page).get_by_role("button", name=re.compile("^gopher_repetition"))
    expect(stage).to_contain_text("45 of 58")
    stage.click()
    details = document(page).get_by_role("region", name="Stage")
    expect(details.locator("details").first).to_contain_text("top_")
    details.get_by_role("group", name="Rules").get_by_role("button", name=re.compile("^top_4_gram")).click()
    slider = details.get_by_role("slider")
    moved = details.locator("output")
    expect(moved).to_contain_text("0 more, 0 fewer")
    slider.press("ArrowRight")
    for _ in range(49):
        slider.press("ArrowRight")
    expect(moved).not_to_contain_text(" 0 more")
    expect(details.locator(".moved .kept").first).to_be_visible()
    assert is_whole(document(page).locator(".document"))
    details.get_by_role("button", name="Reset").click()
    expect(moved).to_contain_text("0 more, 0 fewer")


def test_a_funnel_without_a_summary_has_samples(binary, env, corpus, opened, tmp_path):
    shutil.copy(corpus / "filtered" / "removed.parquet", tmp_path)
    with serving(binary, env, tmp_path) as address:
        page = opened(address)
        page.get_by_role("button", name="Funnel of .").click()
        samples = document(page).locator("details")
        expect(samples.filter(has_text="https://portal.example.com/")).to_contain_text("top_4_gram")
        expect(document(page)).to_contain_text("no summary.parquet")


def test_a_funnel_in_place_of_a_document_that_is_loading(page):
    run(page, PAGES.format("/poem"))
    page.route(re.compile("/document"), lambda route: None)
    rows(page).first.click()
    expect(document(page).locator("[aria-busy]")).to_be_attached()
    page.get_by_role("button", name="Funnel of filtered").click()
    expect(document(page).locator(".funnel")).to_be_visible()
    expect(document(page).locator("[aria-busy]")).to_have_count(0)


def test_a_click_on_one_of_many_stages_shows_its_samples(opened, address):
    page = opened(address, {"width": 1280, "height": 400})
    ended(page)
    page.get_by_role("button", name="Funnel of filtered").click()
    document(page).get_by_role("button", name=re.compile("^c4")).first.click()
    expect(document(page).get_by_role("heading", name=re.compile("^c4"))).to_be_in_viewport()


def test_search(page):
    page.get_by_label("Words to search for").fill('"great flood"')
    page.keyboard.press("Enter")
    hits = page.locator(".hits li")
    expect(hits.first).to_contain_text("article.pdf")
    # Documents of the same name differ by their paths.
    expect(hits.filter(has_text="page 1 pdf/article.pdf")).to_have_count(1)
    expect(hits.first.locator("mark").first).to_have_text("great")
    hits.first.get_by_role("button").click()
    expect(document(page).locator("h2")).to_contain_text("Floods of a Small River")
    expect(tab(page, "Page").locator("svg .hit").first).to_be_visible()
    expect(tab(page, "Text").locator("mark").first).to_be_visible()
    page.locator("#results").get_by_role("tab", name="Table").click()
    expect(page.get_by_role("columnheader", name="snippet")).to_be_attached()
    # The index that is shown is the one that is searched next.
    index = page.locator("#search-index")
    index.evaluate("node => { node.prepend(new Option('another')); node.value = 'another' }")
    page.locator(".place", has_text="pdf-index").click()
    expect(index).to_have_value("./pdf-index/")


def test_words_of_a_snippet_are_marked(page):
    run(page, "SELECT 'from <b>R&amp;D</b> to <b>it</b>' AS snippet, 'R&D at home' AS text")
    page.locator(".hits li").first.get_by_role("button").click()
    expect(tab(page, "Text").locator("mark")).to_have_text("R&D")


def test_a_folder_with_another_name_is_searched(binary, env, corpus, opened):
    with serving(binary, env, corpus.parent, opens=corpus.name) as address:
        page = opened(address)
        ended(page)
        page.get_by_label("Words to search for").fill("flood")
        page.keyboard.press("Enter")
        expect(page.locator(".hits li").first).to_contain_text("article.pdf")


def test_an_output_folder_is_shown_itself(binary, env, corpus, opened):
    with serving(binary, env, corpus, opens="filtered") as address:
        page = opened(address)
        ended(page)
        assert "removed.parquet" in page.get_by_label("SQL statement").input_value()
        page.get_by_role("button", name="Funnel of .").click()
        expect(document(page).get_by_role("button", name=re.compile("^gopher_repetition"))).to_be_visible()
    with serving(binary, env, corpus, opens="pdf-index/") as address:
        page = opened(address)
        page.get_by_label("Words to search for").fill("flood")
        page.keyboard.press("Enter")
        expect(page.locator(".hits li").first).to_contain_text("article.pdf")


def test_a_variable_replaces_whole_texts_only(page):
    page.get_by_label("SQL statement").fill("SELECT 'x''a''y' AS s, 'a' AS t -- 'a'")
    page.get_by_role("button", name="Save as job").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Variable for 'a'", exact=True).fill("v")
    statement = dialog.get_by_label("The statement of the job")
    expect(statement).to_have_text("SELECT 'x''a''y' AS s, '${v}' AS t -- 'a'")
    # A second text cannot have the same variable.
    other = dialog.get_by_label("Variable for 'x'a'y'")
    other.fill("v")
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(statement).to_have_text("SELECT '${v}' AS s, 'a' AS t -- 'a'")
    assert dialog.locator("input:invalid").count() == 1


def test_columns_of_the_same_name_are_sorted_apart(page):
    page.get_by_label("SQL statement").fill(
        "SELECT * FROM (VALUES (1, 5), (2, 4)) t(k, a) JOIN (VALUES (1, 10), (2, 30)) u(k, a) ON t.k = u.k"
    )
    page.keyboard.press("Control+Enter")
    expect(page.locator("#status")).to_contain_text("done")
    heads = page.locator(".grid-head [role=columnheader]")
    heads.nth(4).get_by_role("button").click()
    expect(heads.nth(4)).to_have_attribute("aria-sort", "ascending")
    expect(heads.nth(2)).to_have_attribute("aria-sort", "none")
    heads.nth(4).get_by_role("button").click()
    expect(rows(page).first).to_contain_text("30")


def test_variables_are_asked_for(page, corpus):
    page.get_by_label("SQL statement").fill("SELECT url FROM '${input}' WHERE url LIKE '%${part}%'")
    page.keyboard.press("Control+Enter")
    form = page.locator("#results form")
    expect(page.locator("#results").get_by_role("alert")).to_have_count(0)
    expect(page.locator("#status")).to_be_empty()
    form.get_by_label("input").fill("documents/pages.jsonl")
    form.get_by_label("part").fill("5.html")
    page.keyboard.press("Enter")
    expect(rows(page).first).to_contain_text("5.html")
    page.get_by_role("button", name="Save as job").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("with_values")
    dialog.get_by_role("button", name="Save", exact=True).click()
    command = dialog.get_by_role("status").locator("code")
    expect(command).to_contain_text("-v input=documents/pages.jsonl -v part=5.html")
    dialog.get_by_role("button", name="Close").click()
    # The saved file is in the tree.
    expect(page.get_by_role("button", name="with_values.sql")).to_be_visible()


# Names that files can have, and that SQL, HTML, URLs and shells understand in other ways.
ODD_NAMES = (
    "it's \"quoted\".txt", "a#b?c%41&d.txt", "<script>top.hacked=1<script>.txt",
    "[x]*{y}.txt", "שלום עולם.txt", "--semi;colon.txt", "!bang!.txt", "$HOME `id`.txt",
)


def test_odd_names(binary, env, opened, tmp_path):
    folder = tmp_path / "it's #1 & <b>"
    for name in ODD_NAMES:
        inside = folder / f"in {name}"
        inside.mkdir(parents=True)
        (inside / name).write_text(f"The text of {name}")
    with serving(binary, env, tmp_path, opens=folder.name) as address:
        page = opened(address)
        ended(page)
        for name in ODD_NAMES:
            page.get_by_role("button", name=f"Contents of in {name}", exact=True).click()
            page.get_by_role("button", name=re.compile(f"^{re.escape(name)} ")).first.click()
            ended(page, "1 row")
            choose(page)
            expect(tab(page, "Text")).to_contain_text("The text of")
        page.get_by_role("button", name="Save as job").click()
        # The variable for the path, after the name of the job.
        expect(page.get_by_role("dialog").get_by_role("textbox").nth(1)).to_have_value("input")
        page.keyboard.press("Escape")
        assert page.evaluate("window.hacked") is None


@pytest.mark.skipif(os.name != "posix", reason="names are Unicode")
def test_names_that_are_no_text(binary, env, opened, tmp_path):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/folder-\xe9"))
    folder.mkdir()
    (folder / "new\nline.txt").write_text("The text of a file")
    with serving(binary, env, tmp_path) as address:
        page = opened(address)
        ended(page)
        page.get_by_role("button", name="Contents of folder-%E9").click()
        page.get_by_role("button", name="new%0Aline.txt").click()
        ended(page, "1 row")
        choose(page)
        expect(tab(page, "Text")).to_contain_text("The text of a file")


def as_a_user():
    """What a command begins with that, for an administrator, must not read everything."""
    if os.geteuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not there, and administrators may read everything")
    return ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"]


@pytest.mark.skipif(os.name != "posix", reason="folders have other permissions")
def test_a_folder_that_cannot_be_listed_is_left_out(binary, env, opened, tmp_path):
    for folder in ("open", "secret"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(f"The text of {folder}")
    (tmp_path / "b.txt").write_text("The text of b")
    (tmp_path / "secret").chmod(0)
    try:
        with serving(binary, env, tmp_path, before=as_a_user()) as address:
            page = opened(address)
            ended(page, "2 rows")
            assert page.get_by_label("SQL statement").input_value().startswith("-- Not readable: secret\n")
            page.get_by_role("button", name="Contents of secret").click()
            expect(page.locator("#tree").get_by_role("alert")).to_contain_text("Permission denied")
    finally:
        (tmp_path / "secret").chmod(0o700)


def test_a_folder_of_many_files(binary, env, opened, tmp_path):
    for number in range(1200):
        (tmp_path / f"{number:04}.csv").touch()
    (tmp_path / "last").mkdir()
    with serving(binary, env, tmp_path) as address:
        page = opened(address)
        tree = page.locator("#tree")
        expect(tree).to_contain_text("and 201 more")
        assert tree.locator(".place").count() == 1000
        expect(tree.locator(".place").first).to_contain_text("last")
        expect(tree.locator(".place").last).to_contain_text("0998.csv")


def test_a_file_of_statements_is_opened_in_the_editor(page, corpus, binary, env, opened):
    (corpus / "opened.sql").write_text("SELECT 'from a file' AS text\n")
    run(page, "SELECT 1 AS one")
    page.reload()
    ended(page)
    page.get_by_role("button", name="opened.sql").click()
    editor = page.get_by_label("SQL statement")
    expect(editor).to_have_value("SELECT 'from a file' AS text\n")
    expect(editor).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(cell(page, 0, 0)).to_have_text("from a file")
    with serving(binary, env, corpus, opens="opened.sql") as address:
        other = opened(address)
        expect(other.get_by_label("SQL statement")).to_have_value("SELECT 'from a file' AS text\n")
        expect(other.locator("#status")).to_be_empty()


def test_kinds_and_errors_are_counted(page):
    page.get_by_role("button", name="damaged-warc", exact=True).click()
    ended(page)
    page.get_by_role("button", name="Count damaged-warc").click()
    counts = page.locator("#counts")
    expect(counts.locator(".bars").first).to_contain_text("warc")
    error = counts.locator(".errors li").filter(has_text="crc mismatch")
    # The kind of the error, without its details.
    expect(error.get_by_role("button").first).to_have_text("crc mismatch web archives")
    error.locator("summary").click()
    expect(error.locator("code")).to_contain_text("corpus-sql -c \"SELECT * FROM read_warc('")
    expect(error.locator("code")).to_contain_text("garbled.warc.gz')")
    error.get_by_role("button", name=re.compile("crc mismatch")).click()
    ended(page, "1 row")
    choose(page)
    expect(document(page)).to_contain_text("crc mismatch")


def test_the_first_view_lists_documents_together(page):
    statement = page.get_by_label("SQL statement").input_value()
    assert "documents('./')" in statement and "/pdf-index/" in statement
    run(page, f"SELECT DISTINCT source_file FROM ({statement}) WHERE source_file ~ 'parquet|/pdf-index/|jsonl'")
    expect(page.locator("#results")).to_contain_text("No rows.")
    assert page.get_by_role("grid").bounding_box()["height"] < 60
    heads = page.locator(".grid-head > *")
    assert heads.first.bounding_box()["y"] == heads.last.bounding_box()["y"]
    page.get_by_role("button", name="Count everything").click()
    kinds = page.locator("#counts .bars").first
    expect(kinds).to_contain_text("parquet")
    for part in ("fieldnorm", "store", "term"):
        expect(kinds).not_to_contain_text(part)


def test_a_million_rows(page):
    run(page, "SELECT value AS n, concat('row ', value) AS text FROM generate_series(1, 1000000) ORDER BY n")
    expect(page.locator("#status")).to_contain_text("1,000,000 rows")
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "1000001")
    expect(cell(page, 0, 1)).to_have_text("row 1")
    grid.focus()
    page.keyboard.press("End")
    last = rows(page).filter(has_text="row 1000000")
    expect(last).to_be_visible()
    number = last.get_by_role("rowheader")
    assert number.inner_text() == "1,000,000"
    assert number.evaluate("node => node.scrollWidth <= node.clientWidth")
    # Only what is on the screen is in the page, and was requested.
    assert rows(page).count() < 60
    assert sum("/rows?" in url for url in page.requests) < 20
    grid.hover()
    page.mouse.wheel(0, -260)
    expect(rows(page).filter(has_text="row 999990")).to_be_visible()
    expect(rows(page).filter(has_text="row 1000000")).to_have_count(0)
    # The middle, as with the scroll bar.
    grid.evaluate("node => { node.scrollTop = (node.scrollHeight - node.clientHeight) / 2 }")
    expect(cell(page, 0, 1)).to_have_text(re.compile(r"^row (499|500)\d{3}$"))
    header = page.get_by_role("columnheader", name="n", exact=True)
    for order in ("ascending", "descending"):
        header.get_by_role("button").click()
        expect(header).to_have_attribute("aria-sort", order)
    expect(cell(page, 0, 1)).to_have_text("row 1000000")
    rows(page).nth(1).click()
    expect(tab(page, "Row")).to_contain_text("row 999999")


# The second reads few rows and joins many.
@pytest.mark.parametrize("sql", [
    "SELECT sum(value) FROM generate_series(1, 1000000000000)",
    "SELECT sum(a.value * b.value) FROM range(5000000) AS a, range(5000000) AS b",
], ids=["series", "cross join"])
def test_a_statement_is_stopped(page, sql):
    page.get_by_label("SQL statement").fill(sql)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#status")).to_contain_text("running")
    expect(page.locator("#progress")).to_be_visible()
    expect(page.locator("#stop")).to_be_enabled()
    page.keyboard.press("Escape")
    ended(page, "stopped")
    expect(page.locator("#results")).not_to_contain_text("No rows")
    run(page, "SELECT 1 AS one")
    expect(cell(page, 0, 0)).to_have_text("1")


def states(page):
    """The states of the statements in the history, the newest first."""
    page.get_by_role("button", name="History").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("li").first).to_be_visible()
    found = {li.locator("code").inner_text(): li.locator("small").inner_text() for li in dialog.locator("li").all()}
    page.keyboard.press("Escape")
    return found


def test_a_page_that_is_left_stops_its_statement(address, opened):
    page, other = opened(address), opened(address)
    sql = "SELECT sum(value) AS left_alone FROM generate_series(1, 1000000000000)"
    page.get_by_label("SQL statement").fill(sql)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#status")).to_contain_text("running · 0 rows · ")
    ended(other)
    assert states(other)[sql].startswith("running")
    page.goto("about:blank")
    for _ in range(50):
        if not states(other)[sql].startswith("running"):
            break
        other.wait_for_timeout(100)
    assert states(other)[sql].startswith("stopped")


def test_a_page_that_is_left_ends_what_it_writes(address, opened, corpus):
    page, other = opened(address), opened(address)
    sql = "COPY (SELECT value FROM generate_series(1, 10000000)) TO 'kept.parquet'"
    page.get_by_label("SQL statement").fill(sql)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#status")).to_contain_text("running · 0 rows · ")
    page.goto("about:blank")
    ended(other)
    for _ in range(600):
        if not states(other)[sql].startswith("running"):
            break
        other.wait_for_timeout(100)
    assert states(other)[sql].startswith("done")
    assert (corpus / "kept.parquet").exists()


def test_a_page_that_is_loaded_again_does_not_write_again(page, corpus):
    written = corpus / "again.csv"
    run(page, "-- A comment first\nSELECT 1;\nCOPY (SELECT 1 AS one) TO 'again.csv'")
    written.unlink()
    page.reload()
    expect(page.get_by_label("SQL statement")).to_have_value(re.compile("again.csv"))
    run(page, "SELECT 2 AS two")
    assert not written.exists()


def test_many_warnings_leave_room_for_the_rows(page):
    def warned(route):
        answer = route.fetch()
        state = json.loads(answer.text().splitlines()[-1])
        state["warnings"] = [f"1 × kind {number}" for number in range(50)]
        route.fulfill(response=answer, body=json.dumps(state) + "\n")

    page.route(re.compile("/states$"), warned)
    run(page, "SELECT value FROM generate_series(1, 100)")
    expect(page.locator("#results")).to_contain_text("1 × kind 49")
    assert page.get_by_role("grid").bounding_box()["height"] > 200


def test_long_texts_without_lines(page):
    text = "日本語の文章。"
    run(page, f"SELECT 'https://example.org/' AS url, repeat('{text}', 200000) AS text")
    choose(page)
    panel = tab(page, "Text")
    expect(panel).to_contain_text("1,400,000 characters, of which 200,000 are shown")
    longest = panel.locator("pre").evaluate("node => Math.max(...node.textContent.split('\\n').map((one) => one.length))")
    assert longest == 2000


def test_many_columns_and_long_names(page):
    name = "long" * 60
    with page.expect_response(re.compile("/rows[?]")) as answer:
        run(page, f'SELECT 1 AS "{name}", ' + ", ".join(f"{number} AS c{number}" for number in range(299)))
    assert [len(row) for row in answer.value.json()["rows"]] == [200]
    expect(page.locator("#results")).to_contain_text("The first 200 of 300 columns are shown")
    choose(page)
    panel = tab(page, "Row")
    expect(panel).to_contain_text("c298")
    assert is_whole(panel)


def test_numbers_are_next_to_their_row(page):
    run(page, "SELECT 'a' AS name, 1 AS count")
    assert cell(page, 0, 1).bounding_box()["width"] < 100
    run(page, "SELECT 1 AS count, 'a' AS name")
    assert cell(page, 0, 1).bounding_box()["width"] > 100


def test_columns_fit_later_rows(page):
    run(page, "SELECT value, '' AS note FROM range(1000000)")
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    last = page.get_by_role("gridcell", name="999999", exact=True)
    expect(last).to_be_visible()
    assert last.evaluate("it => it.scrollWidth <= it.clientWidth")


def test_rows_before_an_error_stay(page):
    run(page, "SELECT 'first' AS name; SELECT CAST('x' AS INT)", "failed")
    expect(cell(page, 0, 0)).to_have_text("first")
    expect(page.locator("#results").get_by_role("alert")).to_contain_text("'x'")


def test_a_program_that_has_ended_is_explained(page):
    run(page, "SELECT 1 AS one")
    page.route(re.compile("/api/"), lambda route: route.abort())
    rows(page).first.click()
    expect(document(page).get_by_role("alert").first).to_contain_text("does not answer")
    page.get_by_label("SQL statement").fill("SELECT 2 AS two")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#results").get_by_role("alert")).to_contain_text("start it again")
    page.get_by_role("button", name="Count everything").click()
    expect(page.locator("#counts").get_by_role("alert")).to_contain_text("start it again")
    expect(page.get_by_role("button", name="Count everything")).to_be_focused()
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("start it again")


def test_read_only(binary, env, corpus, opened):
    with serving(binary, env, corpus, "--read-only") as address:
        page = opened(address)
        ended(page)
        expect(page.locator("#read-only")).to_be_visible()
        expect(page.get_by_role("button", name="Save as job")).to_be_hidden()
        run(page, "COPY (SELECT 1 AS one) TO 'written.csv'", "failed")
        expect(page.locator("#results").get_by_role("alert")).to_contain_text("read-only")
        assert not (corpus / "written.csv").exists()
        # It would create the folder.
        run(page, "SET datafusion.runtime.temp_directory = 'written'", "failed")
        expect(page.locator("#results").get_by_role("alert")).to_contain_text("read-only")
        assert not (corpus / "written").exists()


def test_files_outside_of_the_folder_are_read_after_a_question(binary, env, opened, plain_web, tmp_path):
    corpus, other = tmp_path / "corpus", tmp_path / "other"
    for folder, text in ((corpus, "in the folder"), (other, "outside")):
        folder.mkdir()
        (folder / "a.txt").write_text(text)
    plain_web.files["/a.txt"] = b"of a server"
    (corpus / "linked.txt").symlink_to(other / "a.txt")
    text_of = lambda page: document(page).locator("pre")

    def read(name):
        run(page, f"SELECT '{name}' AS source_file")
        choose(page)
        return page.get_by_role("button", name="Read rows from")

    with serving(binary, env, corpus) as address:
        page = opened(address)
        ended(page)
        expect(read(corpus / "a.txt")).to_have_count(0)
        expect(text_of(page)).to_have_text("in the folder")
        for name, text in ((corpus / "linked.txt", "outside"), (plain_web.url("/a.txt"), "of a server")):
            button = read(name)
            expect(document(page).get_by_role("alert")).to_contain_text("outside of the folder")
            assert not plain_web.requests
            button.click()
            expect(text_of(page)).to_have_text(text)
        # A place is allowed once.
        expect(read(other / "a.txt")).to_have_count(0)
        expect(text_of(page)).to_have_text("outside")
        read(f"{other}/../other/a.txt")
        expect(document(page).get_by_role("alert")).to_contain_text("has no document of this row")


# What pages try: each line names EVIL, a server that must not be reached.
HOSTILE = """<!doctype html><html><head><title><img src=x onerror="top.hacked=1"></title>
<base href="EVIL/base/"><link rel="stylesheet" href="EVIL/style.css"><link rel="prefetch" href="EVIL/prefetch">
<link rel="preconnect" href="EVIL/"><link rel="icon" href="EVIL/icon">
<meta http-equiv="refresh" content="0; url=EVIL/refresh">
<meta http-equiv="Content-Security-Policy" content="default-src *">
<style>@import "EVIL/import.css"; body { background: url("EVIL/background") }
@font-face { font-family: f; src: url("EVIL/font") } p { font-family: f } li { list-style-image: url(EVIL/list) }</style>
<script>top.hacked = 1; parent.location = "EVIL/location"; fetch("EVIL/fetch"); new Image().src = "EVIL/image"</script>
<script src="EVIL/script.js"></script><script type="module" src="EVIL/module.js"></script></head>
<body onload="top.hacked = 1" background="EVIL/body">
<p>Hostile text</p><ul><li>item</li></ul>
<img src="EVIL/img" srcset="EVIL/img2 2x" onerror="top.hacked = 1"><img src="data:," onerror="top.hacked = 1">
<svg onload="top.hacked = 1" xmlns="http://www.w3.org/2000/svg"><script>top.hacked = 1</script>
<image href="EVIL/svg-image"/><use href="EVIL/use.svg#a"/><animate onbegin="top.hacked = 1" attributeName="x" dur="1s"/></svg>
<iframe src="EVIL/frame"></iframe><iframe srcdoc="<script>top.hacked = 1</script><img src='EVIL/srcdoc'>"></iframe>
<iframe src="javascript:top.hacked = 1"></iframe><object data="EVIL/object"></object><embed src="EVIL/embed">
<video src="EVIL/video" poster="EVIL/poster" autoplay></video><audio src="EVIL/audio" autoplay></audio>
<form action="EVIL/form" method="post"><input name="a" value="b" autofocus onfocus="top.hacked = 1"><button>send</button></form>
<a id="script" href="javascript:top.hacked = 1">script</a> <a id="top" href="EVIL/top" target="_top">top</a>
<a id="blank" href="EVIL/blank" target="_blank">blank</a> <a id="here" href="EVIL/here" ping="EVIL/ping">here</a>
<p style="background: url(EVIL/inline)">styled</p></body></html>"""


def test_hostile_pages_run_nothing_and_reach_nobody(binary, env, opened, plain_web, tmp_path):
    markup = HOSTILE.replace("EVIL", plain_web.url())
    name = "http://hostile.example/\"><script>top.hacked=1</script>"
    (tmp_path / "hostile.warc.gz").write_bytes(response(name, markup.encode()))
    with serving(binary, env, tmp_path) as address:
        page = opened(address)
        ended(page)
        shown = page.url
        popups = []
        page.context.on("page", lambda popup: popups.append(popup))
        page.on("dialog", lambda dialog: popups.append(dialog))
        run(page, "SELECT *, html AS again FROM web_pages('hostile.warc.gz')")
        choose(page)
        for part in ("Paragraphs", "Charset", "HTTP", "Row", "Page"):
            tab(page, part)
        frame = document(page).frame_locator("iframe")
        expect(frame.get_by_text("Hostile text")).to_be_visible()
        for link in ("script", "top", "blank", "here"):
            frame.locator(f"#{link}").click()
        expect(document(page).get_by_role("tablist")).to_be_visible()
        # A statement after it: whatever the page has started has had its turn.
        run(page, "SELECT 1 AS one")
        assert page.evaluate("window.hacked") is None
        assert page.url == shown
        assert not popups
        own = address.split("/?")[0]
        foreign = [url for url in page.requests if not url.startswith((own, "data:", "about:", "blob:"))]
        sent = [request.path for request in plain_web.requests]
        assert not sent, sent
        assert [url for url in foreign if not url.startswith(plain_web.url())] == []


def test_other_pages_cannot_use_it(address, opened, plain_web):
    own, token = address.split("/?token=")
    foreign = f"""<!doctype html>
    <form method="post" action="{own}/api/statements" enctype="text/plain" target="answer">
    <input name='{{"sql":"SELECT 42 AS stolen","a":"' value='"}}'></form>
    <iframe name="answer"></iframe><iframe name="framed" src="{own}/"></iframe>"""
    plain_web.files["/foreign.html"] = foreign.encode()
    page = opened(plain_web.url("/foreign.html"))
    page.set_content(foreign)
    attempt = """async ([url, method, headers]) => {
      try {
        const options = { method, headers, body: method === 'POST' ? '{"sql":"SELECT 42 AS stolen"}' : undefined };
        return await (await fetch(url, options)).text();
      } catch (error) { return 'refused'; }
    }"""
    for headers in ({}, {"Authorization": f"Bearer {token}"}):
        for method, path in (("GET", "session"), ("GET", "history"), ("POST", "statements")):
            assert page.evaluate(attempt, [f"{own}/api/{path}", method, headers]) == "refused"
    # What a form sends is refused as well, even though the page could not read the answer.
    with page.expect_response(re.compile("/api/statements$")) as answer:
        page.evaluate("document.querySelector('form').submit()")
    assert answer.value.status == 403
    frame = next(frame for frame in page.frames if frame.name == "framed")
    assert frame.locator("#run").count() == 0
    title = "(() => { try { return frames.framed.document.title } catch { return 'refused' } })()"
    assert page.evaluate(title) in ("refused", "")

    inside = opened(address)
    ended(inside)
    inside.get_by_role("button", name="History").click()
    expect(inside.get_by_role("dialog").locator("li").first).to_be_visible()
    assert "stolen" not in inside.get_by_role("dialog").inner_text()


def test_a_wrong_token_is_explained(address, opened):
    page = opened(address.split("?")[0] + "?token=wrong")
    expect(page.get_by_role("alert")).to_contain_text("Open the address that corpus-sql printed")


def overflow(page):
    """Elements that can be used and still reach over the sides of the window when the page has settled."""
    for _ in range(50):
        found = page.evaluate("""() => {
          const wide = document.documentElement.scrollWidth - innerWidth;
          const outside = [...document.querySelectorAll('button, input, select, textarea')]
            .filter((one) => one.checkVisibility() && !one.closest('.grid'))
            .filter((one) => one.getBoundingClientRect().left < -1 || one.getBoundingClientRect().right > innerWidth + 1)
            .map((one) => one.outerHTML.slice(0, 80));
          return wide > 0 ? [`${wide} pixels`, ...outside] : outside;
        }""")
        if not found:
            break
        page.wait_for_timeout(100)
    return found


# 1,280 × 800 at 200 % is a window of 640 × 400.
@pytest.mark.parametrize("viewport", [PHONE, {"width": 640, "height": 400}], ids=["phone", "200 %"])
def test_a_narrow_window_shows_one_part_at_a_time(opened, address, viewport):
    page = opened(address, viewport, device_scale_factor=2, has_touch=True)
    ended(page)
    # Other systems have wider fonts, and other folders longer names.
    page.evaluate("""() => {
      document.body.style.fontSize = '16px';
      document.querySelector('#folder').textContent += '/longer'.repeat(20);
    }""")
    views = page.get_by_role("navigation", name="Views")
    parts = {"Places": "#places", "SQL": "#sql", "Document": "#document"}
    for name, part in parts.items():
        views.get_by_role("button", name=name).click()
        for other in parts.values():
            expect(page.locator(other)).to_be_visible(visible=other == part)
        assert overflow(page) == []
    views.get_by_role("button", name="Places").click()
    page.get_by_role("button", name="web", exact=True).click()
    expect(page.locator("#sql")).to_be_visible()
    run(page, PAGES.format("/news/bridge"))
    rows(page).first.tap()
    expect(page.locator("#document")).to_be_visible()
    for name in ("Page", "Paragraphs", "Charset", "HTTP", "Row"):
        tab(page, name)
        assert overflow(page) == []


def test_a_wide_window_shows_all_parts(page):
    for part in ("#places", "#sql", "#document"):
        expect(page.locator(part)).to_be_visible()
    assert overflow(page) == []
    page.get_by_role("button", name="Wide").click()
    assert overflow(page) == []


FOCUS = """() => {
  const one = document.activeElement;
  const box = one.getBoundingClientRect();
  return { tag: one.tagName, name: one.getAttribute('aria-label') || one.textContent.trim(),
    outline: getComputedStyle(one).outlineStyle, isVisible: box.width > 0 && box.height > 0 };
}"""


def test_the_keyboard_alone(page):
    expect(page.get_by_label("SQL statement")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(PAGES.format("/news/bridge").replace("LIKE '%/news/bridge'", "IS NOT NULL"))
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    ended(page, "9 rows")

    def tab_to(name, steps=80):
        for _ in range(steps):
            page.keyboard.press("Tab")
            focus = page.evaluate(FOCUS)
            if focus["tag"] == "BODY":
                continue
            assert focus["isVisible"], focus
            assert focus["outline"] not in ("none", ""), focus
            if focus["name"] == name:
                return
        pytest.fail(f"Tab never reaches {name}")

    tab_to("Rows of the result")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(rows(page).nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Home")
    expect(document(page).locator("h2")).to_contain_text("Bridge reopens")
    page.keyboard.press("Enter")
    expect(document(page).locator("h2")).to_be_focused()
    tab_to("Page")
    page.keyboard.press("ArrowRight")
    expect(document(page).get_by_role("tabpanel", name="Paragraphs")).to_contain_text("Most read")
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid")).to_be_focused()
    tab_to("url")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name="source_file")).to_have_attribute("aria-sort", "ascending")

    page.get_by_label("SQL statement").focus()
    tab_to("Save as job")
    page.keyboard.press("Enter")
    page.keyboard.type("by_keyboard")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("by_keyboard.sql")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Save as job")).to_be_focused()
    # Around the page, back to where it began.
    tab_to("SQL statement")


NAMELESS = """() => ['button', 'input', 'select', 'textarea', 'iframe', '[role=tabpanel]', '[role=grid]']
  .flatMap((kind) => [...document.querySelectorAll(kind)])
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || one.title ||
    [...(one.labels ?? [])].some((label) => label.textContent.trim())))
  .map((one) => one.outerHTML.slice(0, 80))"""

# Text whose contrast with what is behind it is below 4.5, as WCAG 2 counts it.
FAINT = """() => {
  const channels = (color) => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => (one * a + below[at] * (255 - a)) / 255);
  const behind = (node) => {
    if (!node) return channels('white').slice(0, 3);
    const own = channels(getComputedStyle(node).backgroundColor);
    return own[3] === 255 ? own.slice(0, 3) : over(own, behind(node.parentElement));
  };
  const light = (rgb) => rgb.map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
  return [...document.querySelectorAll('body *:not(svg *):not(:disabled)')]
    .filter((node) => node.checkVisibility() && node.tagName !== 'TEXTAREA' && node.tagName !== 'OPTION')
    .filter((node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
    .map((node) => {
      const back = behind(node);
      const text = over(channels(getComputedStyle(node).color), back);
      const [low, high] = [light(text), light(back)].sort((a, b) => a - b);
      return [(high + 0.05) / (low + 0.05), node.outerHTML.slice(0, 100)];
    })
    .filter(([contrast]) => contrast < 4.5).map(([contrast, markup]) => `${contrast.toFixed(2)} ${markup}`);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(opened, address, scheme):
    page = opened(address, color_scheme=scheme)
    ended(page)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", background)[:3])) / 3
    assert brightness > 200 if scheme == "light" else brightness < 60

    def legible():
        assert page.evaluate(FAINT) == []
        assert page.evaluate(NAMELESS) == []

    legible()
    run(page, PAGES.format("/news/bridge"))
    choose(page)
    for name in ("Paragraphs", "Charset", "HTTP", "Row", "Page"):
        tab(page, name)
        legible()
    run(page, NEAR_DUPLICATES)
    choose(page)
    tab(page, "Compare")
    legible()
    page.get_by_role("button", name="Funnel of filtered").click()
    expect(document(page).get_by_role("region", name="Stage")).to_be_visible()
    legible()
    run(page, "SELECT titel FROM web_pages('web/')", "failed")
    legible()
    page.get_by_role("button", name="Help").click()
    legible()
