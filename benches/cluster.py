#!/usr/bin/env python3
"""Compares one process with clusters on this machine: time, CPU, planning of many files, and tasks per
second.

    cargo build --release --features cluster
    python3 benches/cluster.py [PROGRAM] [--runs=3] [--archives=16] [--files=10000] [--tasks=1000]

Each executor has one slot and a separate core. The archives are links to one invented archive. The
small files are archives of one page. Data is kept in the folder of the program.
"""

import gzip
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import time

from common import ROOT, archive, option, print_table, program
from crawl import records

sys.path.append(str(ROOT / "tests/python"))

from ports import two_free_ports  # noqa: E402

ARCHIVE_BYTES = 24 << 20
QUERY = ROOT / "queries/warc_to_document.sql"
TICKS = os.sysconf("SC_CLK_TCK")
TIMEOUT = 120


class Process:
    """A scheduler or an executor, on one core if it is numbered."""

    def __init__(self, *command, core=None):
        # Only a scheduler prints its address.
        stderr = subprocess.PIPE if core is None else subprocess.DEVNULL
        self.process = subprocess.Popen([str(word) for word in command], stderr=stderr, text=True)
        if core is None:
            self.first_line = self.process.stderr.readline()
        else:
            os.sched_setaffinity(self.process.pid, {core})

    def cpu(self):
        """CPU seconds so far, user and system."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Cluster:
    def __init__(self, binary, executors, folder):
        self.scheduler = Process(binary, "scheduler", "--listen", "127.0.0.1:0")
        self.address = self.scheduler.first_line.strip().removeprefix("scheduler at ")
        self.executors = []
        for core in range(executors):
            listen = ["--listen", f"127.0.0.1:{two_free_ports()}", "--slots", "1", "--temp-dir", folder]
            self.executors.append(Process(binary, "executor", "--scheduler", self.address, *listen, core=core))
        self.binary = binary
        deadline = time.monotonic() + TIMEOUT
        while self.slots() < executors:
            if time.monotonic() > deadline:
                sys.exit("not all executors have come")
            time.sleep(0.2)

    def slots(self):
        """Returns the number of executors that ran a task of a query with one task per executor."""
        sql = f"SELECT count(*) FROM read_files('{ROOT / 'queries'}')"
        before = [executor.cpu() for executor in self.executors]
        subprocess.run([self.binary, "--cluster", self.address, "-c", sql], capture_output=True)
        return sum(executor.cpu() > was for executor, was in zip(self.executors, before))

    def cpu(self):
        return self.scheduler.cpu() + sum(executor.cpu() for executor in self.executors)

    def stop(self):
        for process in [*self.executors, self.scheduler]:
            process.stop()


def client(*command):
    """Returns the elapsed and CPU seconds of one process. `common.spent` would also wait for the
    cluster."""
    started = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {command}")
    return time.monotonic() - started, usage.ru_utime + usage.ru_stime


def run_job(cluster, binary, inputs, output, *arguments):
    """The elapsed and CPU seconds of warc_to_document, in one process or on a cluster."""
    shutil.rmtree(output, ignore_errors=True)
    where = ["--cluster", cluster.address] if cluster else []
    before = cluster.cpu() if cluster else 0
    job = ["-f", QUERY, "-v", f"input={inputs}", "-v", f"output={output}/", "--progress", "never"]
    seconds, cpu = client(binary, *where, *arguments, *job, "--quiet")
    return seconds, cpu + (cluster.cpu() - before if cluster else 0)


def compare(binary, folder, archives, runs):
    source = archive(folder / "cluster.warc.gz", records, ARCHIVE_BYTES)
    inputs = folder / f"cluster-{archives}"
    if not inputs.exists():
        inputs.mkdir()
        for number in range(archives):
            os.link(source, inputs / f"{number:03}.warc.gz")
    output = folder / "cluster-documents"
    clusters = {count: Cluster(binary, count, folder) for count in (1, 2)}
    ways = {
        "one process, one thread": (None, ["--threads", "1", "--resume"]),
        "one executor": (clusters[1], []),
        "two executors": (clusters[2], []),
    }
    figures = {way: [] for way in ways}
    try:
        for _ in range(runs):
            for way, (cluster, arguments) in ways.items():
                figures[way].append(run_job(cluster, binary, inputs, output, *arguments))
    finally:
        for cluster in clusters.values():
            cluster.stop()
    shutil.rmtree(output, ignore_errors=True)
    alone = figures["one process, one thread"]
    one = figures["one executor"]
    rows = []
    for way, measured in figures.items():
        faster = statistics.median(other[0] / this[0] for this, other in zip(measured, one))
        more = statistics.median(this[1] / other[1] for this, other in zip(measured, alone))
        clock, cpu = (statistics.median(column) for column in zip(*measured))
        rows.append((way, f"{clock:.1f} s", f"{faster:.2f}", f"{cpu:.1f} s", f"{100 * (more - 1):+.0f} %"))
    print_table(("warc_to_document", "time", "times one executor", "CPU", "than one process"), rows)


def many_files(binary, folder, files):
    """Returns the seconds from the start of the client until the scheduler has the plan of a job with
    many files."""
    inputs = folder / f"cluster-files-{files}"
    if not inputs.exists():
        inputs.mkdir()
        page = next(itertools.islice(records(), 2, None))
        for number in range(files):
            (inputs / f"{number:05}.warc.gz").write_bytes(gzip.compress(page, 6, mtime=0))
    output = folder / "cluster-documents"
    cluster = Cluster(binary, 2, folder)
    log = folder / "cluster-log.json"
    rows = []
    try:
        for name, arguments in {
            "a part per file": ["-f", QUERY, "-v", f"input={inputs}", "-v", f"output={output}/"],
            "an aggregation": ["-c", f"SELECT count(*), sum(octet_length(body)) FROM read_warc('{inputs}/')"],
        }.items():
            shutil.rmtree(output, ignore_errors=True)
            submitted, total = watch(binary, cluster, log, arguments)
            rows.append((name, f"{submitted:.1f} s", f"{total:.1f} s"))
    finally:
        cluster.stop()
    shutil.rmtree(output, ignore_errors=True)
    print_table((f"{files:,} files", "planned and submitted", "done"), rows)


def watch(binary, cluster, log, arguments):
    """Returns the seconds until executors begin to work for a client, and until the client ends."""
    started = time.monotonic()
    before = sum(executor.cpu() for executor in cluster.executors)
    with log.open("w") as stderr:
        client = subprocess.Popen(
            [str(word) for word in [binary, "--cluster", cluster.address, "--log", "json", *arguments]],
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
        submitted = None
        while client.poll() is None:
            if submitted is None and sum(executor.cpu() for executor in cluster.executors) > before + 0.05:
                submitted = time.monotonic() - started
            time.sleep(0.02)
    if client.returncode:
        sys.exit(f"failed: {log.read_text()[-2000:]}")
    return submitted or float("nan"), time.monotonic() - started


def dispatch(binary, folder, tasks):
    """Returns the number of tasks per second that the scheduler dispatches, for a query whose tasks do
    nothing."""
    inputs = folder / f"cluster-files-{tasks}"
    if not inputs.exists():
        inputs.mkdir()
        for number in range(tasks):
            (inputs / f"{number:05}.txt").write_text("x\n")
    cluster = Cluster(binary, 2, folder)
    sql = f"SELECT octet_length(content) FROM read_files('{inputs}/')"
    try:
        seconds = {
            count: client(binary, "--cluster", cluster.address, "--threads", count, "-c", sql)[0]
            for count in (tasks // 10, tasks)
        }
    finally:
        cluster.stop()
    rate = (tasks - tasks // 10) / (seconds[tasks] - seconds[tasks // 10])
    print_table(("tasks", "seconds"), [(f"{count:,}", f"{took:.2f}") for count, took in seconds.items()])
    print(f"\n{rate:.0f} tasks per second")


def main():
    binary = program()
    folder = binary.parent
    number = lambda name, default: int(option(name) or default)  # noqa: E731
    only = (option("only") or "jobs,files,tasks").split(",")
    if "jobs" in only:
        compare(binary, folder, number("archives", 16), number("runs", 3))
    if "files" in only:
        many_files(binary, folder, number("files", 10_000))
    if "tasks" in only:
        dispatch(binary, folder, number("tasks", 1000))


if __name__ == "__main__":
    main()
