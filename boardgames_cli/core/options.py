"""Typed options of games and agents, declared once as dataclass fields.

A rulebook or an agent is a dataclass whose fields are its options. `option` adds the help text and
the allowed values; the command line, the menus, the saves and the contract kit all read the same
declaration.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_type_hints

from boardgames_cli.core.errors import OptionError, UnknownNameError

T = TypeVar("T")

_METADATA_KEY = "boardgames"
_OF_EVERY_MATCH = frozenset({"seed", "position", "max_plies"})


class _Named(int):
    def __str__(self) -> str:
        return "random"


RANDOM: Final[int] = _Named(0)
"""A choice of a numbered option that chance makes, such as the seat that begins."""
_WORDS = {"on": True, "off": False, "yes": True, "no": False, "true": True, "false": False}


def is_finite(value: float) -> bool:
    """Whether a number is a finite float: not NaN, not infinite, not a huge integer."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def finite_number(text: str) -> float:
    """Parse a finite number; every parser of numbers typed by people uses this.

    Raises:
        ValueError: The text is not a number, or the number is not finite.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: its name, type, default and allowed values."""

    name: str
    type: type
    """`bool`, `int`, `float` or `str`."""
    default: Any
    help: str = ""
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    is_rare: bool = False
    words: Mapping[Any, str] = dataclasses.field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """The allowed values for messages, such as ``5, 7`` or ``1 to 6``."""
        if self.type is bool:
            return "on, off"
        if self.choices:
            return ", ".join(str(choice) for choice in self.choices)
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{self.low:g} or more"
        if self.high is not None:
            return f"{self.high:g} or less"
        return {"int": "a whole number", "float": "a number"}.get(self.type.__name__, "a text")

    def check(self, value: Any) -> None:
        """Check that a value has the right type and range.

        Raises:
            OptionError: The value is not allowed; the message names the option, the value and the
                range.
        """
        kinds: Any = (int, float) if self.type is float else self.type
        fits = (
            isinstance(value, kinds)
            and isinstance(value, bool) == (self.type is bool)
            and (not self.choices or value in self.choices)
            and (self.type not in (int, float) or is_finite(value))
            and (self.low is None or value >= self.low)
            and (self.high is None or value <= self.high)
        )
        if not fits:
            raise OptionError(f"{self.name} can't be {value!r}.", f"Allowed: {self.allowed}.")

    def read(self, text: str) -> Any:
        """Parse a value; words count in any case.

        Raises:
            OptionError: The text is not a value of this type, or the value is not allowed.
        """
        value: Any = text
        named = {str(one).lower(): one for one in self.choices}
        try:
            if text.lower() in named:
                value = named[text.lower()]
            elif self.type is bool:
                value = _WORDS[text.lower()]
            elif self.type in (int, float):
                value = self.type(text)
        except (KeyError, ValueError):
            raise OptionError(
                f'{self.name} can\'t be "{text}".', f"Allowed: {self.allowed}."
            ) from None
        self.check(value)
        return value

    def flag(self, game: str, taken: Collection[str] = ()) -> str:
        """A game's option on a command line; where its name is taken, the game is before it."""
        is_taken = self.name in _OF_EVERY_MATCH or self.name in taken
        return (f"{game}-" if is_taken else "") + self.name.replace("_", "-")

    def words_for(self, game: str, *texts: str, taken: Collection[str] = ()) -> list[str]:
        """The words of a command line that choose values, as `spelled`; none for the default."""
        flag = self.flag(game, taken)
        if texts == (spelled(self.default),):
            return []
        if self.type is bool:
            return [f"--{flag}" if text == spelled(True) else f"--no-{flag}" for text in texts]
        return [f"--{flag}", ",".join(texts)]


def spelled(value: Any) -> str:
    """The value of an option as people type it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


def flags(values: Mapping[str, Any]) -> list[str]:
    """The words of a command line that give options their values; empty texts are left out."""
    words: list[str] = []
    for name, value in values.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        elif value != "":
            words += [f"--{flag}", str(value)]
    return words


def option(
    default: T,
    help: str,
    *,
    choices: Sequence[T] = (),
    low: float | None = None,
    high: float | None = None,
    is_rare: bool = False,
    words: Mapping[T, str] | None = None,
) -> T:
    """Declare a dataclass field as an option.

    Args:
        default: The default value; its type is the option's type.
        help: One line for people.
        choices: The allowed values, if there is a list of them.
        low: The smallest allowed number.
        high: The largest allowed number.
        is_rare: Whether few people change it; menus show it only among the advanced options.
        words: What titles say for values that say little by themselves.
    """
    spec = {"help": help, "choices": tuple(choices), "low": low, "high": high, "is_rare": is_rare}
    metadata = {_METADATA_KEY: {**spec, "words": words or {}}}
    field: T = dataclasses.field(default=default, metadata=metadata)
    return field


def options_of(owner: Any) -> tuple[OptionSpec, ...]:
    """The options that a dataclass (or an instance of one) declares, in order."""
    if not dataclasses.is_dataclass(owner):
        return ()
    kind = owner if isinstance(owner, type) else type(owner)
    hints = get_type_hints(kind)
    return tuple(
        OptionSpec(field.name, hints[field.name], field.default, **field.metadata[_METADATA_KEY])
        for field in dataclasses.fields(owner)
        if _METADATA_KEY in field.metadata
    )


def option_values(owner: Any) -> dict[str, Any]:
    """The values of all options of an instance, by name."""
    return {spec.name: getattr(owner, spec.name) for spec in options_of(owner)}


def check_options(owner: Any) -> None:
    """Check all options of an instance.

    Raises:
        OptionError: One of them has a value that is not allowed.
    """
    for spec in options_of(owner):
        spec.check(getattr(owner, spec.name))


def build(kind: Callable[..., T], values: Mapping[str, Any], owner_name: str) -> T:
    """Create an instance of a dataclass with options.

    Values that are strings are parsed; messages name the owner.

    Raises:
        UnknownNameError: There is no option of that name.
        OptionError: A value is not allowed.
    """
    specs = {spec.name: spec for spec in options_of(kind)}
    ready: dict[str, Any] = {}
    for name, value in values.items():
        spec = specs.get(name.replace("-", "_"))
        if spec is None:
            raise UnknownNameError(f"{owner_name} option", name, specs)
        if isinstance(value, str):
            value = spec.read(value)
        spec.check(value)
        ready[spec.name] = spec.choices[spec.choices.index(value)] if spec.choices else value
    return kind(**ready)


def chosen_words(game: Any, taken: Collection[str] = ()) -> list[str]:
    """The words of a command line that choose a game's options; see `OptionSpec.words_for`."""
    words: list[str] = []
    for one in options_of(game):
        value = spelled(getattr(game, one.name))
        words += one.words_for(game.info.id, value, taken=taken)
    return words


def every_option_set(kind: type) -> Iterator[dict[str, Any]]:
    """All combinations of the options that have a list of choices.

    Options without choices keep their default, so that the number stays small.
    """
    lists: list[list[tuple[str, Any]]] = []
    for spec in options_of(kind):
        values = (False, True) if spec.type is bool else spec.choices or (spec.default,)
        lists.append([(spec.name, value) for value in values])
    for combination in itertools.product(*lists):
        yield dict(combination)


def option_words(game: Any) -> list[str]:
    """The options of a game that matter to people, such as ``["skyruk", "pieces 7"]``.

    These are the options that differ from their default, and always the first option if its value
    is a word, since that is the variant.
    """
    shown = []
    for number, option in enumerate(options_of(game)):
        value = getattr(game, option.name)
        if value in option.words or isinstance(value, str):
            if (number == 0 and option.type is str) or value != option.default:
                shown.append(option.words.get(value, value))
        elif value != option.default:
            shown.append(f"{option.name.replace('_', ' ')} {spelled(value)}")
    return shown
