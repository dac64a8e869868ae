"""Abandoned streams, interrupts, threads, forks, and memory."""

import gc
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pexpect
import polars
import pyarrow
import pytest

import corpus_sql as cs

ENDLESS = "SELECT value, repeat('x', 1000) AS text FROM generate_series(1, 1000000000000)"

#: A query that never returns a row.
SILENT_ROWS = "SELECT value FROM generate_series(1, 1000000000000) WHERE value % 7 = 8"
SILENT = f"SELECT count(*) FROM ({SILENT_ROWS})"


def cpu_seconds_in(seconds):
    before = time.process_time()
    time.sleep(seconds)
    return time.process_time() - before


def is_idle():
    """Whether no query is running any more, after a while."""
    return any(cpu_seconds_in(0.2) < 0.1 for _ in range(50))


def test_leaving_a_loop_ends_the_query(con):
    for batch in con.sql(ENDLESS):
        assert len(batch) > 0
        break
    assert is_idle()
    batches = iter(con.sql(ENDLESS))
    next(batches)
    batches.close()
    assert is_idle() and list(batches) == []


def test_a_stream_that_is_read_half_ends_when_it_is_collected(con):
    reader = pyarrow.RecordBatchReader.from_stream(con.sql(ENDLESS))
    reader.read_next_batch()
    del reader
    gc.collect()
    assert is_idle()
    # A stream may outlive its session.
    reader = pyarrow.RecordBatchReader.from_stream(cs.connect().sql("SELECT 1 AS n"))
    gc.collect()
    assert reader.read_all()["n"].to_pylist() == [1]


def test_a_program_may_end_while_a_query_runs(python):
    program = f"""
import corpus_sql as cs
batches = iter(cs.sql({ENDLESS!r}))
next(batches)
rows = iter(cs.connect(threads=1).sql({ENDLESS!r}))
print("done")
"""
    assert python(program) == "done\n"


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="only Linux says it so easily")
def test_sessions_end_with_their_threads(python):
    program = """
import gc, os, time, corpus_sql as cs
def threads():
    return len(os.listdir("/proc/self/task"))
before = threads()
for _ in range(20):
    session = cs.connect(threads=4)
    assert session.sql("SELECT 1").fetchall() == [(1,)]
assert threads() >= before + 4
del session
gc.collect()
deadline = time.monotonic() + 60
while threads() > before and time.monotonic() < deadline:
    time.sleep(0.05)
print(threads() - before)
"""
    assert python(program) == "0\n"


def test_streams_wait_for_their_reader(con):
    """A query runs only a few batches ahead of its reader."""
    batches = iter(con.sql(ENDLESS))
    next(batches)
    assert is_idle()
    assert len(next(batches)) > 0


@pytest.mark.parametrize(
    "use",
    [
        lambda con: con.sql(SILENT).fetchall(),
        lambda con: next(iter(con.sql(SILENT))),
        lambda con: con.sql(SILENT).arrow(),
        lambda con: con.sql(SILENT).pl(),
        lambda con: con.sql(f"SELECT * FROM ({SILENT_ROWS})").count(),
        lambda con: con.sql(f"COPY ({SILENT}) TO 'never.parquet'"),
        lambda con: con.sql(SILENT).write_parquet("never.parquet"),
        lambda con: repr(con.sql(SILENT)),
        lambda con: pyarrow.table(con.sql(SILENT)),
    ],
    ids=["fetchall", "next", "arrow", "pl", "count", "copy", "write_parquet", "repr", "pyarrow"],
)
def test_ctrl_c_ends_a_query(con, use, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        try:
            use(con)
        except Exception:
            # Another library that reads a stream raises its own error. The interrupt follows.
            time.sleep(1)
    assert list(tmp_path.iterdir()) == []
    assert is_idle()
    assert con.sql("SELECT 1").fetchall() == [(1,)]


def test_ctrl_c_ends_a_function_on_an_array():
    page = b"<p>" + b"Some words of a page. " * 20 + b"</p>"
    pages = pyarrow.array([page] * 1_000_000)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        cs.html_main_text(pages)


def test_ctrl_c_is_a_keyboard_interrupt_in_methods_of_ours(con):
    for use in [con.sql(SILENT).arrow, con.sql(SILENT).pl, con.sql(SILENT).fetchall]:
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            use()


@pytest.mark.parametrize("use", ["rows.df()", "rows.fetchall()", "rows.count()", "rows.write_parquet('never.parquet')"])
def test_a_terminal_shows_a_bar(tmp_path, use):
    (tmp_path / "lines.txt").write_text("one\ntwo\n" * 1000)
    program = f"""
import corpus_sql as cs
rows = cs.sql(
    "SELECT text FROM read_lines('lines.txt'), generate_series(1, 1000000000000) WHERE value % 7 = 8")
try:
    {use}
except KeyboardInterrupt:
    print("stopped")
"""
    child = pexpect.spawn(sys.executable, ["-c", program], cwd=str(tmp_path), encoding="utf-8", timeout=60)
    child.expect(r"\[█")
    child.expect(" of ")
    child.sendintr()
    child.expect("stopped")
    child.expect(pexpect.EOF)
    assert [path.name for path in tmp_path.iterdir()] == ["lines.txt"]


def test_other_threads_run_while_a_query_does(con):
    done = threading.Event()
    thread = threading.Thread(target=lambda: (con.sql("SELECT count(*) FROM generate_series(1, 3000000)").fetchall(), done.set()))
    thread.start()
    ticks = 0
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 5


def test_threads_share_a_session(con):
    def query(n):
        con.sql(f"CREATE OR REPLACE VIEW v{n} AS SELECT {n} AS n")
        rows = con.sql(f"SELECT sum(value), max(n) FROM generate_series(1, {n}), v{n}")
        assert cs.text_hash(str(n)) is not None
        return [rows.fetchone(), rows.arrow()["max(n)"].to_pylist(), len(list(rows))]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(query, range(1, 65)))
    assert found == [[(n * (n + 1) // 2, n), [n], 1] for n in range(1, 65)]


def test_a_fork_of_a_process_that_ran_queries_is_refused(python):
    program = """
import os, corpus_sql as cs
con = cs.connect()
rows = con.sql("SELECT 1")
rows.fetchall()
def child(use):
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            answer = repr(use())
        except cs.Error as error:
            answer = str(error)
        os.write(writing, answer.encode())
        os._exit(0)
    os.close(writing)
    return os.fdopen(reading).read()
for use in [rows.fetchall, lambda: con.sql("SELECT 1"), cs.connect, lambda: cs.pdf_parse(b"%PDF")]:
    assert "spawn" in child(use), child(use)
print(child(lambda: cs.html_main_text("<p>Pure functions work.")))
"""
    assert "Pure functions work" in python(program)


def test_forks_of_a_process_that_only_imported_the_package_run_queries(python):
    program = """
import multiprocessing, corpus_sql as cs
def query(n):
    return cs.sql("SELECT $n", {"n": n}).fetchone()[0]
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(sum(pool.map(query, range(10))))
with multiprocessing.get_context("fork").Pool(1) as pool:
    print(pool.map(cs.url_host, ["http://a.example/"]))
"""
    assert python(program) == "45\n['a.example']\n"


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="only Linux says it so easily")
def test_memory_stays_flat(con):
    page = b"<html><body><p>" + b"Some words of a page. " * 500 + b"</p></body></html>"
    texts = pyarrow.array([page] * 10)
    frame = polars.DataFrame({"page": [page] * 50})

    def work(times):
        for n in range(times):
            rows = con.sql("SELECT value, repeat('x', 1000) AS text FROM generate_series(1, 2000)")
            next(iter(rows))
            assert rows.arrow().num_rows == 2000
            assert con.sql("SELECT $n", {"n": n}).fetchone() == (n,)
            con.register("frame", frame)
            assert con.sql("SELECT count(html_main_text(page)) FROM frame").fetchall() == [(50,)]
            assert len(cs.html_main_text(texts)) == 10
            assert len(cs.html_main_text(page)) > 5000
            with pytest.raises(cs.SqlError):
                con.sql("SELECT nothing")
        gc.collect()

    work(40)
    before = resident_bytes()
    work(160)
    assert resident_bytes() - before < 30e6
