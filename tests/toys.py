"""Small games for tests of everything that is not a particular game.

`Race` has dice, `Pennies` joint moves, `Cards` secrets, `Lots` a chance too wide to list, `Heap`
actions that are called like numbers.
Actions and outcomes are plain texts.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from boardgames_cli.codec.derived import redacted
from boardgames_cli.codec.fields import Hidden, Whole
from boardgames_cli.core.errors import PositionError, UnknownActionError
from boardgames_cli.core.game import (
    CHANCE,
    AnyGame,
    Game,
    GameInfo,
    NoChance,
    Observation,
    Seat,
    Step,
    Traits,
)
from boardgames_cli.core.options import option
from boardgames_cli.core.presentation.view import AnyView, RenderContext, Size, View
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import Canvas, Glyphs, Picture

# -- dice and turns ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RaceState:
    here: tuple[Annotated[int, Whole(0, 20)], Annotated[int, Whole(0, 20)]]
    turn: Annotated[Seat, Whole(0, 1)]
    roll: Annotated[int, Whole(0, 2)]


@dataclass(frozen=True)
class Race(Game[RaceState, str, str]):
    """Roll 1 or 2, then step so far or jump twice as far; first to arrive wins."""

    info: ClassVar[GameInfo] = GameInfo(
        "race", "Race", (2,), Traits.CHANCE | Traits.ZERO_SUM, 1, seat_names=("hare", "tortoise")
    )
    length: int = option(10, "how far to run", choices=(6, 10))
    utility = (-1.0, 1.0)
    actions = ("step", "jump", "jump high")

    @property
    def longest(self) -> int:
        return 4 * self.length

    def initial_state(self) -> RaceState:
        return RaceState((0, 0), 0, 0)

    def to_act(self, state: RaceState) -> tuple[Seat, ...]:
        if max(state.here) >= self.length:
            return ()
        return (state.turn,) if state.roll else (CHANCE,)

    def legal_actions(self, state: RaceState, seat: Seat) -> Sequence[str]:
        far = state.here[seat] + 2 * state.roll <= self.length
        return ("step", "jump high") if far else ("step",)

    def apply(self, state: RaceState, joint: Mapping[Seat, str]) -> RaceState:
        here = list(state.here)
        here[state.turn] += state.roll * (1 if joint[state.turn] == "step" else 2)
        return RaceState((here[0], here[1]), 1 - state.turn, 0)

    def returns(self, state: RaceState) -> tuple[float, ...]:
        ahead = (state.here[0] >= self.length) - (state.here[1] >= self.length)
        return (float(ahead), float(-ahead))

    def chance_outcomes(self, state: RaceState) -> Sequence[tuple[str, float]]:
        return (("roll 1", 1 / 3), ("roll 2", 2 / 3))

    def apply_chance(self, state: RaceState, outcome: str) -> RaceState:
        return RaceState(state.here, state.turn, int(outcome[-1]))

    def near_misses(self, state: RaceState, seat: Seat) -> Sequence[str]:
        return ("jump",)


def spec(rules: type[AnyGame], view: type[AnyView], **more: Any) -> GameSpec:
    """The manifest of a toy; all levels play at random."""
    levels = dict.fromkeys(("easy", "medium", "hard"), "random")
    named = {"rules": f"tests.toys:{rules.__name__}", "view": f"tests.toys:{view.__name__}"}
    return GameSpec(info=rules.info, **{"levels": levels, **named, **more})


class RaceView(View[AnyGame, Any, str, Any]):
    """Two tracks."""

    def picture(
        self,
        seen: Observation[RaceState, str],
        size: Size,
        context: RenderContext[str, Any],
    ) -> Picture:
        canvas = Canvas(min(30, max(size.width, 0)), min(4, max(size.height, 0)))
        canvas.put(27, 0, f"{seen.state.turn}:{seen.state.roll}")
        for seat, place in enumerate(seen.state.here):
            canvas.put(0, seat, f"{context.name(seat)[:8]:8} {'.' * place}{seat}", f"seat.{seat}")
        for row, action in enumerate(seen.legal):
            role = "highlight" if action == context.highlight else None
            canvas.put(0, 2 + row, action, role, action=action)
        return canvas.picture()

    def narrate(self, before, step, after, context) -> list[str]:  # type: ignore[no-untyped-def]
        if step.is_chance:
            return [f"dice: {step.outcome}"]
        return [f"{context.name(seat)}: {act}" for seat, act in step.joint.items()]

    def legend(self, glyphs: Glyphs) -> Picture:
        return Picture.of(["0 and 1 are the runners"])


def evaluate(game: AnyGame, state: RaceState, seat: Seat) -> float:
    return (state.here[seat] - state.here[1 - seat]) / 20


RACE = spec(
    Race,
    RaceView,
    levels={"easy": "random", "medium": "random", "hard": "greedy"},
    heuristic="tests.toys:evaluate",
)


# -- joint moves -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PenniesState:
    rounds: Annotated[int, Whole(0, 3)] = 0
    score: Annotated[int, Whole(-3, 3)] = 0


@dataclass(frozen=True)
class Pennies(Game[PenniesState, str, NoChance]):
    """Three times both show a coin: seat 0 wins if they match."""

    info: ClassVar[GameInfo] = GameInfo(
        "pennies", "Pennies", (2,), Traits.SIMULTANEOUS | Traits.ZERO_SUM, 1
    )
    utility = (-3.0, 3.0)
    longest = 3
    actions = ("heads", "tails")

    def initial_state(self) -> PenniesState:
        return PenniesState()

    def to_act(self, state: PenniesState) -> tuple[Seat, ...]:
        return (0, 1) if state.rounds < 3 else ()

    def legal_actions(self, state: PenniesState, seat: Seat) -> Sequence[str]:
        return self.actions

    def apply(self, state: PenniesState, joint: Mapping[Seat, str]) -> PenniesState:
        won = 1 if joint[0] == joint[1] else -1
        return PenniesState(state.rounds + 1, state.score + won)

    def returns(self, state: PenniesState) -> tuple[float, ...]:
        return (float(state.score), float(-state.score))


class PenniesView(RaceView):
    """One line."""

    def picture(self, seen, size, context) -> Picture:  # type: ignore[no-untyped-def]
        return Picture.of([f"round {seen.state.rounds}"])


PENNIES = spec(Pennies, PenniesView)


# -- secrets -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardsState:
    cards: tuple[Annotated[int | None, Whole(0, 2), Hidden(None)], ...] = ()
    guesses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cards(Game[CardsState, str, str]):
    """Each gets one of three cards and guesses whether it is the higher one."""

    info: ClassVar[GameInfo] = GameInfo("cards", "Cards", (2,), Traits.CHANCE | Traits.HIDDEN, 1)
    utility = (0.0, 1.0)
    longest = 3

    @property
    def actions(self) -> tuple[str, ...]:
        return ("high", "low")

    def initial_state(self) -> CardsState:
        return CardsState()

    def to_act(self, state: CardsState) -> tuple[Seat, ...]:
        if not state.cards:
            return (CHANCE,)
        return (len(state.guesses),) if len(state.guesses) < 2 else ()

    def legal_actions(self, state: CardsState, seat: Seat) -> Sequence[str]:
        return self.actions

    def apply(self, state: CardsState, joint: Mapping[Seat, str]) -> CardsState:
        return CardsState(state.cards, (*state.guesses, joint[len(state.guesses)]))

    def returns(self, state: CardsState) -> tuple[float, ...]:
        if len(state.guesses) < 2:
            return (0.0, 0.0)
        first, second = (-1 if card is None else card for card in state.cards)
        truth = ("high", "low") if first > second else ("low", "high")
        return tuple(float(a == b) for a, b in zip(truth, state.guesses, strict=True))

    def chance_outcomes(self, state: CardsState) -> Sequence[tuple[str, float]]:
        return [(f"deal {a} {b}", 1 / 6) for a in range(3) for b in range(3) if a != b]

    def apply_chance(self, state: CardsState, outcome: str) -> CardsState:
        return CardsState(tuple(int(card) for card in outcome.split()[1:]))

    def redact_step(
        self, before: CardsState, step: Step[str, str], seat: Seat | None
    ) -> Step[str, str]:
        return Step.of_chance(None) if step.is_chance else step

    def redact(self, state: CardsState, seat: Seat | None) -> CardsState:
        if len(state.guesses) == 2:
            return state
        return redacted(state, lambda owner: seat == owner)

    def determinize(self, seen: Observation[CardsState, str], rng: random.Random) -> CardsState:
        if not seen.state.cards or None not in seen.state.cards:
            return seen.state
        left = [card for card in range(3) if card not in seen.state.cards]
        rng.shuffle(left)
        cards = tuple(left.pop() if card is None else card for card in seen.state.cards)
        return CardsState(cards, seen.state.guesses)

    def check(self, state: CardsState) -> None:
        dealt = [card for card in state.cards if card is not None]
        if len(state.cards) not in (0, 2) or len(set(dealt)) < len(dealt):
            raise PositionError("cards is no deal.")
        if not set(state.guesses) <= set(self.actions):
            raise PositionError("guesses are not high or low.")
        if len(state.guesses) > len(state.cards):
            raise PositionError("guesses are too many.")


class Peek(Cards):
    """The first guess shows the second seat all cards."""

    def redact(self, state: CardsState, seat: Seat | None) -> CardsState:
        return state if seat == 1 and state.guesses else super().redact(state, seat)


class CardsView(View[Cards, CardsState, str, str]):
    """The cards that the seat knows."""

    def picture(self, seen: Any, size: Size, context: RenderContext[str, str]) -> Picture:
        return Picture.of([str(card) for card in seen.state.cards])

    def narrate(
        self,
        before: CardsState,
        step: Step[str, str],
        after: CardsState,
        context: RenderContext[str, str],
    ) -> list[str]:
        return ["a deal" if step.is_chance else "a guess"]

    def legend(self, glyphs: Glyphs) -> Picture:
        return Picture.of(["numbers are cards"])


CARDS = spec(Cards, CardsView)


# -- sampled chance ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LotsState:
    lot: Annotated[int, Whole(0, 10**6 - 1)] | None = None
    kept: bool | None = None


@dataclass(frozen=True)
class Lots(Game[LotsState, str, str]):
    """One player draws a lot of a million and keeps it or not."""

    info: ClassVar[GameInfo] = GameInfo("lots", "Lots", (1,), Traits.SAMPLED_CHANCE, 1)
    utility = (0.0, 1e6)
    longest = 2
    actions = ("keep", "drop")

    def initial_state(self) -> LotsState:
        return LotsState()

    def to_act(self, state: LotsState) -> tuple[Seat, ...]:
        if state.lot is None:
            return (CHANCE,)
        return (0,) if state.kept is None else ()

    def legal_actions(self, state: LotsState, seat: Seat) -> Sequence[str]:
        return self.actions

    def apply(self, state: LotsState, joint: Mapping[Seat, str]) -> LotsState:
        return LotsState(state.lot, joint[0] == "keep")

    def returns(self, state: LotsState) -> tuple[float, ...]:
        return (float(state.lot or 0) if state.kept else 0.0,)

    def sample_chance(self, state: LotsState, rng: random.Random) -> str:
        return f"lot {rng.randrange(10**6)}"

    def apply_chance(self, state: LotsState, outcome: str) -> LotsState:
        return LotsState(int(outcome.split()[1]))

    def parse_chance(self, state: LotsState, text: str) -> str:
        word, _, number = text.partition(" ")
        if word != "lot" or not number.isdecimal() or int(number) >= 10**6:
            raise UnknownActionError(f'"{text}" is no lot.')
        return f"lot {int(number)}"

    def check(self, state: LotsState) -> None:
        if state.lot is None and state.kept is not None:
            raise PositionError("kept without a lot.")


# -- actions that are called like numbers ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeapState:
    left: Annotated[int, Whole(0, 7)]
    turn: Annotated[Seat, Whole(0, 1)] = 0


@dataclass(frozen=True)
class Heap(Game[HeapState, str, NoChance]):
    """Take 3, 2 or 1 from a heap; who takes the last one wins.

    Its notation is made to be mistaken for the numbers of a list, so it is not among `TOYS`.
    """

    info: ClassVar[GameInfo] = GameInfo("heap", "Heap", (2,), Traits.ZERO_SUM, 1)
    utility = (-1.0, 1.0)
    longest = 7
    actions = ("3", "2", "1")

    def initial_state(self) -> HeapState:
        return HeapState(7)

    def to_act(self, state: HeapState) -> tuple[Seat, ...]:
        return (state.turn,) if state.left else ()

    def legal_actions(self, state: HeapState, seat: Seat) -> Sequence[str]:
        return tuple(action for action in self.actions if int(action) <= state.left)

    def apply(self, state: HeapState, joint: Mapping[Seat, str]) -> HeapState:
        return HeapState(state.left - int(joint[state.turn]), 1 - state.turn)

    def returns(self, state: HeapState) -> tuple[float, ...]:
        won = 0.0 if state.left else 1.0 if state.turn else -1.0
        return (won, -won)


class HeapView(PenniesView):
    """One line."""

    def picture(self, seen, size, context) -> Picture:  # type: ignore[no-untyped-def]
        return Picture.of([f"{seen.state.left} left"])


HEAP = spec(Heap, HeapView)


TOYS: tuple[AnyGame, ...] = (Race(), Race(6), Pennies(), Cards(), Lots())
