"""The tournament form as data: entrants, games, and the resulting command line."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.options import option_values
from boardgames_cli.registry import spec_of
from boardgames_cli.tournament.bundled import bundled_ratings
from boardgames_cli.tournament.config import TournamentConfig
from boardgames_cli.tournament.players import name_entrants
from boardgames_cli.tournament.report import command_of
from boardgames_cli.tournament.schedule import usual_schedule
from boardgames_cli.tui.form import Field

_GAMES: Final = 20
_MOST_GAMES: Final = 100_000
_SEED: Final = 1


class TournamentForm:
    """The choices for a tournament of one game.

    Args:
        game: The rulebook with its options.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        spec = spec_of(game)
        self.agents: list[str] = list(spec.levels)
        """The possible entrants."""
        self.marked: set[str] = set(spec.levels)
        """The selected entrants."""
        self.games = Field(
            "games", "Games", str(_GAMES), "games of each pairing", low=1, high=_MOST_GAMES
        )
        ratings = bundled_ratings(spec)
        self._ratings = {} if ratings is None else {one.agent: one for one in ratings.ratings}

    def offer(self, agents: Sequence[str]) -> None:
        """Replace the possible entrants; marks of remaining ones are kept."""
        self.agents = list(agents)
        self.marked.intersection_update(agents)

    def toggle(self, agent: str) -> None:
        """Select or deselect an agent."""
        self.marked.symmetric_difference_update({agent})

    def words(self, agent: str) -> str:
        """Facts about an agent: what its level means, and its rating."""
        means = spec_of(self.game).levels.get(agent, "")
        rating = self._ratings.get(agent)
        rated = "" if rating is None else f"rated {rating.rating:+d}"
        return ", ".join(part for part in (means, rated) if part)

    def config(self) -> TournamentConfig:
        """The chosen tournament; every game is saved.

        Raises:
            GameError: There are fewer than two entrants.
        """
        entrants = name_entrants(agent for agent in self.agents if agent in self.marked)
        if len(entrants) < 2:
            raise GameError(
                "A tournament needs two entrants or more.", "Mark them with space, then press s."
            )
        info = self.game.info
        return TournamentConfig(
            info.id,
            entrants,
            (option_values(self.game),),
            usual_schedule([self.game], len(entrants)),
            int(self.games.value),
            _SEED,
            records=True,
            rules_version=info.rules_version,
        )

    def command(self) -> str:
        """The equivalent command line; empty while there are too few entrants."""
        try:
            return f"{command_of(self.config())} --records"
        except GameError:
            return ""


def resume_command(folder: object) -> str:
    """The command line that resumes a stopped tournament."""
    return shlex.join(["boardgames", "tournament", "--resume", str(folder)])
