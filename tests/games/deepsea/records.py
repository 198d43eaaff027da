"""The recorded turns of the reference program, and how to play one of them through our rules."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from boardgames_cli.core.game import CHANCE, Step
from boardgames_cli.games.deepsea.actions import (
    DIVE,
    DROP,
    KEEP,
    LEAVE,
    RETURN,
    TAKE,
    DeepSeaChoice,
    DeepSeaOutcome,
    Dice,
    Reveal,
)
from boardgames_cli.games.deepsea.rules import DeepSea
from boardgames_cli.games.deepsea.state import DeepSeaState, Phase

DATA = Path(__file__).parents[2] / "data"
KEYS = (
    "players", "oxygen", "current", "round", "pos", "dir", "held", "done", "points", "path",
    "points_at_round_end",
)  # fmt: skip


def load(name: str) -> list[dict[str, Any]]:
    """The lines of a gzip JSON-lines file."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def position(recorded: dict[str, Any]) -> dict[str, Any]:
    """A recorded state as a position of ours, with the values of chips dropped."""
    data = {key: recorded[key] for key in KEYS if key in recorded}
    # The recorder counts chips as soon as they are home; ours, like the rules, when a round ends.
    data["points"] = data.pop("points_at_round_end", data["points"])
    data["held"] = [[[dots] for dots, _ in load] for load in recorded["held"]]
    data["path"] = [
        {"dots": place["dots"], "removed": place["removed"]} for place in recorded["path"]
    ]
    return data


def play_turn(game: DeepSea, row: dict[str, Any]) -> list[DeepSeaState]:
    """Play a recorded turn; all states it goes through, the reveals with the recorded values."""
    states = [game.from_json(position(row))]
    decisions, dice = row["decisions"], row["dice"]
    if dice is None:
        return states
    seat = row["current"]

    def step(actor: int, action: DeepSeaChoice | DeepSeaOutcome) -> None:
        state = states[-1]
        assert game.to_act(state) == (actor,)
        if actor != CHANCE:
            assert action in game.legal_actions(state, actor)
        else:
            assert action in [outcome for outcome, _ in game.chance_outcomes(state)]
        done: Step[Any, Any] = Step.of_chance(action) if actor == CHANCE else Step({actor: action})
        states.append(game.apply_step(state, done))

    if decisions["forward"] != -1:
        step(seat, DIVE if decisions["forward"] else RETURN)
    step(CHANCE, Dice(*dice))
    if decisions["pick"] != -1:
        step(seat, TAKE if decisions["pick"] else LEAVE)
    if decisions["drop"] != -1:
        step(seat, DROP if decisions["drop"] else KEEP)
    values = [list(load) for load in row["held"]]
    while states[-1].phase is Phase.REVEAL:
        home = states[-1].counting
        assert home is not None
        _, value = values[home].pop(0)
        step(CHANCE, Reveal(value))
    return states
