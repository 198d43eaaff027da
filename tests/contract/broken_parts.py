"""Views, encoders, agents and analysts that break a law of the kit each."""

# ruff: noqa: ARG005  # the replaced methods keep their signatures

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np

from boardgames_cli.algorithms.analysts.open_analyst import SearchAnalyst
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.analyst import Choice, Judgement, Reason, Value
from boardgames_cli.core.encoder import AnyEncoder, ArrayField, Arrays, DerivedEncoder, Encoder
from boardgames_cli.core.errors import OptionError
from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.presentation.view import KeyedView, KeySet, Size
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_cli.games.tapnswap.analyst import TapnSwapAnalyst
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.registry import make
from tests.contract.breakers import AT_RACE, BREAKERS, Breaker, breaks, replaced
from tests.toys import Cards, CardsState, CardsView, Pennies, PenniesView, Race, RaceState, RaceView

COUNTER = iter(range(10**9))
NEVER = threading.Event()


# -- views
class KeyedRace(RaceView, KeyedView[Any, Any, Any, Any]):
    """A view with keys."""


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


def without_late_places(self: Any, seen: Any, size: Size, context: Any) -> Picture:
    here = [min(place, 4) for place in seen.state.here]
    return Picture.of([f"{here} {seen.state.turn} rolled {seen.state.roll}"])


def places_by_their_thirds(self: Any, seen: Any, size: Size, context: Any) -> Picture:
    here = [place % 3 for place in seen.state.here]
    return Picture.of([f"{here} {seen.state.turn} rolled {seen.state.roll}"])


def not_highlighted(self: Any, seen: Any, size: Size, context: Any) -> Picture:
    return RaceView.picture(self, seen, size, replace(context, highlight=None))


def only_highlighted_in_a_role_of_its_own(
    self: Any, seen: Any, size: Size, context: Any
) -> Picture:
    if context.highlight is None:
        return RaceView.picture(self, seen, size, context)
    return Picture.of([Span(context.highlight, "odd")])


BROKEN_VIEWS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("draws_the_same_again", {"__eq__": lambda self, other: self is other}),
    ("draws_the_same_again", {"picture": remembering}),
    ("fits_where_there_is_room", {"picture": drawing("x" * 61)}),
    ("fits_where_there_is_room", {"picture": drawing(*"x" * 21)}),
    ("fits_where_there_is_room", {"picture": tiny_crash}),
    ("fits_where_there_is_room", {"aim": lambda self, seat: "Win. " * 20}),
    ("fits_where_there_is_room", {"aim": lambda self, seat: "Win,\nor else."}),
    ("fits_where_there_is_room", {"sidebar": lambda *rest: Picture.of(["x" * 30])}),
    ("fits_where_there_is_room", {"sidebar": names_in_full}),
    (
        "draws_the_same_again",
        {"picture": lambda self, *rest: Picture.of([str(random.random())])},
    ),
    ("draws_the_same_again", {"prompt": lambda self, *rest: f"Throw {random.random()}!"}),
    ("draws_the_same_again", {"narrate": lambda self, *rest: [str(random.random())]}),
    ("draws_the_same_again", {"describe": lambda self, *rest: str(random.random())}),
    ("lists_what_is_legal", {"describe": lambda self, seen, action: "go"}),
    ("styles_every_role", {"picture": drawing(Span("x", "odd.colour"))}),
    ("styles_every_role", {"picture": only_highlighted_in_a_role_of_its_own}),
    ("shows_what_is_highlighted", {"picture": not_highlighted}),
    ("keeps_to_the_glyphs", {"picture": drawing("\N{BLACK CIRCLE}")}),
    ("keeps_to_the_glyphs", {"picture": drawing("two\nlines")}),
    ("styles_every_role", {"picture": drawing(Span("red", "#ff0000"))}),
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
    ("keeps_to_the_glyphs", {"narrate": lambda self, *rest: "a text, not a list"}),
    ("keeps_to_the_glyphs", {"narrate": lambda self, *rest: [""]}),
    ("keeps_to_the_glyphs", {"narrate": lambda self, *rest: ["two\nlines"]}),
    ("keeps_to_the_glyphs", {"result": lambda self, state, context: ""}),
    ("shows_every_step", {"picture": without_places}),
    ("shows_every_step", {"picture": without_late_places}),
    ("distinguishes_positions", {"picture": places_by_their_thirds}),
    ("lists_what_is_legal", {"shortlist": lambda self, seen: ["fly"]}),
    ("lists_what_is_legal", {"shortlist": lambda self, seen: [*seen.legal] * 2}),
    ("lists_what_is_legal", {"shortlist": lambda self, seen: []}),
    ("reports_what_it_promises", {"at_a_glance": lambda self, seen: "two\nlines"}),
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
)
for law, methods in BROKEN_VIEWS:
    breaks(law, KeyedRace, Race(), **methods)


@dataclass(frozen=True)
class Numbered(Pennies):
    """Pennies whose coins are called 1 and 2."""

    actions = ("1", "2")


class NumberedView(PenniesView):
    """Shows the score."""

    def picture(self, seen: Any, size: Size, context: Any) -> Picture:
        return Picture.of([f"round {seen.state.rounds} score {seen.state.score}"])


breaks(
    "lists_what_is_legal",  # it lists 2 first
    NumberedView,
    Numbered(),
    shortlist=lambda self, seen: seen.legal[::-1],
)


# -- encoders
def good(self: AnyEncoder, seen: Any) -> Arrays:
    return DerivedEncoder(self.game).encode(seen)


def encodes(law: str, **methods: Any) -> None:
    breaks(law, DerivedEncoder, Race(), **methods)


def with_first_field(**changes: Any) -> property:
    """The right fields, the first one changed."""

    def fields(self: DerivedEncoder) -> tuple[ArrayField, ...]:
        first, *others = DerivedEncoder.fields.fget(self)  # type: ignore[attr-defined]
        return (replace(first, **changes), *others)

    return property(fields)


def changed(change: Callable[[Arrays, Any], object]) -> Callable[..., Arrays]:
    """The right arrays, then changed."""

    def encode(self: Any, seen: Any) -> Arrays:
        arrays = good(self, seen)
        change(arrays, seen)
        return arrays

    return encode


@dataclass(frozen=True, slots=True)
class Noted(RaceState):
    """A state with a note that is not part of the position."""

    notes: list[int] = field(default_factory=list, compare=False)


class NotedRace(Race):
    def initial_state(self) -> RaceState:
        return Noted((0, 0), 0, 0)


def writing(self: Any, seen: Any) -> Arrays:
    if isinstance(seen.state, Noted):
        seen.state.notes.append(1)
    return good(self, seen)


@cache
def shared(self: Any, seen: Any) -> Arrays:
    return good(self, seen)


@cache
def shared_mask(self: Any, seen: Any) -> Any:
    return DerivedEncoder.mask(self, seen)


encodes("describes_its_arrays", fields=property(lambda self: ()))
encodes("describes_its_arrays", fields=with_first_field(name="turn"))
encodes("describes_its_arrays", fields=with_first_field(name="two words"))
encodes("describes_its_arrays", fields=with_first_field(axes=()))
encodes("describes_its_arrays", fields=with_first_field(low=2))
encodes("describes_its_arrays", fields=with_first_field(meaning=""))
encodes(
    "describes_its_arrays",
    __eq__=lambda self, other: self is other,
    __hash__=object.__hash__,
)
encodes("encodes_what_it_describes", fields=with_first_field(dtype="int16"), encode=good)
encodes("encodes_what_it_describes", fields=with_first_field(shape=(3,)), encode=good)
encodes("encodes_what_it_describes", fields=with_first_field(low=1, high=2))
encodes(
    "encodes_what_it_describes",
    encode=lambda self, seen: dict(reversed(good(self, seen).items())),
)
encodes(
    "encodes_what_it_describes",
    encode=changed(lambda arrays, seen: seen.ply > 3 and arrays.pop("roll")),
)
encodes(
    "encodes_what_it_describes",
    encode=changed(lambda arrays, seen: arrays.clear() if seen.seat is None else None),
)
encodes("masks_the_legal_actions", mask=lambda self, seen: np.ones(3, dtype=np.bool_))
encodes("masks_the_legal_actions", mask=lambda self, seen: np.zeros(3, dtype=np.int8))
encodes("encodes_what_it_describes", flat=lambda self, seen: DerivedEncoder.flat(self, seen)[::-1])
encodes(
    "encodes_what_it_describes",
    flat=lambda self, seen: DerivedEncoder.flat(self, seen).astype(float),
)
encodes(
    "encodes_what_is_seen_alone",
    encode=changed(lambda arrays, seen: arrays["roll"].fill(next(COUNTER) % 2)),
)
encodes(
    "encodes_what_is_seen_alone",
    encode=changed(lambda arrays, seen: arrays["roll"].fill(id(seen.state) // 16 % 3)),
)
encodes("gives_its_arrays_away", encode=shared)
encodes("gives_its_arrays_away", mask=shared_mask)
breaks("encodes_what_is_seen_alone", DerivedEncoder, NotedRace(), encode=writing)
encodes("distinguishes_states", encode=changed(lambda arrays, seen: arrays["here"].fill(0)))


@dataclass(frozen=True, slots=True)
class MarkedState(CardsState):
    """A deal with a mark on the cards, which redact forgets to wipe off."""

    mark: int = field(default=0, compare=False)


class MarkedCards(Cards):
    def apply_chance(self, state: CardsState, outcome: str) -> CardsState:
        dealt = Cards.apply_chance(self, state, outcome)
        return MarkedState(dealt.cards, (), dealt.cards[1] or 0)

    def redact(self, state: CardsState, seat: Seat | None) -> CardsState:
        known = Cards.redact(self, state, seat)
        return MarkedState(known.cards, known.guesses, getattr(state, "mark", 0))


@dataclass(frozen=True)
class CardsEncoder(Encoder[Cards, CardsState, str]):
    """The own card, and by mistake what is marked on the other's."""

    fields: ClassVar[Any] = (
        ArrayField("cards", (2,), "int8", 0, 4, ("seat",), "3 if not known, 4 if not dealt"),
        ArrayField("guesses", (), "int8", 0, 15, (), "one after the other"),
        ArrayField("mark", (), "int8", 0, 2, (), "a mark"),
    )

    def encode(self, seen: Observation[CardsState, str]) -> Arrays:
        cards = [3 if card is None else card for card in seen.state.cards or (4, 4)]
        said = [1 if guess == "high" else 2 for guess in seen.state.guesses]
        guesses = sum(number * 3**place for place, number in enumerate(said))
        return {
            "cards": np.array(cards, dtype=np.int8),
            "guesses": np.array(guesses, dtype=np.int8),
            "mark": np.array(getattr(seen.state, "mark", 0), dtype=np.int8),
        }


class MarkView(CardsView):
    """Shows the mark."""

    def picture(self, seen: Any, size: Size, context: Any) -> Picture:
        return Picture.of([f"{seen.ply} {getattr(seen.state, 'mark', 0)}"])


breaks("encodes_what_is_seen_alone", CardsEncoder, MarkedCards())
breaks("draws_the_same_again", MarkView, MarkedCards())


# -- agents
class First(Agent[Any, Any]):
    """The first legal action."""

    games = 0

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        return seen.legal[0]


def counts(self: Any, *rest: object) -> None:
    self.games += 1


def refuses_to_watch(self: Any, seen: Observation[Any, Any]) -> None:
    raise OptionError("it has no table.")


def wavers(self: Any, game: Any) -> str | None:
    counts(self)
    return None if self.games % 2 else "not today"


def watches_from_the_start_only(self: Any, seen: Observation[Any, Any]) -> None:
    if seen.ply == 0 and seen.state != Race().initial_state():
        raise OptionError("that is no start.")


def first_after(effect: Callable[[Any, Thinking], object]) -> Callable[..., Any]:
    """Plays the first legal action, after something else."""

    def act(self: Any, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        effect(seen, thinking)
        return seen.legal[0]

    return act


def spoil(seen: Any, thinking: Thinking) -> None:
    object.__setattr__(seen.state, "score", 99)


breaks("answers_legally", First, act=lambda self, seen, thinking: "fly")
breaks("answers_legally", First, watch=refuses_to_watch)
breaks(
    "answers_the_same_again",
    First,
    reset=counts,
    act=lambda self, seen, thinking: seen.legal[self.games % len(seen.legal)],
)
breaks("leaves_the_world_alone", First, act=first_after(lambda *rest: random.random()))
breaks("leaves_the_world_alone", First, act=first_after(spoil))
breaks(
    "stops_when_cancelled",  # it thinks until its nodes are used up, whatever it is told
    First,
    act=first_after(lambda seen, thinking: thinking.budget.nodes is None and NEVER.wait()),
)
breaks(
    "stops_when_cancelled",
    First,
    act=lambda self, seen, thinking: None if thinking.should_stop() else seen.legal[0],
)
breaks("says_what_it_can_play", First, supports=wavers)
breaks("values_every_action", First, evaluate_actions=lambda self, seen, thinking: {"fly": 1.0})
for law, methods in (
    ("goes_on_wherever_the_match_does", {"watch": watches_from_the_start_only}),
    ("answers_in_time", {"act": first_after(lambda seen, thinking: time.sleep(0.02))}),
):
    kind = replaced(First, **methods)
    BREAKERS.append(Breaker(law, f"{kind.__name__} ", partial(AT_RACE, kind)))


# -- analysts
def too_much(self: Any, state: Any) -> Value:
    return Value((2.0, -2.0), is_exact=True)


def forgets_the_end(self: TapnSwapAnalyst, state: Any) -> Value:
    return (
        Value((0.5, -0.5), 1.0) if self.game.is_over(state) else TapnSwapAnalyst.value(self, state)
    )


def judges(change: Callable[[Judgement[Any]], dict[str, Any]]) -> Callable[..., Judgement[Any]]:
    """The right judgement, then changed."""

    def judge(self: Any, seen: Any, earlier: Any = ()) -> Judgement[Any]:
        judgement = TapnSwapAnalyst.judge(self, seen)
        return replace(judgement, **change(judgement))

    return judge


def worth_nothing(judgement: Judgement[Any]) -> dict[str, Any]:
    choices = [Choice(one.action, (0.0, 0.0), words=one.words) for one in judgement.choices]
    return {"choices": tuple(choices), "expected": (0.0, 0.0)}


def right_value(self: TapnSwapAnalyst, state: Any) -> Value:
    return TapnSwapAnalyst(self.game).value(state)


def all_or_nothing(self: TapnSwapAnalyst, state: Any) -> Value:
    return TapnSwapAnalyst.value(self, state) if self.game.is_over(state) else Value((0.9, -0.9))


for law, limit, methods in (
    ("gives_values_that_can_be", 0, {"value": too_much}),
    ("gives_values_that_can_be", 5, {"value": forgets_the_end}),
    ("judges_every_choice", 0, {"judge": judges(lambda right: {"choices": right.choices[:1]})}),
    ("judges_every_choice", 0, {"judge": judges(lambda _: {"expected": (0.123, -0.123)})}),
    ("fits_its_values_together", 0, {"judge": judges(worth_nothing), "value": all_or_nothing}),
    (
        "says_the_same_again",
        0,
        {"judge": judges(lambda _: {"error": random.random() * 1e-3}), "value": right_value},
    ),
    ("gives_reasons", 0, {"reason": lambda *rest: Reason("long", "A sentence.\nAnd another.")}),
):
    breaks(law, TapnSwapAnalyst, TapnSwap(max_plies=5) if limit else TapnSwap(), **methods)
breaks(
    "weighs_chance",
    SearchAnalyst,
    make("senet"),
    outcomes=lambda self, state: [
        (outcome, 0.2, value) for outcome, _, value in SearchAnalyst.outcomes(self, state)
    ],
)
breaks("weighs_chance", SearchAnalyst, make("senet"), chance_label=lambda self, outcome: "")
