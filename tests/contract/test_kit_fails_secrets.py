"""Leaks of hidden information are caught by the contract kit, each by its law."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import (
    AnyGame,
    Observation,
    PassesTime,
    RevealsInformation,
    Seat,
    Step,
)
from boardgames_cli.games.kuhn.actions import HIDDEN, Action, Deal
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.testing import ContractError, check_game
from tests.toys import Cards, CardsState

BROKEN: list[tuple[str, AnyGame]] = []


def breaks(law: str, **options: Any) -> Any:
    """A decorator of games that break a law."""

    def add(kind: Any) -> Any:
        BROKEN.append((law, kind(**options)))
        return kind

    return add


class Pooled(Kuhn):
    """Kuhn poker whose redact asks redact_for_all, so that a leak in one is a leak in both."""

    def redact(self, state: KuhnState, seat: Seat | None) -> KuhnState:
        return self.redact_for_all(state, () if seat is None else (seat,))

    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if len(set(seats)) > 1 else Kuhn.redact(self, state, next(iter(seats), None))


@breaks("shows_only_what_steps_tell")
class ShownToOneSeat(Pooled):
    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if 1 in seats else super().redact_for_all(state, seats)


@breaks("shows_only_what_steps_tell")
class DealtOpenToOneSeat(Cards):
    """The deal is one outcome, of which a seat sees more than its own card."""

    def redact(self, state: CardsState, seat: Seat | None) -> CardsState:
        return state if seat == 1 else super().redact(state, seat)


@breaks("shows_only_what_steps_tell", hands=3)
class ShownFromTheSecondHandOn(Pooled):
    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if state.hand else super().redact_for_all(state, seats)


@breaks("shows_only_what_steps_tell")
class ShownAfterTheFirstActionOnly(Pooled):
    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if len(state.actions) == 1 else super().redact_for_all(state, seats)


@breaks("shows_only_what_steps_tell")
class ShownToSpectators(Pooled):
    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if not seats else super().redact_for_all(state, seats)


@breaks("shows_spectators_what_all_know")
class ToldToSpectatorsToo(ShownToSpectators):
    def redact_step(
        self, before: KuhnState, step: Step[Action, Deal], seat: Seat | None
    ) -> Step[Action, Deal]:
        return step if seat is None else super().redact_step(before, step, seat)


@breaks("shows_only_what_steps_tell", hands=1000)
class CardInAPublicField(Kuhn):
    """The number of the hand grows by the card of the first player."""

    def apply(self, state: KuhnState, joint: Mapping[Seat, Action]) -> KuhnState:
        after = super().apply(state, joint)
        return after._replace(hand=after.hand + after.cards[0])


@breaks("shows_only_what_steps_tell")
class NobodyIsToldItsCard(Kuhn):
    def redact_step(
        self, before: KuhnState, step: Step[Action, Deal], seat: Seat | None
    ) -> Step[Action, Deal]:
        return Step.of_chance(None) if step.is_chance else step


class Gossip(Kuhn):
    """Kuhn poker with an action that is never legal."""

    @property
    def actions(self) -> tuple[Any, ...]:
        return (*super().actions, "peek")

    def other(self, state: KuhnState, seat: Seat) -> int:
        return state.cards[1 - seat]

    def parse(self, state: KuhnState, seat: Seat, text: str) -> Any:
        if text == "peek":
            raise IllegalActionError(f"illegal: {self.explain_illegal(state, seat, text)}.")  # type: ignore[arg-type]
        return super().parse(state, seat, text)


@breaks("answers_from_what_is_seen")
class TellsInExplanations(Gossip):
    def explain_illegal(self, state: KuhnState, seat: Seat, action: Action) -> str:
        return f"the other has {self.other(state, seat)}"


@breaks("answers_from_what_is_seen")
class TellsInRefusals(Gossip):
    def parse(self, state: KuhnState, seat: Seat, text: str) -> Any:
        if text == "peek":
            raise IllegalActionError(f"illegal: the other has {self.other(state, seat)}.")
        return super().parse(state, seat, text)


@breaks("answers_from_what_is_seen")
class TellsInNearMisses(Gossip):
    def near_misses(self, state: KuhnState, seat: Seat) -> Sequence[Any]:
        return ("peek",) if self.other(state, seat) == 2 else ()


@breaks("answers_from_what_is_seen")
class TellsInTheDefaultAction(Kuhn, PassesTime):
    def default_action(self, state: KuhnState, seat: Seat) -> Action:
        return self.actions[state.cards[1 - seat] == 2]


@breaks("answers_from_what_is_seen")
class TellsInIds(Kuhn):
    def action_id(self, state: KuhnState, action: Action) -> int:
        return self.actions.index(action) ^ (2 in state.cards)


@breaks("answers_from_what_is_seen")
class TellsInReturns(Kuhn):
    def returns(self, state: KuhnState) -> tuple[float, ...]:
        if len(state.actions) != 1:
            return super().returns(state)
        ahead = 0.5 if state.cards[0] > state.cards[1] else -0.5
        return (ahead, -ahead)


@breaks("guesses_what_can_be")
class GuessesTheSameCardTwice(Kuhn):
    def determinize(self, seen: Observation[KuhnState, Action], rng: random.Random) -> KuhnState:
        state = seen.state
        one, two = (rng.randrange(3) if card == HIDDEN else card for card in state.cards)
        return KuhnState((one, two), state.actions, state.first, state.hand, state.won)

    def check(self, state: KuhnState) -> None:
        """Everything goes."""


@breaks("guesses_what_can_be")
class AlwaysGuessesTheSame(Kuhn):
    def determinize(self, seen: Observation[KuhnState, Action], rng: random.Random) -> KuhnState:
        return super().determinize(seen, random.Random(1))


@pytest.mark.parametrize(("law", "game"), BROKEN, ids=[type(game).__name__ for _, game in BROKEN])
def test_a_leak_is_caught(law: str, game: AnyGame) -> None:
    with pytest.raises(ContractError) as caught:
        check_game(game, seeds=range(8))
    assert caught.value.law == law, caught.value


class LosesItsOwnCard(Pooled):
    """Nobody sees its own card, though it was told."""

    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return super().redact_for_all(state, ())


def test_who_does_not_see_its_own_card_is_told_so() -> None:
    with pytest.raises(ContractError, match="redact shows a seat its own card"):
        check_game(LosesItsOwnCard())


class Peeking(Pooled, RevealsInformation):
    """Who acts first sees the other's card after its first action."""

    def reveals(self, before: KuhnState, step: Step[Action, Deal], seat: Seat | None) -> bool:
        return len(before.actions) == 0 and not step.is_chance and seat == before.first

    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return (
            state
            if state.actions and state.first in seats
            else super().redact_for_all(state, seats)
        )


class PeekingTooEarly(Peeking):
    """It sees the card before, too."""

    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if state.first in seats else super().redact_for_all(state, seats)


def test_what_a_game_says_it_reveals_may_be_seen_but_not_before() -> None:
    check_game(Peeking(hands=2), seeds=range(8))
    with pytest.raises(ContractError) as caught:
        check_game(PeekingTooEarly(hands=2), seeds=range(8))
    assert caught.value.law == "shows_only_what_steps_tell"
