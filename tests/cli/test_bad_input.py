"""What people get wrong: one line that helps, the right exit code, and no output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.core.agent import ADAPTIVE
from boardgames_cli.core.options import OptionSpec, options_of
from boardgames_cli.registry import agents_for, find_game, game_ids, make
from tests.conftest import Program

RULES = {id: find_game(id).game_class() for id in game_ids()}
LIMITS = [
    (id, option)
    for id, rules in RULES.items()
    for option in options_of(rules)
    if option.type is int and (option.low is not None or option.high is not None or option.choices)
]


def refused(program: Program, code: int, message: str, *words: str) -> None:
    outcome = program(*words)
    assert (outcome.code, outcome.out) == (code, ""), outcome.err
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        *(
            (f"{words} --seed -1", 2, "seed can't be -1.   Allowed: a whole number, 0 or more.")
            for words in (
                "watch kuhn -s easy -s easy --json",
                "play kuhn --plain",
                "tournament kuhn -s easy -s rock",
                "agents check easy --game kuhn",
                "puzzle kuhn --make 2 --out made.json",
            )
        ),
        ("train senet --positions 3", 2, '"--positions" is gone since 0.3.   In a checkout, lab/'),
        ("solve", 2, "no game is named.   Name one, or see what is solved: --list"),
        ("solve nogame", 2, 'unknown game "nogame".   Games: senet tapnswap kuhn deepsea'),
        ("solve kuhn", 2, "Kuhn poker can't be explored position by position: chance has a part"),
        ("solve deepsea", 2, "Deep Sea Adventure can't be explored position by position"),
        ("solve tapnswap --position gone", 4, "the position gone can't be read (No such file"),
        ("solve tapnswap --position .", 4, "the position . can't be read (Is a directory)"),
        (
            "solve tapnswap --position half",
            4,
            "the position half is not JSON (line 1, column 12",
        ),
        ("solve tapnswap --position bytes", 4, "the position bytes is not UTF-8 text (line 1)."),
        ("solve tapnswap --position list", 4, "the position list is not a JSON object."),
        ("solve tapnswap --position empty", 4, "hands"),
        ("train", 2, "which game is meant?   Games: senet "),
        ("train", 2, "   Help: boardgames train --help"),
        ("train nogame", 2, 'unknown game "nogame"'),
        (
            "train deepsea",
            2,
            "Deep Sea Adventure is trained by self-play only (Q-learning: chance has",
        ),
        ("train tapnswap --episodes x", 2, 'episodes can\'t be "x".   Allowed: 1 or more.'),
        ("train tapnswap --episodes 0", 2, "episodes can't be 0.   Allowed: 1 or more."),
        ("train tapnswap --rate 7", 2, "rate can't be 7.0."),
        ("train tapnswap --rate nan", 2, "rate can't be nan."),
        ("train tapnswap --opponent nobody", 2, 'opponent can\'t be "nobody".'),
        ("train tapnswap --iterations 5", 2, "--iterations is not a setting of Q-learning"),
        ("train tapnswap --resume --out gone", 4, "the Q-table gone can't be read (No such"),
        ("train tapnswap --resume --out list", 4, "list: it is not a Q-table of boardgames."),
        (
            "train tapnswap --resume --out bytes",
            4,
            "Q-table bytes is not UTF-8 text (line 1).",
        ),
        ("train tapnswap --resume --rate 0.5", 2, "--rate can't be changed by --resume."),
        ("train tapnswap --out .", 4, ". can't be written.   Choose another file with --out."),
        (f"train tapnswap --out {'x' * 5000}", 4, "can't be written.   Choose another file with"),
        ("train tapnswap --plot curve.txt", 2, "--plot can't write curve.txt."),
        ("agents nogame", 2, 'unknown game "nogame"'),
        ("agents show", 2, "Missing argument 'AGENT'."),
        ("agents show equilibrum", 2, 'Did you mean "equilibrium"?'),
        ("agents show equilibrium --game senet", 2, 'unknown agent "equilibrium".'),
        ("agents show q-table --game kuhn", 2, "can't play Kuhn poker"),
        ("agents show q-table:file=gone", 4, "the Q-table gone can't be read"),
        ("agents show q-table:file=list", 4, "list: it is not a Q-table of boardgames."),
        ("agents show cfr:file=list", 4, "list is not a strategy of boardgames."),
        (
            "agents show cfr:file=half",
            4,
            "the strategy half is not JSON (line 1, column 12",
        ),
        ("agents show cfr:file=bytes", 4, "the strategy bytes is not UTF-8 text (line 1)."),
        ("agents show equilibrium:alpha=0.5", 2, "alpha can't be 0.5."),
        ("agents show random:x", 2, 'agent "random" has no options.   Write just random.'),
        ("agents show greedy:slips=0.1,slips=0.2", 2, "gives the same option twice."),
        ("play deepsea --players 3 -s a -s b -s c -s d", 2, "has 3 seats; you gave 4."),
        ("play kuhn -s human -s human", 2, "Kuhn poker has secrets"),
        ("play senet --seed x", 2, "Invalid value for '--seed': 'x' is not a whole number."),
        ("play pommerman --tick x", 2, "Invalid value for '--tick': 'x' is not a number."),
        (
            "tournament senet --games x",
            2,
            "Invalid value for '--games': 'x' is not a whole number.",
        ),
        ("tournament senet --games 0", 2, "'--games': 0 is not in the range x>=1."),
        ("play senet --max-plies 0", 2, "Invalid value for '--max-plies'"),
        ("play senet --think 0", 2, "Invalid value for '--think'"),
        ("play senet --think nan", 2, "(env var: 'BOARDGAMES_THINK'): it is not a finite number"),
        ("play senet --think inf", 2, "(env var: 'BOARDGAMES_THINK'): it is not a finite number"),
        ("play pommerman --tick nan", 2, "Invalid value for '--tick': it is not a finite number"),
        ("resume --think nan", 2, "(env var: 'BOARDGAMES_THINK'): it is not a finite number"),
        (f"play senet --seed {'9' * 400}", 2, "Invalid value for '--seed': it is not a finite"),
        (f"play senet --seed {'9' * 5000}", 2, "Invalid value for '--seed'"),
        ("play senet --vs greedy:slips=nan", 2, "slips can't be nan."),
        ("train tapnswap --rate-decay inf", 2, "rate_decay can't be "),
        (f"train kuhn --iterations {'9' * 400}", 2, "iterations can't be "),
        ("play kuhn --vs always-cal", 2, 'Did you mean "always-call"?'),
        ("play deepsea --position list", 4, "the position list is not a JSON object."),
        ("play tapnswap --position over", 2, "the game is over in this position."),
        ("watch tapnswap --position over", 2, "the game is over in this position."),
        ("play deepsea --json", 2, "--json is for agents only, and seat 1 is a person's."),
        ("play senet -s human:name=Ann,age=9", 2, 'unknown human option "age"'),
        ("play senet -s human:ThisNameIsMuchTooLongToShow", 2, "can't be shown."),
        ("watch localhost:1/KEGA-3F2P", 2, "nobody answers at localhost:1 ("),
        ("watch senet -s human", 2, "watch is for agents only, and seat 1 is a person's."),
        ("watch deepsea --vs expectimax", 2, "it needs two seats, one winning"),
        ("watch senet --vs q-table", 2, 'agent "q-table" can\'t play this game: chance'),
        ("replay", 4, "there is no finished game in "),
        ("replay gone", 4, 'there is no save "gone" in '),
        ("resume", 4, "there is no unfinished game in "),
        ("resume list", 4, "list"),
        ("saves show gone", 4, 'there is no save "gone" in '),
        ("saves delete gone -y", 4, 'there is no save "gone" in '),
        ("saves lost", 2, "lost"),
        ("rules nogame", 2, 'unknown game "nogame"'),
        ("rules", 2, "which game is meant?   Games: senet "),
    ],
)
def test_one_line_says_what_is_wrong(program: Program, words: str, code: int, message: str) -> None:
    Path("half").write_text('{"hands": [')
    Path("list").write_text("[1, 2]")
    Path("empty").write_text("{}")
    Path("over").write_text('{"hands": [[3, 2], [0, 0]], "player": 1}')
    Path("bytes").write_bytes(b"\xff\xfe\x00\x01")
    refused(program, code, message, *words.split())


def outside(option: OptionSpec) -> list[int]:
    """Numbers just beyond what an option allows."""
    if option.choices:
        return [min(option.choices) - 1, max(option.choices) + 1]
    low = [] if option.low is None else [int(option.low) - 1]
    return low + ([] if option.high is None else [int(option.high) + 1])


@pytest.mark.parametrize(("game", "option"), LIMITS, ids=lambda v: getattr(v, "name", v))
def test_numbers_just_outside_are_refused_and_the_limits_are_not(
    program: Program, game: str, option: OptionSpec
) -> None:
    flag = f"--{option.name.replace('_', '-')}"
    for number in outside(option):
        message = f"{option.name} can't be {number}.   Allowed: {option.allowed}."
        if option.name == "max_plies":  # every game's option of that name, checked before
            message = f"Invalid value for '--max-plies': {number}"
            if number > 0:
                continue
        refused(program, 2, message, "watch", game, flag, str(number), "--json", "--no-save")
    limits = option.choices or [x for x in (option.low, option.high) if x is not None]
    for limit in (min(limits), max(limits)):
        assert getattr(make(game, **{option.name: int(limit)}), option.name) == limit


@pytest.mark.parametrize("game", game_ids())
def test_every_agent_that_can_play_a_game_is_shown_with_its_options(
    program: Program, game: str
) -> None:
    listed = json.loads(program("agents", game, "--json").out)[0]["agents"]
    assert {agent["name"] for agent in listed} == {*agents_for(find_game(game))} - {ADAPTIVE}
    levels = find_game(game).levels
    for agent in (agent for agent in listed if agent["name"] not in levels):
        outcome = program("agents", "show", agent["name"], "--game", game, "--json")
        if agent["problem"]:
            assert outcome.code in (2, 4)
            assert agent["problem"][:30] in outcome.err
            continue
        assert outcome.code == 0
        facts = json.loads(outcome.out)
        assert facts["game"] == game
        assert facts["summary"] == agent["summary"]
        assert facts["options"] == {o["name"]: o["default"] for o in agent["options"]}


@pytest.mark.parametrize(
    ("game", "level"), [(id, level) for id in game_ids() for level in find_game(id).levels]
)
def test_a_level_is_shown_as_the_agent_it_stands_for(
    program: Program, game: str, level: str
) -> None:
    meant = find_game(game).levels[level]
    shown = json.loads(program("agents", "show", level, "--game", game, "--json").out)
    same = json.loads(program("agents", "show", meant, "--game", game, "--json").out)
    assert {**shown, "agent": ""} == {**same, "agent": ""}


@pytest.mark.parametrize(
    ("agent", "game", "fact"),
    [
        ("q-table", "tapnswap", "size"),
        ("equilibrium", "kuhn", "exploitability"),
    ],
)
def test_what_was_learned_is_shown_the_same_in_both_forms(
    program: Program, agent: str, game: str, fact: str
) -> None:
    text = program("agents", "show", agent).out
    facts = json.loads(program("agents", "show", agent, "--json").out)
    assert facts["game"] == game
    assert f"{fact}: {facts['facts'][fact]}" in text.splitlines()
    for name, told in facts["facts"].items():
        assert f"{name}: {told}" in text
    if facts["curve"]:
        table = text.split("learning curve:\n")[1].splitlines()
        assert len(table) == len(facts["curve"]) + 1
        assert table[0].split() == list(facts["curve"][0])


def test_a_trained_table_and_a_trained_strategy_are_shown(program: Program) -> None:
    assert program("train", "tapnswap", "--episodes", "250", "--out", "t").code == 0
    assert program("train", "kuhn", "--iterations", "5", "--out", "s").code == 0
    table = json.loads(program("agents", "show", "q-table:file=t", "--json").out)
    assert table["facts"]["learned from"].startswith("250 games")
    assert table["curve"][-1]["episodes"] == 250
    strategy = json.loads(program("agents", "show", "cfr:file=s", "--json").out)
    assert [point["iterations"] for point in strategy["curve"]] == [1, 2, 5]
    for one, other in (("q-table:file=s", "Q-table"), ("cfr:file=t", "strategy")):
        refused(program, 4, other, "agents", "show", one)


def test_an_option_may_have_any_wrong_name(program: Program, tmp_path: Path) -> None:
    """Names of options are checked before they become arguments."""
    for name in ("id", "self", "options", "game", "kind"):
        save = tmp_path / "kuhn-1.jsonl"
        header = {"boardgames": 1, "game": "kuhn", "rules_version": 1, "options": {name: 1}}
        save.write_text(json.dumps(header | {"seed": 1, "seats": ["random", "random"]}) + "\n")
        done = program("replay", str(save))
        assert done.code == 4
        assert "internal" not in done.err


@pytest.mark.parametrize(
    ("words", "gone", "instead"),
    [
        ("bench", "bench", "lab/match_speed.py"),
        ("convert a b", "convert", "q-table:file="),
        ("play kuhn --plain -s playground:a:B", "playground", "docs/agents.md#guests"),
        ("play deepsea --plain -s policy:a:B", "policy", "docs/agents.md#guests"),
        ("serve --tournament x", "--tournament", "report.html"),
        ("tournament kuhn -s easy -s rock --pgn x", "--pgn", "results.jsonl"),
        ("tournament kuhn -s easy -s rock --rounds 3", "--rounds", "--format"),
        ("tournament kuhn -s easy -s rock --format swiss", "swiss", "round-robin"),
        ("play kuhn --plain --hints-by hard", "--hints-by", "strongest level"),
        ("watch kuhn --eyes all --json", "--eyes", "--view-as"),
        ("train senet --hidden 3", "--hidden", "lab/senet_learner.py"),
        ("tournament kuhn -s easy -s rock --set hands=3", "--set", "--NAME VALUE"),
        ("puzzle kuhn --make 3 --out x --set hands=3", "--set", "--NAME VALUE"),
    ],
)
def test_what_is_gone_says_so_and_what_to_do(
    program: Program, words: str, gone: str, instead: str
) -> None:
    refused(program, 2, f'"{gone}" is gone since 0.3.   ', *words.split())
    assert instead in program(*words.split()).err
    page = Path(__file__).parents[2] / "docs" / "changes-0.3.md"
    assert gone in page.read_text(encoding="utf-8").lower()
