"""Broken encoders are caught by the contract kit, each by its law."""

# ruff: noqa: ARG005  # the replaced methods keep their signatures

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

from boardgames_cli.core.encoder import AnyEncoder, ArrayField, Arrays, DerivedEncoder, Encoder
from boardgames_cli.core.game import AnyGame, Observation, Seat
from boardgames_cli.testing import ContractError, check_encoder
from boardgames_cli.testing.check import ENCODER_LAWS, ENCODING_LAWS
from tests.toys import TOYS, Cards, CardsState, Race, RaceState

BROKEN: list[tuple[str, Callable[[], AnyEncoder]]] = []
COUNTER = iter(range(10**9))


def good(self: AnyEncoder, seen: Any) -> Arrays:
    return DerivedEncoder(self.game).encode(seen)


def breaks(law: str, game: AnyGame | None = None, **methods: Any) -> None:
    """Add an encoder in which some methods are replaced."""
    name = f"Bad{len(BROKEN)}"
    body = {"__module__": __name__, "__qualname__": name, **methods}
    kind = type(name, (DerivedEncoder,), body)
    globals()[name] = kind  # where pickle looks for it
    BROKEN.append((law, lambda: kind(game or Race())))


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


breaks("describes_its_arrays", fields=property(lambda self: ()))
breaks("describes_its_arrays", fields=with_first_field(name="turn"))
breaks("describes_its_arrays", fields=with_first_field(name="two words"))
breaks("describes_its_arrays", fields=with_first_field(axes=()))
breaks("describes_its_arrays", fields=with_first_field(low=2))
breaks("describes_its_arrays", fields=with_first_field(meaning=""))
breaks(
    "travels_to_other_processes",
    __eq__=lambda self, other: self is other,
    __hash__=object.__hash__,
)
breaks("encodes_what_it_describes", fields=with_first_field(dtype="int16"), encode=good)
breaks("encodes_what_it_describes", fields=with_first_field(shape=(3,)), encode=good)
breaks("encodes_what_it_describes", fields=with_first_field(low=1, high=2))
breaks(
    "encodes_what_it_describes",
    encode=lambda self, seen: dict(reversed(good(self, seen).items())),
)
breaks(
    "encodes_what_it_describes",
    encode=changed(lambda arrays, seen: seen.ply > 3 and arrays.pop("roll")),
)
breaks(
    "encodes_what_it_describes",
    encode=changed(lambda arrays, seen: arrays.clear() if seen.seat is None else None),
)
breaks("masks_the_legal_actions", mask=lambda self, seen: np.ones(3, dtype=np.bool_))
breaks("masks_the_legal_actions", mask=lambda self, seen: np.zeros(3, dtype=np.int8))
breaks("flattens_in_order", flat=lambda self, seen: DerivedEncoder.flat(self, seen)[::-1])
breaks("flattens_in_order", flat=lambda self, seen: DerivedEncoder.flat(self, seen).astype(float))
breaks(
    "encodes_equal_observations_equally",
    encode=changed(lambda arrays, seen: arrays["roll"].fill(next(COUNTER) % 2)),
)
breaks(
    "encodes_equal_observations_equally",
    encode=changed(lambda arrays, seen: arrays["roll"].fill(id(seen.state) // 16 % 3)),
)
breaks("gives_its_arrays_away", encode=shared)
breaks("gives_its_arrays_away", mask=shared_mask)
breaks("leaves_the_observation_alone", game=NotedRace(), encode=writing)
breaks("distinguishes_states", encode=changed(lambda arrays, seen: arrays["here"].fill(0)))


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


BROKEN.append(("contains_no_secret", lambda: CardsEncoder(MarkedCards())))


@pytest.mark.parametrize(
    ("law", "make"), BROKEN, ids=[f"{n}-{law}" for n, (law, _) in enumerate(BROKEN)]
)
def test_a_broken_encoder_is_caught(law: str, make: Callable[[], AnyEncoder]) -> None:
    encoder = make()
    with pytest.raises(ContractError) as caught:
        check_encoder(encoder)
    assert caught.value.law == law, caught.value
    assert str(caught.value).startswith(f"{type(encoder).__name__} of {encoder.game.info.id}(")


def test_a_collision_is_reported_with_both_states() -> None:
    make = next(make for law, make in BROKEN if law == "distinguishes_states")
    with pytest.raises(ContractError, match=r"for RaceState\(.*\) and for RaceState\("):
        check_encoder(make())


def test_what_leaves_something_out_on_purpose_may_collide() -> None:
    make = next(make for law, make in BROKEN if law == "distinguishes_states")
    kind = type(make())
    kind.is_complete = False
    try:
        check_encoder(make())
    finally:
        del kind.is_complete


@pytest.mark.parametrize("game", [game for game in TOYS if not isinstance(game, Cards)], ids=str)
def test_what_is_derived_for_the_toys_keeps_the_contract(game: AnyGame) -> None:
    check_encoder(DerivedEncoder(game))


def test_a_hand_made_encoder_keeps_the_contract() -> None:
    check_encoder(CardsEncoder(Cards()))


def test_every_law_has_an_encoder_that_breaks_it() -> None:
    laws = (*ENCODER_LAWS, *ENCODING_LAWS)
    assert {law.__name__ for law in laws} == {law for law, _ in BROKEN}
