"""After Ctrl-C or SIGTERM, a job ends soon, leaves no unfinished files, and can be continued."""

import gzip
import json
import signal
import subprocess
import threading
import time

import pytest

from conftest import TIMEOUT

# The program ends within two seconds. One that hangs would exceed this.
TIMEOUT_SECONDS = 30
INTERRUPTED = 130
FILES = 5
SLOW = "slow.txt.gz"

SIGNALS = pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])

# The time for a line grows with the square of its length.
QUERY = "SELECT source_file, text, levenshtein(text, reverse(text)) AS changes FROM read_lines('{}/')"


def many_lines(path):
    """A file whose lines take minutes."""
    member = gzip.compress(b"a line\n" * 10_000_000, 1)
    with path.open("wb") as out:
        for _ in range(100):
            out.write(member)


def long_line(path):
    """A file with a line that takes minutes in one step, during which the query cannot be stopped."""
    path.write_bytes(gzip.compress(b"long " * 200_000))


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}.txt").write_text(f"the first line of {number}\nand the second one\n")
    return folder


class Job:
    """A running program, whose log is read."""

    def __init__(self, binary, root, env, temp, *arguments):
        command = [binary, "--threads", "2", "--log", "json", "--temp-dir", temp, *arguments]
        self.temp = temp
        self.process = subprocess.Popen(
            list(map(str, command)), cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.events, self.has_ended = [], False
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            with self.changed:
                self.events.append(json.loads(line) if line.startswith("{") else {"event": line})
                self.changed.notify()
        with self.changed:
            self.has_ended = True
            self.changed.notify()

    def wait_for(self, event, count=1, file=""):
        """Waits until the log has this number of such events."""

        def has_come():
            return sum(one["event"] == event and file in one.get("file", "") for one in self.events) >= count

        with self.changed:
            self.changed.wait_for(lambda: has_come() or self.has_ended, TIMEOUT)
            assert has_come(), self.events

    def end_by(self, sent):
        """Sends the signal, and returns how long the program took to end."""
        started = time.monotonic()
        self.process.send_signal(sent)
        try:
            code = self.process.wait(TIMEOUT_SECONDS)
        finally:
            self.process.kill()
            self.reader.join()
            self.process.stdout.close()
            self.process.stderr.close()
        seconds = time.monotonic() - started
        print(f"ended {seconds:.2f} s after {sent.name}")
        assert code == INTERRUPTED, self.events
        assert list(self.temp.iterdir()) == []


@pytest.fixture
def start(binary, root, clean_env, tmp_path):
    temp = tmp_path / "temp"
    temp.mkdir()
    started = []

    def start(*arguments):
        started.append(Job(binary, root, clean_env, temp, *arguments))
        return started[-1]

    yield start
    for job in started:
        job.process.kill()
        job.process.wait()


def found(rows, location):
    return rows(f"SELECT * FROM '{location}' ORDER BY source_file, text")


@SIGNALS
@pytest.mark.parametrize("slow", [many_lines, long_line])
@pytest.mark.parametrize("resume", [[], ["--resume"]], ids=["once", "resume"])
@pytest.mark.parametrize("target", ["out/", "out.parquet"])
def test_an_interrupted_copy_leaves_nothing_unfinished(start, run, rows, inputs, tmp_path, sent, slow, resume, target):
    slow(inputs / SLOW)
    folder = tmp_path / "target"
    folder.mkdir()
    output = f"{folder}/{target}"
    copy = f"COPY ({QUERY.format(inputs)}) TO '{output}' STORED AS PARQUET"
    job = start(*resume, "-c", copy)
    job.wait_for("file_begun", file=SLOW)
    is_by_parts = resume and target == "out/"
    if is_by_parts:
        job.wait_for("part_written", FILES)
    # The step may have begun now; the test does not depend on it.
    time.sleep(0.3)
    job.end_by(sent)
    assert [path for path in folder.rglob("*") if ".part-" in path.name] == []
    parts = [path for path in folder.rglob("*") if path.is_file()]
    assert len(parts) == (FILES if is_by_parts else 0), parts

    (inputs / SLOW).unlink()
    expected = rows(f"{QUERY.format(inputs)} ORDER BY source_file, text")
    assert len(expected) == 2 * FILES
    if is_by_parts:
        assert found(rows, output) == expected
    again = run("--resume", "-c", copy)
    assert again.code == 0, again.stderr
    assert found(rows, output) == expected


@SIGNALS
def test_results_that_nobody_reads_do_not_keep_the_program(start, sent):
    job = start("--format", "csv", "-c", "SELECT * FROM range(0, 1000000000000)")
    # The pipe becomes full some time after its first byte.
    assert job.process.stdout.read(1)
    time.sleep(0.3)
    job.end_by(sent)


@SIGNALS
def test_planning_is_interrupted(start, sent):
    # Calls of constants are evaluated by the optimizer.
    job = start("-c", "SELECT 1; SELECT levenshtein(repeat('long ', 200000), repeat('gnol ', 200000))")
    assert job.process.stdout.read(1)
    time.sleep(0.3)
    job.end_by(sent)


def test_an_interrupted_run_says_what_is_done_and_how_to_go_on(binary, root, clean_env, inputs, tmp_path):
    many_lines(inputs / SLOW)
    output = f"{tmp_path}/target of it/"
    script = tmp_path / "job.sql"
    script.write_text(f"SELECT 1 AS one; COPY ({QUERY.format(inputs)}) TO '${{output}}' STORED AS PARQUET;")
    arguments = ["--quiet", "--resume", "--threads", "2", "-f", str(script), "-v", f"output={output}"]
    process = subprocess.Popen(
        [binary, *arguments], cwd=root, env=clean_env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    folder = tmp_path / "target of it"
    ends = time.monotonic() + TIMEOUT
    while len(list(folder.glob("*.parquet"))) < FILES and time.monotonic() < ends:
        time.sleep(0.05)
    # The part may have appeared just before it is counted.
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=TIMEOUT_SECONDS)
    assert process.returncode == INTERRUPTED
    assert message.splitlines() == [
        "error: interrupted",
        f"  {FILES} of {FILES + 1} parts are done in {output}",
        "  1 of 2 statements are complete",
        f"  continue with: {binary} --quiet --resume --threads 2 -f {script} -v 'output={output}'",
    ]
    (inputs / SLOW).unlink()
    again = subprocess.run([binary, *arguments], cwd=root, env=clean_env, capture_output=True, text=True, timeout=TIMEOUT)
    assert again.returncode == 0, again.stderr


def test_an_interrupted_run_that_starts_anew_says_no_more(binary, root, clean_env, inputs, tmp_path):
    many_lines(inputs / SLOW)
    process = subprocess.Popen(
        [binary, "--quiet", "-c", f"COPY ({QUERY.format(inputs)}) TO '{tmp_path}/out/' STORED AS PARQUET"],
        cwd=root, env=clean_env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=TIMEOUT_SECONDS)
    assert (process.returncode, message) == (INTERRUPTED, "error: interrupted\n")
