"""Signals and garbage collection while the program starts.

Until a command starts its work, nothing has been shown and nothing can be damaged, so a signal may
end the process silently. An exception raised by a handler would hit half-imported modules, and
Python prints a traceback for each that it can't deliver.

Nearly all objects created by then live to the end: scanning them for garbage costs 5 % of the time
to the first picture, and finds nothing.

Imported before everything else, so it imports almost nothing itself.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
"""The signals that end the program; Windows has no SIGHUP."""


class Stopped(BaseException):
    """The program was asked to end by a signal.

    It is not an `Exception`, so that handlers for failing agents don't catch it.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def ending_signals() -> list[int]:
    """The termination signals, without a SIGHUP that ``nohup`` ignores."""
    found = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    return [
        number
        for number in found
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN
    ]


def end_at_once() -> None:
    """Let signals end the process silently, with 128 plus their number as the exit code."""
    atexit.register(_ignore)  # while Python is taken down, they would end it as if by accident
    for number in ending_signals():
        try:
            signal.signal(number, _end)
        except ValueError:  # only the main thread may do this
            return


def end_in_order() -> None:
    """Let signals end the program by an exception, so that resources are released.

    SIGINT raises KeyboardInterrupt, the others `Stopped`. Handlers that `end_at_once` did not
    install stay as they are: they belong to the program that uses this one as a library.
    """
    for number in ending_signals():
        if signal.getsignal(number) is _end:
            is_interrupt = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if is_interrupt else _stop)


def pause_collection() -> None:
    """Turn off garbage collection during imports and until the first picture."""
    gc.disable()


def end_at_once_again() -> None:
    """Go back to the state of the start, unless this is used as a library."""
    if signal.getsignal(signal.SIGTERM) is _stop:
        end_at_once()


def prepare_imports() -> None:
    """Go back to the state of the start, while something large is imported."""
    end_at_once_again()
    pause_collection()


def resume_collection() -> None:
    """Turn garbage collection on, and exempt all objects created so far."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _ignore() -> None:
    for number in ending_signals():
        signal.signal(number, signal.SIG_IGN)


def _end(number: int, _frame: FrameType | None) -> None:
    os._exit(128 + number)


def _stop(number: int, _frame: FrameType | None) -> None:
    raise Stopped(number)
