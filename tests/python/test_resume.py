"""Jobs that are killed and continued give the result of an undisturbed run."""

import signal
import subprocess
import sys

import pyarrow.dataset as ds
import pytest

from conftest import BUCKET
from faulty_store import FaultyStore
from kill_and_resume import Job, LocalFolder, S3Folder, kill_and_resume, make_inputs

FILES = 200

QUERY = "warc_to_document"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crawl") / "in"
    make_inputs(QUERY, folder, FILES)
    return folder


@pytest.fixture(scope="module")
def expected(binary, crawl, tmp_path_factory):
    """The rows of an undisturbed run into one file."""
    return Job(binary, QUERY, f"{crawl}/", None).undisturbed(tmp_path_factory.mktemp("expected"))


@pytest.fixture
def output(tmp_path):
    return tmp_path / "documents"


@pytest.fixture
def job(binary, clean_env, crawl, output):
    return Job(binary, QUERY, f"{crawl}/", f"{output}/", clean_env)


def found_by_others(output):
    """Returns the number of rows that another reader currently finds in the folder."""
    return ds.dataset(output, format="parquet").count_rows() if any(output.glob("*.parquet")) else 0


@pytest.mark.parametrize(("sent", "runs"), [(signal.SIGKILL, 30), (signal.SIGTERM, 15), (signal.SIGINT, 15)])
def test_a_job_that_is_killed_many_times_ends_as_if_it_had_not(job, output, expected, sent, runs):
    readable = []
    report = lambda _: readable.append(found_by_others(output))
    killed = kill_and_resume(job, LocalFolder(output), expected, runs, sent, report=report)
    assert killed
    assert readable == sorted(readable) and readable[-1] <= expected.total()
    assert found_by_others(output) == expected.total()
    assert len(list(output.glob("*.parquet"))) == FILES


@pytest.mark.parametrize("query", ["hocr_to_document", "pdf_to_document", "files_to_parquet"])
def test_jobs_of_other_inputs_are_continued(binary, clean_env, output, tmp_path, query):
    inputs = tmp_path / "in"
    make_inputs(query, inputs, 60)
    job = Job(binary, query, f"{inputs}/", f"{output}/", clean_env)
    kill_and_resume(job, LocalFolder(output), job.undisturbed(tmp_path), 4)


def test_two_runs_at_once_do_not_corrupt_the_folder(job, expected):
    runs = [job.start() for _ in range(3)]
    for run in runs:
        _, stderr = run.communicate(timeout=120)
        assert run.returncode == 0 or b"another run is writing" in stderr, stderr
    assert job.start().wait(timeout=120) == 0
    assert job.rows(job.output) == expected


def test_a_full_disk_keeps_what_is_complete(job, root, clean_env, output, expected):
    limited = "ulimit -f 1; exec \"$0\" \"$@\""
    # Files of more than 1 KiB cannot be written, as if the disk were full.
    ignore = (
        "import os, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    failed = subprocess.run(
        ["bash", "-c", limited, sys.executable, "-c", ignore, *job.command(job.output, "--resume")],
        cwd=root, env=clean_env, capture_output=True, timeout=120,
    )
    assert failed.returncode == 1
    assert b"cannot write" in failed.stderr and b"File too large" in failed.stderr, failed.stderr
    assert found_by_others(output) < expected.total()
    assert job.start().wait(timeout=120) == 0
    assert job.rows(job.output) == expected


def test_a_job_on_s3_that_is_killed_is_continued(binary, clean_env, s3, tmp_path):
    inputs = tmp_path / "in"
    make_inputs(QUERY, inputs, 60)
    for path in inputs.iterdir():
        s3.put(f"out/killed-in/{path.name}", path.read_bytes())
    with FaultyStore(s3.endpoint, share=0.05) as store:
        env = {**clean_env, **s3.env, "AWS_ENDPOINT": store.url}
        job = Job(binary, QUERY, f"s3://{BUCKET}/out/killed-in/", f"s3://{BUCKET}/out/killed/", env)
        expected = job.undisturbed(tmp_path)
        # A run that is killed leaves its lock, for which the next one waits.
        killed = kill_and_resume(job, S3Folder(s3.client, "out/killed/"), expected, 2)
        assert killed and store.faults


def test_two_runs_on_s3_at_once_do_not_corrupt_the_folder(binary, clean_env, s3, crawl, tmp_path):
    env = {**clean_env, **s3.env}
    job = Job(binary, QUERY, f"{crawl}/", f"s3://{BUCKET}/out/twice/", env)
    runs = [job.start() for _ in range(2)]
    codes = []
    for run in runs:
        _, stderr = run.communicate(timeout=120)
        codes.append(run.returncode)
        assert run.returncode == 0 or b"another run is writing" in stderr, stderr
    assert 0 in codes
    assert job.start().wait(timeout=120) == 0
    assert job.rows(job.output) == job.undisturbed(tmp_path)
