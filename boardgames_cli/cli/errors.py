"""Turns errors into one line and an exit code; nothing else does."""

from __future__ import annotations

import contextlib
import difflib
import errno
import os
import re
import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Final, TextIO

import typer

from boardgames_cli.core.errors import (
    EXIT_FILE,
    EXIT_INTERNAL,
    EXIT_PIPE,
    EXIT_USAGE,
    GameError,
    instead_of,
    is_gone,
)
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import printable

EXIT_INTERRUPTED: Final = 130
EXIT_HUNG_UP: Final = 129

_SEPARATOR: Final = "   "
_PLAIN_WORD: Final = re.compile(r"[a-z]+(?=[ ,'])")
_NUMBERS: Final = {"int": "a whole number.", "float": "a number."}


def report(error: BaseException, *, debug: bool = False) -> int:
    """Report any error but SystemExit on standard error, and return the exit code."""
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return EXIT_INTERRUPTED
    if isinstance(error, Stopped):
        return error.exit_code
    if isinstance(error, OSError) and error.errno == errno.EPIPE:
        _drop(sys.stdout)
        return EXIT_PIPE
    if isinstance(error, OSError) and error.errno == errno.EIO and error.filename is None:
        return EXIT_HUNG_UP  # the terminal is gone, and its signal is still on the way
    if debug:
        _report_traceback(error)
    if isinstance(error, GameError):
        notify(_begun(str(error)))
        return error.exit_code
    if isinstance(error, typer.TyperException):
        notify(_begun(_usage(error)))
        return EXIT_USAGE
    if isinstance(error, OSError):
        notify(_refusal(error))
        return EXIT_FILE
    _report_internal(error)
    return EXIT_INTERNAL


def notify(text: str) -> None:
    """Write one printable line to standard error."""
    with contextlib.suppress(OSError, ValueError):
        print(printable(" ".join(text.splitlines())), file=sys.stderr)  # noqa: T201


@contextlib.contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print each warning in one line, such as that a plug-in can't be loaded."""
    with warnings.catch_warnings():
        # PYTHONWARNINGS might turn a warning about a plug-in into an error that ends a game.
        warnings.simplefilter("default", UserWarning)
        warnings.showwarning = _report_warning
        yield


def _begun(text: str) -> str:
    first = _PLAIN_WORD.match(text)
    is_word = first is not None and not os.path.lexists(first[0])
    return f"{text[0].upper()}{text[1:]}" if is_word else text


def _report_warning(
    message: Warning | str,
    *where: object,  # noqa: ARG001  # as `warnings` calls it
    **more: object,  # noqa: ARG001
) -> None:
    notify(f"note: {message}")


def _usage(error: typer.TyperException) -> str:
    # The classes are private to typer, so they are recognised by their attributes.
    message = " ".join(error.format_message().split())
    name = getattr(error, "option_name", None)
    if name is not None and message.startswith("No such option"):
        # The library compares the hyphens, too: "--port" would be near to "--cert".
        known = [one.strip("-") for one in getattr(error, "possibilities", None) or []]
        near = difflib.get_close_matches(name.strip("-"), known, n=1)
        guess = f' Did you mean "--{near[0]}"?' if near else ""
        message = f'unknown option "{name}".{guess}'
        if instead := instead_of("option", name):
            return f"{is_gone(name)}{_SEPARATOR}{instead}"
    for kind, plain in _NUMBERS.items():
        message = re.sub(rf"a valid {kind}( range)?\.", plain, message)
    if not message.endswith((".", "?", "!")):
        message += "."
    if message == "Missing argument 'GAME'.":
        from boardgames_cli.registry import game_ids  # for this message alone

        message = f"which game is meant?{_SEPARATOR}Games: {' '.join(game_ids())}"
    context = getattr(error, "ctx", None)
    return message if context is None else f"{message}{_SEPARATOR}Help: {_path(context)} --help"


def _refusal(error: OSError) -> str:
    why = error.strerror or type(error).__name__
    if error.filename is None:
        _drop(sys.stdout)
        return f"The output can't be written ({why}).{_SEPARATOR}Send it somewhere else."
    # A GameError, which shortens long names.
    return str(GameError(f"{error.filename} can't be used ({why}).", "Choose another place."))


def _path(context: typer.Context) -> str:
    game = getattr(context.command, "game", "")
    names = [game] if game else []
    node: typer.Context | None = context
    while node is not None:
        names.insert(0, str(node.info_name))
        node = node.parent  # type: ignore[assignment]  # typer's contexts have such parents
    return " ".join(names)


def _report_traceback(error: BaseException) -> None:
    for line in "".join(traceback.format_exception(error)).rstrip().split("\n"):
        notify(line)


def _report_internal(error: BaseException) -> None:
    from boardgames_cli.storage.paths import log_error

    what = f"{type(error).__name__}: {error}"
    try:
        path = log_error(error)
    except OSError:
        notify(f"Internal error ({what}).{_SEPARATOR}Details: run it again with --debug.")
        return
    notify(f"Internal error ({what}).{_SEPARATOR}Details: {path}")


def flush(stream: TextIO | None) -> OSError | None:
    """Flush a stream.

    Returns:
        The error, if any. The stream is then redirected, because Python would try again at exit,
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
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]  # a missing one has no fileno
