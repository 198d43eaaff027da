"""What a game is: a rulebook over immutable states.

The terms are the field's: a *seat* acts, *chance* acts as seat -1, an *observation* is what one
seat may know about a state, *returns* are the sums of rewards so far. Seats take *actions*, chance
has *outcomes*; these are two types, and no method accepts both.
"""

from __future__ import annotations

import functools
import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from typing import Any, ClassVar, Final, Generic, NamedTuple, Never, TypeAlias, TypeVar, final

from boardgames_cli.core.errors import (
    AmbiguousActionError,
    IllegalActionError,
    UnknownActionError,
    refuse_moved,
)
from boardgames_cli.core.options import check_options
from boardgames_cli.core.text import counted


class Traits(Flag):
    """Properties of a game; agents and front ends check these, never a game's name."""

    NONE = 0
    CHANCE = auto()
    """Chance acts, and its outcomes can be listed."""
    SAMPLED_CHANCE = auto()
    """Chance acts, with too many outcomes to list."""
    HIDDEN = auto()
    """Seats know different things."""
    SIMULTANEOUS = auto()
    """Several seats may act in one step."""
    ZERO_SUM = auto()
    """The returns of all seats add up to 0."""


@dataclass(frozen=True, slots=True)
class GameInfo:
    """The description of a game."""

    id: str
    name: str
    seats: tuple[int, ...]
    """The possible numbers of seats."""
    traits: Traits
    rules_version: int
    """Increased whenever a recorded game could play out differently."""
    summary: str = ""
    """One or two lines for the menu."""
    minutes: int = 10
    """Roughly how long a game between two people takes."""
    seat_names: tuple[str, ...] = ()
    """What the seats are called in this game, such as ``("cones", "spools")``."""

    def seat_name(self, seat: int) -> str:
        """The name of a seat, such as ``cones``; its number if seats have no names."""
        return self.seat_names[seat] if seat < len(self.seat_names) else str(seat + 1)


T = TypeVar("T", bound=Hashable)

_MOST_LISTED: Final = 12


def plain(text: str) -> str:
    """The text in lower case without extra spaces."""
    return " ".join(text.lower().split())


def chosen(text: str, choices: Sequence[T]) -> T | None:
    """The choice with this notation, else the only one that begins so; None if there is none.

    Raises:
        AmbiguousActionError: Several choices begin so.
    """
    wanted = plain(text)
    notations = [plain(str(choice)) for choice in choices]
    if wanted in notations:
        return choices[notations.index(wanted)]
    begun = [
        choice
        for choice, notation in zip(choices, notations, strict=True)
        if wanted and notation.startswith(wanted)
    ]
    if len(begun) > 1:
        raise AmbiguousActionError(f'"{text}" fits several actions.', f"Choose: {listed(begun)}.")
    return begun[0] if begun else None


def listed(choices: Sequence[T]) -> str:
    """The first few choices, for messages."""
    return ", ".join(str(choice) for choice in choices[:_MOST_LISTED])


Seat: TypeAlias = int
"""A place at the table, counted from 0."""

CHANCE: Final[Seat] = -1
"""The seat that throws dice and deals cards."""


def winners(returns: Sequence[float]) -> list[Seat]:
    """The seats with the highest return; empty if all have the same, which is a draw."""
    best = max(returns)
    return [] if best == min(returns) else [s for s, value in enumerate(returns) if value == best]


WON: Final = "won"
DRAWN: Final = "drawn"
LOST: Final = "lost"

OVER: Final = "over"
CUT_SHORT: Final = "cut short"
LEFT: Final = "left"
_DRAW: Final = "draw"
_DEFEATS: Final[Mapping[str, str]] = {
    "resigned": "gave up",
    "clock": "ran out of time",
    "claimed": "stayed away",
}
"""The reasons for which a seat loses before the rules end the game, for people."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended."""

    reason: str
    """`OVER` by its rules; `CUT_SHORT` by a limit of steps; ``resigned``, ``clock``, ``claimed`` or
    ``draw`` by its players; `LEFT` by all, as where a server is gone."""
    outcomes: tuple[str, ...] = ()
    """What every seat has reached, `WON`, `DRAWN` or `LOST`; empty where the game has no result."""
    loser: Seat | None = None
    """The seat that lost by giving up, by its clock, or by staying away."""
    remark: str = ""
    """Why it was left, as a sentence."""

    @classmethod
    def by_players(cls, reason: str, seats: int, loser: Seat | None = None) -> Ending:
        """The ending of a game that its players ended.

        Of two, the other one wins. Of more nobody wins: the others were still playing.
        """
        others = WON if seats == 2 and loser is not None else DRAWN
        outcomes = tuple(LOST if seat == loser else others for seat in range(seats))
        return cls(reason, outcomes, loser)

    @property
    def winners(self) -> list[Seat]:
        """The seats that have won; empty for a draw, and where the game has no result."""
        return [seat for seat, outcome in enumerate(self.outcomes) if outcome == WON]

    @property
    def is_by_players(self) -> bool:
        """Whether its players ended the game before its rules did."""
        return self.reason == _DRAW or self.reason in _DEFEATS

    @property
    def saved(self) -> dict[str, Any]:
        """What saves and the files of tables keep of it."""
        return {"reason": self.reason, "loser": self.loser}

    def defeat(self, names: Sequence[str]) -> str:
        """How a seat lost before the rules ended the game, as a clause; empty if none did."""
        return "" if self.loser is None else f"{names[self.loser]} {_DEFEATS[self.reason]}"

    def in_words(self, names: Sequence[str], ply: int) -> str:
        """Why a game stopped that its rules did not end, as a sentence; empty if they did."""
        won = self.winners
        if self.loser is not None:
            return f"{self.defeat(names)}{f': {names[won[0]]} wins' if won else ''}."
        if self.reason == _DRAW:
            return "The game ended without a winner, as agreed."
        cut = f"The game was cut short after {counted(ply, 'step')}."
        return "" if self.reason == OVER else self.remark or cut


def read_ending(data: Mapping[str, Any] | None, seats: int) -> Ending | None:
    """The ending by players that a save, a file of a table or a server tells.

    None for any other, and for one that can't be: the data may be wrong.
    """
    match data:
        case {"reason": "draw"}:
            return Ending.by_players(_DRAW, seats)
        case {"reason": str(reason), "loser": int(loser)} if reason in _DEFEATS and loser in range(
            seats
        ):
            return Ending.by_players(reason, seats, loser)
    return None


S = TypeVar("S", bound=Hashable)
"""A state: a frozen, slotted dataclass of plain values."""

A = TypeVar("A", bound=Hashable)
"""The type of actions; ``str(action)`` is the notation."""

C = TypeVar("C", bound=Hashable)
"""The type of chance outcomes; ``str(outcome)`` is the notation."""

NoChance: TypeAlias = Never
"""The outcomes of a game without chance: ``Game[State, Action, NoChance]``."""


class Observation(NamedTuple, Generic[S, A]):
    """Everything that one seat may know at one moment. Agents and views get nothing else.

    A named tuple, because one is made at every decision, twice as fast as a frozen dataclass.
    """

    seat: Seat | None
    """The viewer's seat; None is a spectator, who knows only what is public."""
    ply: int
    """The number of steps so far, chance included."""
    state: S
    """The state, with everything redacted that the seat may not know."""
    legal: tuple[A, ...]
    """The seat's legal actions; empty while it is not its turn."""

    @property
    def own_seat(self) -> Seat:
        """The viewer's seat where there must be one."""
        assert self.seat is not None, "a spectator decides nothing"
        return self.seat


@dataclass(frozen=True, slots=True)
class Step(Generic[A, C]):
    """One step of a history: the actions of the seats that were to act, or a chance outcome.

    `Game.redact_step` gives the part of it that a viewer may know.
    """

    joint: Mapping[Seat, A] = field(default_factory=dict)
    """The action of each seat; empty if chance acted. Actions that the viewer may not know are left
    out."""
    outcome: C | None = None
    """The chance outcome; None if seats acted, or if the viewer may not know it."""
    is_chance: bool = False

    @classmethod
    def of_chance(cls, outcome: C | None) -> Step[A, C]:
        """A chance step; None is an outcome that the viewer may not know."""
        return cls({}, outcome, True)


class PassesTime(ABC):
    """A game that goes on without those who don't act in time: it can be played in real time.

    Its view's prompt counts the steps.
    """

    think_seconds: ClassVar[float] = 0.1
    """How long an agent thinks by default."""

    @property
    def may_share_screen(self) -> bool:
        """Whether people may look at one screen although seats have secrets, as minor ones are."""
        return False

    @abstractmethod
    def default_action(self, state: Any, seat: Seat) -> Any:
        """The action of a seat that does not act in time, such as standing still; always legal."""


class EliminatesSeats(ABC):
    """A game that seats may have lost, or be out of, while others play on."""

    @abstractmethod
    def is_out(self, state: Any, seat: Seat) -> bool:
        """Whether a seat is out of the game; of several games in a row, of the current one."""

    @abstractmethod
    def is_settled(self, state: Any, seat: Seat) -> bool:
        """Whether a seat will neither act again nor get another reward."""


class RevealsInformation(ABC):
    """A game in which observations may tell more than steps do, as where fog lifts."""

    @abstractmethod
    def reveals(self, before: Any, step: Step[Any, Any], seat: Seat | None) -> bool:
        """Whether what a seat sees after a step may tell it what `Game.redact_step` did not.

        At the end of a game and at steps that pay rewards, everything may be shown anyway.
        """


class Game(ABC, Generic[S, A, C]):
    """A rulebook: a frozen dataclass whose fields are its options, and nothing else.

    All methods are pure. `apply`, `apply_chance`, `legal_actions`, `returns` and `redact` trust
    their input; untrusted input goes through `parse`, `parse_chance`, `from_json` or `Match.submit`
    first. A game without chance is a ``Game[S, A, NoChance]`` and does not override the methods
    about chance.
    """

    info: ClassVar[GameInfo]

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def seats(self) -> int:
        """The number of seats with these options."""
        return self.info.seats[0]

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that win and lose together; by default every seat plays for itself."""
        return tuple((seat,) for seat in range(self.seats))

    @property
    def traits(self) -> Traits:
        """The kind of game with these options; by default that of `info`."""
        return self.info.traits

    @property
    @abstractmethod
    def utility(self) -> tuple[float, float]:
        """The smallest and largest return that a seat can have at any time."""

    @property
    def longest(self) -> int | None:
        """An upper bound on the number of steps, chance included; None if there is none."""
        return None

    @property
    def actions(self) -> tuple[A, ...]:
        """Every action a seat can ever take, in the order of their ids.

        Empty (the default) if they can't be listed, for example because they contain numbers. Such
        a game overrides `action_named`, and `action_count` and `action_id` if it has ids.
        """
        return ()

    def action_named(self, text: str) -> A | None:
        """The action with a given notation, legal or not; None if there is none.

        This separates "unknown" from "illegal". The default looks the action up in `actions`.
        """
        return _by_notation(self).get(plain(text))

    @property
    def action_count(self) -> int:
        """The number of action ids for reinforcement learning; ids are below this number."""
        return len(self.actions)

    def action_id(self, state: S, action: A) -> int:
        """The id of an action for reinforcement learning; by default its index in `actions`."""
        return self.actions.index(action)

    def action_of(self, state: S, id: int) -> A:
        """The action that an id stands for in a state.

        By default `actions` has it at that index; with ids of its own the game looks for a legal
        one.

        Raises:
            UnknownActionError: No action has that id here.
        """
        if not 0 <= id < self.action_count:
            raise UnknownActionError(
                f"there is no action {id}.", f"Ids: 0 to {self.action_count - 1}."
            )
        if type(self).action_id is Game.action_id:
            return self.actions[id]
        acting = [seat for seat in self.to_act(state) if seat != CHANCE]
        legal = self.legal_actions(state, acting[0]) if acting else ()
        return self.legal_with_id(state, legal, id)

    @final
    def legal_with_id(self, state: S, legal: Sequence[A], id: int) -> A:
        """Find a legal action by its id.

        Raises:
            UnknownActionError: None of them has it.
        """
        for action in legal:
            if self.action_id(state, action) == id:
                return action
        known = ", ".join(str(self.action_id(state, action)) for action in legal) or "none"
        raise UnknownActionError(f"no legal action has the id {id}.", f"Ids now: {known}.")

    @abstractmethod
    def initial_state(self) -> S:
        """The state before the first step."""

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats to act: ``()`` if the game is over, ``(CHANCE,)``, one seat, or several."""

    @abstractmethod
    def legal_actions(self, state: S, seat: Seat) -> Sequence[A]:
        """The legal actions of a seat that is to act; never empty."""

    @abstractmethod
    def apply(self, state: S, joint: Mapping[Seat, A]) -> S:
        """The state after every seat that was to act has acted."""

    @abstractmethod
    def returns(self, state: S) -> tuple[float, ...]:
        """The sum of rewards so far of every seat."""

    def chance_outcomes(self, state: S) -> Sequence[tuple[C, float]]:
        """All chance outcomes with their probabilities, in a state where chance is to act.

        Games with `Traits.SAMPLED_CHANCE` have too many and override `sample_chance` instead.
        """
        raise NotImplementedError(f"{self.info.id} lists no chance outcomes")

    def sample_chance(self, state: S, rng: random.Random) -> C:
        """Draw a chance outcome according to its probability."""
        outcomes = self.chance_outcomes(state)
        drawn = rng.random()
        cumulated = itertools.accumulate(probability for _, probability in outcomes)
        for (outcome, _), below in zip(outcomes, cumulated, strict=True):
            if drawn < below:
                return outcome
        return outcomes[-1][0]

    def apply_chance(self, state: S, outcome: C) -> S:
        """The state after chance has acted."""
        raise NotImplementedError(f"{self.info.id} leaves nothing to chance")

    def apply_step(self, state: S, step: Step[A, C]) -> S:
        """The state after a step of seats or chance, which must not be redacted."""
        if step.outcome is None:
            return self.apply(state, step.joint)
        return self.apply_chance(state, step.outcome)

    def redact(self, state: S, seat: Seat | None) -> S:
        """The state as a seat may know it; None is a spectator. By default nothing is hidden.

        `codec.derived.redacted` replaces the values of a state that are `codec.fields.Hidden`.
        """
        return state

    def redact_step(self, before: S, step: Step[A, C], seat: Seat | None) -> Step[A, C]:
        """A step as a seat may know it; None is a spectator. By default nothing is hidden.

        The state before it and the step are given in full.
        """
        return step

    def determinize(self, seen: Observation[S, A], rng: random.Random) -> S:
        """Sample a full state that is consistent with what ``seen.seat`` observes."""
        return seen.state

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        refuse_moved(cls)
        if "observe" in vars(cls):
            # A match builds observations itself, for speed: a secret that only this one hid would
            # be shown.
            raise TypeError(f"{cls.__name__}.observe is never called: override redact instead")

    @final
    def observe(self, state: S, seat: Seat | None, ply: int = 0) -> Observation[S, A]:
        """The observation of a state by a seat; `redact` decides what is hidden in it."""
        legal: tuple[A, ...] = ()
        if seat is not None and seat in self.to_act(state):
            legal = tuple(self.legal_actions(state, seat))
        return Observation(seat, ply, self.redact(state, seat), legal)

    def redact_for_all(self, state: S, seats: Sequence[Seat]) -> S:
        """The state as known to several seats that share their knowledge.

        By default what the first of them knows.
        """
        return self.redact(state, seats[0])

    def is_over(self, state: S) -> bool:
        """Whether the game is over."""
        return not self.to_act(state)

    def explain_illegal(self, state: S, seat: Seat, action: A) -> str:
        """Why an action is illegal now, to complete the sentence "illegal: ...".

        The state is as the seat may know it, and the action is one of the game.
        """
        return f"{action} is not possible now"

    @final
    def why_illegal(self, state: S, seat: Seat, action: A) -> str:
        """`explain_illegal` from what the seat may know, so that no refusal tells a secret."""
        viewer = seat if 0 <= seat < self.seats else None
        return self.explain_illegal(self.redact(state, viewer), seat, action)

    def near_misses(self, state: S, seat: Seat) -> Sequence[A]:
        """Illegal actions that a player might try; front ends list them with the reason."""
        return ()

    def parse(self, state: S, seat: Seat, text: str) -> A:
        """The action that a text stands for.

        An exact notation always wins; otherwise the text may be a prefix of one legal action.

        Raises:
            UnknownActionError: The text is not the notation of anything in this game.
            IllegalActionError: It is, but the action is not legal now.
            AmbiguousActionError: It is a prefix of several legal actions.
        """
        legal = self.legal_actions(state, seat) if seat in self.to_act(state) else ()
        # Before prefixes: an illegal "5>1" must not be taken for a legal "5>10".
        named = self.action_named(text)
        if named is not None and named not in legal:
            reason = self.why_illegal(state, seat, named)
            raise IllegalActionError(f"illegal: {reason}.", f"Choose: {listed(legal)}.")
        found = chosen(text, legal)
        if found is None:
            raise UnknownActionError(
                f'"{text}" is not an action of {self.info.name}.', f"Choose: {listed(legal)}."
            )
        return found

    def parse_chance(self, state: S, text: str) -> C:
        """The chance outcome that a text stands for, as in `parse`.

        Games with `Traits.SAMPLED_CHANCE` override this.

        Raises:
            UnknownActionError: The text is not an outcome that is possible now.
            AmbiguousActionError: It is a prefix of several outcomes.
        """
        outcomes: Sequence[C] = ()
        if self.to_act(state) == (CHANCE,):
            outcomes = [outcome for outcome, _ in self.chance_outcomes(state)]
        found = chosen(text, outcomes)
        if found is None:
            raise UnknownActionError(
                f'"{text}" can\'t come by chance now.', f"Choose: {listed(outcomes)}."
            )
        return found

    def check(self, state: S) -> None:
        """Refuse a position that the types allow but the rules don't.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """

    def to_json(self, state: S) -> dict[str, Any]:
        """The position as a JSON object; docs/file-formats.md lists the keys of every game.

        By default a key for each field of the state.
        """
        from boardgames_cli.codec.derived import object_codec

        return object_codec(type(state)).write(state)

    def from_json(self, data: Mapping[str, Any]) -> S:
        """The state of a position; the inverse of `to_json`.

        Raises:
            PositionError: The position is impossible; the message names the field.
        """
        from boardgames_cli.codec.derived import read_position

        state = read_position(type(self.initial_state()), data)
        self.check(state)
        return state

    def read_seen(self, data: Mapping[str, Any], ply: int) -> S:
        """Rebuild the redacted state of an observation, for external programs.

        The default is `from_json`, which also reads values that are `codec.fields.Hidden`. Games
        override this if their states hold more than their positions.

        Args:
            data: The redacted state as written by `to_json`.
            ply: The ply of the observation.

        Raises:
            PositionError: The position is not valid.
        """
        from boardgames_cli.codec.derived import read_position, veils_of

        kind = type(self.initial_state())
        if not any(veils_of(kind)):
            return self.from_json(data)
        state = read_position(kind, data, is_seen=True)
        self.check(state)
        return state


@functools.lru_cache(maxsize=64)
def _by_notation(game: AnyGame) -> Mapping[str, Any]:
    return {plain(str(action)): action for action in reversed(game.actions)}


AnyGame: TypeAlias = Game[Any, Any, Any]
"""Any game: for code that does not depend on the types of states and actions."""
