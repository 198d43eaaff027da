"""Senet as a game: states, throws, moves, turns, the end.

RULES.md has the rules for people and the interpretations adopted; `movement` generates the moves of
both rule sets.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.codec.fields import check_fields, is_whole
from boardgames_cli.core.errors import PositionError
from boardgames_cli.core.game import CHANCE, Game, GameInfo, Seat
from boardgames_cli.core.options import option
from boardgames_cli.games.senet import GAME
from boardgames_cli.games.senet.actions import (
    FALLS,
    MOVE,
    PASS,
    THROW_CHANCES,
    THROWS,
    THROWS_AGAIN,
    SenetMove,
    Throw,
)
from boardgames_cli.games.senet.board import (
    BEARS_OFF,
    CONES,
    DANCER_NAMES,
    HAPPINESS,
    HOUSE_NAMES,
    OFF,
    RE_HORAKHTY,
    REBIRTH,
    SAFE,
    SPOOLS,
    WATER,
    bit,
    cones_at_start,
    houses,
    runs,
)
from boardgames_cli.games.senet.movement import RULE_SETS, RuleSet
from boardgames_cli.games.senet.state import SenetState

_CHANCE_ACTS: Final = (CHANCE,)
_PLAYER_ACTS: Final = ((CONES,), (SPOOLS,))
_ALL_MOVES: Final = (
    PASS,
    *(MOVE[start][end] for start in range(1, OFF) for end in range(1, OFF + 1) if start != end),
)
_KEYS: Final = ("cones", "spools", "player", "steps", "pieces")
_OUTCOMES: Final = tuple(zip(THROWS, THROW_CHANCES, strict=True))


@dataclass(frozen=True)
class Senet(Game[SenetState, SenetMove, Throw]):
    """The rulebook of Senet."""

    info: ClassVar[GameInfo] = GAME.info

    rules: str = option("kendall", "whose rules to play", choices=("kendall", "skyruk"))
    pieces: int = option(5, "dancers a side", choices=(5, 7))

    @property
    def rule_set(self) -> RuleSet:
        return RULE_SETS[self.rules]

    @property
    def utility(self) -> tuple[float, float]:
        return (-1.0, 1.0)

    @property
    def actions(self) -> tuple[SenetMove, ...]:
        """The pass, and a move from every house to every other or off the board."""
        return _ALL_MOVES

    @property
    def action_count(self) -> int:
        """One id for the pass, and ten for every dancer: five steps each way."""
        return 10 * self.pieces + 1

    def action_id(self, state: SenetState, action: SenetMove) -> int:
        """0 for the pass, dancer * 10 + n forward, dancer * 10 + 11 - n backward.

        Dancers are numbered from 0 at the lowest house; n is the throw, whatever house it leads to.
        """
        start, steps = action.start, state.steps
        if not start or steps is None:
            return 0
        side = state.spools if state.player else state.cones
        dancer = (side & (1 << start - 1) - 1).bit_count()
        return dancer * 10 + (11 - steps if action.is_backward(steps) else steps)

    def initial_state(self) -> SenetState:
        """Dancers alternate from house 1, cones first; the spools begin."""
        cones = cones_at_start(self.pieces)
        return SenetState(cones, cones << 1, SPOOLS, None)

    def to_act(self, state: SenetState) -> tuple[Seat, ...]:
        """Chance throws the sticks, then the player moves; nobody once a side is off the board."""
        if not (state.cones and state.spools):
            return ()
        return _CHANCE_ACTS if state.steps is None else _PLAYER_ACTS[state.player]

    def legal_actions(self, state: SenetState, seat: Seat) -> Sequence[SenetMove]:
        assert state.steps is not None
        if seat:
            return self.rule_set.moves(state.spools, state.cones, state.steps)
        return self.rule_set.moves(state.cones, state.spools, state.steps)

    def apply(self, state: SenetState, joint: Mapping[Seat, SenetMove]) -> SenetState:
        player = state.player
        move = joint[player]
        if move == PASS:
            return SenetState(state.cones, state.spools, 1 - player, None)
        own, opponent = (state.spools, state.cones) if player else (state.cones, state.spools)
        own, opponent = play(own, opponent, move)
        next_player = player if self.throws_again(move, state.steps) else 1 - player
        cones, spools = (opponent, own) if player else (own, opponent)
        return SenetState(cones, spools, next_player, None)

    def throws_again(self, move: SenetMove, steps: int | None) -> bool:
        """Whether the player who made a move throws the sticks again."""
        return steps in THROWS_AGAIN or (move.end == HAPPINESS and self.rules == "skyruk")

    def returns(self, state: SenetState) -> tuple[float, ...]:
        if not state.cones:
            return (1.0, -1.0)
        if not state.spools:
            return (-1.0, 1.0)
        return (0.0, 0.0)

    def chance_outcomes(self, state: SenetState) -> Sequence[tuple[Throw, float]]:
        return _OUTCOMES

    def sample_chance(self, state: SenetState, rng: random.Random) -> Throw:
        return _THROW_OF_STICKS[int(rng.random() * 16)]

    def apply_chance(self, state: SenetState, outcome: Throw) -> SenetState:
        return SenetState(state.cones, state.spools, state.player, outcome.steps)

    def explain_illegal(self, state: SenetState, seat: Seat, action: SenetMove) -> str:
        if state.steps is None:
            return super().explain_illegal(state, seat, action)
        own, opponent, rule_set = state.side(seat), state.side(1 - seat), self.rule_set
        legal = self.legal_actions(state, seat)
        if action == PASS:
            return "you can move, so you can't pass"
        if not own & bit(action.start):
            return f"you have no dancer on house {action.start}"
        if self.rules == "skyruk" and own & bit(HAPPINESS) and action.start != HAPPINESS:
            return "the dancer on house 26 must move first"
        if action.start >= HAPPINESS:
            return _beyond(rule_set, own | opponent, state.steps, action)
        is_back = action.end == action.start - state.steps
        if is_back and any(choice.end > choice.start for choice in legal):
            return "a dancer moves backward only when none can move forward"
        target = _target(rule_set, action.start, state.steps)
        if abs(action.end - action.start) != state.steps and action.end != target:
            return f"the throw is {state.steps}: from house {action.start} that leads to {target}"
        return _obstacle(rule_set, own, opponent, action, DANCER_NAMES[1 - seat])

    def near_misses(self, state: SenetState, seat: Seat) -> Sequence[SenetMove]:
        if state.steps is None:
            return ()
        movable = {move.start for move in self.legal_actions(state, seat)}
        wishes = []
        for house in houses(state.side(seat)):
            if house not in movable:
                end = OFF if house > HAPPINESS else _target(self.rule_set, house, state.steps)
                wishes.append(MOVE[house][min(end, OFF)])
        return wishes

    def parse(self, state: SenetState, seat: Seat, text: str) -> SenetMove:
        """As in every game; ``-`` or ``to`` may stand for ``>``, and the start house is enough.

        Where nobody stays in the Water, the move into it means the one to rebirth.
        """
        plain = text.lower().replace(" to ", ">").replace("-", ">").replace(" ", "")
        into_water = self.rules == "kendall" and plain == str(MOVE[HAPPINESS][WATER])
        if into_water and state.steps is not None:
            legal = self.legal_actions(state, seat) if seat == state.player else ()
            falls = (m for m in legal if m.start == HAPPINESS and m.end <= REBIRTH)
            plain = next(map(str, falls), plain)
        if plain[:1].isdigit():
            if plain.isdigit():
                plain += ">"
            return super().parse(state, seat, plain)
        return super().parse(state, seat, text)

    def check(self, state: SenetState) -> None:
        for seat, name in enumerate(DANCER_NAMES):
            count = state.side(seat).bit_count()
            if count > self.pieces:
                raise PositionError(
                    f"{name} has {count} dancers, but a side has only {self.pieces}."
                )
            if self.rules == "kendall" and state.side(seat) & bit(WATER):
                raise PositionError(
                    f"{name} has a dancer on house {WATER - 1} (0-based), the Water, where nobody "
                    "stays in Kendall's rules.",
                    f"From house {HAPPINESS} a throw of 1 leads straight to rebirth.",
                )
        shared = state.cones & state.spools
        if shared:
            house = shared.bit_length() - 1
            raise PositionError(f"cones and spools both stand on house {house} (0-based).")
        if not (state.cones or state.spools):
            raise PositionError("cones and spools are both empty: the game can't end twice.")

    def to_json(self, state: SenetState) -> dict[str, Any]:
        return super().to_json(state) | {"pieces": self.pieces}

    def from_json(self, data: Mapping[str, Any]) -> SenetState:
        check_fields(data, _KEYS, expected=f"A position has: {', '.join(_KEYS)}.")
        if not is_whole(data["pieces"]) or data["pieces"] != self.pieces:
            raise PositionError(
                f"pieces is {data['pieces']!r}, but this game has {self.pieces}.",
                "Choose the same, for example with --pieces.",
            )
        return super().from_json({key: data[key] for key in _KEYS if key != "pieces"})


def play(own: int, opponent: int, move: SenetMove) -> tuple[int, int]:
    """The masks after a move; an opponent on its end is swapped to its start."""
    start = bit(move.start)
    if move.end == OFF:
        return own ^ start, opponent
    end = bit(move.end)
    if opponent & end:
        opponent ^= end | start
    return own ^ start ^ end, opponent


_THROW_OF_STICKS: Final = tuple(
    throw for throw, falls in zip(THROWS, FALLS, strict=True) for _ in range(falls)
)


def _target(rule_set: RuleSet, house: int, steps: int) -> int:
    end = house + steps
    return min(end, HAPPINESS) if rule_set.name == "skyruk" and house < HAPPINESS else end


def _beyond(rule_set: RuleSet, occupied: int, steps: int, move: SenetMove) -> str:
    if move.start == WATER:
        return f"from the water 4 bears off and 1, 2 or 3 leads to rebirth; the throw is {steps}"
    if move.start == RE_HORAKHTY and rule_set.name == "skyruk":
        return f"house {RE_HORAKHTY} bears off with any throw, and leads nowhere else"
    if move.start > HAPPINESS:
        needed = BEARS_OFF[move.start]
        return f"house {move.start} bears off with exactly {needed}; the throw is {steps}"
    landing = HAPPINESS + steps
    if move.end == landing < OFF and occupied & bit(landing):
        return f"house {landing} is occupied"
    return (
        f"from house 26 a throw of {steps} leads elsewhere: 1 water, 2 to 4 houses 28 to 30, 5 off"
    )


def _obstacle(
    rule_set: RuleSet, own: int, opponent: int, move: SenetMove, opponent_name: str
) -> str:
    end = move.end
    if end > HAPPINESS:
        how = ", by an exact throw" if rule_set.name == "kendall" else ""
        return f"every dancer must stop on house 26 first{how}"
    if own & bit(end):
        return f"your own dancer stands on house {end}"
    low, high = sorted((move.start, end))
    if rule_set.is_blocked(opponent, low, high):
        first, last = next(
            run for run in runs(opponent) if low < run[0] and run[1] < high and run[1] > run[0]
        )
        return f"the {opponent_name} on {first}-{last} are a blockade, which can't be jumped"
    if opponent & bit(end) & SAFE:
        return f"house {end} is the {HOUSE_NAMES[end]}, where nobody can be beaten"
    if opponent & bit(end) & rule_set.protected(opponent):
        first, last = next(run for run in runs(opponent) if run[0] <= end <= run[1])
        return f"house {end} is protected: {opponent_name} stand side by side on {first}-{last}"
    return f"{move} is not possible with this throw"
