"""The PDFs of the benchmarks, and the programs compared with corpus-sql."""

import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

from common import ROOT, node_tools, option, tools
from pdf_papers import papers

PAPERS = 300
# A program without output for this many seconds is considered to hang.
TIMEOUT_SECONDS = 60


class Engine(NamedTuple):
    name: str
    # The command receives a list of files, and prints the name and result of each.
    command: list


class Outcome(NamedTuple):
    failed: int
    characters: int


def engines(folder):
    python, node = tools(folder), node_tools(folder)
    script = ROOT / "benches" / "pdf_python.py"
    return [
        Engine("PDFium (pypdfium2)", [python, script, "pypdfium2"]),
        Engine("PyMuPDF", [python, script, "pymupdf"]),
        Engine("liteparse", [python, script, "liteparse"]),
        Engine("pdf-inspector", [python, script, "pdf_inspector"]),
        pdf_js(node),
    ]


def pdf_js(node):
    return Engine("pdf.js (node)", ["node", node / "pdf_js.mjs"])


class Files:
    """Copies of the measured PDFs in a folder, and a list of them."""

    def __init__(self, folder):
        given = option("files")
        origin = Path(given) if given else papers(folder / "bench-papers", PAPERS)
        self.folder, self.list = folder / "bench-pdfs", folder / "bench-pdfs.list"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for number, path in enumerate(sorted(origin.rglob("*.pdf"))):
            shutil.copy(path, self.folder / f"{number:06}.pdf")
        self.update()
        if not self.paths:
            sys.exit(f"no PDFs in {origin}")

    def update(self):
        self.paths = sorted(self.folder.iterdir())
        self.list.write_text("".join(f"{path}\n" for path in self.paths))

    def without_crashes(self, compared):
        """Removes files that crash an engine, and returns the results of the others."""
        outcomes = {}
        while len(outcomes) < len(compared):
            outcomes = {}
            for engine in compared:
                told, came_to_end = lines_of([*engine.command, self.list])
                if not came_to_end:
                    self.remove(engine, told)
                    break
                results = told[1::2]
                sizes = [int(result) for result in results if result != "failed"]
                outcomes[engine.name] = Outcome(len(results) - len(sizes), sum(sizes))
        return outcomes

    def remove(self, engine, told):
        if not told:
            sys.exit(f"{engine.name} does not run: {engine.command}")
        last = told[-1] if len(told) % 2 else told[-2]
        print(f"{engine.name} did not survive {last}, which is left out", file=sys.stderr)
        Path(last).unlink()
        self.update()


def lines_of(command):
    """The output of a program, and whether it finished."""
    words = [str(word) for word in command]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = []
    watch = threading.Timer(TIMEOUT_SECONDS, process.kill)
    watch.start()
    for line in process.stdout:
        watch.cancel()
        lines.append(line.rstrip("\n"))
        watch = threading.Timer(TIMEOUT_SECONDS, process.kill)
        watch.start()
    status = process.wait()
    watch.cancel()
    return lines, status == 0
