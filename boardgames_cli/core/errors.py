"""Exceptions for everything that a user can get wrong, with one base class.

The message says what happened and why; ``todo`` says what to do about it. Front ends print both;
``exit_code`` is the exit code of the command line.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar, Final

EXIT_INTERNAL = 1
EXIT_USAGE = 2
EXIT_FILE = 4
EXIT_AGENT = 5
EXIT_PIPE = 141
"""128 plus SIGPIPE, as shells report a program whose pipe was closed."""

LONGEST_MESSAGE = 400
"""Longer messages are cut in the middle, which is usually a quotation of the user's input."""


class GameError(Exception):
    """Base of all errors that are shown as a message instead of a traceback.

    Args:
        message: What happened and why, in one or two sentences.
        todo: What the user can do now; empty if there is nothing to add.
    """

    exit_code: ClassVar[int] = EXIT_USAGE

    def __init__(self, message: str, todo: str = "") -> None:
        # Messages quote the user's input, which may be very long.
        if len(message) > LONGEST_MESSAGE:
            half = LONGEST_MESSAGE // 2
            message = f"{message[: half - 3]}...{message[-half:]}"
        super().__init__(message)
        self.message = message
        self.todo = todo

    def __str__(self) -> str:
        return f"{self.message}   {self.todo}" if self.todo else self.message

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call the subclass with one argument; worker processes need both.
        return _rebuild, (type(self), self.message, self.todo, self.__dict__)


def _rebuild(
    kind: type[GameError], message: str, todo: str, attributes: dict[str, object]
) -> GameError:
    error = kind.__new__(kind)
    GameError.__init__(error, message, todo)
    error.__dict__.update(attributes)
    return error


# What version 0.2 had and this one has not; docs/changes-0.3.md tells what cannot be asked for.
_TABLES: Final = "The bundled tables are exact with two dancers a side."
_GUESTS: Final = "Run the agent in its own Python: docs/agents.md#guests"
_LEARNER: Final = "In a checkout, lab/senet_learner.py trains Senet's value networks."
_WEIGHTS: Final = "Leave it out: the network that comes with the game plays."
_EDIT: Final = "boardgames config edit: it is a preference."
_KEYS: Final = "Remove such lines from [keymap]; the other keys hold."
_FOR_AUTHORS: Final = "docs/changes-0.3.md#for-authors-of-games"
_AUTHORS: Final = f"Leave it out of the GameSpec: {_FOR_AUTHORS}"
_PART: Final = f"Name it in parts of the GameSpec: {_FOR_AUTHORS}"

_GONE: Final = {
    "command bench": "In a checkout, lab/match_speed.py measures how fast games are.",
    "command convert": "q-table:file=MODEL.csv still plays a table of TapnSwap-RL.",
    **dict.fromkeys(("agent playground", "agent policy"), _GUESTS),
    "option --up-to": _TABLES,
    "option --tournament": "Publish report.html, which every tournament writes into its folder.",
    "option --pgn": "results.jsonl in the tournament's folder has every result.",
    "option --rounds": "Choose another --format, such as round-robin.",
    "format swiss": "Choose another --format, such as round-robin.",
    **{
        f"option --{name}": _LEARNER
        for name in (
            *("passes", "hidden", "first-step", "last-step", "first-trace", "last-trace"),
            *("random-starts", "wrong-moves", "positions"),
        )
    },
    "option --on-failure": "Who fails forfeits the game.",
    "option --margin": "Give a limit that is as much longer.",
    "option --lineups": "Enter fewer agents, or choose --format gauntlet.",
    "option --anchor": "The mean rating is 1500; differences are the same.",
    "option --patience": "Workers count as hung after half an hour.",
    "option --plot": "train --json has the curve.",
    **{f"option --{name}": _EDIT for name in ("calm", "bell", "auto-forced", "pace", "theme")},
    "option --glyphs": "Set the environment variable BOARDGAMES_GLYPHS.",
    "method td": "Learn by self-play: --method network",
    "option --terse": "--plain is terse; with --boards it draws each turn.",
    "option --set": "Write --NAME VALUE, as in boardgames play.",
    "option --eyes": "It is called --view-as.",
    "option --shared-saves": "Every visitor has saves of their own.",
    "option --since": "stats --json has the day of every game.",
    "option --all": "boardgames stats shows your record and your last games; in the menu, v does.",
    "option --watch": "With the code for spectators join watches.",
    "option --isolate": "Agents of other packages and programs have processes of their own anyway.",
    "ismcts option observers": "Leave it out: every seat has a tree of its own.",
    "cmd option cpu": "Limit the time of decisions, or write cmd:sh -c 'ulimit -t 60; exec ...'",
    "option --hints-by": "The strongest level gives the hints.",
    "option --password": "The code of a table is its secret.",
    "option --watchable": "Every table has a code for spectators.",
    "option --headless": "Write -s open where nobody plays here.",
    "option --insecure": "SSL_CERT_FILE names a file with a certificate of your own.",
    "option --no-announce": "What is announced holds no code.",
    "option --keep": "find FOLDER -maxdepth 1 -mtime +DAYS lists the folders of old visitors.",
    **dict.fromkeys(("greedy option weights", "expectimax option weights"), _WEIGHTS),
    "offer draw": "Resign, or offer a rematch when the game is over.",
    **dict.fromkeys(("id menu.achievements", "id menu.tournament", "id menu.ladder"), _KEYS),
    **dict.fromkeys(("id puzzle.today", "id puzzle.choose-puzzles", "id menu.delete"), _KEYS),
    **{
        f"id tournament.{key}": _KEYS
        for key in (
            *("up", "down", "page-up", "page-down", "fewer", "more"),
            *("pick", "start", "stop", "leave"),
        )
    },
    **{f"field {name}": _AUTHORS for name in ("achievements", "formats", "table_formats")},
    **{f"field {name}": _AUTHORS for name in ("names_elsewhere", "agents_elsewhere", "network")},
    "field think_seconds": f"A rulebook that is PassesTime has it: {_FOR_AUTHORS}",
    **{
        f"field {name}": _PART
        for name in ("analyst_needs", "endings", "movers", "search", "table_format")
    },
}

_MOVED: Final = {
    **dict.fromkeys(("default_action", "needs_lock_screen"), "PassesTime"),
    **dict.fromkeys(("is_out", "is_settled"), "EliminatesSeats"),
    **dict.fromkeys(("key_sets", "reports", "at_a_glance", "audience_viewpoint"), "KeyedView"),
}
"""The members of rulebooks and views that few have, by the class that asks for them now."""


def refuse_moved(kind: type) -> None:
    """Refuse a rulebook or a view written for version 0.2, of which something is never asked.

    Raises:
        GameError: It has a member that counts in a class only that it does not inherit.
    """
    known = {base.__name__ for base in kind.__mro__}
    for name in vars(kind):
        if _MOVED.get(name, "") not in {"", *known}:
            raise GameError(
                f"{kind.__name__}.{name} is not asked for since 0.3.",
                f"Let the class inherit {_MOVED[name]}, too: {_FOR_AUTHORS}",
            )


def instead_of(kind: str, name: str) -> str:
    """What to do instead of something that is gone, as a sentence; empty if it never was.

    Its kind is ``command``, ``option``, ``agent``, ``format``, ``offer``, ``id`` (of a key),
    ``field`` (of a game's manifest) or ``NAME option`` (of an agent).
    """
    return _GONE.get(f"{kind} {name}", "")


def is_gone(name: str) -> str:
    """That something is gone, as a sentence."""
    return f'"{name}" is gone since 0.3.'


def gone_keys(keymap: Iterable[str]) -> str:
    """Which ids of a keymap are gone, and what to do; empty if none is."""
    gone = [id for id in keymap if instead_of("id", id)]
    return " ".join([*map(is_gone, gone), instead_of("id", gone[0])]) if gone else ""


class UnknownNameError(GameError):
    """A game, agent, level or option that does not exist; the message lists those that do."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        known = list(dict.fromkeys(known))
        near = difflib.get_close_matches(name, known, n=1)
        guess = f' Did you mean "{near[0]}"?' if near else ""
        listed = " ".join(known) or "none"
        instead = instead_of(kind, name)
        super().__init__(
            is_gone(name) if instead else f'unknown {kind} "{name}".{guess}',
            instead or f"{kind.capitalize()}s: {listed}",
        )
        self.name = name


class MissingPackageError(GameError, ModuleNotFoundError):
    """A package of one of the optional extras is not installed.

    Also a ModuleNotFoundError, so that code which skips modules that can't be imported skips this.
    It tells what needs the package, in the plural ("compiled rules"), and the extra that has it.
    """

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(
            f"{what} need a package that is not installed ({package}).",
            f"Install it: {install_command(extra)}",
        )
        self.name = package


def install_command(extra: str) -> str:
    """The command that adds an optional extra to the environment that runs this program.

    It names the packages of the extra: this program is on no package index.
    """
    import importlib.metadata  # imported late, like the rest: together they take 25 ms
    import importlib.util
    import shlex
    import shutil

    try:
        lines = importlib.metadata.requires("boardgames-cli") or []
        needs = [line.partition(";")[0] for line in lines if line.endswith(f"extra == '{extra}'")]
    except importlib.metadata.PackageNotFoundError:  # not installed; it runs in its checkout
        needs = [f"{Path(__file__).parents[2]}[{extra}]"]
    home = Path(sys.prefix)
    if (home / "pipx_metadata.json").exists():
        words = ["pipx", "inject", home.name]
    elif any((folder / "CACHEDIR.TAG").exists() for folder in home.parents):
        added = shlex.join(word for need in needs for word in ("--with", need))
        return f"uvx {added}, then the words as before"
    elif importlib.util.find_spec("pip") is not None:
        words = [sys.executable, "-m", "pip", "install"]
    elif shutil.which("uv") is not None:
        words = ["uv", "pip", "install", "--python", sys.executable]
    else:
        make_pip = shlex.join([sys.executable, "-m", "ensurepip"])
        return f"{make_pip} && {shlex.join([sys.executable, '-m', 'pip', 'install', *needs])}"
    return shlex.join([*words, *needs])


class MissingPartError(GameError, ImportError):
    """A manifest points to a module or name that does not exist, as ``package.module:name``."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"{path} can't be loaded: {why}.",
            "For the author: write it, or mend its path in the manifest.",
        )
        self.name = path.partition(".")[0]


class OptionError(GameError):
    """An option of a game or an agent has a value that is not allowed."""


class SeatError(GameError):
    """The given seats don't fit the game."""


class PositionError(GameError):
    """A position is impossible or malformed; the message names the field."""

    exit_code = EXIT_FILE


class ActionError(GameError):
    """Base of the errors about actions."""


class UnknownActionError(ActionError):
    """The text is not the notation of any action of the game."""


class IllegalActionError(ActionError):
    """The action exists but can't be taken now."""


class AmbiguousActionError(ActionError):
    """The text matches several legal actions."""


class RecordError(GameError):
    """A save or replay is damaged, not ours, or written by another version.

    It may be in one line, numbered from 1.
    """

    exit_code = EXIT_FILE

    def __init__(self, message: str, todo: str = "", line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}", todo)
        self.line = line


class StorageError(GameError):
    """A save can't be found, read or written."""

    exit_code = EXIT_FILE


class AgentError(GameError):
    """An agent failed, was too late, or returned an illegal action."""

    exit_code = EXIT_AGENT
