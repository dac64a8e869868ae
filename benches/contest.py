"""Runs a job of ours and those of other tools in turn, and compares what they cost."""

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
    # Seconds of user CPU for starting the program, which do not count.
    start: float = 0
    # The tools that are too slow for all of the input read a part of it: the factor from that to all of it.
    scale: float = 1


class Contest(NamedTuple):
    title: str
    about: str
    # The first one is ours, and the others are compared with it.
    contenders: list


class Measured(NamedTuple):
    """What a contender cost in each round."""

    name: str
    seconds: list
    memory: int
    # How many times as much user CPU as ours it took, in each round.
    ratios: list

    @property
    def ratio(self):
        return statistics.median(self.ratios)


def contender(name, command, idle=None, scale=1):
    """A contender that is a command. `idle` is the same without work, whose cost is subtracted."""
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
    """Each round runs every contender once, so that other work on the machine meets all of them."""
    costs = [[] for _ in contest.contenders]
    for _ in range(rounds):
        for found, one in zip(costs, contest.contenders):
            run = one.run()
            # A run that is shorter than its start would be infinitely fast.
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
    """Runs programs on a single core, so that those that start threads on their own get no more than ours."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(cores)])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
