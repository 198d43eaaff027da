"""Forms as data: their fields, and that of a game with its checks, its setup and command line."""

from __future__ import annotations

import contextlib
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
from boardgames_cli.core.presentation.home_page import Opponent, home_page_of
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.registry import DEFAULT_LEVEL, is_adaptive
from boardgames_cli.session.seats import HUMAN, seat_people
from boardgames_cli.session.settings import Pace, Settings, Setup

OTHER: Final = "other"
"""The last choice of a field that allows typed text."""

_MOST_CHOICES: Final = 12
_FINE: Final = 20
"""Numbers below this change in steps of 1."""
_RANDOM: Final = "random"
_OFF: Final = "off"
_TICKS: Final = ("1", "0.5", "0.3")
_HIDDEN: Final = "hidden"
_SHOWN: Final = "shown"
_SEVERAL: Final = "several"


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
    is_fold: bool = False
    """Whether it opens what is behind it."""
    problem: str = ""
    """Why the value is refused; empty if it is valid."""

    @property
    def takes_text(self) -> bool:
        return self.is_typed or not self.choices

    @property
    def is_shut(self) -> bool:
        """Whether what is behind this fold is not shown."""
        return self.value == _HIDDEN

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
    """The choices for one game: the opponent, the rules, and behind a fold all that few change."""

    def __init__(self, spec: GameSpec, settings: Settings, more: Field | None = None) -> None:
        self.spec = spec
        self._settings = settings
        remembered = settings.preferences.forms
        self._chosen_before = remembered.get(spec.info.id, {})
        self._options = [
            (option, _option_field(option, spec.menu_defaults.get(option.name, option.default)))
            for option in options_of(spec.game_class())
        ]
        self._seats: list[tuple[Field, Field]] = []
        """For each seat the field of who plays, and that of a person's name."""
        self._ladder: dict[str, Opponent] = {}
        with contextlib.suppress(GameError):
            ladder = home_page_of(spec).ladder
            self._ladder = {one.name: one for one in (ladder.opponents if ladder else ())}
        rivals = (*spec.levels, ADAPTIVE, *self._ladder, HUMAN)
        self._opponent = Field("opponent", "Opponent", _SEVERAL, "whom you play", rivals)
        self._rival = _SEVERAL
        is_timed = Traits.SIMULTANEOUS in spec.info.traits and issubclass(
            spec.game_class(), PassesTime
        )
        self._time = [_time_field(settings, self._chosen_before)] if is_timed else []
        self._tutor_before = "on" if settings.tutor or settings.preferences.tutor else "off"
        self._last_fields = [
            Field("tutor", "Tutor", self._tutor_before,
                  "asks before a mistake whether you mean it; counts as a hint", ("off", "on")),
            Field("pace", "Pace", settings.pace.value, "how fast agents' steps are shown",
                  tuple(pace.value for pace in Pace)),
            Field("seed", "Seed", _RANDOM, "the seed of all random numbers",
                  (_RANDOM,), is_open=True, example="1"),
        ]  # fmt: skip
        for _, field in self._options:
            self._choose_again(field)
        last = remembered.get(settings.preferences.last_game, {})
        value = _SHOWN if last.get("more") == _SHOWN else _HIDDEN
        self.more = more or Field("more", "More", value, "", (_HIDDEN, _SHOWN), is_fold=True)
        """The fold, which forms of several games may share."""
        self._has_judge = False
        self.check()

    @property
    def fields(self) -> list[Field]:
        """The fields that are shown, in order."""
        common = [field for option, field in self._options if not option.is_rare]
        behind = self._behind
        is_shut = self.more.is_shut and not any(field.problem for field in behind)
        return [self._opponent, *self._time, *common, self.more, *([] if is_shut else behind)]

    @property
    def _behind(self) -> list[Field]:
        fields = [field for option, field in self._options if option.is_rare]
        for seat, name in self._seats:
            fields += [seat, name] if seat.value == HUMAN else [seat]
        last = [field for field in self._last_fields if field.key != "tutor" or self._can_tutor]
        return [*fields, *last]

    @property
    def _can_tutor(self) -> bool:
        return self._has_judge and self._tick() is None

    @property
    def _has_tutor(self) -> bool:
        return self._can_tutor and self.value("tutor") == "on"

    def _choose_again(self, field: Field) -> None:
        value = self._chosen_before.get(field.key)
        if value is not None and (not field.choices or value in field.choices or field.is_open):
            field.value = value
            field.is_typed = field.is_open and value not in field.choices

    @property
    def problem(self) -> str:
        return next((field.problem for field in self.fields if field.problem), "")

    def help_of(self, field: Field) -> str:
        """The help for a field: the rating or the style of its agent, else its purpose."""
        if field is self.more:
            names = ", ".join(one.label.strip().lower() for one in self._behind)
            return f"→ opens {names}" if field.is_shut else "→ hides them again"
        is_seat = field is self._opponent or any(field is seat for seat, _ in self._seats)
        if is_seat and field.value == ADAPTIVE:
            return "as strong as the person, by their rating; at first it is the lowest level"
        if is_seat and field.value in self._ladder:
            return self._ladder[field.value].style
        ratings = bundled_ratings(self.spec) if is_seat else None
        rating = None if ratings is None else ratings.of(field.value)
        if ratings is None or rating is None:
            return field.help
        others = [one for one in ratings.ratings if one.agent in self.spec.levels and one != rating]
        rest = ", ".join(f"{one.agent} {one.rating}" for one in others)
        return f"{rating.agent} is rated {rating.rating}; {rest}"

    def value(self, key: str) -> str:
        """The value of a field of the program, such as the pace."""
        return next(field.value for field in self._last_fields if field.key == key)

    def check(self) -> None:
        """Check all fields and set their problems."""
        for option, field in self._options:
            field.problem = problem_of(lambda o=option, f=field: o.read(f.value))  # type: ignore[misc]
        game = self.game()
        if game is not None:
            self._has_judge = may_be_judged(game)
            self._fit_seats(game)
            self._follow_opponent()
            has_person = any(seat.value == HUMAN for seat, _ in self._seats)
            for seat, name in self._seats:
                for field, spec in ((seat, seat.value), (name, _person(name.value))):
                    if is_adaptive(spec) and has_person:
                        field.problem = ""
                        continue
                    field.problem = problem_of(lambda s=spec: seat_people(game, [s]))  # type: ignore[misc]
        for field in self._last_fields:
            field.problem = problem_of(self._seed) if field.key == "seed" else ""

    def _follow_opponent(self) -> None:
        seats = [seat for seat, _ in self._seats]
        mine = next((seat for seat in seats if seat.value == HUMAN), seats[0])
        others = [seat for seat in seats if seat is not mine]
        if self._opponent.value not in (self._rival, _SEVERAL):  # it was changed, and not a seat
            for seat in others:
                seat.pick(self._opponent.value)
        values = {seat.value for seat in others}
        self._rival = self._opponent.value = values.pop() if len(values) == 1 else _SEVERAL

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
        pace, tutor = Pace(self.value("pace")), self.value("tutor")
        before = self._settings.preferences
        game = self.spec.info.id
        preferences = replace(
            before,
            pace=before.pace if pace is self._settings.pace else pace.value,
            tutor=before.tutor if tutor == self._tutor_before else tutor == "on",
            names=self._names(),
            last_game=game,
            forms={**before.forms, game: self.chosen()},
        )
        return replace(
            self._settings,
            pace=pace,
            tick=self._tick(),
            tutor=self._has_tutor,
            preferences=preferences,
        )

    def chosen(self) -> dict[str, str]:
        """What is remembered of the form."""
        fields = [field for _, field in self._options]
        fields += [*(seat for seat, _ in self._seats), *self._time, self.more]
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
            words += ["--tick", self._time[0].value]
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
        off = not self._time or self._time[0].value == _OFF
        return None if off else float(self._time[0].value)

    def _fit_seats(self, game: AnyGame) -> None:
        del self._seats[game.seats :]
        taken = {field.label for _, field in self._options}
        choices = tuple(dict.fromkeys([HUMAN, *self._opponent.choices, *self.spec.recommended]))
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


def _time_field(settings: Settings, before: Mapping[str, str]) -> Field:
    value = _OFF if settings.tick is None else f"{settings.tick:g}"
    choices = tuple(dict.fromkeys((_OFF, *_TICKS, value)))
    # Older preferences have a field of its own for whether there is real time.
    if before.get("play") != "turns" and before.get("tick") in choices:
        value = before["tick"]
    help = "seconds from one step to the next; off: each step waits until everybody has chosen"
    return Field("tick", "Real time", value, help, choices)


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


def problem_of(check: Callable[[], object]) -> str:
    """Why a check fails; empty if it does not."""
    try:
        check()
    except GameError as error:
        return str(error)
    except ImportError as error:
        return f"a part of the program is missing ({error.name})."
    return ""
