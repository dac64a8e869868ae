"""Shared by the benchmarks: cached archives, other tools, measurements, tables."""

import ctypes
import gzip
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import time
import venv
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3

INFLATE = """
import sys, deflate
data = memoryview(open(sys.argv[1], 'rb').read())
sizes = open(sys.argv[1] + '.sizes').read().split()
at = 0
for pair in sizes:
    size, text = map(int, pair.split(':'))
    deflate.gzip_decompress(data[at:at + size], text)
    at += size
"""
READ_ONLY = """
import sys
for path in sys.argv[1:]:
    open(path, 'rb').read()
"""


class Cost(NamedTuple):
    """User CPU seconds, peak memory in MB, elapsed seconds, and system CPU seconds."""

    seconds: float
    memory: int
    clock: float
    system: float

    @property
    def cpu(self):
        return self.seconds + self.system


def program():
    """The measured binary. Generated data and installed tools are kept in its folder."""
    named = [word for word in sys.argv[1:] if not word.startswith("--")]
    path = Path(named[0] if named else ROOT / "target/release/corpus-sql").resolve()
    if not os.access(path, os.X_OK):
        sys.exit(f"no such program: {path}; make it by `cargo build --release`")
    return path


def option(name):
    """The value of `--name=`."""
    prefix = f"--{name}="
    return next((word.removeprefix(prefix) for word in sys.argv[1:] if word.startswith(prefix)), None)


def archive(path, records, size):
    """The .warc.gz at `path`. If missing, it is made from the first `size` bytes of records()."""
    if not path.exists():
        print("making", path, file=sys.stderr)
        # The peak memory of a process includes that of its parent at the start. Records are therefore
        # made in a separate process, before the others are measured.
        making = multiprocessing.Process(target=write_archive, args=(path, records, size))
        making.start()
        making.join()
        if making.exitcode:
            sys.exit(f"could not make {path}")
    return path


def write_archive(path, records, size):
    """Writes one gzip member per record, and a file with the compressed and inflated size of each."""
    partial = path.with_suffix(".part")
    written = 0
    with open(partial, "wb") as out, open(f"{path}.sizes", "w") as sizes:
        for record in records():
            member = gzip.compress(record, 6, mtime=0)
            out.write(member)
            sizes.write(f"{len(member)}:{len(record)} ")
            written += len(member)
            if written >= size:
                break
    partial.rename(path)


def tools(folder, file="requirements.txt"):
    """The Python of a venv with the tools that a file lists, rebuilt when the file changes."""
    requirements = ROOT / "benches" / file
    folder = folder / f"bench-venv-{requirements.stem}"
    python, installed = folder / "bin" / "python", folder / "requirements.txt"
    if not installed.exists() or installed.read_bytes() != requirements.read_bytes():
        venv.create(folder, with_pip=True, clear=True)
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([python, *install, "-r", requirements], check=True)
        installed.write_bytes(requirements.read_bytes())
    return python


def node_tools(folder):
    """The folder with the npm packages, reinstalled when they change, and our scripts."""
    packages = ROOT / "benches" / "package.json"
    folder = folder / "bench-node"
    installed = folder / "package.json"
    if not installed.exists() or installed.read_bytes() != packages.read_bytes():
        folder.mkdir(exist_ok=True)
        # A package file must exist only if its packages are installed.
        installed.unlink(missing_ok=True)
        wanted = json.loads(packages.read_text())["dependencies"]
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder]
        subprocess.run([*install, *(f"{name}@{version}" for name, version in wanted.items())], check=True)
        shutil.copy(packages, installed)
    for script in (ROOT / "benches").glob("*.mjs"):
        shutil.copy(script, folder)
    return folder


def cost(*command, times=RUNS):
    """The cost of a command: the best of several runs, each in a separate process."""
    runs = [spent(*command) for _ in range(times)]
    return Cost(
        min(run.seconds for run in runs),
        max(run.memory for run in runs),
        min(run.clock for run in runs),
        min(run.system for run in runs),
    )


def spent(*command, output=subprocess.DEVNULL):
    """The cost of one run of a command and all its processes. Its output goes to the file `output`."""
    adopt_orphans()
    started = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=output)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {command}")
    clock = time.monotonic() - started
    usages = [usage, *left_behind()]
    user, system = (sum(getattr(usage, name) for usage in usages) for name in ("ru_utime", "ru_stime"))
    return Cost(user, max(usage.ru_maxrss for usage in usages) // 1024, clock, system)


def adopt_orphans():
    """Adopts processes that outlive their parent, such as workers (on Linux)."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def left_behind():
    """The cost of the processes that a command started and did not wait for."""
    while True:
        try:
            yield os.wait4(-1, 0)[2]
        except ChildProcessError:
            return


def cpu_seconds():
    """The CPU seconds of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def inflation(python, *paths, code=INFLATE):
    """User CPU seconds for only inflating files."""
    return cost(python, "-c", code, *paths).seconds - cost(python, "-c", READ_ONLY, *paths).seconds


def table(heads, rows):
    """The lines of a Markdown table."""
    yield f"| {' | '.join(heads)} |"
    yield f"| {' | '.join('---' for _ in heads)} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def print_table(heads, rows):
    print("\n".join(table(heads, rows)))


def folder(about):
    """The only argument that is not an option."""
    folders = [word for word in sys.argv[1:] if not word.startswith("--")]
    if len(folders) != 1:
        sys.exit(about)
    return Path(folders[0])


def print_scores(heads, score, ours, others, known):
    """Prints the scores of our program and of those libraries that are installed. `ours` and `others` are
    functions from paths to results, named after their library. `known` has the truths by path."""
    rows = [score("corpus-pdf", ours, known)]
    for extract in others:
        try:
            name = f"{extract.__name__.replace('_', '-')} {version(extract.__name__)}"
        except PackageNotFoundError:
            continue
        rows.append(score(name, extract, known))
    print_table(heads, rows)
