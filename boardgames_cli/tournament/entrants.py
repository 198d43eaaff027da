"""The entrants of a tournament: naming and checking agents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from boardgames_cli.agents.remote.seating import close, prepare, seat_agent
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.registry import commands_in, is_bundled, make_agent, spec_of
from boardgames_cli.tournament.config import Entrant


def name_entrants(agents: Iterable[str]) -> tuple[Entrant, ...]:
    """Make entrants from specifications; repeated ones are numbered."""
    agents = list(agents)
    times = Counter(agents)
    seen: Counter[str] = Counter()
    found = []
    for agent in agents:
        seen[agent] += 1
        name = f"{agent} #{seen[agent]}" if times[agent] > 1 else agent
        found.append(Entrant(name, agent))
    return tuple(found)


def check_entrants(entrants: Sequence[Entrant], games: Sequence[AnyGame], seed: int) -> None:
    """Create every agent for every rulebook once, to find problems before the start.

    Raises:
        GameError: An agent is unknown, can't be started, or can't play.
    """
    made = []
    try:
        for agent in dict.fromkeys(entrant.agent for entrant in entrants):
            made += [seat_agent(agent, game, seed) for game in games]
        prepare(made)
    finally:
        close(made)


def possible_entrants(game: AnyGame) -> list[str]:
    """The levels and agents of a game that can play it without any option, the levels first.

    Each of our agents is created once, which may take a moment. Foreign agents are only checked by
    `check_entrants`; external programs are left out.
    """
    spec = spec_of(game)
    names = [*spec.levels, *(agent.name for agent in spec.agents), *spec.recommended]
    return [name for name in dict.fromkeys(names) if _can_play(name, game)]


def _can_play(name: str, game: AnyGame) -> bool:
    spec = spec_of(game)
    if not is_bundled(name, spec):
        return not commands_in(name, spec)
    try:
        make_agent(name, game)
    except GameError:
        return False
    return True
