"""Results on standard output, for people and as JSON."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from boardgames_cli.core.errors import install_command
from tests.conftest import Program
from tests.fresh_environment import ROOT


def test_doctor(program: Program, clean_environment: Path) -> None:
    facts = json.loads(program("doctor", "--json").out)
    assert facts["saves"] == str(clean_environment / "saves")
    assert facts["save problem"] == ""
    assert facts["front end"].startswith("plain: ")
    assert any(text.startswith("typer 0.") for text in facts["packages"])
    text = program("doctor").out
    assert re.search(r"^extra fast +numba ", text, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - {"dev", "docs"}
    assert set(re.findall(r"^extra (\S+) +\w", text, re.MULTILINE)) == extras
    ruler = text.splitlines()[-3:]
    assert len({len(line) for line in ruler}) == 1, "the signs are one column wide"


def test_doctor_names_every_key_of_the_preferences_that_is_gone(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "config.toml"
    monkeypatch.setenv("BOARDGAMES_CONFIG", str(file))
    assert json.loads(program("doctor", "--json").out)["preferences problem"] == ""
    file.write_text('[keymap]\n"menu.tournament" = "T"\n"tournament.up" = "w"\n')
    facts = json.loads(program("doctor", "--json").out)
    assert facts["preferences"] == str(file)
    assert facts["preferences problem"] == (
        '"menu.tournament" is gone since 0.3. "tournament.up" is gone since 0.3. '
        "Remove such lines from [keymap]; the other keys hold."
    )
    file.write_text("[keymap")
    problem = json.loads(program("doctor", "--json").out)["preferences problem"]
    assert "is not TOML" in problem


def test_doctor_tells_what_the_extras_are_for_and_how_to_get_them(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(package: str) -> str:
        if package == "numba":
            raise PackageNotFoundError(package)
        return "1.2.3"

    monkeypatch.setattr("boardgames_cli.cli.doctor.version", version)
    outcome = program("doctor", "--json")
    facts = json.loads(outcome.out)
    assert outcome.code == 0, "whatever is missing is optional"
    assert facts["extra numpy"] == "numpy 1.2.3: positions as arrays, for learning programs"
    assert facts["extra fast"] == (
        f"numba not installed: compiled rules, and reviews of Pommerman ({install_command('fast')})"
    )


def test_agents_play_it_out_and_the_result_is_an_object(program: Program) -> None:
    words = ["watch", "senet", "--vs", "random", "--seed", "1", "--json"]
    outcome = program(*words)
    assert outcome.code == 0
    assert outcome.err == "", "nobody reads the story here"
    result = json.loads(outcome.out)
    assert result["over"]
    assert result["winners"] == [result["returns"].index(1.0)]
    assert result["options"] == {"rules": "kendall", "pieces": 5}
    assert Path(result["save"]).exists()
    again = json.loads(program(*words, "--no-save").out)
    assert again["save"] is None
    assert {**again, "save": 0} == {**result, "save": 0}, "the seed decides everything"


def test_failing_agent_ends_a_batch_with_its_own_code(program: Program, toys: None) -> None:
    outcome = program("watch", "race", "-s", "failing", "--json")
    assert outcome.code == 5
    result = json.loads(outcome.out)
    assert result["over"]
    assert "KeyError" in result["notes"][0]["text"]
    assert "Played at random instead" in outcome.err


def test_position_is_where_the_game_starts(program: Program, tmp_path: Path) -> None:
    start = {"cones": [29], "spools": [0], "player": 0, "steps": 1, "pieces": 5}
    (tmp_path / "end.json").write_text(json.dumps(start))
    words = ["watch", "senet", "--vs", "random", "--json", "--position", "end.json"]
    result = json.loads(program(*words).out)
    assert (result["plies"], result["winners"]) == (1, [0])
    assert json.loads(program("replay", "senet-1", "--json").out)["over"]


def test_where_all_have_lost_nobody_has_won(program: Program) -> None:
    words = ("watch", "pommerman", "--vs", "random", "--json", "--no-save", "--steps", "1")
    told = json.loads(program(*words, "--think", "60").out)
    assert told["over"]
    assert told["returns"] == [-1.0] * 4
    assert told["winners"] == []
