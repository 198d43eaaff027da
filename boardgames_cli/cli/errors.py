"""Errors become one line and an exit code here, and nowhere else."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Final, TextIO

import typer

from boardgames_cli.core.errors import EXIT_FILE, EXIT_INTERNAL, EXIT_PIPE, EXIT_USAGE, GameError
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import printable

EXIT_INTERRUPTED: Final = 130

_SEPARATOR: Final = "   "
_NUMBERS: Final = {
    "is not a valid int range.": "is not a whole number.",
    "is not a valid int.": "is not a whole number.",
    "is not a valid float range.": "is not a number.",
    "is not a valid float.": "is not a number.",
}
"""Plain words for those of the command line's library."""


def report(error: BaseException, *, debug: bool = False) -> int:
    """Tell what went wrong, on standard error.

    Args:
        error: Anything but an exit.
        debug: Whether to show the traceback too.

    Returns:
        The exit code.
    """
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return EXIT_INTERRUPTED
    if isinstance(error, Stopped):
        return error.exit_code
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        _drop(sys.stdout)
        return EXIT_PIPE
    if debug:
        _report_traceback(error)
    if isinstance(error, GameError):
        notify(str(error))
        return error.exit_code
    if isinstance(error, typer.TyperException):
        notify(_usage(error))
        return EXIT_USAGE
    if isinstance(error, OSError):
        notify(_refusal(error))
        return EXIT_FILE
    _report_internal(error)
    return EXIT_INTERNAL


def notify(text: str) -> None:
    """Write one line to standard error, whatever was typed into it."""
    with contextlib.suppress(OSError, ValueError):
        print(printable(" ".join(text.splitlines())), file=sys.stderr)  # noqa: T201


@contextlib.contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print each warning, such as about a plug-in that can't be loaded, in one line."""
    with warnings.catch_warnings():
        # A warning turned into an error by PYTHONWARNINGS would end a game for a plug-in's fault.
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = _report_warning
        yield


def _report_warning(
    message: Warning | str,
    *where: object,  # noqa: ARG001  # as `warnings` calls it
    **more: object,  # noqa: ARG001
) -> None:
    notify(f"note: {message}")


def _usage(error: typer.TyperException) -> str:
    """A mistake on the command line, in the words of the other messages."""
    # The classes are private to typer, so they are recognised by what they carry.
    message = " ".join(error.format_message().split())
    name = getattr(error, "option_name", None)
    if name is not None and message.startswith("No such option"):
        near = getattr(error, "possibilities", None) or []
        guess = f' Did you mean "{near[0]}"?' if near else ""
        message = f'unknown option "{name}".{guess}'
    for kind, plain in _NUMBERS.items():
        message = message.replace(kind, plain)
    if not message.endswith((".", "?", "!")):
        message += "."
    context = getattr(error, "ctx", None)
    return message if context is None else f"{message}{_SEPARATOR}Help: {_path(context)} --help"


def _refusal(error: OSError) -> str:
    """What the system would not do, such as write to a full disk or open an endless name."""
    why = error.strerror or type(error).__name__
    if error.filename is None:
        _drop(sys.stdout)
        return f"the output can't be written ({why}).{_SEPARATOR}Send it somewhere else."
    # Like every message, it is not to be longer than a few lines because a name is.
    return str(GameError(f"{error.filename} can't be used ({why}).", "Choose another place."))


def _path(context: typer.Context) -> str:
    names: list[str] = []
    node: typer.Context | None = context
    while node is not None:
        names.insert(0, str(node.info_name))
        node = node.parent  # type: ignore[assignment]  # typer's contexts have such parents
    return " ".join(names)


def _report_traceback(error: BaseException) -> None:
    for line in "".join(traceback.format_exception(error)).rstrip().split("\n"):
        notify(line)


def _report_internal(error: BaseException) -> None:
    from boardgames_cli.storage.errorlog import log_error

    what = f"{type(error).__name__}: {error}"
    try:
        path = log_error(error)
    except OSError:
        notify(f"internal error ({what}).{_SEPARATOR}Details: run it again with --debug.")
        return
    notify(f"internal error ({what}).{_SEPARATOR}Details: {path}")


def flush(stream: TextIO | None) -> OSError | None:
    """Write what a stream holds back.

    Returns:
        Why it can't be written; then it is given up, or Python would try again at the very end,
        complain, and change the exit code.
    """
    try:
        if stream is not None:
            stream.flush()
    except OSError as error:
        _drop(stream)
        return error
    except ValueError:  # closed
        pass
    return None


def _drop(stream: TextIO | None) -> None:
    """Let what is left in a stream go nowhere."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]  # a missing one has none
