"""New games that start from a position of an old one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_values
from boardgames_cli.registry import commands_in, spec_of
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.seats import HUMAN, people
from boardgames_cli.session.setup import Setup

AS_BEFORE: Final = ""
"""Instead of an agent: keep the seats of the old game."""


def branch(replay: Replay, ply: int, rival: str = AS_BEFORE) -> Setup:
    """Set up a new game from a position of an old one, with a new seed.

    Args:
        replay: The old game.
        ply: The position.
        rival: The agent for all seats but one, which a person takes; `AS_BEFORE` keeps the seats.

    Raises:
        GameError: The game is over there, or the seats would run a program that a file names.
    """
    match = replay.match
    if match.game.is_over(match.state_at(ply)):
        raise GameError("the game is over here.", "Go back to an earlier step.")
    if rival == AS_BEFORE:
        seats = replay.seats
        spec = spec_of(match.game)
        commands = [command for seat in seats for command in commands_in(seat, spec)]
        if commands:
            raise GameError(
                f"an agent of this game is a program on this machine: {commands[0]}.",
                "Choose another opponent.",
            )
    else:
        seats = tuple(_against(replay, ply, rival))
    return Setup(
        match.game.info.id,
        options=option_values(match.game),
        seats=seats,
        start=start_of(match, ply, player_at(replay, ply)),
    )


def player_at(replay: Replay, ply: int) -> Seat:
    """The seat that a person takes at a ply: their own, else the next one to act."""
    mine = people(replay.seats)
    match = replay.match
    for at in range(ply, match.ply):
        acting = [seat for seat in match.game.to_act(match.state_at(at)) if seat != CHANCE]
        found = [seat for seat in acting if seat in mine or not mine]
        if found:
            return found[0]
    return mine[0] if mine else 0


def start_of(match: AnyMatch, ply: int, seat: Seat) -> dict[str, Any]:
    """A position of a match, in the game's own form.

    Hidden information is resampled consistently with the seat's observation, because a player who
    has seen the replay would otherwise know it.
    """
    game, state = match.game, match.state_at(ply)
    if Traits.HIDDEN in game.traits and CHANCE not in game.to_act(state):
        state = game.determinize(match.observe(seat, ply), random.SystemRandom())
    return game.to_json(state)


def _against(replay: Replay, ply: int, rival: str) -> Sequence[str]:
    player = player_at(replay, ply)
    own = replay.seats[player] if player in people(replay.seats) else HUMAN
    return [own if seat == player else rival for seat in range(len(replay.seats))]
