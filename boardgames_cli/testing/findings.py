"""Reports of broken laws: the law, the place, what happened, and what to do."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values

_LONGEST_STATE: Final = 600
_PACKAGE: Final = Path(__file__).parents[1]
_LIBRARY: Final = Path(traceback.__file__).parent


class ContractError(AssertionError):
    """A game, a view or an agent breaks a law of the contract.

    Args:
        message: The law, the place and what to do, ready to be read.
        law: The name of the law, such as ``legal_actions_can_be_applied``.
    """

    def __init__(self, message: str, law: str = "") -> None:
        super().__init__(message)
        self.law = law


class BrokenLaw(Exception):
    """Raised by a law; `place` turns it into a `ContractError`.

    Args:
        problem: What happened.
        todo: What to do, where the docstring of the law does not say it.
    """

    def __init__(self, problem: str, todo: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.todo = todo


Law: TypeAlias = Callable[[Any], None]
"""A function whose docstring is the law in a line, and then what to do where it is broken; it
raises `BrokenLaw`, or anything, if it is."""


def told_by(law: Law) -> tuple[str, str]:
    """A law in a line, and what to do where it is broken: from its docstring."""
    line, _, more = (law.__doc__ or "").partition("\n")
    return line, " ".join(more.split())


def subject_of(law: Law) -> str:
    """What a law is about: the type of its parameter."""
    return next(iter(law.__annotations__.values()), "")


def laws_about(subjects: str, *modules: ModuleType) -> tuple[Law, ...]:
    """The laws in some modules about some kinds of subjects, in the order in which they stand."""
    return tuple(
        found
        for module in modules
        for found in vars(module).values()
        if inspect.isfunction(found)
        and found.__module__ == module.__name__
        and not found.__name__.startswith("_")
        and subject_of(found) in subjects.split()
    )


def demand(holds: bool, problem: str, todo: str = "") -> None:
    """Require a condition of a law, where telling the problem takes less time than the check."""
    if not holds:
        raise BrokenLaw(problem, todo)


def demand_refusal(
    call: Callable[[], Any], kind: type[GameError], what: str, *, must: bool = True
) -> Any:
    """Require that a call refuses its input with an error of one kind that says why.

    Where it need not, the result of what was accepted is returned.
    """
    todo = f"Raise {kind.__name__}, and say why."
    try:
        result = call()
    except kind as error:
        demand(bool(error.message), f"{what} gave an empty {kind.__name__}", todo)
        return None
    except Exception as error:
        raise BrokenLaw(f"{what} raised {type(error).__name__}: {error}", todo) from error
    demand(not must, f"{what} gave {result}", todo)
    return result


def call_game(game: AnyGame) -> str:
    """The name of a game with its options, for messages."""
    values = ", ".join(f"{name}={value}" for name, value in option_values(game).items())
    return f"{game.info.id}({values})"


@contextmanager
def place(law: Law, subject: str, where: Mapping[str, object]) -> Iterator[None]:
    """Turn any exception into an error that names the law and the place.

    Raises:
        ContractError: The law is broken, or checking it raised an exception.
    """
    try:
        yield
    except ContractError:
        raise
    except Exception as error:  # an exception also breaks a law
        line, todo = told_by(law)
        problem = f"{type(error).__name__}: {error}"
        if isinstance(error, BrokenLaw):
            problem, todo = error.problem, error.todo or todo
        elif not (todo and isinstance(error, GameError)):
            todo = _advice(error)
        lines = [
            f"{subject} breaks the law {law.__name__}: {line}",
            f"  what happened: {problem}",
            *([f"  what to do: {todo}"] if todo else []),
            *(f"  {name}: {_cut(value)}" for name, value in where.items()),
        ]
        raise ContractError("\n".join(lines), law.__name__) from error


def _advice(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    frame = next((one for one in reversed(frames) if _is_authors(one.filename)), frames[-1])
    line = f"Look at {frame.filename}, line {frame.lineno}, in {frame.name}."
    if isinstance(error, TypeError) and "unhashable" in str(error):
        return f"{line} States and actions must not change: frozen dataclasses, and tuples in them."
    if isinstance(error, NotImplementedError):
        return f"{line} Write the method that is missing, or correct `traits`."
    return line


def _is_authors(file: str) -> bool:
    path = Path(file)
    if "site-packages" not in path.parts and path.is_relative_to(_LIBRARY):
        return False
    is_of_package = path.is_relative_to(_PACKAGE) and not path.is_relative_to(_PACKAGE / "games")
    return not is_of_package and not file.startswith("<")


def _cut(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _LONGEST_STATE else text[:_LONGEST_STATE] + "..."
