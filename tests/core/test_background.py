"""Jobs in a thread of their own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from boardgames_cli.core.background import Background, BackgroundJob

PATIENCE = 60.0


@dataclass
class Job(BackgroundJob[int]):
    """Delivers its number, if it is slow only once it is cancelled."""

    number: int
    is_slow: bool = False
    begun: threading.Event = field(default_factory=threading.Event)

    def run(self, deliver: Callable[[int], None]) -> None:
        self.begun.set()
        if self.is_slow:
            self.cancelled.wait(PATIENCE)
        deliver(self.number)


class Inbox:
    def __init__(self) -> None:
        self.results: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.thread = Background("jobs", self.results.put)

    def next(self) -> int:
        return self.results.get(timeout=PATIENCE)


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    made = Inbox()
    yield made
    made.thread.stop()


def test_a_newer_job_replaces_an_older_one(inbox: Inbox) -> None:
    slow = Job(1, is_slow=True)
    inbox.thread.put(slow)
    assert slow.begun.wait(PATIENCE)
    inbox.thread.put(Job(2))
    assert inbox.next() == 2
    assert inbox.results.empty()


def test_the_thread_ends_when_there_is_nothing_to_do_and_a_stopped_job_delivers_nothing(
    inbox: Inbox,
) -> None:
    others = set(threading.enumerate())  # another test may have left one behind
    slow = Job(1, is_slow=True)
    inbox.thread.put(slow)
    assert slow.begun.wait(PATIENCE)
    assert inbox.thread.is_running
    (thread,) = set(threading.enumerate()) - others
    inbox.thread.stop()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert not inbox.thread.is_running
    inbox.thread.put(Job(2))
    assert inbox.next() == 2
