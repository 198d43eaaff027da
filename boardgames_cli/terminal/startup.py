"""Signals and garbage collection while the program starts.

Until a command does its work, nothing has been shown and nothing can be torn, so a signal may end
the process at once, without a word. An exception raised by a handler would meet half-imported
modules, and Python prints a traceback for each that it can't deliver.

Nearly all that is made by then stays to the end: to look through it for garbage again and again
costs a twentieth of the time to the first picture, and finds nothing.

Imported before everything else, so it needs almost nothing itself.
"""

from __future__ import annotations

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

    It is no `Exception`, so that nothing that guards against failing agents can catch it.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.exit_code = 128 + number


def ending_signals() -> list[int]:
    """The numbers of the signals that end the program, without a SIGHUP that ``nohup`` ignores."""
    found = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    return [
        number
        for number in found
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN
    ]


def end_at_once() -> None:
    """From now on signals end the process silently, with 128 and their number as exit code."""
    for number in ending_signals():
        try:
            signal.signal(number, _end)
        except ValueError:  # only the main thread may do this
            return


def end_at_once_again() -> None:
    """Go back from `end_in_order` to `end_at_once`, while something large is imported."""
    if signal.getsignal(signal.SIGTERM) is _stop:
        end_at_once()


def end_in_order() -> None:
    """From now on signals end the program by an exception, so that what is open is closed.

    SIGINT raises KeyboardInterrupt, the others `Stopped`. Handlers that `end_at_once` did not
    install stay as they are: they belong to the program that uses this one as a library.
    """
    for number in ending_signals():
        if signal.getsignal(number) is _end:
            is_interrupt = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if is_interrupt else _stop)


def pause_collection() -> None:
    """Look for no garbage, while modules are imported and the first picture is made."""
    gc.disable()


def resume_collection() -> None:
    """Look for garbage from now on, but never again among what was made before."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _end(number: int, _frame: FrameType | None) -> None:
    os._exit(128 + number)


def _stop(number: int, _frame: FrameType | None) -> None:
    raise Stopped(number)
