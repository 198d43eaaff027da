"""Files of the original Pommerman playground, there and back."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.storage.reading import load_record, restore
from tests.conftest import Program

Json = dict[str, Any]
ORIGINAL = {"items_block": True, "caps": True, "strength": 2}


def played(mode: str, plies: int = 40, **options: Any) -> AnyMatch:
    """A game in which all act at random, but seldom lay bombs."""
    game = Pommerman(mode=mode, **(ORIGINAL | options))
    match: AnyMatch = Match(game, seed=11)
    match.resolve_chance()
    rng = random.Random(5)
    for _ in range(plies):
        for seat in match.waiting_for:
            legal = game.legal_actions(match.state, seat)
            moves = [action for action in legal if action.code != 5 or rng.random() < 0.2]
            match.submit(seat, rng.choice(moves))
    return match


def recorded_state(match: AnyMatch, ply: int) -> Json:
    """A state in the playground's words, written without the program's help."""
    ours = match.game.to_json(match.state_at(ply))
    names = {"id": "agent_id", "alive": "is_alive", "pos": "position", "bomber": "bomber_id"}

    def renamed(item: Json) -> Json:
        theirs = {names.get(key, key): value for key, value in item.items()}
        if "dir" in theirs:
            theirs["moving_direction"] = theirs.pop("dir") or None
        return theirs

    joint = match.steps[ply - 1].joint if ply > 1 else {}
    moves = [joint.get(seat) for seat in range(match.game.seats)]
    did = [move and ([move.code, *move.words] if any(move.words) else move.code) for move in moves]
    values = {
        "board_size": len(ours["board"]),
        "step_count": ours["step"],
        "board": ours["board"],
        "items": ours["items"],
        "intended_actions": did if joint else [],
        # The playground keeps bombs in the order in which they were laid, not by place.
        "bombs": [renamed(bomb) for bomb in reversed(ours["bombs"])],
        "agents": [renamed(agent) for agent in ours["agents"]],
        "flames": ours["flames"] and [renamed(flame) for flame in ours["flames"]],
    }
    return {key: json.dumps(value) for key, value in values.items()}


def recorded_game(match: AnyMatch, **more: Any) -> Json:
    states = [recorded_state(match, ply) for ply in range(1, match.ply + 1)]
    agents = ["test::agents.SimpleAgent"] * match.game.seats
    result = {"name": "Incomplete", "id": 3}
    return {"agents": agents, "result": result, "state": states[::-1], **more}


def write(path: str, data: Any) -> str:
    Path(path).write_text(json.dumps(data))
    return path


def convert(program: Program, *words: str, out: str = "") -> None:
    outcome = program("convert", "pommerman", *words)
    assert (outcome.code, outcome.err) == (0, ""), outcome.err
    assert out in outcome.out


def same_game(path: str, match: AnyMatch) -> None:
    """A save holds the steps and states of a match, from the layout on."""
    record = load_record(path)
    again = restore(record)
    assert again.game == match.game
    assert [again.state_at(ply) for ply in range(again.ply + 1)] == [
        match.state_at(ply) for ply in range(1, match.ply + 1)
    ]
    assert [step.joint for step in again.steps] == [step.joint for step in match.steps[1:]]


@pytest.mark.parametrize(
    ("mode", "words"), [("ffa", []), ("duel", []), ("radio", []), ("team", ["--mode", "team"])]
)
def test_a_recorded_game_becomes_a_save_and_a_recorded_game_again(
    program: Program, mode: str, words: list[str]
) -> None:
    match = played(mode)
    steps = match.ply - 1
    convert(program, write("g.json", recorded_game(match)), "s.jsonl", *words, out=f"{steps} steps")
    same_game("s.jsonl", match)
    convert(program, "s.jsonl", "back.json", out="a recorded game for playground.")
    back = json.loads(Path("back.json").read_text())
    assert (back["result"]["name"] == "Incomplete") == (not match.is_over)
    assert [state["step_count"] for state in back["state"]] == [str(n) for n in range(steps + 1)]
    convert(program, "back.json", "again.jsonl")
    same_game("again.jsonl", match)


def test_it_can_be_seen_again(program: Program) -> None:
    convert(program, write("g.json", recorded_game(played("ffa"))), "s.jsonl")
    told = program("replay", "s.jsonl", "--plain")
    assert told.code == 0
    assert told.out.startswith("   0 Read from a recorded game of playground.")
    assert "SimpleAgent A" in told.out
    assert "The game is not over; it stands after step 40." in told.out
    convert(program, write("n.json", recorded_game(played("ffa"), agents=["", 7, "a::B/c-d:x"])),
            "n.jsonl")  # fmt: skip
    assert load_record("n.jsonl").header.seats == (
        "human:name=agent", "human:name=7", "human:name=c-d", "human:name=agent",
    )  # fmt: skip


def test_a_folder_of_states(program: Program) -> None:
    match = played("duel", 12)
    Path("folder").mkdir()
    for ply in range(1, match.ply + 1):
        write(f"folder/{ply - 1:03}.json", recorded_state(match, ply))
    write("folder/other.json", {})
    convert(program, "folder", "s.jsonl")
    same_game("s.jsonl", match)
    write("folder/game_state.json", recorded_game(played("duel", 5)))
    convert(program, "folder", "t.jsonl", out="5 steps")


def test_environments_give_the_options(program: Program) -> None:
    match = played("team", 30, collapse=True, first_collapse=500)
    game = recorded_game(match, config="PommeTeamCompetition-v1")
    convert(program, write("g.json", game), "s.jsonl")
    same_game("s.jsonl", match)
    convert(program, "s.jsonl", "back.json")
    assert json.loads(Path("back.json").read_text())["config"] == "PommeTeamCompetition-v1"


def test_a_finished_game_has_winners(program: Program) -> None:
    match = played("duel", 3, steps=3)
    tie = recorded_game(match, result={"name": "Tie", "id": 2})
    convert(program, write("g.json", tie), "s.jsonl", "--steps", "3", out="over")
    assert load_record("s.jsonl").result == (-1.0, -1.0)
    convert(program, "s.jsonl", "back.json")
    assert json.loads(Path("back.json").read_text())["result"]["name"] == "Tie"
    outcome = program("convert", "pommerman", "g.json", "t.jsonl")
    assert "over after step 3, but by these rules it goes on" in outcome.err
    assert "--steps 3" in outcome.err
    tie["winners"] = [1]
    outcome = program("convert", "pommerman", write("g.json", tie), "t.jsonl", "--steps", "3")
    assert "the recorded winners are [1], by these rules []." in outcome.err
    outcome = program("convert", "pommerman", "g.json", "t.jsonl", "--steps", "2")
    assert "step 3: the recorded game goes on, but by these rules it was over" in outcome.err
    assert not Path("t.jsonl").exists()


@pytest.mark.parametrize("mode", ["ffa", "duel", "radio"])
def test_positions_there_and_back(program: Program, mode: str) -> None:
    match = played(mode)
    position = match.game.to_json(match.state)
    flags = ["--mode", mode]
    convert(program, write("p.json", position), "state.json", *flags, out="for playground.")
    convert(program, "state.json", "q.json", out="q.json: a position.")
    assert json.loads(Path("q.json").read_text()) == position
    if mode != "radio":
        theirs = json.loads(Path("state.json").read_text()) | {"intended_actions": "", "bombs": ""}
        wanted = recorded_state(match, match.ply) | {"intended_actions": "", "bombs": ""}
        assert {key: value and json.loads(value) for key, value in theirs.items()} == {
            key: value and json.loads(value) for key, value in wanted.items()
        }


def test_a_game_starts_from_a_state_file(program: Program) -> None:
    match = played("ffa")
    write("state.json", recorded_state(match, match.ply))
    outcome = program("watch", "pommerman", "--position", "state.json", "--json", "--max-plies",
                      "2", "-s", "simple", "--vs", "simple")  # fmt: skip
    assert outcome.code == 0
    # The save does not depend on the reader of foreign files.
    assert load_record("saves/pommerman-1.jsonl").header.start == match.game.to_json(match.state)
    write("g.json", recorded_game(match))
    outcome = program("watch", "pommerman", "--position", "g.json", "--json", "--vs", "simple")
    assert (outcome.code, outcome.out) == (4, "")
    assert "this is a recorded game of playground, not a position.   To see it:" in outcome.err


def test_streams(program: Program) -> None:
    match = played("duel", 4)
    text = json.dumps(recorded_game(match))
    outcome = program("convert", "pommerman", "-", "-", lines=[text])
    assert outcome.code == 0
    Path("s.jsonl").write_text(outcome.out)
    same_game("s.jsonl", match)


def test_nothing_is_overwritten_unasked(program: Program) -> None:
    write("state.json", recorded_state(played("duel", 4), 3))
    Path("out.json").write_text("mine")
    outcome = program("convert", "pommerman", "state.json", "out.json")
    assert (outcome.code, outcome.out) == (4, "")
    assert "out.json already exists.   Choose another name, or overwrite it" in outcome.err
    assert Path("out.json").read_text() == "mine"
    convert(program, "state.json", "out.json", "--force")
    assert Path("out.json").read_text() != "mine"


def at(step: int, key: str, change: Callable[[Any], Any]) -> Callable[[Json], None]:
    """A change of a field of the state of a step."""

    def damage(game: Json) -> None:
        state = next(s for s in game["state"] if s["step_count"] == str(step))
        state[key] = json.dumps(change(json.loads(state[key])))

    return damage


def without(step: int) -> Callable[[Json], None]:
    def damage(game: Json) -> None:
        game["state"] = [s for s in game["state"] if s["step_count"] != str(step)]

    return damage


def ammo(agents: Any) -> Any:
    return [agents[0] | {"ammo": 7}, *agents[1:]]


def walled(rows: Any) -> Any:
    assert rows[3][3] == 0
    return [*rows[:3], [*rows[3][:3], 1, *rows[3][4:]], *rows[4:]]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (at(4, "agents", ammo), "step 4: the recorded ammo of agent 0 is 7, by these rules "),
        (at(4, "board", walled), "step 4: the recorded board has 1 on r3c3, by these rules 0."),
        (at(4, "intended_actions", lambda _: []), "step 4: intended_actions is []."),
        (at(4, "intended_actions", lambda _: [0, 9]), "step 4: intended_actions[1] is 9."),
        (at(4, "intended_actions", lambda _: [0, True]), "step 4: intended_actions[1] is True."),
        (at(4, "intended_actions", lambda _: [[], 0]), "step 4: intended_actions[0] is []."),
        (at(4, "step_count", lambda _: 5), "step 5 is there twice."),
        (at(4, "step_count", lambda _: -1), "is -1.   It must be 0 or more."),
        (at(4, "step_count", lambda _: "x"), "step_count is 'x'."),
        (at(0, "agents", lambda a: [a[0], a[1] | {"position": a[0]["position"]}]), "both stand on"),
        (without(4), "steps are missing between 3 and 5."),
        (lambda game: game["state"][0].pop("step_count"), 'state[0]: the state file lacks the f'),
        (lambda game: game["state"][0].pop("flames"), 'step 8: the state file lacks the field "fl'),
        (lambda game: game["state"].append(7), "state[9] is not a JSON object."),
        (lambda game: game.update(state=[]), "the recorded game has no states"),
        (lambda game: game.update(state=7), "the recorded game has no states"),
        (lambda game: game.update(result={"name": "Draw"}), "result is 'Draw'."),
    ],
)  # fmt: skip
def test_damaged_games_are_refused(
    program: Program, damage: Callable[[Json], None], message: str
) -> None:
    game = recorded_game(played("duel", 8))
    damage(game)
    outcome = program("convert", "pommerman", write("g.json", game), "s.jsonl")
    assert (outcome.code, outcome.out) == (4, "")
    assert outcome.err.startswith("g.json: ")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert not Path("s.jsonl").exists()


def test_words_need_the_radio(program: Program) -> None:
    game = recorded_game(played("radio", 5))
    at(3, "intended_actions", lambda did: [[did[0][0], 9, 1], *did[1:]])(game)
    outcome = program("convert", "pommerman", write("g.json", game), "s.jsonl")
    assert "intended_actions[0] is [" in outcome.err
    assert "Words are 1 to 8, or 0 0 for silence." in outcome.err
    outcome = program("convert", "pommerman", "g.json", "s.jsonl", "--mode", "team")
    assert "has words, but there is no radio in mode team.   Try --mode radio." in outcome.err


def test_other_rules_are_pointed_at_the_original_ones(program: Program) -> None:
    # A power-up taken at the cap: the only step in which the rules of the original differ here.
    match = played("ffa", 0)
    match = Match(match.game, seed=1, start=match.game.from_json(capped(match.game, match.state)))
    for seat in match.waiting_for:
        match.submit(seat, match.game.parse(match.state, seat, "up" if seat == 0 else "stop"))
    states = [recorded_state(match, 0), recorded_state(match, 1)]
    states[1]["intended_actions"] = "[1, 0, 0, 0]"
    write("g.json", {"state": states})
    convert(program, "g.json", "s.jsonl")
    outcome = program("convert", "pommerman", "g.json", "t.jsonl", "--no-caps")
    assert outcome.code == 4
    assert "step 1: the recorded ammo of agent 0 is 10, by these rules 11." in outcome.err
    assert "The original plays with: --items-block --caps --strength 2" in outcome.err


def capped(game: Any, state: Any) -> Json:
    """The position with agent 0 at the cap, below an extra bomb."""
    position: Json = game.to_json(state)
    row, column = position["agents"][0]["pos"]
    position["board"][row - 1][column] = 6
    position["agents"][0]["ammo"] = 10
    position["items"] = [item for item in position["items"] if item[0] != [row - 1, column]]
    return position


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("", 2, "convert needs a game.   Games: tapnswap pommerman   Example: boardgames convert "),
        ("senet a b", 2, "no file formats of other programs for Senet."),
        ("nogame a b", 2, 'unknown game "nogame".   Games: tapnswap pommerman'),
        ("pommerman gone out", 4, "gone can't be read (No such file or directory)."),
        ("pommerman half out", 4, "half is not JSON ("),
        ("pommerman bytes out", 4, "bytes is not JSON ("),
        ("pommerman list out", 4, "list is not a JSON object."),
        ("pommerman deep out", 4, "deep is nested too deeply."),
        ("pommerman long out", 4, "long has a number that is too long."),
        ("pommerman empty out", 4, 'empty: the position lacks the field "board".'),
        ("pommerman table out", 4, "table: there is nothing to write: the board is not laid out"),
        ("pommerman folder out.jsonl", 4, "folder: there is no recorded game in it."),
        ("pommerman torn out.jsonl", 4, "torn: 000.json is not a state file of the playground."),
        ("pommerman state out --mode ffa", 4, "board_size is 8, but mode ffa plays on 11."),
        ("pommerman state out --to x", 2, 'unknown format "x".   Formats: playground'),
        ("pommerman state folder/no/out", 4, "folder/no/out can't be written (No such file"),
        ("pommerman state folder --force", 4, "folder can't be written (Is a directory)."),
        ("pommerman game out", 2, "a name that ends in .jsonl.   Write it to out.jsonl"),
        ("pommerman other.jsonl out", 4, "this is a save of senet, not of pommerman."),
        ("pommerman bad.jsonl out", 4, "bad.jsonl, line 1: "),
        ("pommerman mine.jsonl out --mode duel", 2, "a save already contains its options"),
    ],
)
def test_one_line_says_what_is_wrong(program: Program, words: str, code: int, message: str) -> None:
    Path("half").write_text('{"state": [')
    Path("bytes").write_bytes(b"\xff\xfe\x00\x01")
    Path("deep").write_text('{"state": ' + "[" * 100_000)
    Path("long").write_text('{"state": ' + "9" * 5000 + "}")
    for folder in ("folder", "torn"):
        Path(folder).mkdir()
    write("torn/000.json", {})
    write("list", [1])
    write("empty", {})
    write("table", Pommerman().to_json(Pommerman().initial_state()))
    match = played("duel", 4)
    write("state", recorded_state(match, 3))
    write("game", recorded_game(match))
    head = {"rules_version": 1, "options": {}, "seed": 1, "seats": []}
    write("other.jsonl", {"boardgames": 1, "game": "senet", **head})
    write("mine.jsonl", {"boardgames": 1, "game": "pommerman", **head})
    write("bad.jsonl", {"boardgames": 1, "game": "pommerman"})
    outcome = program("convert", *words.split())
    assert (outcome.code, outcome.out) == (code, ""), outcome.err
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert not Path("out").exists()
