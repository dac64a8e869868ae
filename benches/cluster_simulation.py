#!/usr/bin/env python3
"""Simulates the duration of jobs on a cluster with 10 to 1,000 executors, slow machines and failures.

    benches/cluster_simulation.py [--machines=10,100,1000] [--seed=1]

A job is a list of tasks, byte ranges of its files. The scheduler gives the next task to the first free
slot, and dispatches a limited number of tasks per second. A task takes its CPU time, which
`benches/run` measures per MB, or the time of its transfer, if that is longer. Machines differ in speed,
some are slow, and some fail: their tasks restart elsewhere when the scheduler notices. Prints the
tables of docs/scale.md.
"""

import heapq
import itertools
import random
from typing import NamedTuple

from common import option, print_table

MB, GB = 1e6, 1e9
HOUR = 3600


class Job(NamedTuple):
    name: str
    files: int
    file_bytes: float
    # The speed at which one core reads the files.
    bytes_per_core_second: float


class Cluster(NamedTuple):
    machines: int
    slots: int = 16
    network: float = 1.25 * GB
    # The share of machines that take `slowness` times as long.
    slow: float = 0.02
    slowness: float = 3.0
    # The mean time to failure of a machine.
    hours_to_failure: float = 500.0
    # The seconds until the scheduler notices a failure, and until the machine is replaced.
    noticed_after: float = 60.0
    replaced_after: float = 600.0
    dispatched_per_second: float = 500.0


class Run(NamedTuple):
    seconds: float
    # The share of the slots' time that contributed to results.
    efficiency: float
    failures: int
    repeated_tasks: int


JOBS = [
    Job("Common Crawl month, text: 90,000 WARC files", 90_000, 1.0 * GB, 75 * MB),
    Job("100 M hOCR pages in 5,000 SequenceFiles", 5_000, 182 * MB, 186 * MB),
    Job("1 B PDFs of 500 KB in 500,000 packages", 500_000, 1.0 * GB, 43 * MB),
]
# The maximum size of a task, a byte range of a file.
RANGE = 256 * 2**20


def tasks(job, largest=RANGE):
    """The bytes of each task."""
    parts = max(1, -(-int(job.file_bytes) // int(largest)))
    return [job.file_bytes / parts] * (job.files * parts)


def simulate(job, cluster, seed, largest=RANGE):
    """Runs the tasks of a job on a cluster, event by event."""
    rng = random.Random(seed)
    speed = [machine_speed(cluster, rng) for _ in range(cluster.machines)]
    waiting = tasks(job, largest)
    useful = failures = repeated = 0
    # The tasks that run on a machine: their numbers, bytes and starts.
    running = [{} for _ in range(cluster.machines)]
    alive = [True] * cluster.machines
    numbers = itertools.count()
    events = []

    def push(at, kind, *what):
        heapq.heappush(events, (at, next(numbers), kind, what))

    def fail_later(machine, now):
        push(now + rng.expovariate(1 / (cluster.hours_to_failure * HOUR)), "fail", machine)

    free = [machine for machine in range(cluster.machines) for _ in range(cluster.slots)]
    rng.shuffle(free)
    for machine in range(cluster.machines):
        fail_later(machine, 0.0)
    open_tasks, next_dispatch, now = len(waiting), 0.0, 0.0

    def dispatch():
        nonlocal next_dispatch
        while waiting and free:
            machine = free.pop()
            if not alive[machine]:
                continue
            size, number = waiting.pop(), next(numbers)
            start = next_dispatch = max(now, next_dispatch + 1 / cluster.dispatched_per_second)
            cpu = size / job.bytes_per_core_second * speed[machine] * rng.lognormvariate(0, 0.15)
            seconds = max(cpu, size / (cluster.network / cluster.slots))
            running[machine][number] = size
            push(start + seconds, "end", machine, number, seconds)

    dispatch()
    while open_tasks:
        now, _, kind, what = heapq.heappop(events)
        machine = what[0]
        if kind == "end":
            _, number, seconds = what
            if running[machine].pop(number, None) is None:
                continue  # The task was lost with its machine.
            useful += seconds / speed[machine]
            open_tasks -= 1
            free.append(machine)
        elif kind == "fail":
            failures += 1
            repeated += len(running[machine])
            alive[machine] = False
            push(now + cluster.noticed_after, "noticed", machine, list(running[machine].values()))
            running[machine].clear()
            push(now + cluster.replaced_after, "replaced", machine)
        elif kind == "noticed":
            waiting.extend(what[1])
        else:
            alive[machine] = True
            # Slots that were free when the machine failed are still in the list.
            held = free.count(machine)
            free.extend([machine] * (cluster.slots - held))
            fail_later(machine, now)
        dispatch()
    return Run(now, useful / (now * cluster.machines * cluster.slots), failures, repeated)


def machine_speed(cluster, rng):
    """The factor by which a machine is slower than the average."""
    factor = rng.lognormvariate(0, 0.05)
    return factor * cluster.slowness if rng.random() < cluster.slow else factor


def duration(seconds):
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 2 * HOUR else f"{seconds / HOUR:.1f} h"


def growth(machines, seed):
    for job in JOBS:
        core_hours = job.files * job.file_bytes / job.bytes_per_core_second / HOUR
        for number in machines:
            run = simulate(job, Cluster(number), seed)
            rate = job.files * job.file_bytes / run.seconds / GB
            yield (
                job.name if number == machines[0] else "",
                f"{core_hours:,.0f}" if number == machines[0] else "",
                f"{number:,}",
                duration(run.seconds),
                f"{run.efficiency:.0%}",
                f"{rate:,.1f} GB/s",
                f"{run.failures:,}, {run.repeated_tasks:,}",
            )


def sizes_of_tasks(machines, seed):
    job = JOBS[0]
    for number in machines:
        cells = []
        for largest in (job.file_bytes, RANGE, RANGE / 4):
            run = simulate(job, Cluster(number), seed, largest)
            cells.append(f"{duration(run.seconds)}, {run.efficiency:.0%}")
        yield (f"{number:,}", *cells)


def troubles(seed):
    job, cluster = JOBS[0], Cluster(100)
    for name, changed in [
        ("as above", {}),
        ("no slow machines, no failures", {"slow": 0.0, "hours_to_failure": 1e9}),
        ("one machine in ten three times as slow", {"slow": 0.1}),
        ("a machine lasts 5 hours (spot instances)", {"hours_to_failure": 5.0}),
        ("1 Gbit/s per machine", {"network": 0.125 * GB}),
        ("a scheduler of 50 tasks per second", {"dispatched_per_second": 50.0}),
    ]:
        run = simulate(job, cluster._replace(**changed), seed)
        yield name, duration(run.seconds), f"{run.efficiency:.0%}", f"{run.failures:,}, {run.repeated_tasks:,}"


def main():
    machines = [int(number) for number in (option("machines") or "10,100,1000").split(",")]
    seed = int(option("seed") or 1)
    heads = ("job", "core hours", "machines", "time", "efficiency", "read", "failures, repeated tasks")
    print_table(heads, growth(machines, seed))
    print("\nTasks of a whole file (1 GB), 256 MiB and 64 MiB, the first job\n")
    print_table(("machines", "1 GB", "256 MiB", "64 MiB"), sizes_of_tasks(machines, seed))
    print("\nTroubles, the first job on 100 machines\n")
    print_table(("", "time", "efficiency", "failures, repeated tasks"), troubles(seed))


if __name__ == "__main__":
    main()
