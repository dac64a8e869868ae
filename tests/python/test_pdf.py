"""PDFs are read in separate processes, so the worst files and conditions do limited damage."""

import os
import signal
import subprocess
import time
import zlib
from pathlib import Path

import pytest

from conftest import ROOT, TIMEOUT

PARSED = (
    "SELECT regexp_replace(source_file, '.*/', '') AS file, d['status'] AS status,"
    " d['error_kind'] AS kind, d['error_stage'] AS stage, d['error'] AS error, d['text'] AS text"
    " FROM (SELECT source_file, pdf_parse(content) AS d FROM read_pdf('{}')) ORDER BY file"
)


def pdf(content, filters="/FlateDecode"):
    """A page with this content and without a cross-reference table, which is then repaired."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream" % (len(content), filters.encode(), content),
    ]
    file = b"%PDF-1.7\n"
    for number, text in enumerate(objects, start=1):
        file += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    return file + b"trailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"


def text(words):
    return pdf(zlib.compress(b"BT /F 12 Tf 50 700 Td (%s) Tj ET" % words.encode()))


def slow():
    """A page that draws text until its time is up; no other limit applies."""
    return pdf(zlib.compress(b"BT /F 12 Tf 50 700 Td " + b"(a text) Tj 0 0 Td " * 2_000_000 + b"ET"))


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "pdfs"
    folder.mkdir()
    for number in range(3):
        (folder / f"sound-{number}.pdf").write_bytes(text(f"Sound {number}"))
    return folder


def sound(rows):
    return [row["text"] for row in rows if row["file"].startswith("sound")]


ALL_SOUND = ["Sound 0", "Sound 1", "Sound 2"]


def object_stream(text):
    """A file with an object stream that must be inflated before the file can be opened."""
    packed = zlib.compress(text)
    head = b"<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>" % len(packed)
    stream = b"9 0 obj\n%s\nstream\n%s\nendstream\nendobj\n" % (head, packed)
    return pdf(zlib.compress(b"")).replace(b"trailer", stream + b"trailer")


@pytest.mark.slow
def test_a_lack_of_memory_costs_one_row(folder, rows):
    (folder / "bomb.pdf").write_bytes(object_stream(b"8 0 << >>" + b" " * (400 << 20)))
    found = rows("SET corpus.pdf_memory = '128MiB'; " + PARSED.format(folder))
    assert sound(found) == ALL_SOUND
    bomb = found[0]
    assert (bomb["file"], bomb["status"], bomb["kind"], bomb["stage"]) == (
        "bomb.pdf",
        "failed",
        "memory",
        "worker",
    )
    assert "128 MiB" in bomb["error"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text, filters",
    [
        (b"20" * (200 << 20), "/FlateDecode /ASCIIHexDecode"),
        (b" " * (200 << 20), "/FlateDecode"),
        (b"\x81 " * (20 << 20), "/FlateDecode /RunLengthDecode"),
    ],
    ids=["hexadecimal", "deflate", "runs"],
)
def test_content_that_unpacks_without_end_costs_one_page(folder, rows, text, filters):
    (folder / "bomb.pdf").write_bytes(pdf(zlib.compress(text), filters))
    found = rows("SET corpus.pdf_memory = '128MiB'; " + PARSED.format(folder))
    assert sound(found) == ALL_SOUND
    bomb = found[0]
    assert (bomb["status"], bomb["kind"], bomb["stage"]) == ("partial", "limit", "page")
    assert "decoded bytes" in bomb["error"]


@pytest.mark.slow
def test_a_lack_of_time_costs_one_row_and_keeps_what_was_read(folder, rows):
    (folder / "slow.pdf").write_bytes(slow())
    found = rows("SET corpus.pdf_cpu_seconds = 6; " + PARSED.format(folder))
    assert sound(found) == ALL_SOUND
    slow_row = found[0]
    assert slow_row["kind"] in ("timeout", "limit"), slow_row
    assert slow_row["status"] == "partial"
    assert slow_row["text"].startswith("a text")


def children(process):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process.pid and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def wait_for(condition, what):
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        if result := condition():
            return result
        time.sleep(0.02)
    pytest.fail(f"waited in vain for {what}")


@pytest.fixture
def started(binary, clean_env, folder):
    """A run whose worker is busy with a document for a long time."""
    (folder / "slow.pdf").write_bytes(slow())
    sql = "SET corpus.pdf_cpu_seconds = 60; " + PARSED.format(folder)
    process = subprocess.Popen(
        [binary, "--quiet", "--threads", "1", "--format", "ndjson", "-c", sql],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_env,
        cwd=ROOT,
    )
    yield process
    process.kill()
    process.wait()


def busy_worker(process):
    """The worker, once it has used more CPU time than any sound document needs."""

    def found():
        for pid in children(process):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[11]) >= 30:  # hundredths of a second
                return pid

    return wait_for(found, "a busy worker")


@pytest.mark.slow
def test_the_document_of_a_killed_worker_is_read_again(started):
    os.kill(busy_worker(started), signal.SIGKILL)
    stdout, stderr = started.communicate(timeout=TIMEOUT)
    assert started.returncode == 0, stderr
    assert stdout.count('"status":"ok"') == 4, stdout


@pytest.mark.slow
@pytest.mark.parametrize("how, code", [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_workers_end_with_the_run(how, code, started):
    worker = busy_worker(started)
    started.send_signal(how)
    assert started.wait(TIMEOUT) == code
    wait_for(lambda: not Path(f"/proc/{worker}").exists(), "the end of the worker")


def test_the_binary_may_be_replaced_while_it_runs(folder, binary, clean_env, tmp_path):
    copy = tmp_path / "corpus-sql"
    copy.write_bytes(Path(binary).read_bytes())
    copy.chmod(0o755)
    process = subprocess.Popen(
        [str(copy), "--quiet", "--format", "ndjson"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_env,
    )
    # The session waits for statements.
    copy.unlink()
    stdout, stderr = process.communicate(PARSED.format(folder) + ";\n", timeout=TIMEOUT)
    assert stdout.count('"status":"ok"') == 3, stdout + stderr
