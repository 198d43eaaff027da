"""Jobs in threads of their own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from boardgames_cli.core.background import BackgroundJob

PATIENCE = 60.0


@dataclass
class Job(BackgroundJob[int]):
    """Delivers a number, and another one when it is told to go on."""

    may_go_on: threading.Event = field(default_factory=threading.Event)

    def run(self, deliver: Callable[[int], None]) -> None:
        deliver(1)
        self.may_go_on.wait(PATIENCE)
        deliver(2)


def test_a_job_delivers_until_it_is_cancelled_and_its_thread_ends() -> None:
    for wanted in ([1, 2], [1]):
        others = set(threading.enumerate())  # another test may have left one behind
        results: queue.SimpleQueue[int] = queue.SimpleQueue()
        job = Job()
        assert not job.is_running
        job.start(results.put)
        assert results.get(timeout=PATIENCE) == 1
        assert job.is_running
        (thread,) = set(threading.enumerate()) - others
        if wanted == [1]:
            job.cancelled.set()
        job.may_go_on.set()
        thread.join(PATIENCE)
        assert not job.is_running
        assert [1, *(results.get() for _ in range(results.qsize()))] == wanted
