"""Broken views and agents are caught by the contract kit, each by its law."""

# ruff: noqa: ARG005  # the replaced methods keep their signatures

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from boardgames_cli.core.agent import Agent, Budget, Thinking
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.presentation.view import KeyedView, KeySet, Size
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.testing import ContractError, ContractWarning, check_agent, check_view
from boardgames_cli.testing.check import AGENT_LAWS, LOOK_LAWS, SHOWING_LAWS
from boardgames_cli.testing.findings import BrokenLaw
from boardgames_cli.testing.laws.agents import Trial, keeps_its_memory
from tests.contract.test_connect_four import HIDING
from tests.contract.test_kit_fails_encoders import MarkedCards
from tests.toys import CardsView, Pennies, PenniesState, PenniesView, Race, RaceView

NEVER = threading.Event()


def drawing(*lines: str | Span) -> Callable[..., Picture]:
    return lambda self, seen, size, context: Picture.of(lines)


def tiny_crash(self: Any, seen: Any, size: Size, context: Any) -> Picture:
    return Picture.of(["x" * (10 // size.width)])


def keys(*actions: dict[str, str]) -> Callable[..., list[KeySet]]:
    return lambda self, people: [KeySet(own) for own in actions]


def remembering(self: Any, seen: Any, size: Size, context: Any) -> Picture:
    object.__setattr__(self, "seen", seen)
    return RaceView.picture(self, seen, size, context)


def names_in_full(self: Any, seen: Any, width: int, context: Any) -> Picture:
    return Picture.of([context.name(seat) for seat in range(self.game.seats)])


def without_places(self: Any, seen: Any, size: Size, context: Any) -> Picture:
    return Picture.of([f"{seen.state.turn} rolled {seen.state.roll}"])


def not_highlighted(self: Any, seen: Any, size: Size, context: Any) -> Picture:
    return RaceView.picture(self, seen, size, replace(context, highlight=None))


def only_highlighted_in_a_role_of_its_own(
    self: Any, seen: Any, size: Size, context: Any
) -> Picture:
    if context.highlight is None:
        return RaceView.picture(self, seen, size, context)
    return Picture.of([Span(context.highlight, "odd")])


BROKEN_VIEWS: list[tuple[str, dict[str, Any]]] = [
    ("keeps_nothing", {"__eq__": lambda self, other: self is other}),
    ("keeps_nothing", {"picture": remembering}),
    ("draws_at_every_size", {"picture": drawing("x" * 61)}),
    ("draws_at_every_size", {"picture": drawing(*"x" * 21)}),
    ("draws_at_every_size", {"picture": tiny_crash}),
    ("says_the_aim_in_a_line", {"aim": lambda self, seat: "Win. " * 20}),
    ("says_the_aim_in_a_line", {"aim": lambda self, seat: "Win,\nor else."}),
    ("keeps_the_sidebar_narrow", {"sidebar": lambda *rest: Picture.of(["x" * 30])}),
    ("keeps_the_sidebar_narrow", {"sidebar": names_in_full}),
    (
        "draws_the_same_again",
        {"picture": lambda self, *rest: Picture.of([str(random.random())])},
    ),
    ("draws_the_same_again", {"prompt": lambda self, *rest: f"Throw {random.random()}!"}),
    ("draws_the_same_again", {"narrate": lambda self, *rest: [str(random.random())]}),
    ("draws_the_same_again", {"describe": lambda self, *rest: str(random.random())}),
    ("labels_choices_apart", {"describe": lambda self, seen, action: "go"}),
    ("styles_every_role", {"picture": drawing(Span("x", "odd.colour"))}),
    ("styles_every_role", {"picture": only_highlighted_in_a_role_of_its_own}),
    ("shows_what_is_highlighted", {"picture": not_highlighted}),
    ("keeps_to_the_glyphs", {"picture": drawing("\N{BLACK CIRCLE}")}),
    ("keeps_to_the_glyphs", {"picture": drawing("two\nlines")}),
    ("keeps_to_the_glyphs", {"picture": drawing(Span("red", "#ff0000"))}),
    ("keeps_to_the_glyphs", {"legend": lambda self, glyphs: Picture.of(["\N{SNOWMAN}"])}),
    (
        "keeps_to_the_glyphs",
        {
            "legend": lambda self, glyphs: Picture.of(
                ["x" if glyphs is Glyphs.ASCII else "\N{HIRAGANA LETTER A}"]
            )
        },
    ),
    ("keeps_to_the_glyphs", {"prompt": lambda self, seen, context: ""}),
    ("keeps_to_the_glyphs", {"describe": lambda self, seen, action: "\N{BLACK CIRCLE}"}),
    ("offers_legal_clicks", {"picture": drawing(Span("x", action="step"))}),
    ("offers_legal_clicks", {"picture": drawing(Span("x", action="fly"))}),
    ("narrates_the_last_step", {"narrate": lambda self, *rest: "a text, not a list"}),
    ("narrates_the_last_step", {"narrate": lambda self, *rest: [""]}),
    ("narrates_the_last_step", {"narrate": lambda self, *rest: ["two\nlines"]}),
    ("narrates_the_last_step", {"result": lambda self, state, context: ""}),
    ("shows_every_step", {"picture": without_places}),
    ("lists_what_is_legal", {"shortlist": lambda self, seen: ["fly"]}),
    ("lists_what_is_legal", {"shortlist": lambda self, seen: [*seen.legal] * 2}),
    ("lists_what_is_legal", {"shortlist": lambda self, seen: []}),
    ("lists_what_is_legal", {"at_a_glance": lambda self, seen: "two\nlines"}),
    ("reports_what_it_promises", {"reports": {"wind": "tell where it blows from"}}),
    (
        "reports_what_it_promises",
        {"reports": {"wind": "x"}, "report": lambda self, *rest: ["two\nlines"]},
    ),
    ("gives_keys_that_mean_something", {"key_sets": keys({"w": "fly"})}),
    ("gives_keys_that_mean_something", {"key_sets": keys({"w": "step"}, {"w": "step"})}),
    (
        "gives_keys_that_mean_something",
        {"key_sets": lambda self, people: [KeySet({"w": "step"}, (), {"1": "loudly"}, 1)]},
    ),
]


@pytest.mark.parametrize(
    ("law", "methods"), BROKEN_VIEWS, ids=[f"{n}-{law}" for n, (law, _) in enumerate(BROKEN_VIEWS)]
)
def test_a_broken_view_is_caught(law: str, methods: dict[str, Any]) -> None:
    view = type("BadView", (RaceView, KeyedView), methods)(Race())
    with pytest.raises(ContractError, match="BadView of race") as caught:
        check_view(view)
    assert caught.value.law == law, caught.value


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


@dataclass(frozen=True)
class Numbered(Pennies):
    """Pennies whose coins are called 1 and 2."""

    @property
    def actions(self) -> tuple[str, ...]:
        return ("1", "2")


class NumberedView(PenniesView):
    """Shows the score."""

    def picture(self, seen: Any, size: Size, context: Any) -> Picture:
        return Picture.of([f"round {seen.state.rounds} score {seen.state.score}"])


class Backwards(NumberedView):
    """Lists 2 first."""

    def shortlist(self, seen: Observation[Any, Any]) -> Sequence[Any]:
        return seen.legal[::-1]


NUMBERED = [("numbers_mean_one_thing", Backwards)]


@pytest.mark.parametrize(("law", "kind"), NUMBERED)
def test_a_number_with_two_meanings_is_refused(law: str, kind: type[NumberedView]) -> None:
    with pytest.raises(ContractError) as caught:
        check_view(kind(Numbered()))
    assert caught.value.law == law, caught.value


def test_a_number_that_happens_to_mean_one_thing_is_warned_of() -> None:
    with pytest.warns(ContractWarning, match="'1', '2' are also numbers of the list"):
        check_view(NumberedView(Numbered()))


class First(Agent[Any, Any]):
    """The first legal action."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[0]


class Stranger(First):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return "fly"


class Moody(First):
    """Remembers what it did in the last game."""

    games = 0

    def reset(self, game: Any, seat: int) -> None:
        self.games += 1

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[self.games % len(seen.legal)]


class Gambler(First):
    """Draws from the global generator, but always does the same."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        random.random()
        return seen.legal[0]


class Vandal(First):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        object.__setattr__(seen.state, "score", 99)
        return seen.legal[0]


class Deaf(First):
    """Thinks until its nodes are used up, whatever it is told."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        if thinking.budget.nodes is None:
            NEVER.wait()
        return seen.legal[0]


class Speechless(First):
    """Has no answer if it has no time."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return None if thinking.should_stop() else seen.legal[0]


class Failing(First):
    def watch(self, seen: Observation[Any, Any]) -> None:
        raise OptionError("it has no table.")


class Wavering(First):
    answers = 0

    def supports(self, game: Any) -> str | None:
        self.answers += 1
        return None if self.answers % 2 else "not today"


class Overvaluing(First):
    def evaluate_actions(self, seen: Any, thinking: Any) -> dict[Any, float]:
        return {"fly": 1.0}


class Opening(First):
    """Plays from the start of a game only."""

    def watch(self, seen: Observation[Any, Any]) -> None:
        if seen.ply == 0 and seen.state != Race().initial_state():
            raise OptionError("that is no start.")


class Sleepy(First):
    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        time.sleep(2 * (thinking.budget.seconds or 0.0))
        return seen.legal[0]


BROKEN_AGENTS = [
    ("answers_legally", Stranger),
    ("answers_legally", Failing),
    ("answers_the_same_again", Moody),
    ("leaves_the_world_alone", Gambler),
    ("leaves_the_world_alone", Vandal),
    ("stops_when_cancelled", Deaf),
    ("stops_when_cancelled", Speechless),
    ("says_what_it_can_play", Wavering),
    ("values_every_action", Overvaluing),
]


@pytest.mark.parametrize(("law", "kind"), BROKEN_AGENTS)
def test_a_broken_agent_is_caught(law: str, kind: type[Agent[Any, Any]]) -> None:
    with pytest.raises(ContractError, match=kind.__name__) as caught:
        check_agent(kind(), Pennies(), patience=0.05)
    assert caught.value.law == law, caught.value


@pytest.mark.parametrize(
    ("kind", "law"),
    [(Opening, "goes_on_wherever_the_match_does"), (Sleepy, "answers_in_time")],
)
def test_one_that_plays_only_so_is_caught(kind: type[Agent[Any, Any]], law: str) -> None:
    with pytest.raises(ContractError) as caught:
        check_agent(kind(), Race(), range(1), budget=Budget(seconds=0.01))
    assert caught.value.law == law, caught.value


def test_one_that_grows_is_caught() -> None:
    trial = Trial(First, Race(), (0,), 9, Budget(), 1.0, used=[1, 99 << 20])
    with pytest.raises(BrokenLaw, match="it grows: 104 MB after the last game"):
        keeps_its_memory(trial)


def test_a_good_agent_passes_as_an_object_and_as_a_factory() -> None:
    check_agent(First(), Race())
    check_agent(First, Pennies())


def test_an_agent_that_cannot_play_is_not_made_to() -> None:
    class Choosy(Stranger):
        def supports(self, game: Any) -> str | None:
            return "it plays nothing"

    check_agent(Choosy(), Race())


def test_every_law_has_something_that_breaks_it() -> None:
    laws = (*LOOK_LAWS, *SHOWING_LAWS)
    assert {law.__name__ for law in laws} == {law for law, _ in [*BROKEN_VIEWS, *NUMBERED, *HIDING]}
    others = {"goes_on_wherever_the_match_does", "answers_in_time", "keeps_its_memory"}
    assert {law.__name__ for law in AGENT_LAWS} == {law for law, _ in BROKEN_AGENTS} | others


class MarkView(CardsView):
    """Shows a mark that redact leaves in the state, although it does not count for equality."""

    def picture(self, seen: Any, size: Size, context: Any) -> Picture:
        return Picture.of([f"{seen.ply} {getattr(seen.state, 'mark', 0)}"])


def test_what_a_view_shows_is_the_same_in_all_states_that_look_the_same() -> None:
    with pytest.raises(ContractError, match="which looks the same") as caught:
        check_view(MarkView(MarkedCards()))
    assert caught.value.law == "draws_the_same_again"
