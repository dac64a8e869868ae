#!/usr/bin/env python3
"""Kills a job at random moments, continues it each time, and compares its rows with those of an undisturbed run.

    tests/python/kill_and_resume.py PROGRAM [--runs 30] [--job warc_to_document] [--s3] [--seed 1]
                                    [--input FOLDER] [--signal KILL|TERM|INT] [--faults 0.1]

PROGRAM is a built corpus-sql, JOB a query in queries/ that works row by row. Without --input, some hundred inputs are
made from data-samples/, a few of them damaged. With --s3, inputs and output are on an S3 server on this machine
(moto: `pip install 'moto[server]' boto3`), and a share of its requests fails: 503, 429, 500, lost and cut
connections.

After each signal, the folder must be readable, without duplicate rows and without rows that the undisturbed run does
not have. At the end, it must hold exactly the rows of the undisturbed run. Exits with 1 otherwise.
"""

import argparse
import gzip
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "data-samples"

BUCKET = "corpus"
REGION = "eu-west-1"
KEYS = {"AWS_ACCESS_KEY_ID": "test-key", "AWS_SECRET_ACCESS_KEY": "test-secret", "AWS_REGION": REGION}

# A run that takes longer is considered to hang.
TIMEOUT = 300

INTERRUPTED = 130


class Failed(Exception):
    """The job does not behave as it should."""


class Job:
    """A job over a folder of inputs, on the local disk or on S3."""

    def __init__(self, program, query, source, output, env=None):
        self.program, self.output, self.env = program, output, env
        self.query = query
        self.variables = ["-v", f"input={source}"]

    def command(self, output, *arguments):
        query = ROOT / "queries" / f"{self.query}.sql"
        return [self.program, *arguments, "-f", query, *self.variables, "-v", f"output={output}"]

    def start(self):
        command = self.command(self.output, "--resume")
        return subprocess.Popen(command, cwd=ROOT, env=self.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def rows(self, location):
        """The rows in a file or folder, with their numbers of occurrences."""
        command = [self.program, "-q", "--format", "ndjson", "-c", f"SELECT * FROM '{location}'"]
        read = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, timeout=TIMEOUT)
        if read.returncode:
            raise Failed(f"'{location}' cannot be read: {read.stderr.decode()}")
        return Counter(read.stdout.splitlines())

    def undisturbed(self, folder):
        """The rows of one run from start to end, into one file."""
        output = Path(folder) / "undisturbed.parquet"
        subprocess.run(self.command(output, "-q"), cwd=ROOT, env=self.env, check=True, timeout=TIMEOUT)
        return self.rows(output)


class LocalFolder:
    """The output on the local disk."""

    def __init__(self, path):
        self.path = Path(path)

    def parts(self):
        return sum(1 for _ in self.path.glob("*.parquet"))

    def is_clean(self):
        """Whether no unfinished files are left beside the folder."""
        return not any(".part-" in path.name for path in [*self.path.parent.iterdir(), *self.path.iterdir()])


class S3Folder:
    """The output in a bucket."""

    def __init__(self, client, prefix):
        self.client, self.prefix = client, prefix

    def keys(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=self.prefix)
        return [entry["Key"] for page in pages for entry in page.get("Contents", [])]

    def parts(self):
        return sum(key.endswith(".parquet") for key in self.keys())

    def is_clean(self):
        return all(key.endswith(".parquet") for key in self.keys())


def kill_and_resume(job, folder, expected, runs, sent=signal.SIGKILL, seed=1, report=lambda text: None):
    """Kills a job `runs` times, then runs it to its end. Returns the number of times that it was still running when
    killed."""
    moments = random.Random(seed)
    killed = 0
    for number in range(runs):
        before = folder.parts()
        run = job.start()
        # At any moment: while it starts, while it writes the first parts, or after some of them.
        wanted = before + moments.randrange(6)
        deadline = time.monotonic() + TIMEOUT
        while run.poll() is None and folder.parts() < wanted and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(moments.random() * 0.1)
        was_running = run.poll() is None
        killed += was_running
        run.send_signal(sent)
        _, stderr = run.communicate(timeout=TIMEOUT)
        if run.returncode not in (0, INTERRUPTED, -sent):
            raise Failed(f"run {number + 1} ended with {run.returncode}: {stderr.decode()}")
        parts = folder.parts()
        if parts:
            found = job.rows(job.output)
            if not found <= expected:
                raise Failed(f"after run {number + 1}, {(found - expected).total()} rows are wrong or twice there")
        if was_running and sent != signal.SIGKILL and isinstance(folder, LocalFolder) and parts and not folder.is_clean():
            raise Failed(f"run {number + 1} left unfinished files")
        report(f"{number + 1}: {'killed' if was_running else 'ended before'}, {parts} parts")
    finish(job, folder, expected)
    return killed


def finish(job, folder, expected):
    """Runs a job to its end, and compares its rows."""
    run = job.start()
    _, stderr = run.communicate(timeout=TIMEOUT)
    if run.returncode:
        raise Failed(f"the last run ended with {run.returncode}: {stderr.decode()}")
    found = job.rows(job.output)
    if found != expected:
        missing, wrong = (expected - found).total(), (found - expected).total()
        raise Failed(f"{missing} rows are missing, {wrong} are wrong or twice there")
    if not folder.is_clean():
        raise Failed("unfinished files are left")


# Inputs


def make_inputs(query, folder, count):
    """Makes inputs for a query: some of them are damaged, and no two have the same content."""
    folder.mkdir()
    kind = query.split("_")[0]
    make = {"warc": make_archives, "pdf": make_pdfs, "hocr": make_pages}.get(kind, make_pages)
    make(folder, count)


def make_archives(folder, count):
    from warcs import response

    for file in range(count):
        pages = range(file * 40, (file + 1) * 40)
        body = "<html><body><p>Page {}.</p>" + "<p>日本語 {}</p>" * 200
        page = lambda number: body.format(number, *[number % 7] * 200).encode()
        content = b"".join(response(f"http://example.com/{number}", page(number)) for number in pages)
        # A few archives are truncated, and a few files are not archives at all.
        if file % 50 == 7:
            content = content[: len(content) // 2]
        if file % 50 == 13:
            content = b"<html>503 Service Unavailable</html>"
        (folder / f"{file:04}.warc.gz").write_bytes(content)


def make_pdfs(folder, count):
    originals = sorted([*SAMPLES.glob("pdf/*.pdf"), *SAMPLES.glob("damaged-pdf/*.pdf")])
    for file in range(count):
        original = originals[file % len(originals)]
        shutil.copy(original, folder / f"{file:04}-{original.name}")


def make_pages(folder, count):
    original = (SAMPLES / "files/scans/page-0001.hocr").read_bytes()
    for file in range(count):
        content = original.replace(b"</body>", b"<p>%d</p></body>" % file)
        damaged = file % 50 == 7
        name = f"{file:04}.hocr{'.gz' if damaged else ''}"
        (folder / name).write_bytes(gzip.compress(content)[:200] if damaged else content)


# S3


def s3_server(stack):
    """Starts an S3 server, and returns its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    stack.callback(server.wait)
    stack.callback(server.kill)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return f"http://127.0.0.1:{port}"
        except OSError:
            time.sleep(0.05)
    raise Failed("the S3 server did not start: pip install 'moto[server]' boto3")


def s3_client(endpoint):
    import boto3

    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
        region_name=REGION,
    )


def s3_env(endpoint):
    return {**os.environ, **KEYS, "AWS_ENDPOINT": endpoint, "AWS_ALLOW_HTTP": "true"}


def on_s3(stack, arguments, source):
    """Returns the job on a server that fails some requests, and its output."""
    from faulty_store import FaultyStore

    endpoint = s3_server(stack)
    client = s3_client(endpoint)
    client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
    for path in sorted(source.iterdir()):
        client.put_object(Bucket=BUCKET, Key=f"in/{path.name}", Body=path.read_bytes())
    faulty = stack.enter_context(FaultyStore(endpoint, share=arguments.faults, seed=arguments.seed))
    job = Job(arguments.program, arguments.job, f"s3://{BUCKET}/in/", f"s3://{BUCKET}/out/", s3_env(faulty.url))
    return job, S3Folder(client, "out/"), faulty


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda name: str(Path(shutil.which(name) or name).resolve()))
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--job", default="warc_to_document")
    parser.add_argument("--input", type=Path, help="a folder with inputs of the job")
    parser.add_argument("--inputs", type=int, default=200, help="the number of inputs that are made")
    parser.add_argument("--signal", choices=["KILL", "TERM", "INT"], default="KILL")
    parser.add_argument("--seed", type=int, default=1, help="another one kills at other moments")
    parser.add_argument("--s3", action="store_true")
    parser.add_argument("--faults", type=float, default=0.1, help="the share of requests to S3 that fail")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        work = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        source = arguments.input
        if source is None:
            source = work / "in"
            make_inputs(arguments.job, source, arguments.inputs)
        faulty = None
        if arguments.s3:
            job, folder, faulty = on_s3(stack, arguments, source)
        else:
            output = work / "out"
            job, folder = Job(arguments.program, arguments.job, f"{source}/", f"{output}/"), LocalFolder(output)
        try:
            expected = job.undisturbed(work)
            sent = getattr(signal, f"SIG{arguments.signal}")
            killed = kill_and_resume(job, folder, expected, arguments.runs, sent, arguments.seed, print)
        except Failed as failure:
            sys.exit(f"failed: {failure}")
    print(f"the same {expected.total()} rows after {arguments.runs} runs, of which {killed} were killed")
    if faulty:
        print("failed requests:", ", ".join(f"{count} × {fault}" for fault, count in faulty.faults.most_common()))


if __name__ == "__main__":
    main()
