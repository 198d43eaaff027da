"""Games that break a law of the kit each."""

# ruff: noqa: A006, ARG005  # the replaced methods keep their signatures

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from boardgames_cli.core.errors import IllegalActionError, UnknownActionError
from boardgames_cli.core.game import (
    CHANCE,
    AnyGame,
    EliminatesSeats,
    Game,
    GameInfo,
    Observation,
    PassesTime,
    Seat,
    Step,
    Traits,
)
from boardgames_cli.games.kuhn.actions import HIDDEN
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState
from tests.contract.breakers import breaks
from tests.toys import Cards, CardsState, Pennies, PenniesState, Race, RaceState

COUNTER = iter(range(10**9))


def info(base: type[AnyGame], **changes: Any) -> GameInfo:
    old = base.info
    fields = {name: getattr(old, name) for name in GameInfo.__slots__}
    return GameInfo(**fields | changes)


def after_first(good: Callable[..., Any], bad: Callable[..., Any]) -> Callable[..., Any]:
    """The good method in the first state, the bad one later."""

    def method(self: Any, state: Any, *rest: Any) -> Any:
        return (good if state == self.initial_state() else bad)(self, state, *rest)

    return method


@dataclass
class Mutable:
    """A state that anyone can change; equal and hashable, so that only its thawedness is wrong."""

    here: tuple[int, int] = (0, 0)
    turn: int = 0
    roll: int = 0

    def __hash__(self) -> int:
        return hash((self.here, self.turn, self.roll))


@dataclass(frozen=True, slots=True)
class WithList:
    """A state that looks frozen, but holds a list."""

    here: list[int] = field(default_factory=lambda: [0, 0])
    turn: int = 0
    roll: int = 0


class Grumpy(str):
    """An action that has no text."""

    def __str__(self) -> str:
        return ""


# -- laws of games
breaks("declares_seats_and_bounds", seats=property(lambda self: 3))
breaks("declares_seats_and_bounds", info=info(Race, seat_names=("hare",)))
breaks(
    "begins_the_same_every_time",
    initial_state=lambda self: RaceState((next(COUNTER) % 3, 0), 0, 0),
)
breaks("begins_the_same_every_time", initial_state=lambda self: RaceState((10, 0), 0, 0))
breaks("is_a_frozen_value", __eq__=lambda self, other: self is other, __hash__=object.__hash__)
breaks("has_one_text_for_each_action", actions=property(lambda self: ("step", "STEP ", "jump")))
breaks("offers_actions_it_knows", actions=property(lambda self: ()))
breaks("has_one_text_for_each_action", actions=property(lambda self: (Grumpy("step"), "jump")))
breaks("keeps_some_secret", info=info(Race, traits=Race.info.traits | Traits.HIDDEN))

# -- laws of bounds
breaks("declares_seats_and_bounds", utility=property(lambda self: (1.0, -1.0)))
breaks("declares_seats_and_bounds", utility=property(lambda self: (-1.0, float("inf"))))
breaks("declares_seats_and_bounds", longest=property(lambda self: 40.5))
breaks("pays_every_seat", utility=property(lambda self: (-1.0, 0.0)))
breaks("pays_every_seat", Cards, utility=property(lambda self: (0.5, 1.0)))
breaks("ends_in_time", longest=property(lambda self: 3))

# -- laws of rules
breaks("says_who_acts", Pennies, to_act=lambda self, state: (1, 0))
breaks("says_who_acts", Pennies, to_act=lambda self, state: [0, 1])
breaks("says_who_acts", Pennies, to_act=lambda self, state: (0, 2))
breaks("says_who_acts", Pennies, to_act=lambda self, state: (CHANCE, 0))
breaks("says_who_acts", Pennies, info=info(Pennies, traits=Traits.ZERO_SUM))
breaks("says_who_acts", info=info(Race, traits=Traits.ZERO_SUM))
breaks("says_who_acts", Pennies, is_over=lambda self, state: True)
breaks("offers_actions_it_knows", legal_actions=lambda self, state, seat: ())
breaks("offers_actions_it_knows", legal_actions=lambda self, state, seat: ("step", "step"))
breaks("offers_actions_it_knows", legal_actions=lambda self, state, seat: ("fly",))
breaks(
    "offers_actions_it_knows",
    legal_actions=lambda self, state, seat: ("step", "jump")[:: 1 if next(COUNTER) % 2 else -1],
)
breaks("pays_every_seat", returns=lambda self, state: (0.0,))
breaks("pays_every_seat", returns=after_first(Race.returns, lambda self, state: (1.0, 1.0)))
breaks(
    "pays_every_seat",
    returns=after_first(
        Race.returns, lambda self, state: (1.0, -1.0) if next(COUNTER) % 2 else (-1.0, 1.0)
    ),
)
breaks("has_fair_chances", chance_outcomes=lambda self, state: [("roll 1", 0.5), ("roll 2", 0.4)])
breaks("has_fair_chances", chance_outcomes=lambda self, state: [("roll 1", 1.0), ("roll 2", 0.0)])
breaks("has_fair_chances", chance_outcomes=lambda self, state: [("roll 1", 0.5), ("roll 1", 0.5)])
breaks(
    "has_fair_chances",
    sample_chance=lambda self, state, rng: random.choice(("roll 1", "roll 2")),
)
breaks("has_fair_chances", sample_chance=lambda self, state, rng: "roll 9")
breaks(
    "draws_as_often_as_it_lists",
    sample_chance=lambda self, state, rng: rng.choice(("roll 1", "roll 2")),
)
breaks(
    "applies_legal_actions",
    Pennies,
    apply=lambda self, state, joint: PenniesState(
        state.rounds + 1, 1 if next(iter(joint)) == 0 else -1
    ),
)
breaks("applies_legal_actions", apply=lambda self, state, joint: 1 / 0)


def meddle(self: Race, state: Mutable, outcome: str) -> Mutable:
    state.turn = 1 - state.turn
    return Mutable(state.here, state.turn, state.roll)


breaks("applies_legal_actions", initial_state=lambda self: Mutable(), apply_chance=meddle)

# -- laws of values
breaks("has_frozen_states", initial_state=lambda self: Mutable())
breaks("has_fair_chances", sample_chance=lambda self, state, rng: 1 / 0)
breaks("applies_legal_actions", initial_state=lambda self: WithList())
breaks(
    "writes_positions",
    from_json=lambda self, data: RaceState(tuple(data["here"]), 1 - data["turn"], data["roll"]),
)
breaks("writes_positions", to_json=lambda self, state: {"here": {1, 2}})
breaks("writes_positions", to_json=lambda self, state: [1])
breaks(
    "refuses_damaged_positions",
    from_json=lambda self, data: RaceState(tuple(data["here"]), data["turn"], data["roll"]),
)
breaks(
    "refuses_damaged_positions",
    from_json=lambda self, data: RaceState(
        tuple(data.get("here", (0, 0))), data.get("turn", 0), data.get("roll", 0)
    ),
)


def repaired(self: Race, data: Any) -> RaceState:
    is_text = isinstance(data.get("roll"), str)
    return Race.from_json(self, {**data, "roll": 0} if is_text else data)


breaks("refuses_damaged_positions", from_json=repaired)


# -- laws of notation
def strict_parse(self: Race, state: RaceState, seat: int, text: str) -> str:
    if text == text.lower():
        return Game.parse(self, state, seat, text)
    raise UnknownActionError("lower case only")


breaks("reads_what_it_writes", parse=strict_parse)


breaks("reads_chance", parse_chance=lambda self, state, text: "roll 1")
breaks("reads_chance", parse_chance=lambda self, state, text: text.strip().lower())
breaks(
    "reads_chance",
    chance_outcomes=lambda self, state: [("roll 1", 0.5), ("ROLL 1", 0.5)],
    parse_chance=lambda self, state, text: Game.parse_chance(self, state, text),
)
breaks("numbers_legal_actions", action_id=lambda self, state, action: 7)
breaks("numbers_legal_actions", action_id=lambda self, state, action: 0)
breaks("numbers_legal_actions", action_of=lambda self, state, id: "jump")
breaks("numbers_legal_actions", action_of=lambda self, state, id: self.actions[id])


def generous_parse(self: Race, state: RaceState, seat: int, text: str) -> str:
    try:
        return Game.parse(self, state, seat, text)
    except UnknownActionError:
        return "step"


breaks("refuses_nonsense", parse=generous_parse)


def guessing_parse(self: Race, state: RaceState, seat: int, text: str) -> str:
    return (
        "jump" if text.startswith("ste") and text != "step" else Game.parse(self, state, seat, text)
    )


breaks("refuses_nonsense", parse=guessing_parse)
breaks("explains_refusals", explain_illegal=lambda self, state, seat, action: "")
breaks("explains_refusals", explain_illegal=lambda self, state, seat, action: "Because.")
breaks("explains_refusals", near_misses=lambda self, state, seat: ("step",))
breaks("explains_refusals", near_misses=lambda self, state, seat: ("fly",))


# -- laws of tables
class Leaving(Race, PassesTime, EliminatesSeats):
    def default_action(self, state: RaceState, seat: int) -> str:
        return "step"

    def is_out(self, state: RaceState, seat: int) -> bool:
        return self.is_over(state)

    def is_settled(self, state: RaceState, seat: int) -> bool:
        return self.is_over(state)


breaks("offers_actions_it_knows", Leaving, default_action=lambda self, state, seat: "fly")
for done in ("is_out", "is_settled"):
    breaks("knows_who_is_done", Leaving, **{done: lambda self, state, seat: True})
    breaks("knows_who_is_done", Leaving, **{done: lambda self, state, seat: False})
breaks(
    "knows_who_is_done",  # who waits is paid later
    Leaving,
    is_settled=lambda self, state, seat: self.is_over(state) or seat not in self.to_act(state),
)
breaks(
    "pools_what_each_knows",
    Cards,
    redact_for_all=lambda self, state, seats: self.redact(state, None),
)
breaks("pools_what_each_knows", Cards, redact_for_all=lambda self, state, seats: state)

# -- laws of secrecy
breaks("hides_nothing_it_does_not_declare", Cards, info=info(Cards, traits=Traits.CHANCE))


def drop_guesses(self: Cards, state: CardsState, seat: int | None) -> CardsState:
    return CardsState(Cards.redact(self, state, seat).cards[::-1], state.guesses)


breaks("redacts_once_and_for_all", Cards, redact=drop_guesses)
breaks("reads_back_what_a_seat_sees", Cards, read_seen=lambda self, data, ply: self.from_json(data))
breaks(
    "shows_everybody_who_acts",
    Cards,
    redact=lambda self, state, seat: CardsState(guesses=state.guesses),
)


def hidden_card_decides(self: Cards, state: CardsState, seat: int) -> Sequence[str]:
    return ("high", "low") if None in state.cards else ("high",)


breaks("answers_from_what_is_seen", Cards, legal_actions=hidden_card_decides)


def leaky_redact(self: Cards, state: CardsState, seat: int | None) -> CardsState:
    """Only the highest card is hidden, so whoever sees the other one learns it."""
    known = tuple(
        card if owner == seat or card != 2 else None for owner, card in enumerate(state.cards)
    )
    return CardsState(known, state.guesses)


def fixed_guess(self: Cards, seen: Observation[CardsState, str], rng: random.Random) -> CardsState:
    return CardsState((0, 1), seen.state.guesses) if seen.state.cards else seen.state


breaks("guesses_what_looks_the_same", Cards, redact=leaky_redact, determinize=fixed_guess)
breaks(
    "guesses_what_looks_the_same",
    Cards,
    determinize=lambda self, seen, rng: seen.state,
    returns=lambda self, state: (
        (0.0, 0.0)
        if len(state.guesses) < 2
        else tuple(float(a > b) for a, b in (state.cards, state.cards[::-1]))
    ),
)


# -- laws of told steps
def told(redact_step: Callable[[Any, Any, Step[str, str], int | None], Step[str, str]]) -> Any:
    """A method that tells steps so, but those of chance as `Cards` does."""
    return lambda self, before, step, seat: (
        Cards.redact_step(self, before, step, seat)
        if step.is_chance
        else redact_step(self, before, step, seat)
    )


breaks(
    "redacts_steps_to_a_true_part",
    Cards,
    redact_step=told(lambda self, before, step, seat: Step(dict.fromkeys(step.joint, "low"))),
)
breaks(
    "redacts_steps_to_a_true_part",
    Cards,
    redact_step=told(lambda self, before, step, seat: Step()),
)
breaks(
    "redacts_steps_to_a_true_part",
    Cards,
    redact_step=lambda self, before, step, seat: Step.of_chance(None),
)
breaks(
    "redacts_steps_to_a_true_part",
    redact_step=lambda self, before, step, seat: Step.of_chance(None) if step.is_chance else step,
)
breaks("redacts_secrets_from_steps", Cards, redact_step=lambda self, before, step, seat: step)
breaks(
    "redacts_secrets_from_steps",
    Cards,
    # Whether a guess is told depends on a hidden card.
    redact_step=told(
        lambda self, before, step, seat: (
            step if seat in step.joint or 2 not in before.cards[:1] else Step()
        )
    ),
)

# -- laws of matches


def fragile(self: Race, text: str) -> str | None:
    return Game.action_named(self, text) if "object" not in text else str(1 / 0)


breaks("refuses_illegal_actions", action_named=fragile)


ASKED: list[float] = []


def rerolls(self: Race, state: RaceState, rng: random.Random) -> str:
    """Asked the same twice in a row it repeats itself; asked again later it does not."""
    key = rng.random()
    is_new = key not in ASKED or ASKED[-1] == key
    ASKED.append(key)
    return "roll 1" if (key < 1 / 3) == is_new else "roll 2"


breaks("undoes_and_redoes", sample_chance=rerolls)


class Loaded(str):
    """An outcome that means more than its text says."""


def loaded_apply(self: Race, state: RaceState, outcome: str) -> RaceState:
    after = Race.apply_chance(self, state, outcome)
    return RaceState(after.here, after.turn, 2) if type(outcome) is Loaded else after


breaks(
    "replays_from_its_record",
    sample_chance=lambda self, state, rng: Loaded(Game.sample_chance(self, state, rng)),
    apply_chance=loaded_apply,
)


@dataclass(frozen=True, slots=True)
class Forgetful(RaceState):
    """A state with something that its position does not hold."""

    age: int = field(default=0, compare=False)


def aging_apply(self: Race, state: Forgetful, joint: Mapping[int, str]) -> Forgetful:
    after = Race.apply(self, state, joint)
    bonus = 1 if state.age in (2, 3) else 0  # one of them is a move, from wherever it counts
    return Forgetful((after.here[0] + bonus, after.here[1]), after.turn, after.roll, state.age + 1)


def aging_dice(self: Race, state: Forgetful, outcome: str) -> Forgetful:
    after = Race.apply_chance(self, state, outcome)
    return Forgetful(after.here, after.turn, after.roll, state.age + 1)


breaks(
    "replays_from_its_record",
    initial_state=lambda self: Forgetful((0, 0), 0, 0),
    apply=aging_apply,
    apply_chance=aging_dice,
    from_json=lambda self, data: Forgetful(
        *(getattr(Race.from_json(self, data), name) for name in ("here", "turn", "roll"))
    ),
)


breaks(
    "ends_in_time",
    longest=property(lambda self: None),
    apply=lambda self, state, joint: RaceState(state.here, 1 - state.turn, 0),
)


class Unsorted(Pennies):  # another process must find it
    actions = property(lambda self: tuple("abcdefgh"))

    def legal_actions(self, state: PenniesState, seat: Seat) -> Sequence[str]:
        return list({f"{coin}" for coin in self.actions})


breaks("is_the_same_in_other_processes", Unsorted)


# -- leaks of hidden information
class Pooled(Kuhn):
    """Kuhn poker whose redact asks redact_for_all, so that a leak in one is a leak in both."""

    def redact(self, state: KuhnState, seat: Seat | None) -> KuhnState:
        return self.redact_for_all(state, () if seat is None else (seat,))

    def redact_for_all(self, state: KuhnState, seats: Sequence[Seat]) -> KuhnState:
        return state if len(set(seats)) > 1 else Kuhn.redact(self, state, next(iter(seats), None))


def open_if(when: Callable[[KuhnState, Sequence[Seat]], bool]) -> Any:
    """A method that shows some seats all cards at some time."""
    return lambda self, state, seats: (
        state if when(state, seats) else Pooled.redact_for_all(self, state, seats)
    )


for hands, shown in (
    (1, open_if(lambda state, seats: 1 in seats)),
    (3, open_if(lambda state, seats: state.hand > 0)),
    (1, open_if(lambda state, seats: len(state.actions) == 1)),
):
    breaks("shows_only_what_steps_tell", Pooled, hands, redact_for_all=shown)
breaks("redacts_once_and_for_all", Pooled, redact_for_all=open_if(lambda state, seats: not seats))
breaks(
    "redacts_steps_to_a_true_part",  # a spectator is told every card
    Kuhn,
    redact_step=lambda self, before, step, seat: (
        step if seat is None else Kuhn.redact_step(self, before, step, seat)
    ),
)
breaks(
    "shows_only_what_steps_tell",  # the deal is one outcome, of which a seat sees too much
    Cards,
    redact=lambda self, state, seat: state if seat == 1 else Cards.redact(self, state, seat),
)


def card_in_a_public_field(self: Kuhn, state: KuhnState, joint: Mapping[Seat, Any]) -> KuhnState:
    after = Kuhn.apply(self, state, joint)
    return after._replace(hand=after.hand + after.cards[0])


breaks("shows_only_what_steps_tell", Kuhn, 1000, apply=card_in_a_public_field)
breaks(
    "shows_only_what_steps_tell",  # nobody is told its own card
    Kuhn,
    redact_step=lambda self, before, step, seat: Step.of_chance(None) if step.is_chance else step,
)


class Gossip(Kuhn):
    """Kuhn poker with an action that is never legal."""

    actions = property(lambda self: (*Kuhn.actions.fget(self), "peek"))  # type: ignore

    def parse(self, state: KuhnState, seat: Seat, text: str) -> Any:
        if text == "peek":
            raise IllegalActionError(f"illegal: {self.refusal(state, seat)}.")
        return super().parse(state, seat, text)

    def refusal(self, state: KuhnState, seat: Seat) -> str:
        return "no peeking"


def tells(self: Kuhn, state: KuhnState, seat: Seat, *rest: object) -> str:
    return f"the other has {state.cards[1 - seat]}"


def returns_so_far(self: Kuhn, state: KuhnState) -> tuple[float, ...]:
    if len(state.actions) != 1:
        return Kuhn.returns(self, state)
    ahead = 0.5 if state.cards[0] > state.cards[1] else -0.5
    return (ahead, -ahead)


class Timed(Kuhn, PassesTime):
    """Kuhn poker with an action for who is late, which depends on the other's card."""

    def default_action(self, state: KuhnState, seat: Seat) -> Any:
        return self.actions[state.cards[1 - seat] == 2]


breaks("answers_from_what_is_seen", Gossip, explain_illegal=tells)
breaks("answers_from_what_is_seen", Gossip, refusal=tells)
breaks(
    "answers_from_what_is_seen",
    Gossip,
    near_misses=lambda self, state, seat: ("peek",) if state.cards[1 - seat] == 2 else (),
)
breaks("answers_from_what_is_seen", Timed)
breaks(
    "answers_from_what_is_seen",
    Kuhn,
    action_id=lambda self, state, action: self.actions.index(action) ^ (2 in state.cards),
)
breaks("answers_from_what_is_seen", Kuhn, returns=returns_so_far)


def card_twice(self: Kuhn, seen: Observation[KuhnState, Any], rng: random.Random) -> KuhnState:
    state = seen.state
    one, two = (rng.randrange(3) if card == HIDDEN else card for card in state.cards)
    return KuhnState((one, two), state.actions, state.first, state.hand, state.won)


breaks("guesses_what_can_be", Kuhn, determinize=card_twice, check=lambda self, state: None)
breaks(
    "guesses_what_can_be",
    Kuhn,
    determinize=lambda self, seen, rng: Kuhn.determinize(self, seen, random.Random(1)),
)
