"""What a Dask scheduler and our side of it cost for one batch, with many simulated workers.

    python lab/cluster.py --workers 10 100 --batches 2000

A scheduler runs in a process of its own, and another process pretends to be many workers. They get
batches without a game in them, so that all the time goes into handing them out. Processor time is
told by process: the scheduler's is what limits a large cluster, ours comes next, and the workers'
is spread over as many machines as there are. Linux only: times are read from /proc.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arguments import Parser, count, run_main

from boardgames_cli.tournament.cluster import DaskPool
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.tournament_config import TournamentConfig
from boardgames_cli.tournament.worker import BatchResult, play_batch

AHEAD = 3
"""Batches under way for each worker, as in a tournament."""


def processor_seconds(pid: int) -> float:
    """Processor time that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def process(*words: str) -> Iterator[int]:
    """A process that ends with the block; gives its number."""
    started = subprocess.Popen(  # noqa: S603  # our own words
        [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield started.pid
    finally:
        started.kill()
        started.wait()


async def pretend(address: str, workers: int) -> None:
    """Be many workers, each with one thread."""
    from distributed import Worker

    made = [Worker(address, nthreads=1, memory_limit=0, dashboard=False) for _ in range(workers)]
    await asyncio.gather(*made)
    await asyncio.gather(*(worker.finished() for worker in made))  # type: ignore[no-untyped-call]  # theirs


def measure(address: str, pids: tuple[int, int], workers: int, batches: int) -> None:
    """Hand out empty batches and print what each cost whom."""
    pool = DaskPool(address, seconds=120.0)
    try:
        while pool._client.scheduler_info(n_workers=-1)["workers"].__len__() < workers:
            time.sleep(0.1)
        config = TournamentConfig("kuhn", name_entrants(["random", "rock"]))
        hand_out(pool, config, workers, 2 * workers)  # every worker has made its players
        before = [processor_seconds(pid) for pid in (*pids, os.getpid())]
        started = time.perf_counter()
        hand_out(pool, config, workers, batches)
        passed = time.perf_counter() - started
        after = [processor_seconds(pid) for pid in (*pids, os.getpid())]
    finally:
        pool.shutdown()
    costs = [1e3 * (late - early) / batches for early, late in zip(before, after, strict=True)]
    told = "  ".join(f"{cost:9.2f}" for cost in costs)
    print(f"{workers:>7}  {batches:>7}  {told}  {batches / passed:>10,.0f}", flush=True)


def hand_out(pool: DaskPool, config: TournamentConfig, workers: int, batches: int) -> None:
    """Keep all workers busy with so many batches."""
    under_way: deque[Future[BatchResult]] = deque()
    for _ in range(batches):
        under_way.append(pool.submit(play_batch, config, ()))
        if len(under_way) >= AHEAD * workers:
            under_way.popleft().result()
    for future in under_way:
        future.result()


def run(workers: int, batches: int) -> None:
    """Start a cluster and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        with process("-m", "dask", "scheduler", *words, "--scheduler-file", str(file)) as scheduler:
            address: Any = None
            while address is None:
                time.sleep(0.1)
                text = file.read_text() if file.exists() else ""
                address = json.loads(text)["address"] if text.endswith("}") else None
            host = ("--pretend", address, "--workers", str(workers))
            with process(__file__, *host) as crowd:
                measure(address, (scheduler, crowd), workers, batches)


def main() -> None:
    """Print the table."""
    parser = Parser(__doc__)
    parser.add_argument("--workers", type=count, nargs="+", default=[10, 100], help="how many")
    parser.add_count("--batches", 2000, "how many empty batches")
    parser.add_argument("--pretend", metavar="ADDRESS", help="be the workers of this scheduler")
    arguments = parser.parse_args()
    if arguments.pretend:
        asyncio.run(pretend(arguments.pretend, arguments.workers[0]))
        return
    print("processor milliseconds a batch")
    print(f"{'workers':>7}  {'batches':>7}  scheduler    workers    program   batches/s")
    for workers in arguments.workers:
        run(workers, arguments.batches)


if __name__ == "__main__":
    run_main(main)
