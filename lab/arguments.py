"""The arguments that the benchmarks share, and one way to fail."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.options import finite_number
from boardgames_cli.registry import game_ids

MOST_DIGITS = 9
"""Digits of the longest number that is read: nobody waits for a billion games."""
LONGEST = 86_400.0
"""Seconds in a day; nothing is measured for longer."""
INTERRUPTED = 130


def count(text: str) -> int:
    """A whole number from 1 on.

    Raises:
        argparse.ArgumentTypeError: It is no such number.
    """
    number = seed(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small: it is a whole number, 1 or more")
    return number


def seed(text: str) -> int:
    """A whole number from 0 on.

    Raises:
        argparse.ArgumentTypeError: It is no such number.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise argparse.ArgumentTypeError(
            f'"{text[:40]}" is not a whole number of at most {MOST_DIGITS} digits'
        )
    return int(text)


def seconds(text: str) -> float:
    """A time in seconds, above 0.

    Raises:
        argparse.ArgumentTypeError: It is no such time.
    """
    try:
        value = finite_number(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST:
        raise argparse.ArgumentTypeError(
            f'"{text[:40]}" is not a time: it is a number of seconds above 0, a day at most'
        )
    return value


def setting(text: str) -> tuple[str, str]:
    """An option of a game with its value, such as ``mode=team``.

    Raises:
        argparse.ArgumentTypeError: There is no ``=``.
    """
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f'"{text[:40]}" is not OPTION=VALUE, such as mode=team')
    return name, value


class Parser(argparse.ArgumentParser):
    """Reads the arguments of one benchmark; its help is the benchmark's own docstring.

    Args:
        doc: The docstring: what is measured and how.
    """

    def __init__(self, doc: str | None) -> None:
        super().__init__(
            description=(doc or "").strip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def add_count(self, name: str, default: int, help: str) -> None:
        """Add an option that is a whole number, 1 or more."""
        self.add_argument(name, type=count, default=default, help=f"{help} (default {default:,})")

    def add_games(self) -> None:
        """Add ``--games``, of which all are measured if it is left out."""
        ids = game_ids()
        self.add_argument(
            "--games", nargs="+", choices=ids, default=ids, help="which (default all)"
        )

    def add_references(self, what: str) -> None:
        """Add ``--reference``, a list of games with commands; ``what`` says what these run."""
        self.add_argument(
            "--reference",
            type=setting,
            action="append",
            default=[],
            metavar="GAME=COMMAND",
            help=f"a program that prints the games a second of {what}",
        )

    def add_seed(self, default: int = 1) -> None:
        """Add ``--seed``, the number from which all luck follows."""
        help = f"where the luck comes from (default {default})"
        self.add_argument("--seed", type=seed, default=default, help=help)

    def add_seconds(self, name: str, default: float | None, help: str) -> None:
        """Add an option that is a time in seconds."""
        told = "none" if default is None else f"{default:g}"
        self.add_argument(name, type=seconds, default=default, help=f"{help} (default {told})")


def run_main(main: Callable[[], None]) -> None:
    """Run a benchmark; mistakes of the user end in one line, not in a traceback.

    Raises:
        SystemExit: With the code of the mistake, or 130 after Ctrl-C.
    """
    try:
        main()
        sys.stdout.flush()
    except GameError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:  # the reader had seen enough, as with `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
