from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.agents.q_table import QTableAgent, table_for
from boardgames_cli.algorithms.action_value_table import QTable, parse_table, read_table
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.position_graph import explore, position_key
from boardgames_cli.algorithms.retrograde import Outcome, solve
from boardgames_cli.core.agent import Thinking
from boardgames_cli.core.match import Match, play
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from boardgames_cli.registry import make_agent

GAME = TapnSwap()


def thinking(seed: int = 1) -> Thinking:
    return Thinking(random.Random(seed))


def seated(spec: str = "q-table:level=perfect") -> QTableAgent[Any, Any]:
    agent = make_agent(spec, GAME)
    assert isinstance(agent, QTableAgent)
    agent.reset(GAME, 0)
    return agent


def small_table() -> QTable:
    rows = {"0101": {"0102": (0.5, 3), "0110": (-0.25, 0)}, "0102": {"0201": (1.0, 7)}}
    return QTable("tapnswap", 1, rows, 12, True, {"seed": 1}, "boardgames train x")


# -- the bundled table ---------------------------------------------------------------------------


def test_the_bundled_table_keeps_the_exact_value_in_all_534_reachable_positions() -> None:
    agent, solution = seated(), solve(explore(GAME, GAME.every_position()))
    reachable = explore(GAME).numbers
    tested = 0
    for state in GAME.every_position():
        if position_key(GAME, state) not in reachable:
            continue
        tested += 1
        verdict = solution.verdict(state)
        best = agent.evaluate_actions(GAME.observe(state, 0), thinking())
        top = max(best.values())
        for action in (action for action, value in best.items() if value >= top - 1e-9):
            assert solution.judge(state)[action].outcome == verdict.outcome, (state, str(action))
    assert tested == 534


@pytest.mark.parametrize("mover", [0, 1])
def test_the_bundled_table_also_brings_its_wins_home(mover: int) -> None:
    # To keep the value is not enough: a win put off for ever is none. The table has seat 0.
    agents = [seated(), make_agent("perfect", GAME)]
    solution, reachable = solve(explore(GAME, GAME.every_position())), explore(GAME).numbers
    for number, state in enumerate(GAME.every_position()):
        if number % 3 or position_key(GAME, state) not in reachable:
            continue
        outcome = float(solution.verdict(state).outcome)
        start = TapnSwapState(state.hands[::-1], 1) if mover else state
        result = play(Match(GAME, seed=number, start=start), agents)[0]
        assert result == (-outcome if mover else outcome), state


# -- the agent -----------------------------------------------------------------------------------


def test_hotter_play_follows_the_softmax() -> None:
    agent = seated("q-table:temperature=0.5")
    seen = GAME.observe(TapnSwapState(((3, 2), (4, 1)), 0), 0)
    values = agent.evaluate_actions(seen, thinking())
    drawn = Counter(agent.act(seen, thinking(seed)) for seed in range(4000))
    best = max(values, key=values.__getitem__)
    for action, value in values.items():
        expected = 2.718281828 ** ((value - values[best]) / 0.5)
        assert drawn[action] / drawn[best] == pytest.approx(expected, abs=0.08)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_no_level_lets_a_win_at_once_go(level: str) -> None:
    agent = seated(f"q-table:level={level}")
    agent._table = small_table()  # it knows nothing here, so that only its eyes can tell
    seen = GAME.observe(TapnSwapState(((2, 3), (0, 2)), 0), 0)
    assert len(seen.legal) > 2
    assert {str(agent.act(seen, thinking(seed))) for seed in range(40)} == {"tap R>R"}


def test_a_mirrored_position_gets_mirrored_values() -> None:
    agent = seated()
    plain = agent.evaluate_actions(GAME.observe(TapnSwapState(((3, 2), (4, 1)), 0), 0), thinking())
    other = agent.evaluate_actions(GAME.observe(TapnSwapState(((1, 4), (2, 3)), 1), 1), thinking())
    named = {str(action): value for action, value in other.items()}
    assert plain[GAME.parse(TapnSwapState(((3, 2), (4, 1)), 0), 0, "tap L>L")] == named["tap R>R"]
    assert sorted(plain.values()) == sorted(other.values())


def test_unknown_positions_are_played_at_random() -> None:
    agent = seated()
    lost_track = TapnSwapState(((0, 1), (0, 1)), 0)
    agent._table = small_table()
    seen = GAME.observe(lost_track, 0)
    assert agent.known(seen) == {}
    assert {agent.act(seen, thinking(seed)) for seed in range(40)} == set(seen.legal)


# -- files ---------------------------------------------------------------------------------------


def test_every_truncation_is_noticed(tmp_path: Path) -> None:
    text = small_table().text()
    path = tmp_path / "cut.jsonl"
    for length in range(len(text)):
        path.write_text(text[:length])
        with pytest.raises(LearnedFileError):
            read_table(path)


def test_every_changed_byte_is_noticed() -> None:
    text = small_table().text()
    for place in range(len(text)):
        changed = text[:place] + ("x" if text[place] != "x" else "y") + text[place + 1 :]
        with pytest.raises(LearnedFileError):
            parse_table(changed)


@dataclass
class Forged:
    """The parts of a file that is being forged."""

    header: dict[str, Any]
    rows: list[Any]


def forged(change: Callable[[Forged], Any]) -> str:
    """A table whose checksum is right although its contents are not."""
    first, *rest = small_table().text().splitlines()
    header, rows = json.loads(first), [json.loads(line) for line in rest]
    del header["checksum"]
    change(Forged(header, rows))
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    checksum = hashlib.sha256(
        f"{json.dumps(header, separators=(',', ':'))}\n{text}".encode()
    ).hexdigest()
    return json.dumps({**header, "checksum": checksum}, separators=(",", ":")) + "\n" + text


def test_the_forger_can_forge() -> None:
    assert parse_table(forged(id)) == small_table()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file.header.update({"boardgames q-table": 2}), "format 2"),
        (
            lambda file: file.header.update({"boardgames q-table": True}),
            "not a Q-table of boardgames",
        ),
        (lambda file: file.header.update({"game": 3}), '"game"'),
        (lambda file: file.header.update({"rules_version": True}), '"rules_version"'),
        (lambda file: file.header.update({"episodes": -1}), '"episodes"'),
        (lambda file: file.header.update({"settings": []}), '"settings"'),
        (lambda file: file.header.update({"curve": [1]}), '"curve"'),
        (lambda file: file.header.pop("shared"), '"shared"'),
        (lambda file: file.header.update({"shape": [2, 99]}), "should have"),
        (lambda file: file.rows.pop(), "should have"),
        (lambda file: file.rows.append(file.rows[0]), "should have"),
        (lambda file: file.rows.append([]), "line 4 is not a row"),
        (lambda file: file.rows.append(["0303", {}]), "line 4 is not a row"),
        (lambda file: file.rows.append("junk"), "line 4 is not a row"),
        (
            lambda file: file.rows[0][1].update({"0102": [float("nan"), 1]}),
            "line 2 is not JSON",
        ),
        (lambda file: file.rows[0][1].update({"0102": [1e300, 1]}), "line 2 is not a row"),
        (lambda file: file.rows[0][1].update({"0102": [True, 1]}), "line 2 is not a row"),
        (lambda file: file.rows[0][1].update({"0102": ["1", 1]}), "line 2 is not a row"),
        (lambda file: file.rows[0][1].update({"0102": [0.5, -1]}), "line 2 is not a row"),
        (lambda file: file.rows[0][1].update({"0102": [0.5]}), "line 2 is not a row"),
        (lambda file: file.rows[0][1].update({"0102": {"q": 1}}), "line 2 is not a row"),
    ],
)
def test_poison_with_a_right_checksum_is_refused(
    change: Callable[[Forged], Any], message: str
) -> None:
    with pytest.raises(LearnedFileError, match=message):
        parse_table(forged(change))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("game", "senet", "made for senet, not tapnswap"),
        ("rules_version", 2, "version 2 of the rules of TapnSwap"),
    ],
)
def test_tables_about_something_else_are_refused(
    tmp_path: Path, field: str, value: Any, message: str
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(forged(lambda file: file.header.update({field: value})))
    with pytest.raises(LearnedFileError, match=message):
        make_agent(f"q-table:file={path}", GAME)


def test_a_table_that_does_not_know_the_start_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_text(small_table().text())
    with pytest.raises(LearnedFileError, match="does not know the start"):
        make_agent(f"q-table:file={path}", GAME)


def test_a_draw_is_worth_nothing_to_the_table() -> None:
    solution = solve(explore(GAME, GAME.every_position()))
    table = table_for(TapnSwap())
    for state in GAME.every_position():
        row = table.rows.get(position_key(GAME, state))
        if row is not None and solution.verdict(state).outcome is Outcome.DRAW:
            assert max(value for value, _ in row.values()) == pytest.approx(0.0, abs=1e-3)
