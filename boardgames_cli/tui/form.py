"""The launcher's form as data: fields, checks, and the setup and command that they mean."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from boardgames_cli.core.errors import GameError, OptionError
from boardgames_cli.core.game import AnyGame, Traits
from boardgames_cli.core.options import OptionSpec, build, options_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import DEFAULT_LEVEL
from boardgames_cli.session.seats import HUMAN, seat_name, seat_people
from boardgames_cli.session.setup import Pace, Settings, Setup
from boardgames_cli.tui.theme import THEMES

OTHER: Final = "other"
"""The last choice of a field in which something of one's own may be typed."""

_MOST_CHOICES: Final = 12
_RANDOM: Final = "random"
_WAIT: Final = "wait"
_TICKS: Final = (_WAIT, "1", "0.5", "0.3")


@dataclass(slots=True)
class Field:
    """One line of the form."""

    key: str
    label: str
    value: str
    help: str
    choices: tuple[str, ...] = ()
    is_open: bool = False
    """Whether text other than the choices may be typed."""
    is_typed: bool = False
    """Whether the value is being typed instead of chosen."""
    problem: str = ""
    """Why the value is refused; empty if it is fine."""

    @property
    def takes_text(self) -> bool:
        """Whether keys go into the field."""
        return self.is_typed or not self.choices

    def turn(self, by: int) -> None:
        """Take the next choice, or the one before."""
        values = [*self.choices, *([OTHER] if self.is_open else [])]
        if not values:
            return
        here = OTHER if self.is_typed else self.value
        place = values.index(here) if here in values else 0
        self.pick(values[(place + by) % len(values)])

    def pick(self, value: str) -> None:
        """Take a choice."""
        self.is_typed = value == OTHER and self.is_open
        self.value = "" if self.is_typed else value


class Form:
    """What can be chosen for one game.

    Args:
        spec: The game.
        settings: The present settings.
    """

    def __init__(self, spec: GameSpec, settings: Settings) -> None:
        self.spec = spec
        self._settings = settings
        self._options = tuple(options_of(spec.game_class()))
        self._option_fields = [_option_field(option) for option in self._options]
        self._seat_fields: list[Field] = []
        self._last_fields = [
            *([_tick_field(settings)] if Traits.SIMULTANEOUS in spec.info.traits else []),
            Field("pace", "Pace", settings.pace.value, "how fast agents' steps are shown",
                  tuple(pace.value for pace in Pace)),
            Field("seed", "Seed", _RANDOM, "the number all luck derives from",
                  (_RANDOM,), is_open=True),
            Field("theme", "Colours", settings.theme, "colours of the program",
                  tuple(theme.name for theme in THEMES)),
        ]  # fmt: skip
        self.check()

    @property
    def fields(self) -> list[Field]:
        """All fields, in order."""
        return [*self._option_fields, *self._seat_fields, *self._last_fields]

    @property
    def problem(self) -> str:
        """The first thing that is wrong; empty if the game can start."""
        return next((field.problem for field in self.fields if field.problem), "")

    def value(self, key: str) -> str:
        """What a field says."""
        return next(field.value for field in self.fields if field.key == key)

    def check(self) -> None:
        """Find out what is wrong, and set it beside the fields."""
        for option, field in zip(self._options, self._option_fields, strict=True):
            field.problem = _problem(lambda o=option, f=field: o.read(f.value))  # type: ignore[misc]
        game = self.game()
        if game is not None:
            self._fit_seats(game)
            for field in self._seat_fields:
                field.problem = _problem(lambda f=field: seat_people(game, [f.value]))  # type: ignore[misc]
        for field in self._last_fields:
            field.problem = _problem(self._seed) if field.key == "seed" else ""

    def game(self) -> AnyGame | None:
        """The rulebook with the chosen options, if they fit."""
        try:
            return build(self.spec.game_class(), self._values(), self.spec.info.id)
        except GameError as error:
            if not any(field.problem for field in self._option_fields) and self._option_fields:
                self._option_fields[-1].problem = str(error)
            return None

    def setup(self) -> Setup:
        """The game and its seats, as chosen."""
        seats = tuple(field.value for field in self._seat_fields)
        return Setup(self.spec.info.id, self._values(), seats, seed=self._seed())

    def settings(self) -> Settings:
        """How games are shown, as chosen."""
        pace, theme = Pace(self.value("pace")), self.value("theme")
        return replace(self._settings, pace=pace, theme=theme, tick=self._tick())

    def command(self) -> str:
        """The command line that does the same."""
        words = ["boardgames", "play", self.spec.info.id]
        for option, field in zip(self._options, self._option_fields, strict=True):
            if field.value == _spell(option.default):
                continue
            name = option.name.replace("_", "-")
            if option.type is bool:
                words.append(f"--{name}" if field.value == "on" else f"--no-{name}")
            else:
                words += [f"--{name}", field.value]
        for field in self._seat_fields:
            words += ["-s", field.value]
        if self.value("seed") != _RANDOM:
            words += ["--seed", self.value("seed")]
        if self.value("pace") != Pace.NORMAL.value:
            words += ["--pace", self.value("pace")]
        if self._tick() is not None:
            words += ["--tick", self.value("tick")]
        return shlex.join(words)

    def _values(self) -> dict[str, str]:
        return {
            option.name: field.value
            for option, field in zip(self._options, self._option_fields, strict=True)
        }

    def _seed(self) -> int | None:
        text = self.value("seed")
        if text == _RANDOM:
            return None
        try:
            return int(text)
        except ValueError:
            raise OptionError("the seed is a whole number.") from None

    def _tick(self) -> float | None:
        """Seconds between two steps in real time; None waits for everybody."""
        is_timed = any(field.key == "tick" and field.value != _WAIT for field in self._last_fields)
        return float(self.value("tick")) if is_timed else None

    def _fit_seats(self, game: AnyGame) -> None:
        del self._seat_fields[game.seats :]
        for seat in range(len(self._seat_fields), game.seats):
            choices = dict.fromkeys([HUMAN, *self.spec.levels, *self.spec.recommended])
            named = seat_name(game, seat)
            label = f"Seat {seat + 1}" if named == str(seat + 1) else named.capitalize()
            level = DEFAULT_LEVEL if DEFAULT_LEVEL in choices else next(iter(self.spec.levels))
            self._seat_fields.append(
                Field(
                    f"seat{seat}",
                    label,
                    level if seat else HUMAN,
                    "who plays: a person, a level, or an agent such as expectimax:depth=2",
                    tuple(choices),
                    is_open=True,
                )
            )


def _tick_field(settings: Settings) -> Field:
    value = _WAIT if settings.tick is None else f"{settings.tick:g}"
    choices = _TICKS if value in _TICKS else (*_TICKS, value)
    return Field("tick", "Tick", value, "wait for everybody, or seconds between steps", choices)


def _option_field(option: OptionSpec) -> Field:
    choices: tuple[str, ...] = tuple(_spell(choice) for choice in option.choices)
    if option.type is bool:
        choices = ("on", "off")
    elif option.type is int and not choices and option.low is not None and option.high is not None:
        numbers = range(int(option.low), int(option.high) + 1)
        choices = tuple(str(number) for number in numbers) if len(numbers) <= _MOST_CHOICES else ()
    label = option.name.replace("_", " ").capitalize()
    return Field(option.name, label, _spell(option.default), option.help, choices)


def _spell(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _problem(check: Callable[[], object]) -> str:
    try:
        check()
    except GameError as error:
        return str(error)
    except ImportError as error:
        return f"a part of the program is missing ({error.name})."
    return ""
