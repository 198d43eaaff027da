"""Playing on a running Dask cluster, and choosing between it and local processes.

The workers need the same version of this program. The cluster replaces a worker that dies, and its
batches are repeated.
"""

from __future__ import annotations

import itertools
import logging
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final

from boardgames_cli import __version__
from boardgames_cli.agents.remote.process_pool import Pool, ProcessPool, core_count
from boardgames_cli.core.errors import GameError, MissingPackageError
from boardgames_cli.tournament.players import release_all
from boardgames_cli.tournament.pools import InProcessPool

CONNECT_SECONDS: Final = 10.0
"""How long to wait for the scheduler, and then for its first worker."""

_LOOK_EVERY: Final = 5.0
_RESTART_SECONDS: Final = 30.0


class DaskPool(Pool):
    """Plays on a Dask cluster, through `distributed.Client.get_executor`.

    Its address is like ``tcp://192.0.2.1:8786``. A `GameError` says if it can't be reached or is
    gone, has no workers, or they can't run this program.

    Raises:
        GameError: It can't be reached, has no workers, or they can't run this program.
    """

    def __init__(self, address: str, seconds: float = CONNECT_SECONDS) -> None:
        self._address = address
        self._client = _connect(address, seconds)
        try:
            self._check_workers(seconds)
        except BaseException:
            self._client.close()
            raise
        self._executor = self._client.get_executor(pure=False)
        self._prefix = f"boardgames-{uuid.uuid4().hex}"
        self._numbers = itertools.count()
        self._size = 1
        self._looked = -_LOOK_EVERY

    @property
    def size(self) -> int:
        if time.monotonic() - self._looked > _LOOK_EVERY:
            self._check()
            threads = self._client.nthreads()
            self._size = max(1, sum(threads.values()))
            self._looked = time.monotonic()
        return self._size

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in a worker.

        Raises:
            GameError: The scheduler is gone.
        """
        self._check()
        key = f"{self._prefix}-{next(self._numbers)}"
        future: Future[Any] = self._executor.submit(fn, *args, key=key, **kwargs)
        return future

    def restart(self) -> None:
        """Let the cluster restart the workers that play our batches, all of which fail.

        Raises:
            GameError: The scheduler is gone.
        """
        self._check()
        busy = [
            worker
            for worker, keys in self._client.processing().items()
            if any(str(key).startswith(self._prefix) for key in keys)
        ]
        self._executor.shutdown(wait=False)
        if busy:
            self._client.restart_workers(busy, _RESTART_SECONDS, raise_for_error=False)
        self._executor = self._client.get_executor(pure=False)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
            self._client.run(release_all, on_error="ignore")
        self._client.close()

    def _check(self) -> None:
        if self._client.status != "running":
            raise GameError(
                f"the Dask scheduler at {self._address} has gone.",
                "What was played is kept: start it again and use --resume.",
            )

    def _check_workers(self, seconds: float) -> None:
        try:
            self._client.wait_for_workers(1, timeout=seconds)
        except TimeoutError:
            raise GameError(
                f"the Dask scheduler at {self._address} has no workers.",
                f"Start some: dask worker {self._address} --nthreads 1",
            ) from None
        try:
            versions = self._client.run(_program_version)
        except Exception as error:  # whatever a worker without this program, or an old one, raises
            raise GameError(
                f"a worker of {self._address} can't run this program ({type(error).__name__}).",
                f"Install boardgames-cli {__version__} on all workers.",
            ) from None
        others = sorted({version for version in versions.values() if version != __version__})
        if others:
            raise GameError(
                f"workers of {self._address} run boardgames {', '.join(others)}, "
                f"this program is {__version__}.",
                "Install the same version on all machines.",
            )


def make_pool(jobs: int | None = None, dask: str | None = None) -> Pool:
    """The workers for games: a cluster, local processes, or this process for one job.

    By default there is a process for each core.

    Raises:
        GameError: The cluster can't be used.
    """
    if dask is not None:
        return DaskPool(dask)
    jobs = jobs or core_count()
    return InProcessPool() if jobs == 1 else ProcessPool(jobs)


def _program_version() -> str:
    return __version__


def _connect(address: str, seconds: float) -> Any:
    try:
        import distributed
    except ImportError as error:
        raise MissingPackageError(
            "Dask clusters", error.name or "distributed", "cluster"
        ) from error
    _silence_logs()
    connect: Callable[..., Any] = distributed.Client
    try:
        return connect(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise GameError(
            f"the Dask scheduler at {address} can't be reached ({why}).",
            "Is it running? Its address looks like tcp://192.0.2.1:8786.",
        ) from None


def _silence_logs() -> None:
    # Child loggers may have their own levels; the library sets some.
    roots = ("distributed", "tornado", "asyncio")
    known = list(logging.root.manager.loggerDict)
    for name in (*roots, *(name for name in known if name.startswith(roots))):
        logging.getLogger(name).setLevel(logging.CRITICAL)
