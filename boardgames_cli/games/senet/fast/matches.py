"""Games of a network against others, compiled: how strong it is when it looks one move ahead."""

from __future__ import annotations

from typing import Final

from boardgames_cli.games.senet.fast.endings import Table
from boardgames_cli.games.senet.fast.jit import Seeds, compiled
from boardgames_cli.games.senet.fast.network import Memory, Network
from boardgames_cli.games.senet.fast.playouts import throw
from boardgames_cli.games.senet.fast.self_play import Choices, initial, look_ahead, stray

ANY_MOVE: Final = 0
"""A rival that takes any move."""
FURTHEST: Final = 1
"""A rival that always moves the dancer that is furthest on."""
OTHER: Final = 2
"""A rival that plays by a network of its own."""

_PATIENCE: Final = 20_000


@compiled
def count_wins(
    games: int,
    pieces: int,
    rules: int,
    rival: int,
    network: Network,
    memory: Memory,
    other: Network,
    other_memory: Memory,
    table: Table,
    choices: Choices,
    rng: Seeds,
) -> int:
    """How many games a network wins that begins every other of them.

    Args:
        games: How many are played.
        pieces: Dancers a side.
        rules: The rule set, see `moves`.
        rival: `ANY_MOVE`, `FURTHEST` or `OTHER`.
        network: Who is measured.
        memory: For the sums of its sides.
        other: The rival, if it is `OTHER`.
        other_memory: For the sums of its sides.
        table: The exact endings, for both.
        choices: Room for the choices of one position.
        rng: The generator.
    """
    wins = 0
    for game in range(games):
        foe = initial(pieces)
        own = foe << 1
        is_rivals = game % 2 == 1
        for _ in range(_PATIENCE):
            steps = throw(rng)
            if is_rivals and rival != OTHER:
                own, foe, again = stray(own, foe, steps, rules, rival == ANY_MOVE, rng)
            else:
                mind, sums = (other, other_memory) if is_rivals else (network, memory)
                look_ahead(own, foe, choices, mind, sums, table, rules)
                own, foe = choices.own[steps], choices.foe[steps]
                again = choices.again[steps]
            if own == 0:
                wins += not is_rivals
                break
            if not again:
                own, foe = foe, own
                is_rivals = not is_rivals
    return wins
