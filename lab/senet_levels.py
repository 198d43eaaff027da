"""How often Senet's levels win against each other, by rules and dancers, in thousands of games.

`boardgames tournament` says the same; this is a compiled copy of the agents, with the same choices
(tested), for the many games that small differences take::

    python lab/senet_levels.py --games 4000
    python lab/senet_levels.py hard/random hard/furthest medium/chaser:temperature=3

``furthest`` always moves its foremost dancer. The seats begin in turn.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from arguments import Parser, run_main
from rating_coverage import wilson_interval
from senet_learner import initial

from boardgames_cli.agents.expectimax import Expectimax
from boardgames_cli.agents.greedy import Greedy
from boardgames_cli.algorithms.fast.jit import Compiler, Seeds, draw, make_seed
from boardgames_cli.games.senet.agents import BEARING_OFF, FALLING, Chaser
from boardgames_cli.games.senet.board import HAPPINESS, REBIRTH, WATER, bit
from boardgames_cli.games.senet.fast import moves
from boardgames_cli.games.senet.fast.moves import (
    BACKWARD,
    BOARD,
    OFF,
    RULES,
    end_of,
    movers,
    play,
    throw,
    throws_again,
)
from boardgames_cli.games.senet.fast.search import (
    CompiledEvaluation,
    MoveChoices,
    chance,
    look_ahead,
    make_choices,
    make_evaluation,
    network_of,
    table_of,
)
from boardgames_cli.games.senet.heuristic import evaluate
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.registry import make_agent, spec_of

compiled = Compiler(Path(moves.__file__).parent, Path(__file__))

RANDOM, FURTHEST, SIGHT, GREEDY, SEARCH = range(5)
_WATER: Final = bit(WATER)
_HAPPINESS: Final = bit(HAPPINESS)
_REBIRTH: Final = bit(REBIRTH)
_PARTS: Final = 1 << 30
_SAME: Final = 1e-9
_LONGEST: Final = 20_000


class Player(NamedTuple):
    """An agent as compiled code knows it."""

    kind: int
    temperature: float = 0.0
    foremost: float = 0.0


class Moves(NamedTuple):
    """The moves of one throw: the masks after each, who throws next, and its value."""

    own: npt.NDArray[np.int64]
    opponent: npt.NDArray[np.int64]
    again: npt.NDArray[np.bool_]
    value: npt.NDArray[np.float64]


def make_moves() -> Moves:
    """Room for the moves of one throw."""
    masks = np.zeros(8, np.int64)
    return Moves(masks, masks.copy(), np.zeros(8, np.bool_), np.zeros(8))


def player_of(name: str, game: Senet) -> Player:
    """The player that stands for an agent.

    Raises:
        argparse.ArgumentTypeError: No compiled player plays like it.
    """
    if name in ("random", "furthest"):
        return Player(RANDOM if name == "random" else FURTHEST)
    agent: Any = make_agent(name, game)
    if isinstance(agent, Chaser):
        return Player(SIGHT, agent.temperature, agent.foremost)
    if isinstance(agent, Greedy) and not agent.slips:
        return Player(GREEDY, agent.temperature)
    if isinstance(agent, Expectimax) and agent.depth == 2:
        return Player(SEARCH)
    raise argparse.ArgumentTypeError(f'no compiled player plays like "{name}"')


@compiled
def list_moves(
    own: int,
    opponent: int,
    steps: int,
    player: Player,
    evaluation: CompiledEvaluation,
    room: MoveChoices,
    found: Moves,
) -> int:
    """List the moves of a throw with their values to a player; return their number."""
    starts = movers(own, opponent, steps, evaluation.rules)
    backward, starts, count = starts & BACKWARD, starts & BOARD, 0
    while starts:
        start = starts & -starts
        starts ^= start
        end = end_of(own, opponent, start, steps, backward, evaluation.rules)
        first, second = play(own, opponent, start, end)
        again = throws_again(steps, end, evaluation.rules)
        found.own[count], found.opponent[count], found.again[count] = first, second, again
        value = 0.0
        if player.kind == FURTHEST:
            value = float(start)
        elif player.kind == SIGHT:
            value = at_sight(own, opponent, start, end, player.foremost)
        elif first == 0:
            value = 1.0
        elif player.kind == GREEDY:
            own_chance = (
                chance(first, second, evaluation)
                if again
                else 1.0 - chance(second, first, evaluation)
            )
            value = 2.0 * own_chance - 1.0
        elif player.kind == SEARCH:
            own_chance = (
                look_ahead(first, second, room, evaluation)
                if again
                else 1.0 - look_ahead(second, first, room, evaluation)
            )
            value = 2.0 * own_chance - 1.0
        found.value[count] = value
        count += 1
    return count


@compiled
def at_sight(own: int, opponent: int, start: int, end: int, foremost: float) -> float:
    """`Chaser.at_sight`, of masks."""
    value = 0.0
    if end == OFF:
        value += BEARING_OFF
    elif opponent & end:
        value += round(math.log2(end)) - round(math.log2(start))
    if end == _WATER or (start >= _HAPPINESS and end <= _REBIRTH):
        value += FALLING
    return value + foremost if own < 2 * start else value


@compiled
def choose(found: Moves, count: int, player: Player, rng: Seeds) -> int:
    """The number of the move that a player makes: a win at once, otherwise by temperature."""
    for number in range(count):
        if found.own[number] == 0:
            return number
    top, total = found.value[0], 0.0
    for number in range(count):
        top = max(top, found.value[number])
    for number in range(count):
        gap = top - found.value[number]
        if player.temperature > 0.0:
            found.value[number] = math.exp(-gap / player.temperature)
        else:
            found.value[number] = 1.0 if gap <= _SAME else 0.0
        total += found.value[number]
    rest = draw(rng, _PARTS) / _PARTS * total
    for number in range(count):
        rest -= found.value[number]
        if rest < 0.0:
            return number
    return count - 1


@compiled
def count_wins(
    games: int,
    pieces: int,
    player: Player,
    rival: Player,
    evaluation: CompiledEvaluation,
    room: MoveChoices,
    found: Moves,
    rng: Seeds,
) -> int:
    """Play games; return how many the player wins, who begins every other game."""
    wins = 0
    for game in range(games):
        opponent = initial(pieces)
        own = opponent << 1
        is_rivals = game % 2 == 1
        for _ in range(_LONGEST):
            to_move = rival if is_rivals else player
            count = list_moves(own, opponent, throw(rng), to_move, evaluation, room, found)
            again = False
            if count:
                number = choose(found, count, to_move, rng)
                own, opponent = found.own[number], found.opponent[number]
                again = found.again[number]
            if own == 0:
                wins += not is_rivals
                break
            if not again:
                own, opponent, is_rivals = opponent, own, not is_rivals
    return wins


def evaluation_of(game: Senet) -> CompiledEvaluation:
    """The evaluation that agents play with."""
    network = network_of(evaluate.model.networks[game.rules], np.float32)
    return make_evaluation(network, table_of(evaluate.endings(game.rules)), RULES[game.rules])


def neighbours(game: Senet) -> list[str]:
    """Each level against the one below it, the lowest against random moves."""
    levels = list(spec_of(game).levels)
    return [f"{one}/{below}" for one, below in zip(levels, ["random", *levels], strict=False)]


def main() -> None:
    """Play, and print the shares of wins."""
    parser = Parser(__doc__)
    parser.add_argument("pairs", nargs="*", help="such as hard/random; otherwise all neighbours")
    parser.add_count("--games", 2000, "games of each pair")
    parser.add_argument("--seed", type=int, default=1, help="of the throws and moves")
    given = parser.parse_args()
    print("| rules | dancers | pair | wins | 95 % |\n| --- | --- | --- | --- | --- |")
    for rules in RULES:
        for pieces in (5, 7):
            game = Senet(rules, pieces)
            evaluation = evaluation_of(game)
            for pair in given.pairs or neighbours(game):
                player, rival = (player_of(name, game) for name in pair.split("/"))
                wins = count_wins(
                    given.games, pieces, player, rival, evaluation, make_choices(), make_moves(),
                    make_seed(given.seed),
                )  # fmt: skip
                low, high = wilson_interval(wins, given.games)
                share = f"{wins / given.games:.1%} | {low:.1%} to {high:.1%}"
                print(f"| {rules} | {pieces} | {pair} | {share} |", flush=True)


if __name__ == "__main__":
    run_main(main)
