"""The contract kit can fail: for every law there is something that breaks it, and is caught."""

# ruff: noqa: ARG005  # the replaced methods keep their signatures

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from boardgames_cli.core.agent import Budget
from boardgames_cli.core.encoder import DerivedEncoder
from boardgames_cli.core.game import AnyGame, RevealsInformation, Seat, Step
from boardgames_cli.core.presentation.view import KeyedView, Size
from boardgames_cli.core.text import Picture
from boardgames_cli.games.kuhn.state import KuhnState
from boardgames_cli.testing import (
    ContractError,
    check_agent,
    check_encoder,
    check_game,
    check_view,
)
from boardgames_cli.testing import check as kit
from boardgames_cli.testing.findings import BrokenLaw
from boardgames_cli.testing.laws.agents import Trial, keeps_its_memory
from tests.contract import broken_games, test_specs  # noqa: F401  # it adds to the table
from tests.contract.breakers import BREAKERS, Breaker, checker_of, replaced
from tests.contract.broken_games import Pooled
from tests.contract.broken_parts import CardsEncoder, First, changed, keys
from tests.toys import TOYS, Cards, Pennies, PenniesState, PenniesView, Race, RaceView


@pytest.mark.parametrize(
    "broken", BREAKERS, ids=[f"{n}-{one.law}" for n, one in enumerate(BREAKERS)]
)
def test_what_breaks_a_law_is_caught(broken: Breaker) -> None:
    broken_games.ASKED.clear()
    with pytest.raises(ContractError) as caught:
        broken.check()
    assert caught.value.law == broken.law, caught.value
    assert str(caught.value).startswith(broken.start)


def test_every_law_has_something_that_breaks_it() -> None:
    tables = [laws for name, laws in vars(kit).items() if name.endswith("_LAWS")]
    laws = {law.__name__ for table in tables for law in table}
    assert laws == {one.law for one in BREAKERS} | {"keeps_its_memory", "replays_its_samples"}


def test_the_message_says_which_law_where_and_what_to_do() -> None:
    with pytest.raises(ContractError) as caught:
        checker_of("says_who_acts")()
    text = str(caught.value)
    assert text.startswith("pennies() breaks the law says_who_acts: to_act gives nobody, chance")
    for line in ("what happened:", "what to do:", "seed: 0", "ply: 0", "state: PenniesState("):
        assert f"  {line}" in text


class LosesItsOwnCard(Pooled):
    """Nobody sees its own card, though it was told."""

    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return super().redact_for_all(state, ())


def test_who_does_not_see_its_own_card_is_told_so() -> None:
    with pytest.raises(ContractError, match="redact shows a seat its own card"):
        check_game(LosesItsOwnCard())


class Peeking(Pooled, RevealsInformation):
    """Who acts first sees the other's card after its first action."""

    def reveals(self, before: KuhnState, step: Step[Any, Any], seat: Seat | None) -> bool:
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


@dataclass(frozen=True)
class Closed(Pennies):
    """Pennies in which only tails is legal in the last round."""

    def legal_actions(self, state: PenniesState, seat: Seat) -> Sequence[str]:
        return self.actions if state.rounds < 2 else ("tails",)


def test_a_key_may_mean_what_is_illegal_just_now() -> None:
    def picture(self: Any, seen: Any, size: Size, context: Any) -> Picture:
        return Picture.of([f"{seen.state.rounds} {seen.state.score}"])

    methods = {"key_sets": keys({"h": "heads"}), "picture": picture}
    check_view(type("KeyedPennies", (PenniesView, KeyedView), methods)(Closed()))


def test_advice_names_the_line_of_the_author() -> None:
    def crash(self: Any, *rest: Any) -> Picture:
        raise KeyError("nowhere")

    with pytest.raises(ContractError) as caught:
        check_view(type("BadView", (RaceView,), {"picture": crash})(Race()))
    line = crash.__code__.co_firstlineno + 1
    assert f"Look at {__file__}, line {line}, in crash." in str(caught.value)


def test_one_that_grows_is_caught() -> None:
    trial = Trial(First, Race(), (0,), 9, Budget(), 1.0, used=[1, 99 << 20])
    with pytest.raises(BrokenLaw, match="it grows: 104 MB after the last game"):
        keeps_its_memory(trial)


def test_a_good_agent_passes_as_an_object_and_as_a_factory() -> None:
    check_agent(First(), Race())
    check_agent(First, Pennies())


def test_an_agent_that_cannot_play_is_not_made_to() -> None:
    kind = replaced(First, supports=lambda *rest: "it plays nothing", act=lambda *rest: "fly")
    check_agent(kind(), Race())


def test_a_collision_is_reported_with_both_states() -> None:
    with pytest.raises(ContractError, match=r"for RaceState\(.*\) and for RaceState\("):
        checker_of("distinguishes_states")()


def test_what_leaves_something_out_on_purpose_may_collide() -> None:
    kind = replaced(
        DerivedEncoder,
        encode=changed(lambda arrays, seen: arrays["here"].fill(0)),
        is_complete=False,
    )
    check_encoder(kind(Race()))


@pytest.mark.parametrize("game", [game for game in TOYS if not isinstance(game, Cards)], ids=str)
def test_what_is_derived_for_the_toys_keeps_the_contract(game: AnyGame) -> None:
    check_encoder(DerivedEncoder(game))


def test_a_hand_made_encoder_keeps_the_contract() -> None:
    check_encoder(CardsEncoder(Cards()))
