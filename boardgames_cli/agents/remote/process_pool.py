"""Local processes that compute: games of tournaments, and of training by self-play."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, ClassVar, TypeAlias

from boardgames_cli.core.plugins import plugin_entries
from boardgames_cli.registry import use_plugins


class Pool(Executor, ABC):
    """Workers that can be replaced if they hang.

    If one dies, what it was doing fails, and the others work on.
    """

    plays_here: ClassVar[bool] = False
    """Whether `submit` itself plays, in the caller's thread."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of calls run concurrently, at least 1."""

    @abstractmethod
    def restart(self) -> None:
        """Kill all busy workers, which fails what they are doing, and continue with new ones."""


class ProcessPool(Pool):
    """Plays in local processes, which always end with this one.

    The queues of `concurrent.futures.ProcessPoolExecutor` have semaphores with names, which stay on
    the machine if all processes are killed at once, and its processes outlive this one; so each
    process here has a pipe of its own.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._workers: list[_Worker] = []

    @property
    def size(self) -> int:
        return self._jobs

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call a function in the next free process.

        The future raises `concurrent.futures.BrokenExecutor` if the process has died.
        """
        if len(self._workers) < self._jobs:
            self._workers.append(_Worker(self._tasks))
        future: Future[Any] = Future()
        self._tasks.put((future, fn, args, kwargs))
        return future

    def restart(self) -> None:
        """Kill all processes; each is replaced by a new one."""
        for worker in self._workers:
            worker.process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Kill all processes; a hung one would never end by itself."""
        for worker in self._workers:
            worker.close()
        for _ in self._workers:
            self._tasks.put(None)
        for worker in self._workers:
            worker.thread.join()
        self._workers.clear()


_Task: TypeAlias = tuple[Future[Any], Callable[..., Any], tuple[Any, ...], dict[str, Any]]


class _Worker:
    def __init__(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        self._is_closed = False
        self._start()
        self.thread = threading.Thread(target=self._pass_on, args=(tasks,), daemon=True)
        self.thread.start()

    def close(self) -> None:
        self._is_closed = True  # before the kill, or the thread would replace the process
        self.process.kill()

    def _start(self) -> None:
        if os.name == "posix":
            # The resource tracker starts with the first process and inherits standard error, which
            # has no descriptor while a screen is up.
            with contextlib.redirect_stderr(sys.__stderr__):
                resource_tracker.ensure_running()
        # Spawned, because a fork of a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, plugin_entries()))
        process.start()
        theirs.close()
        self.process = process

    def _end(self) -> None:
        self.process.kill()
        self.process.join()
        self._pipe.close()

    def _pass_on(self, tasks: queue.SimpleQueue[_Task | None]) -> None:
        while (task := tasks.get()) is not None:
            future, *call = task
            try:
                if not self.process.is_alive():  # it may have died while it had nothing to do
                    self._end()
                    self._start()
                if self._is_closed:
                    break
                if not future.set_running_or_notify_cancel():
                    continue
                self._pipe.send(call)
                answer, error = self._pipe.recv()
            except (EOFError, OSError):
                answer, error = None, BrokenExecutor("a worker has died")
                self._end()
            except Exception as unreadable:
                answer, error = None, unreadable
            if error is None:
                future.set_result(answer)
            else:
                future.set_exception(error)
        self._end()


def _work(pipe: Connection[Any, Any], plugins: list[tuple[str, str, str]]) -> None:
    # Ctrl+C reaches all processes of a terminal; only the main one handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if plugins != plugin_entries():
        use_plugins(plugins)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):  # the other side is gone
        while True:
            function, args, kwargs = pipe.recv()
            answer, failure = None, None
            try:
                answer = function(*args, **kwargs)
            except Exception as error:
                failure = error
            pipe.send((answer, failure))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def core_count() -> int:
    """The number of processor cores available."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
