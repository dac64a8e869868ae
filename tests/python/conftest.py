"""Fixtures shared by the tests: the binary under test, and the servers that it talks to."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import boto3
import pytest

from ports import free_port
from web import Web

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data-samples"

# Far longer than any test; only ends runs that hang.
TIMEOUT = 120

S3_KEY = "test-key"
S3_SECRET = "test-secret"
S3_REGION = "eu-west-1"
BUCKET = "corpus"


def pytest_configure(config):
    if not os.environ.get("CORPUS_SQL"):
        raise pytest.UsageError(
            "CORPUS_SQL is not set: it has to name the binary under test (tests/run sets it)"
        )


# Files that take minutes, or that need a browser or servers with a long start. Single tests have the
# mark themselves.
SLOW_FILES = {
    "test_clouds.py",
    "test_cluster.py",
    "test_cluster_hosts.py",
    "test_decontaminate.py",
    "test_dedup.py",
    "test_dedup_scale.py",
    "test_dedup_substring.py",
    "test_duckdb.py",
    "test_fasttext.py",
    "test_faults.py",
    "test_funnels.py",
    "test_hostile_stores.py",
    "test_interrupts.py",
    "test_job_inputs.py",
    "test_read_ahead.py",
    "test_resume.py",
    "test_ui.py",
}


def pytest_collection_modifyitems(items):
    """Marks the tests that `tests/run --quick` leaves out."""
    for item in items:
        if item.path.name in SLOW_FILES or "spark" in item.fixturenames or "spark" in item.name:
            item.add_marker("slow")


@pytest.fixture(scope="session")
def binary():
    path = Path(os.environ["CORPUS_SQL"]).absolute()
    if not os.access(path, os.X_OK):
        pytest.exit(f"CORPUS_SQL is not a program: {path}", returncode=4)
    return str(path)


@pytest.fixture(scope="session")
def cluster_feature(binary):
    """Skips tests that need a build with the feature `cluster`."""
    text = subprocess.run([binary, "--help"], capture_output=True, text=True)
    if "--cluster" not in text.stdout:
        pytest.skip("this build has no cluster")


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def samples():
    return SAMPLES


@pytest.fixture
def clean_env(tmp_path):
    """The environment without variables that redirect requests or change the output."""
    unwanted = ("AWS_", "AZURE_", "GOOGLE_", "DATAFUSION_")
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(unwanted) and not name.lower().endswith("_proxy")
    }
    for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE"]:
        env.pop(name, None)
    home = tmp_path / "home"
    home.mkdir()
    env.update(HOME=str(home), XDG_DATA_HOME=str(home / "data"), TERM="xterm", LC_ALL="C.UTF-8")
    return env


Ran = namedtuple("Ran", "code stdout stderr")


@pytest.fixture
def run(binary, clean_env):
    """Runs the binary in the root of the project; returns code, stdout and stderr."""

    def run(*args, env=None, timeout=TIMEOUT, stdin=""):
        done = subprocess.run(
            [binary, *map(str, args)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            env={**clean_env, **(env or {})},
            timeout=timeout,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def rows(run):
    """Runs statements that must succeed; returns the rows of the results as dictionaries."""

    def rows(sql, **how):
        ran = run("--quiet", "--format", "ndjson", "-c", sql, **how)
        assert ran.code == 0, ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines()]

    return rows


@pytest.fixture
def fails(run):
    """Runs statements that must fail with code 1; returns the message, without reports of repeated requests."""

    def fails(sql, **how):
        ran = run("--quiet", "-c", sql, **how)
        assert ran.code == 1, f"code {ran.code}, stdout: {ran.stdout}, stderr: {ran.stderr}"
        lines = ran.stderr.splitlines(keepends=True)
        message = "".join(line for line in lines if not line.startswith("warning: repeating requests for '"))
        assert message.startswith("error: "), ran.stderr
        assert "panicked" not in message
        return message

    return fails


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    from readers import spark_session  # Its imports take seconds.

    session = spark_session(tmp_path_factory.mktemp("spark"))
    yield session
    session.stop()


@pytest.fixture
def web():
    """A web server that supports range requests."""
    with Web(ranges=True) as server:
        yield server


@pytest.fixture
def plain_web():
    """A web server that only sends whole files."""
    with Web(ranges=False) as server:
        yield server


@pytest.fixture
def closed_port():
    """A port that refuses connections: it is bound, but without a listener."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        yield holder.getsockname()[1]


def wait_until_it_listens(process, port, log):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"the server ended: {log.read_text()}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"the server did not start: {log.read_text()}")


@pytest.fixture(scope="session")
def s3_endpoint(tmp_path_factory):
    """An S3 server in a separate process, because it patches too much of Python."""
    log = tmp_path_factory.mktemp("s3") / "server.log"
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            # Listings are split into pages, as with millions of objects.
            env={**os.environ, "MOTO_S3_DEFAULT_MAX_KEYS": "2"},
        )
    try:
        wait_until_it_listens(process, port, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def s3_env(endpoint):
    return {
        "AWS_ENDPOINT": endpoint,
        "AWS_ALLOW_HTTP": "true",
        "AWS_ACCESS_KEY_ID": S3_KEY,
        "AWS_SECRET_ACCESS_KEY": S3_SECRET,
        "AWS_REGION": S3_REGION,
    }


class S3:
    """The server and its bucket, prepared and inspected by tests."""

    def __init__(self, endpoint):
        self.endpoint = endpoint
        self.client = boto3.client(
            "s3",
            endpoint_url=endpoint,
            aws_access_key_id=S3_KEY,
            aws_secret_access_key=S3_SECRET,
            region_name=S3_REGION,
        )

    @property
    def env(self):
        return s3_env(self.endpoint)

    @property
    def options(self):
        """The same settings as options of a statement."""
        return {
            "aws.endpoint": self.endpoint,
            "aws.allow_http": "true",
            "aws.access_key_id": S3_KEY,
            "aws.secret_access_key": S3_SECRET,
            "aws.region": S3_REGION,
        }

    def put(self, key, content):
        self.client.put_object(Bucket=BUCKET, Key=key, Body=content)

    def get(self, key):
        return self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read()

    def keys(self, prefix=""):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def unfinished_uploads(self):
        return self.client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])


@pytest.fixture(scope="session")
def s3_with_samples(s3_endpoint):
    s3 = S3(s3_endpoint)
    s3.client.create_bucket(
        Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": S3_REGION}
    )
    for path in SAMPLES.rglob("*"):
        if path.is_file():
            s3.put(path.relative_to(SAMPLES).as_posix(), path.read_bytes())
    return s3


@pytest.fixture(scope="session")
def azurite(binary, tmp_path_factory):
    if shutil.which("npm") is None:
        pytest.skip("npm is not there, which installs Azurite: Azure is not tested")
    from azure_store import Azure, installed

    program = installed(Path(binary).parent / "test-npm")
    folder = tmp_path_factory.mktemp("azure")
    log = folder / "server.log"
    port = free_port()
    command = [program, "--blobHost", "127.0.0.1", "--blobPort", str(port)]
    command += ["--location", folder, "--silent", "--skipApiVersionCheck", "--disableTelemetry"]
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=os.environ)
    try:
        wait_until_it_listens(process, port, log)
        azure = Azure(f"http://127.0.0.1:{port}", BUCKET)
        azure.create_container()
        yield azure
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="session")
def google():
    from google_store import GoogleStore

    with GoogleStore(BUCKET, free_port()) as store:
        yield store


@pytest.fixture
def s3(s3_with_samples):
    """S3 with the samples in `s3://corpus/`. Objects that a test writes into `out/` are removed."""
    yield s3_with_samples
    for upload in s3_with_samples.unfinished_uploads():
        s3_with_samples.client.abort_multipart_upload(
            Bucket=BUCKET, Key=upload["Key"], UploadId=upload["UploadId"]
        )
    for key in s3_with_samples.keys("out"):
        s3_with_samples.client.delete_object(Bucket=BUCKET, Key=key)
