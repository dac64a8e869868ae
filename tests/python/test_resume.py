"""Jobs that are killed and continued: the result is that of an undisturbed run."""

import io

import random
import signal
import subprocess
import sys
import time
from collections import Counter


import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from warcs import response

KILLS = 30
FILES = 200
PAGES = 40

JOB = "queries/warc_to_document.sql"


def record(number):
    body = f"<html><body><p>Page {number}.</p>" + f"<p>日本語 {number % 7}</p>" * 200
    return response(f"http://example.com/{number}", body.encode())


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawl")
    for file in range(FILES):
        pages = range(file * PAGES, (file + 1) * PAGES)
        content = b"".join(map(record, pages))
        # A few archives are cut, and a few are no archives at all.
        if file % 50 == 7:
            content = content[: len(content) // 2]
        if file % 50 == 13:
            content = b"<html>503 Service Unavailable</html>"
        (folder / f"{file:04}.warc.gz").write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def expected(binary, root, crawl, tmp_path_factory):
    """The rows of an undisturbed run into one file."""
    output = tmp_path_factory.mktemp("expected") / "documents.parquet"
    command = [binary, "-q", "-f", JOB, "-v", f"input={crawl}/", "-v", f"output={output}"]
    subprocess.run(command, cwd=root, check=True, timeout=120)
    return rows(pq.read_table(output))


def rows(table):
    return Counter(zip(table["url"].to_pylist(), table["document"].to_pylist()))


def start(binary, root, env, crawl, output, *arguments):
    command = [binary, "--resume", "-f", JOB, "-v", f"input={crawl}/", "-v", f"output={output}"]
    return subprocess.Popen(
        [*command, *arguments], cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def is_readable(output):
    """Whether other tools can read the folder as it is at this moment."""
    if output.exists() and any(output.iterdir()):
        found = rows(ds.dataset(output, format="parquet").to_table())
        assert max(found.values()) == 1
        return found
    return Counter()


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_job_that_is_killed_many_times_ends_as_if_it_had_not(
    binary, root, clean_env, crawl, expected, tmp_path, sent
):
    output = tmp_path / "documents"
    moments = random.Random(sent)
    kills = 0
    parts = 0
    for _ in range(KILLS):
        run = start(binary, root, clean_env, crawl, f"{output}/")
        # Until some more parts have appeared, and a moment longer.
        wanted = parts + moments.randrange(8)
        while run.poll() is None and len(list(output.glob("*.parquet"))) < wanted:
            time.sleep(0.001)
        time.sleep(moments.random() * 0.02)
        kills += run.poll() is None
        run.send_signal(sent)
        run.communicate(timeout=60)
        # 130: interrupted; -15: ended before it had set up its handling of signals.
        assert run.returncode in (0, 130, -sent)
        found = is_readable(output)
        assert found <= expected
        parts = len(list(output.glob("*.parquet")))
    assert kills > KILLS / 2
    run = start(binary, root, clean_env, crawl, f"{output}/")
    _, stderr = run.communicate(timeout=120)
    assert run.returncode == 0, stderr
    assert is_readable(output) == expected
    assert len(list(output.glob("*.parquet"))) == FILES
    assert [path.name for path in tmp_path.iterdir() if ".part-" in path.name] == []


def test_two_runs_at_once_do_not_corrupt_the_folder(
    binary, root, clean_env, crawl, expected, tmp_path
):
    output = tmp_path / "documents"
    runs = [start(binary, root, clean_env, crawl, f"{output}/") for _ in range(3)]
    codes = []
    for run in runs:
        _, stderr = run.communicate(timeout=120)
        codes.append(run.returncode)
        assert run.returncode == 0 or b"another run is writing" in stderr, stderr
    run = start(binary, root, clean_env, crawl, f"{output}/")
    assert run.wait(timeout=120) == 0
    assert is_readable(output) == expected


def test_a_full_disk_keeps_what_is_complete(binary, root, clean_env, crawl, expected, tmp_path):
    output = tmp_path / "documents"
    limited = "ulimit -f 1; exec \"$0\" \"$@\""
    command = [binary, "--resume", "-f", JOB, "-v", f"input={crawl}/", "-v", f"output={output}/"]
    # Files of more than 1 KiB cannot be written, as if the disk were full.
    ignore = (
        "import os, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    failed = subprocess.run(
        ["bash", "-c", limited, sys.executable, "-c", ignore, *command],
        cwd=root, env=clean_env, capture_output=True, timeout=120,
    )
    assert failed.returncode == 1
    assert b"cannot write" in failed.stderr and b"File too large" in failed.stderr, failed.stderr
    assert is_readable(output) <= expected
    run = start(binary, root, clean_env, crawl, f"{output}/")
    assert run.wait(timeout=120) == 0
    assert is_readable(output) == expected


def s3_rows(s3, prefix):
    found = Counter()
    for key in s3.keys(prefix):
        if key.endswith(".parquet"):
            found += rows(pq.read_table(io.BytesIO(s3.get(key))))
    return found


def test_a_job_on_s3_that_is_killed_is_continued(
    binary, root, clean_env, crawl, expected, s3
):
    env = {**clean_env, **s3.env}
    output = "s3://corpus/out/killed/"
    for wanted in (3, 20):
        run = start(binary, root, env, crawl, output)
        while run.poll() is None and len(s3.keys("out/killed/")) < wanted:
            time.sleep(0.01)
        assert run.poll() is None, run.communicate()
        if wanted == 3:
            second = start(binary, root, env, crawl, output)
            _, stderr = second.communicate(timeout=120)
            assert second.returncode == 1 and b"another run is writing" in stderr, stderr
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=60)
        assert s3_rows(s3, "out/killed/") <= expected
    run = start(binary, root, env, crawl, output)
    _, stderr = run.communicate(timeout=120)
    assert run.returncode == 0, stderr
    assert s3_rows(s3, "out/killed/") == expected
    assert "out/killed/_corpus-sql.lock" not in s3.keys("out/killed/")
