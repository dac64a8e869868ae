"""Disks, stores and files that fail during a job: errors are clear, nothing is left half-written, and other files are
processed."""

import gzip
import json
import os
import shutil
import subprocess

import pytest

from conftest import BUCKET, TIMEOUT
from faulty_store import FaultyStore
from kill_and_resume import make_archives

JOB = ["-f", "queries/warc_to_document.sql", "-v", f"input=s3://{BUCKET}/out/faults/"]
OUTPUT = f"s3://{BUCKET}/out/faults-documents/"
ARCHIVES = 12
ROWS = ARCHIVES * 40


@pytest.fixture
def archives(s3, tmp_path):
    """Archives in the bucket."""
    folder = tmp_path / "in"
    folder.mkdir()
    # The truncated and damaged archives have other numbers.
    make_archives(folder, ARCHIVES + 2)
    for damaged in (7, 13):
        (folder / f"{damaged:04}.warc.gz").unlink()
    for path in folder.iterdir():
        s3.put(f"out/faults/{path.name}", path.read_bytes())


@pytest.fixture
def on_faulty_store(run, s3, archives):
    """Runs the job on a server that fails some requests."""

    def on_faulty_store(*arguments, retry_after=None, **faults):
        with FaultyStore(s3.endpoint, **faults) as store:
            store.retry_after = retry_after
            env = {**s3.env, "AWS_ENDPOINT": store.url}
            ran = run("--threads", "2", *arguments, *JOB, "-v", f"output={OUTPUT}", env=env)
            ran_out = store.faults
        return ran, ran_out

    return on_faulty_store


def reads_of(number):
    """Whether a request reads this archive."""
    return lambda method, path: method == "GET" and path.endswith(f"{number:04}.warc.gz")


def writes(method, path):
    return method == "PUT" and path.endswith(".parquet")


def first(times, fault, chosen):
    """Returns a fault for the first of the chosen requests."""
    left = [fault] * times
    return lambda method, path: left.pop() if chosen(method, path) and left else None


def always(fault, chosen):
    return lambda method, path: fault if chosen(method, path) else None


def written(rows, s3):
    return rows(f"SELECT count(*) AS n, count(DISTINCT url) AS urls FROM '{OUTPUT}'", env=s3.env)


def lists(method, path):
    return method == "GET" and "list-type=" in path


@pytest.mark.parametrize("fault", [429, 500, 503, "cut", "half", "slow"])
@pytest.mark.parametrize("chosen", [reads_of(3), writes, lists], ids=["read", "write", "list"])
def test_a_store_that_fails_for_a_while_is_asked_again(on_faulty_store, rows, s3, fault, chosen):
    ran, faults = on_faulty_store("--resume", fault=first(2, fault, chosen), retry_after=1)
    assert ran.code == 0, ran.stderr
    assert faults[fault] == 2
    assert written(rows, s3) == [{"n": ROWS, "urls": ROWS}]
    assert " errors" not in ran.stderr or "0 errors" in ran.stderr, ran.stderr


@pytest.mark.parametrize("seed", range(3))
def test_a_store_on_which_many_requests_fail(on_faulty_store, rows, s3, seed):
    ran, faults = on_faulty_store("--resume", share=0.3, seed=seed)
    assert ran.code == 0, ran.stderr
    assert faults.total() > 3
    assert written(rows, s3) == [{"n": ROWS, "urls": ROWS}]


@pytest.mark.parametrize("fault", ["expired", "wrong key"])
@pytest.mark.parametrize("chosen", [reads_of(6), writes], ids=["read", "write"])
def test_rejected_credentials_end_the_run_and_renewed_ones_continue_it(on_faulty_store, rows, s3, fault, chosen):
    ran, _ = on_faulty_store("--resume", fault=always(fault, chosen))
    assert ran.code == 1
    assert "the store rejects the credentials (" in ran.stderr and "renew them" in ran.stderr
    assert OUTPUT in ran.stderr or "0006.warc.gz" in ran.stderr
    ran, _ = on_faulty_store("--resume")
    assert ran.code == 0, ran.stderr
    assert written(rows, s3) == [{"n": ROWS, "urls": ROWS}]


def test_an_object_that_may_not_be_read_is_an_error_and_others_go_on(on_faulty_store, rows, s3):
    ran, _ = on_faulty_store("--resume", "--fail-on-errors", fault=always("denied", reads_of(6)))
    assert ran.code == 3, ran.stderr
    assert "1 × read error" in ran.stderr
    # The object is a row with its error.
    assert written(rows, s3) == [{"n": ROWS - 40 + 1, "urls": ROWS - 40}]
    ran, _ = on_faulty_store("--retry-errors")
    assert ran.code == 0 and "1 input: had errors, processed again" in ran.stderr, ran.stderr
    assert written(rows, s3) == [{"n": ROWS, "urls": ROWS}]


def test_a_lost_response_does_not_lose_the_lock(on_faulty_store, rows, s3):
    def is_lock(method, path):
        return method == "PUT" and path.endswith(".lock")

    ran, faults = on_faulty_store("--resume", fault=first(1, "lost", is_lock))
    assert ran.code == 0, ran.stderr
    assert faults["lost"] == 1
    assert written(rows, s3) == [{"n": ROWS, "urls": ROWS}]


# The local disk


@pytest.fixture
def slow_input(tmp_path):
    """A folder with a file that takes long to read, and another file after it."""
    folder = tmp_path / "lines"
    folder.mkdir()
    lines = b"a line of text that is not very short\n" * 100_000
    with gzip.open(folder / "0.txt.gz", "wb", 1) as out:
        for _ in range(5):
            out.write(lines)
    (folder / "1.txt").write_bytes(lines)
    return folder


def run_and_meanwhile(binary, root, env, folder, action):
    """Counts the lines of a folder, and calls a function once the first file has been opened."""
    sql = f"SELECT regexp_replace(source_file, '.*/', '') AS file, count(*) AS lines, min(error) AS error FROM read_lines('{folder}/') GROUP BY 1 ORDER BY 1"
    command = [binary, "--threads", "1", "--log", "json", "--format", "ndjson", "-c", sql]
    run = subprocess.Popen(
        command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    events = []
    for line in run.stderr:
        events.append(json.loads(line))
        if events[-1]["event"] == "file_begun" and events[-1]["file"].endswith("0.txt.gz"):
            action()
    rows = [json.loads(line) for line in run.stdout]
    assert run.wait(timeout=TIMEOUT) == 0, events
    return {row["file"]: row for row in rows}


def test_a_file_that_vanishes_during_the_run_is_an_error(binary, root, clean_env, slow_input):
    found = run_and_meanwhile(binary, root, clean_env, slow_input, (slow_input / "1.txt").unlink)
    assert found["0.txt.gz"]["lines"] == 500_000 and found["0.txt.gz"].get("error") is None
    assert found["1.txt"]["error"].startswith("cannot open file: No such file"), found["1.txt"]


def test_a_file_that_changes_while_it_is_read_is_an_error(binary, root, clean_env, slow_input):
    path = slow_input / "0.txt.gz"

    def grow():
        with path.open("ab") as out:
            out.write(gzip.compress(b"another line\n"))

    found = run_and_meanwhile(binary, root, clean_env, slow_input, grow)
    assert "file changed: it had " in found["0.txt.gz"]["error"], found["0.txt.gz"]
    assert found["1.txt"]["lines"] == 100_000 and found["1.txt"].get("error") is None


def test_a_file_that_is_replaced_is_read_as_it_was(binary, root, clean_env, slow_input):
    path = slow_input / "0.txt.gz"

    def replace():
        new = path.with_name("new")
        new.write_bytes(gzip.compress(b"one line\n"))
        os.replace(new, path)

    found = run_and_meanwhile(binary, root, clean_env, slow_input, replace)
    assert found["0.txt.gz"]["lines"] == 500_000 and found["0.txt.gz"].get("error") is None


def limited(binary, *arguments, size=8192):
    """A command whose files cannot grow beyond a few KiB, as if the disk were full."""
    limits = "import resource, signal, os, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    limits += f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); os.execv(sys.argv[1], sys.argv[1:])"
    return ["python3", "-c", limits, binary, *map(str, arguments)]


def test_a_full_temporary_folder_is_named(binary, root, clean_env, tmp_path):
    temp = tmp_path / "temp"
    temp.mkdir()
    sql = "SELECT repeat(CAST(value AS VARCHAR), 100) AS text FROM range(0, 300000) ORDER BY text"
    copy = f"COPY ({sql}) TO '{tmp_path}/sorted.parquet'"
    command = limited(binary, "-q", "--memory-limit", "64MB", "--temp-dir", temp, "-c", copy)
    ran = subprocess.run(command, cwd=root, env=clean_env, capture_output=True, text=True, timeout=TIMEOUT)
    assert ran.returncode == 1
    assert "File too large" in ran.stderr, ran.stderr
    assert [path.name for path in tmp_path.iterdir() if "sorted" in path.name] == []
    assert list(temp.iterdir()) == []


@pytest.mark.parametrize("option", ["--status", "--summary"])
def test_a_status_that_cannot_be_written_leaves_nothing(binary, root, clean_env, tmp_path, option):
    folder = tmp_path / "status"
    folder.mkdir()
    command = limited(binary, "-q", option, folder / "run.json", "-c", "SELECT 1", size=0)
    ran = subprocess.run(command, cwd=root, env=clean_env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT)
    assert ran.returncode in (1, 2) and "File too large" in ran.stderr, ran
    assert list(folder.iterdir()) == []


def test_the_limit_for_temporary_files_is_named(run, tmp_path):
    temp = tmp_path / "temp"
    temp.mkdir()
    sql = "SELECT repeat(CAST(value AS VARCHAR), 100) AS text FROM range(0, 300000) ORDER BY text"
    copy = f"COPY ({sql}) TO '{tmp_path}/sorted.parquet'"
    limits = ["--memory-limit", "64MB", "--temp-dir", temp, "--temp-limit", "5MB"]
    ran = run("-q", *limits, "-c", copy)
    assert ran.code == 1 and "--temp-limit" in ran.stderr and "--memory-limit" in ran.stderr, ran.stderr
    assert [path.name for path in tmp_path.iterdir() if "sorted" in path.name] == []
    assert list(temp.iterdir()) == []


@pytest.fixture
def as_user(binary):
    """A command without root's right to write everywhere."""
    if os.geteuid() != 0:
        return [binary]
    command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", binary]
    try:
        subprocess.run([*command, "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("root may write everywhere")
    return command


@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["once", "resume"])
@pytest.mark.parametrize("target", ["documents/", "documents.parquet", ""])
def test_a_read_only_folder_is_named(as_user, root, clean_env, tmp_path, resume, target):
    folder = tmp_path / "read-only"
    folder.mkdir()
    folder.chmod(0o555)
    arguments = ["-q", *resume, *JOB[:2], "-v", "input=data-samples/web/", "-v", f"output={folder}/{target}"]
    ran = subprocess.run([*as_user, *arguments], cwd=root, env=clean_env, capture_output=True, text=True, timeout=TIMEOUT)
    assert ran.returncode == 1 and str(folder) in ran.stderr and "ermission denied" in ran.stderr, ran.stderr
    assert list(folder.iterdir()) == []


def test_an_input_that_may_not_be_read_is_an_error_and_others_go_on(as_user, root, clean_env, rows, tmp_path):
    for name in ["open", "closed"]:
        shutil.copy(root / "data-samples/warc/plain.warc", tmp_path / f"{name}.warc")
    (tmp_path / "closed.warc").chmod(0o000)
    output = tmp_path / "records"
    sql = f"COPY (SELECT source_file, error FROM read_warc('{tmp_path}/*.warc')) TO '{output}/' STORED AS PARQUET"
    command = [*as_user, "--resume", "-c", sql]
    ran = subprocess.run(command, cwd=root, env=clean_env, capture_output=True, text=True, timeout=TIMEOUT)
    assert ran.returncode == 0 and "1 error" in ran.stderr, ran.stderr
    found = rows(f"SELECT source_file LIKE '%closed%' AS closed, count(*) AS n, count(error) AS errors FROM '{output}/' GROUP BY 1 ORDER BY 1")
    assert [row["errors"] for row in found] == [0, 1] and found[0]["n"] > 1 and found[1]["n"] == 1, found


def test_a_folder_that_may_not_be_read_matters_only_if_its_files_would(as_user, clean_env, tmp_path):
    def read(location):
        sql = f"SELECT count(*) AS files FROM read_files('{location}')"
        command = [*as_user, "-q", "--format", "csv", "-c", sql]
        ran = subprocess.run(command, cwd=tmp_path, env=clean_env, capture_output=True, text=True, timeout=TIMEOUT)
        return ran.returncode, ran.stdout, ran.stderr

    (tmp_path / "a.txt").write_text("a")
    for closed in ["lost+found", ".cache"]:
        (tmp_path / closed).mkdir(mode=0o000)
    assert read("./")[:2] == (0, "files\n1\n")
    (tmp_path / "closed").mkdir(mode=0o000)
    assert read("*.txt")[:2] == (0, "files\n1\n")
    for location in ["./", "**/*.txt", "*/*.txt"]:
        code, _, message = read(location)
        assert code == 1 and f"{tmp_path}/closed" in message and "ermission denied" in message, message


def test_parts_of_others_and_broken_ones_are_named_and_stay(run, tmp_path):
    output = tmp_path / "documents"
    job = ["--resume", *JOB[:2], "-v", "input=data-samples/web/", "-v", f"output={output}/"]
    assert run(*job).code == 0
    part, *_ = sorted(output.glob("*.parquet"))
    complete = part.read_bytes()

    part.write_bytes(complete[: len(complete) // 2])
    ran = run(*job)
    assert ran.code == 1 and part.name in ran.stderr and "remove it" in ran.stderr, ran.stderr
    assert part.read_bytes() == complete[: len(complete) // 2]

    # The manifest of an unknown version of the program.
    old = complete.replace(b'{"version":1,', b'{"version":7,')
    assert old != complete
    part.write_bytes(old)
    ran = run(*job)
    assert ran.code == 1 and "its manifest has version 7" in ran.stderr and part.name in ran.stderr, ran.stderr

    part.write_bytes(complete)
    assert run("-q", "-c", f"COPY (SELECT 1 AS a) TO '{output}/foreign.parquet'").code == 0
    ran = run(*job)
    assert ran.code == 1 and "foreign.parquet" in ran.stderr and "choose another folder" in ran.stderr, ran.stderr
    (output / "foreign.parquet").unlink()
    assert run(*job).code == 0
