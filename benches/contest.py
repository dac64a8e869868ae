"""Runs a job with corpus-sql and with other tools in turn, and compares their costs."""

import os
import statistics
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, NamedTuple

from common import spent, table


class Contender(NamedTuple):
    name: str
    # Returns the cost of one run.
    run: Callable
    # User CPU seconds for starting the program, which are subtracted.
    start: float = 0
    # Some tools are too slow for the whole input and read a fraction of it; this is its reciprocal.
    scale: float = 1


class Contest(NamedTuple):
    title: str
    about: str
    # The first one is corpus-sql; the others are compared with it.
    contenders: list


class Measured(NamedTuple):
    """The costs of a contender in each round."""

    name: str
    seconds: list
    memory: int
    # The ratio of its user CPU time to that of corpus-sql in each round.
    ratios: list

    @property
    def ratio(self):
        return statistics.median(self.ratios)


def contender(name, command, idle=None, scale=1):
    """A contender that is a command. The cost of `idle`, the same command without work, is
    subtracted."""
    start = min(spent(*idle).seconds for _ in range(3)) if idle else 0
    return Contender(name, lambda: spent(*command), start, scale)


def reporting(name, command):
    """A contender that measures itself, without reading its input: the last word it prints is its seconds."""

    def run():
        with tempfile.TemporaryDirectory() as folder:
            printed = Path(folder) / "printed"
            with open(printed, "wb") as output:
                whole = spent(*command, output=output)
            return whole._replace(seconds=float(printed.read_text().split()[-1]))

    return Contender(name, run)


def hold(contest, rounds):
    """Runs every contender once per round, so that other load on the machine affects all of them."""
    costs = [[] for _ in contest.contenders]
    for _ in range(rounds):
        for found, one in zip(costs, contest.contenders):
            run = one.run()
            # Without a lower bound, a run that is shorter than the start would be infinitely fast.
            seconds = max(run.seconds - one.start, 0.001) * one.scale
            found.append(run._replace(seconds=seconds))
    ours = [run.seconds for run in costs[0]]
    for one, runs in zip(contest.contenders, costs):
        seconds = [run.seconds for run in runs]
        ratios = [theirs / own for theirs, own in zip(seconds, ours)]
        yield Measured(one.name, seconds, max(run.memory for run in runs), ratios)


def spread(values):
    """The median of values, and their range."""
    middle, least, most = (f"{value:.2f}" for value in (statistics.median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least}–{most})"


def results(measured):
    """The lines of the table of a contest."""
    heads = ("", "seconds", "memory", "ratio")
    rows = []
    for number, one in enumerate(measured):
        ratio = ("{:.1f}" if one.ratio >= 1 else "{:.2f}").format(one.ratio) if number else "1"
        rows.append((one.name, spread(one.seconds), f"{one.memory} MB", ratio))
    return table(heads, rows)


@contextmanager
def one_core():
    """Runs programs on a single core, so that programs that start several threads have no advantage."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(cores)])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
