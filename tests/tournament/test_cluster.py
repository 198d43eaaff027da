"""A Dask cluster, started as people start one: a scheduler and workers, each a process."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import boardgames_cli
from boardgames_cli.core.errors import GameError
from boardgames_cli.tournament.cluster import DaskPool
from tests.cli.eager import ROOT
from tests.cli.test_tournament import count, results, start, wait_for_deals
from tests.conftest import Program
from tests.processes import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.second_try("waits for a cluster of processes")]

pytest.importorskip("distributed")

WORDS = ("tournament", "senet", "-s", "greedy", "-s", "random")
DEALS = 50


@contextmanager
def dask(*words: str, path: Path = ROOT) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the cluster, which ends with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dask", *words, "--no-dashboard"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(path)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    file = tmp_path_factory.mktemp("cluster") / "scheduler.json"
    words = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    with dask(*words):
        wait_until(lambda: file.exists() and file.read_text().endswith("}"))
        yield json.loads(file.read_text())["address"]


def worker(address: str) -> tuple[str, ...]:
    return ("worker", address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")


def test_a_cluster_plays_the_same_games_though_a_worker_dies(
    program: Program, scheduler: str
) -> None:
    program(*WORDS, "--games", str(2 * DEALS), "--jobs", "1", "--out", "here")
    with ExitStack() as stack:
        workers = [stack.enter_context(dask(*worker(scheduler))) for _ in range(2)]
        # So long that it can't end before the worker does.
        running = start(*WORDS, "--games", "100000", "--out", "there", "--dask", scheduler)
        wait_for_deals("there", 1, running)
        os.kill(workers[0].pid, signal.SIGKILL)
        wait_for_deals("there", max(DEALS, count("there") + 1), running)
        os.kill(running.pid, signal.SIGINT)
        _, told = running.communicate()
    assert running.returncode == 130, told
    assert "Traceback" not in told
    assert results("there")[: 2 * DEALS] == results("here")


def test_the_library_says_nothing_of_its_own(scheduler: str) -> None:
    with dask(*worker(scheduler)):
        DaskPool(scheduler, seconds=30).shutdown()
    # Here tornado tells of a batch that was given up while its result was fetched.
    for name in ("tornado.application", "distributed.client", "distributed.core"):
        assert not logging.getLogger(name).isEnabledFor(logging.ERROR), name


def test_workers_of_another_version_are_refused(clean_environment: Path, scheduler: str) -> None:
    other = clean_environment / "other"
    shutil.copytree(ROOT / "boardgames_cli", other / "boardgames_cli")
    init = other / "boardgames_cli" / "__init__.py"
    changed = init.read_text().replace(boardgames_cli.__version__, "9.9.9")
    assert changed != init.read_text()
    init.write_text(changed)
    with dask(*worker(scheduler), path=other):
        refused = start(*WORDS, "--out", "t", "--dask", scheduler)
        out, told = refused.communicate()
    assert (refused.returncode, out) == (2, "")
    assert "run boardgames 9.9.9, this program is" in told
    assert not Path("t").exists()


def test_a_scheduler_that_is_not_there_or_has_no_workers_is_told(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(GameError, match=r"tcp://127\.0\.0\.1:1 can't be reached"):
        DaskPool("tcp://127.0.0.1:1", seconds=0.3)
    with pytest.raises(GameError, match="can't be reached"):
        DaskPool("no address at all", seconds=0.3)
    # The connection may take its time; the workers never come.
    check = DaskPool._check_workers
    monkeypatch.setattr(DaskPool, "_check_workers", lambda pool, _: check(pool, 0.3))
    with pytest.raises(GameError, match="has no workers"):
        DaskPool(scheduler, seconds=60)
