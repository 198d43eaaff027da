"""The menu's form as data: fields, checks, and the resulting setup and command line."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from boardgames_cli.agents.ratings import bundled_ratings
from boardgames_cli.algorithms.analysts.choose_analyst import may_be_judged
from boardgames_cli.core.agent import ADAPTIVE
from boardgames_cli.core.errors import GameError, OptionError
from boardgames_cli.core.game import AnyGame, PassesTime, Traits
from boardgames_cli.core.options import OptionSpec, build, options_of, spelled
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import DEFAULT_LEVEL, is_adaptive
from boardgames_cli.session.seats import HUMAN, seat_people
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.tui.theme import THEMES

OTHER: Final = "other"
"""The last choice of a field that allows typed text."""

_MOST_CHOICES: Final = 12
_FINE: Final = 20
"""Numbers below this change in steps of 1."""
_RANDOM: Final = "random"
_TURNS: Final = "turns"
_REAL_TIME: Final = "real time"
_TICKS: Final = ("1", "0.5", "0.3")
_HIDDEN: Final = "hidden"
_SHOWN: Final = "shown"


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
    """Whether the value is typed instead of chosen."""
    low: float | None = None
    """The minimum of a number that left and right change; None if it is not such a number."""
    high: float | None = None
    """The maximum, if there is one."""
    example: str = ""
    """The initial text when typing instead of choosing."""
    problem: str = ""
    """Why the value is refused; empty if it is valid."""

    @property
    def takes_text(self) -> bool:
        return self.is_typed or not self.choices

    def turn(self, by: int) -> None:
        """Go to the next or previous choice; a number increases or decreases."""
        if self.low is not None:
            self.value = _next_number(self.value, by, self.low, self.high)
            return
        values = [*self.choices, *([OTHER] if self.is_open else [])]
        if not values:
            return
        here = OTHER if self.is_typed else self.value
        place = values.index(here) if here in values else 0
        self.pick(values[(place + by) % len(values)])

    def pick(self, value: str) -> None:
        self.is_typed = value == OTHER and self.is_open
        self.value = (self.example or self.value) if self.is_typed else value


class Form:
    """The choices for one game."""

    def __init__(self, spec: GameSpec, settings: Settings) -> None:
        self.spec = spec
        self._settings = settings
        self._chosen_before = settings.preferences.forms.get(spec.info.id, {})
        self._options = [
            (option, _option_field(option, spec.menu_defaults.get(option.name, option.default)))
            for option in options_of(spec.game_class())
        ]
        self._seats: list[tuple[Field, Field]] = []
        """For each seat the field of who plays, and that of a person's name."""
        is_timed = Traits.SIMULTANEOUS in spec.info.traits and issubclass(
            spec.game_class(), PassesTime
        )
        self._time_fields = _time_fields(settings, self._chosen_before) if is_timed else []
        self._last_fields = [
            Field("tutor", "Tutor", "on" if settings.tutor else "off",
                  "asks before a mistake whether you mean it; counts as a hint", ("off", "on")),
            Field("pace", "Pace", settings.pace.value, "how fast agents' steps are shown",
                  tuple(pace.value for pace in Pace)),
            Field("seed", "Seed", _RANDOM, "the seed of all random numbers",
                  (_RANDOM,), is_open=True, example="1"),
            Field("theme", "Colours", settings.theme, "colours of the program",
                  tuple(theme.name for theme in THEMES)),
        ]  # fmt: skip
        options = [field for _, field in self._options]
        for field in [*self._time_fields, *options, *self._last_fields]:
            self._choose_again(field)
        self._more = self._more_field()
        self._has_judge = False
        self.check()

    @property
    def fields(self) -> list[Field]:
        """All fields in order; a person's name field follows the field of their seat."""
        seats = []
        for seat, name in self._seats:
            seats += [seat, name] if seat.value == HUMAN else [seat]
        time = self._time_fields if self._is_timed else self._time_fields[:1]
        last = [field for field in self._last_fields if field.key != "tutor" or self._can_tutor]
        return [*time, *self._rules, *seats, *last]

    @property
    def _can_tutor(self) -> bool:
        return self._has_judge and not self._is_timed

    @property
    def _has_tutor(self) -> bool:
        return self._can_tutor and self.value("tutor") == "on"

    @property
    def _is_timed(self) -> bool:
        return bool(self._time_fields) and self._time_fields[0].value == _REAL_TIME

    @property
    def _rules(self) -> list[Field]:
        rare = [field for option, field in self._options if option.is_rare]
        common = [field for option, field in self._options if not option.is_rare]
        if not rare:
            return common
        is_shown = self._more.value == _SHOWN or any(field.problem for field in rare)
        return [*common, self._more, *(rare if is_shown else [])]

    def _more_field(self) -> Field:
        rare = [(option, field) for option, field in self._options if option.is_rare]
        is_changed = any(field.value != spelled(option.default) for option, field in rare)
        names = ", ".join(field.label.lower() for _, field in rare)
        value = _SHOWN if is_changed else _HIDDEN
        return Field("more", "More rules", value, names, (_HIDDEN, _SHOWN))

    def _choose_again(self, field: Field) -> None:
        value = self._chosen_before.get(field.key)
        if value is not None and (not field.choices or value in field.choices or field.is_open):
            field.value = value
            field.is_typed = field.is_open and value not in field.choices

    @property
    def problem(self) -> str:
        return next((field.problem for field in self.fields if field.problem), "")

    def help_of(self, field: Field) -> str:
        """The help for a field: the rating of its agent, else its purpose."""
        is_seat = any(field is seat for seat, _ in self._seats)
        if is_seat and field.value == ADAPTIVE:
            return "as strong as the person, by their rating; at first it is the lowest level"
        ratings = bundled_ratings(self.spec) if is_seat else None
        rating = None if ratings is None else ratings.of(field.value)
        if ratings is None or rating is None:
            return field.help
        others = [one for one in ratings.ratings if one.agent in self.spec.levels and one != rating]
        rest = ", ".join(f"{one.agent} {one.rating}" for one in others)
        return f"{rating.agent} is rated {rating.rating}; {rest}"

    def value(self, key: str) -> str:
        return next(field.value for field in self.fields if field.key == key)

    def check(self) -> None:
        """Check all fields and set their problems."""
        for option, field in self._options:
            field.problem = _problem(lambda o=option, f=field: o.read(f.value))  # type: ignore[misc]
        game = self.game()
        if game is not None:
            self._has_judge = may_be_judged(game)
            self._fit_seats(game)
            has_person = any(seat.value == HUMAN for seat, _ in self._seats)
            for seat, name in self._seats:
                for field, spec in ((seat, seat.value), (name, _person(name.value))):
                    if is_adaptive(spec) and has_person:
                        field.problem = ""
                        continue
                    field.problem = _problem(lambda s=spec: seat_people(game, [s]))  # type: ignore[misc]
        for field in self._last_fields:
            field.problem = _problem(self._seed) if field.key == "seed" else ""

    def game(self) -> AnyGame | None:
        """The rulebook with the chosen options; None if they are invalid."""
        try:
            return build(self.spec.game_class(), self._values(), self.spec.info.id)
        except GameError as error:
            if self._options and not any(field.problem for _, field in self._options):
                self._options[-1][1].problem = str(error)
            return None

    def setup(self) -> Setup:
        """The game and its seats, as chosen."""
        return Setup(self.spec.info.id, self._values(), self._holders(), seed=self._seed())

    def settings(self) -> Settings:
        """The chosen settings, with the preferences to remember."""
        pace, theme = Pace(self.value("pace")), self.value("theme")
        before = self._settings.preferences
        game = self.spec.info.id
        preferences = replace(
            before,
            theme=before.theme if theme == self._settings.theme else theme,
            pace=before.pace if pace is self._settings.pace else pace.value,
            names=self._names(),
            last_game=game,
            forms={**before.forms, game: self._chosen()},
        )
        return replace(
            self._settings,
            pace=pace,
            theme=theme,
            tick=self._tick(),
            tutor=self._has_tutor,
            preferences=preferences,
        )

    def _chosen(self) -> dict[str, str]:
        fields = [field for _, field in self._options]
        fields += [*(seat for seat, _ in self._seats), *self._time_fields]
        fields += [field for field in self._last_fields if field.key == "tutor"]
        return {field.key: field.value for field in fields}

    def _names(self) -> tuple[str, ...]:
        names = [name.value.strip() for seat, name in self._seats if seat.value == HUMAN]
        remembered = self._settings.preferences.names[len(names) :]
        while names and not names[-1] and not remembered:
            names.pop()
        return (*names, *remembered)

    def _holders(self) -> tuple[str, ...]:
        return tuple(
            _person(name.value) if seat.value == HUMAN else seat.value for seat, name in self._seats
        )

    def command(self) -> str:
        words = ["boardgames", "play", self.spec.info.id]
        for option, field in self._options:
            words += option.words_for(self.spec.info.id, field.value)
        for seat in self._holders():
            words += ["-s", seat]
        if self.value("seed") != _RANDOM:
            words += ["--seed", self.value("seed")]
        if self._has_tutor:
            words.append("--tutor")
        if self.value("pace") != Pace.NORMAL.value:
            words += ["--pace", self.value("pace")]
        if self._tick() is not None:
            words += ["--tick", self.value("tick")]
        return shlex.join(words)

    def _values(self) -> dict[str, str]:
        return {option.name: field.value for option, field in self._options}

    def _seed(self) -> int | None:
        text = self.value("seed")
        if text == _RANDOM:
            return None
        try:
            return int(text)
        except ValueError:
            raise OptionError("the seed is a whole number.") from None

    def _tick(self) -> float | None:
        return float(self._time_fields[1].value) if self._is_timed else None

    def _fit_seats(self, game: AnyGame) -> None:
        del self._seats[game.seats :]
        taken = {field.label for _, field in self._options}
        choices = tuple(dict.fromkeys([HUMAN, *self.spec.levels, ADAPTIVE, *self.spec.recommended]))
        level = DEFAULT_LEVEL if DEFAULT_LEVEL in choices else next(iter(self.spec.levels))
        for seat in range(len(self._seats), game.seats):
            named = game.info.seat_name(seat)
            label = named.capitalize()
            if named == str(seat + 1) or label in taken:
                label = f"Seat {seat + 1}"
            help = "who plays: a person, a level, or an agent such as expectimax:depth=2"
            value = level if seat else HUMAN
            field = Field(f"seat{seat}", label, value, help, choices, is_open=True)
            self._choose_again(field)
            self._seats.append((field, self._name_field(seat)))

    def _name_field(self, seat: int) -> Field:
        names = self._settings.preferences.names
        people = sum(before.value == HUMAN for before, _ in self._seats)
        name = names[people] if people < len(names) else ""
        return Field(f"name{seat}", "  Name", name, "this person's name; empty means You")


def _person(name: str) -> str:
    return f"{HUMAN}:{name.strip()}" if name.strip() else HUMAN


def _next_number(text: str, by: int, low: float, high: float | None) -> str:
    try:
        value = int(text)
    except ValueError:
        return str(int(low))
    size = abs(value) if by > 0 else abs(value) - 1
    step = max(1, 10 ** (len(str(size)) - 2)) if size >= _FINE else 1
    value = (value // step + 1) * step if by > 0 else (-(-value // step) - 1) * step
    return str(int(max(low, value if high is None else min(value, high))))


def _time_fields(settings: Settings, before: Mapping[str, str]) -> list[Field]:
    value = _TICKS[1] if settings.tick is None else f"{settings.tick:g}"
    choices = _TICKS if value in _TICKS else (*_TICKS, value)
    # Older preferences hold only the seconds.
    is_timed = settings.tick is not None or (before.get("tick") in choices and "play" not in before)
    return [
        Field("play", "Played in", _REAL_TIME if is_timed else _TURNS,
              "each step waits until everybody has chosen, or comes by the clock",
              (_TURNS, _REAL_TIME)),
        Field("tick", "  Seconds", value, "from one step to the next", choices),
    ]  # fmt: skip


def _option_field(option: OptionSpec, default: Any) -> Field:
    choices: tuple[str, ...] = tuple(spelled(choice) for choice in option.choices)
    if option.type is bool:
        choices = ("on", "off")
    elif option.type is int and not choices and option.low is not None and option.high is not None:
        numbers = range(int(option.low), int(option.high) + 1)
        choices = tuple(str(number) for number in numbers) if len(numbers) <= _MOST_CHOICES else ()
    label = option.name.replace("_", " ").capitalize()
    field = Field(option.name, label, spelled(default), option.help, choices)
    if option.type is int and not choices:
        field.low, field.high = option.low or 0, option.high
    return field


def _problem(check: Callable[[], object]) -> str:
    try:
        check()
    except GameError as error:
        return str(error)
    except ImportError as error:
        return f"a part of the program is missing ({error.name})."
    return ""
