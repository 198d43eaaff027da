"""Processes that play: what they return, how they fail, and that nothing of them stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path

import pytest

from boardgames_cli.agents.remote.process_pool import ProcessPool
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.worker import play_batch
from tests.tournament.test_worker import plan

CONFIG, DEALS = plan("kuhn", "random", "rock", games=40)

NAMED_SEMAPHORES = """
from pathlib import Path
from tests.tournament.test_pools import CONFIG, DEALS, pids_of
from boardgames_cli.agents.remote.process_pool import ProcessPool
from boardgames_cli.tournament.worker import play_batch

pool = ProcessPool(2)
for future in [pool.submit(play_batch, CONFIG, DEALS) for _ in range(4)]:
    future.result(60)
for pid in ("self", *pids_of(pool)):
    print(pid, Path(f"/proc/{pid}/maps").read_text().count("/dev/shm/sem."))
pool.shutdown()
"""


@pytest.fixture
def pool() -> Iterator[ProcessPool]:
    pool = ProcessPool(2)
    yield pool
    pool.shutdown()


def pids_of(pool: ProcessPool) -> list[int]:
    return [worker.process.pid for worker in pool._workers if worker.process.pid is not None]


def until_running(*futures: Future[None]) -> None:
    """Wait until each call has reached a process; one killed before is only replaced."""
    while not all(future.running() for future in futures):
        time.sleep(0.01)


def test_processes_play_the_same(pool: ProcessPool) -> None:
    wanted = play_batch(CONFIG, DEALS)
    for future in [pool.submit(play_batch, CONFIG, DEALS) for _ in range(5)]:
        assert future.result(60).tally.deals == wanted.tally.deals
    assert len(set(pids_of(pool))) == pool.size


def test_an_error_is_passed_on_and_the_process_plays_on(pool: ProcessPool) -> None:
    with pytest.raises(GameError, match="version"):
        pool.submit(play_batch, CONFIG, DEALS, "0.0.9").result(60)
    pids = pids_of(pool)
    assert pool.submit(play_batch, CONFIG, DEALS).result(60).lines
    assert set(pids) <= set(pids_of(pool))


@pytest.mark.skipif(os.name != "posix", reason="kills")
def test_a_dead_process_breaks_its_batch_and_is_replaced(pool: ProcessPool) -> None:
    asleep = pool.submit(time.sleep, 600)
    until_running(asleep)
    for pid in pids_of(pool):
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        asleep.result(60)
    assert pool.submit(play_batch, CONFIG, DEALS).result(60).lines


def test_a_restart_breaks_what_hangs_and_nothing_that_waits(pool: ProcessPool) -> None:
    asleep = [pool.submit(time.sleep, 600) for _ in range(2)]
    waiting = [pool.submit(play_batch, CONFIG, DEALS) for _ in range(3)]
    until_running(*asleep)
    pool.restart()
    for future in asleep:
        with pytest.raises(BrokenExecutor):
            future.result(60)
    assert all(future.result(60).lines for future in waiting)


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="Linux")
def test_no_semaphore_has_a_name_that_would_outlive_a_kill() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NAMED_SEMAPHORES], capture_output=True, text=True, check=True
    )
    found = [line.split() for line in done.stdout.splitlines()]
    assert [count for _, count in found] == ["0"] * 3, done.stderr
