"""What our agents read, they read before they are asked: a decision has a limit."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from boardgames_cli.registry import BUILT_IN_GAMES, find_game

SCRIPT = """
import json, sys
from boardgames_cli.core.agent import Agent, Budget
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.match import Match, play
from boardgames_cli.registry import agents_for, find_game, make, make_agent

seen, asked = {}, []

def hook(event, arguments):
    if asked and event in ("open", "import"):
        seen.setdefault(asked[0], []).append(str(arguments[0]))

sys.addaudithook(hook)

class Watched(Agent):
    def __init__(self, agent):
        self.agent = agent

    def reset(self, game, seat):
        self.agent.reset(game, seat)

    def watch(self, seen):
        self.agent.watch(seen)

    def act(self, seen, thinking):
        asked.append(name)
        try:
            return self.agent.act(seen, thinking)
        finally:
            asked.clear()

game = make(sys.argv[1])
spec = find_game(sys.argv[1])
starts = [game.from_json(json.loads(text)) for text in sys.argv[2:]] or [None]
played = []
for name in (*spec.levels, *agents_for(spec)):
    try:
        agents = [Watched(make_agent(name, game)) for _ in range(game.seats)]
    except GameError:  # it needs an option, or can't play this game
        continue
    for start in starts:
        play(Match(game, seed=1, start=start, max_plies=60), agents, Budget(nodes=20))
    played.append(name)
print(json.dumps({"seen": seen, "played": played}))
"""

ENDING = {"cones": [3, 7, 20], "spools": [5, 9, 21], "player": 0, "steps": None, "pieces": 5}


@pytest.mark.slow
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_no_decision_of_ours_reads_a_file_or_loads_a_module(game: str) -> None:
    starts = [json.dumps(ENDING)] if game == "senet" else []
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, game, *starts], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    assert told["seen"] == {}
    assert {*find_game(game).levels, "random"} <= set(told["played"])
