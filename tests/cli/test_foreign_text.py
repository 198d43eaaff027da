"""Notes, messages and names that others wrote, as plain text, as errors and as JSON."""

from __future__ import annotations

import dataclasses
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as law
from hypothesis import strategies as st

from boardgames_cli import registry
from boardgames_cli.cli import errors
from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import Observation
from boardgames_cli.core.spec import AgentSpec
from boardgames_cli.terminal.streams import printable
from tests.conftest import Outcome, Program
from tests.foreign import POISON
from tests.plain.tables import RACE

ANYTHING = st.text(st.characters(), max_size=60) | st.sampled_from([POISON, "long " * 5000])
"""All code points, control characters and halves of surrogate pairs among them."""

SAFE = law(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None
)


class Poisonous(Agent[Any, Any]):
    """Fails with words that a terminal would obey."""

    words = POISON

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise ValueError(self.words)


POISONED = dataclasses.replace(
    RACE,
    agents=(*RACE.agents, AgentSpec("poisonous", f"{__name__}:Poisonous", f"odd {POISON}")),
)


@pytest.fixture
def poisonous(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with an agent of that name, and with such a summary."""
    monkeypatch.setitem(registry.BUILT_IN_GAMES, "race", f"{__name__}:POISONED")


def check(outcome: Outcome) -> None:
    """Nothing in it but lines that can be printed."""
    for text in (outcome.out, outcome.err):
        assert text.replace("\n", "").isprintable(), ascii(text)
        text.encode()  # no halves of surrogate pairs


def save_with(folder: Path, name: str, **fields: Any) -> Path:
    """A save whose header has these fields, and a note for each text of ``notes``."""
    notes = fields.pop("notes", ())
    header = {
        "boardgames": 1, "game": "senet", "rules_version": 1, "options": {}, "seed": 1,
        "seats": ["human", "random"],
    }  # fmt: skip
    lines = [header | fields, *({"note": note, "ply": 0} for note in notes)]
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


@SAFE
@given(note=ANYTHING, program_name=ANYTHING, seat=ANYTHING, option=ANYTHING, game=ANYTHING)
def test_what_saves_say(
    program: Program,
    clean_environment: Path,
    note: str,
    program_name: str,
    seat: str,
    option: str,
    game: str,
) -> None:
    folder = clean_environment / "saves"
    save_with(folder, "notes", notes=[note], program=program_name, created=seat)
    save_with(folder, "seats", seats=[f"human:name={seat}", seat])
    save_with(folder, "options", options={option: note})
    save_with(folder, "versions", rules_version=99, program=program_name)
    save_with(folder, "game", game=game)
    for words in (
        ("saves",),
        ("saves", "--json"),
        *(
            (*verb, name)
            for name in ("notes", "seats", "options", "versions", "game")
            for verb in (
                ("saves", "show"),
                ("saves", "show", "--json"),
                ("resume", "--plain"),
                ("replay", "--all"),
                ("replay", "--json"),
            )
        ),
    ):
        check(program(*words, lines=["undo", "?", "log", "q"]))


def test_names_of_files(program: Program, clean_environment: Path) -> None:
    folder = clean_environment / "saves"
    for number, name in enumerate((POISON, "\x1b]0;title\x07", "\udcff\udce9", "a\nb\rc")):
        raw = os.fsencode("".join(c for c in name if c not in "\0/\ud800\udfff"))
        path = save_with(folder, "plain", notes=[str(number)])
        path.rename(os.fsdecode(os.fsencode(folder) + b"/" + raw + b".jsonl"))
    for words in (("saves",), ("saves", "--json"), (), ("resume", "gone"), ("doctor",)):
        check(program(*words))
    for path in list(folder.iterdir()):
        for verb in (("saves", "show"), ("replay", "--all"), ("resume", "--plain")):
            check(program(*verb, path.stem, lines=["q"]))
        check(program("saves", "delete", path.stem))


@SAFE
@given(words=ANYTHING)
def test_words_of_an_agent_that_fails(program: Program, poisonous: None, words: str) -> None:
    Poisonous.words = words
    seats = ("-s", "poisonous", "-s", "random", "--max-plies", "3", "--seed", "1")
    for front in ("--json", "--plain"):
        check(program("watch", "race", *seats, front, "--no-save"))
        check(program("watch", "race", *seats, front))
    check(program("saves", "show", "race-1"))


def test_summaries_of_others(program: Program, poisonous: None) -> None:
    for words in (("agents",), ("agents", "race"), ("list",), ("--help",), ("play", "--help")):
        check(program(*words))


@SAFE
@given(text=ANYTHING, todo=ANYTHING)
def test_messages(capsys: pytest.CaptureFixture[str], text: str, todo: str) -> None:
    for error in (
        GameError(text, todo),
        OSError(errno.ENAMETOOLONG, text, todo),
        OSError(errno.ENOENT, text),
    ):
        errors.report(error, debug=True)
    err = capsys.readouterr().err
    assert err.replace("\n", "").isprintable()


@given(ANYTHING)
def test_what_is_printable(text: str) -> None:
    shown = printable(text)
    assert shown.replace("\n", "").isprintable()
    assert shown.count("\n") == text.count("\n")
