"""The agent that knows the theory of Nim."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from operator import xor

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import Game, NoChance, Observation, Seat
from boardgames_cli.core.options import check_options, option
from boardgames_nim.rules import Nim, NimState, Take


@dataclass
class NimSum(Agent[NimState, Take]):
    """Leaves heaps whose binary sum without carry is 0 (C. L. Bouton, "Nim, a game with a complete
    mathematical theory", 1902)."""

    slips: float = option(0.0, "how often it takes anything instead", low=0.0, high=1.0)

    _game: Nim = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_options(self)

    def supports(self, game: Game[NimState, Take, NoChance]) -> str | None:
        return None if isinstance(game, Nim) else "it plays Nim only"

    def reset(self, game: Game[NimState, Take, NoChance], seat: Seat) -> None:
        assert isinstance(game, Nim)
        self._game = game

    def act(self, seen: Observation[NimState, Take], thinking: Thinking) -> Take:
        if thinking.rng.random() < self.slips:
            return thinking.rng.choice(seen.legal)
        good = [take for take in seen.legal if self._is_good(seen.state, take)]
        return good[0] if good else seen.legal[0]

    def _is_good(self, state: NimState, take: Take) -> bool:
        after = self._game.apply(state, {state.turn: take}).heaps
        if self._game.misere and max(after) <= 1:
            return sum(after) % 2 == 1
        return reduce(xor, after) == 0
