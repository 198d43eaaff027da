"""``boardgames review``: what people and programs are told of a finished game."""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import nullcontext
from pathlib import Path

import pytest

from boardgames_cli.core.background import Progress
from boardgames_cli.evaluation.review_result import from_json
from boardgames_cli.evaluation.reviewer import Reviewer
from tests.analysis import refuse_analysis
from tests.conftest import Program


@pytest.fixture
def kuhn(program: Program) -> str:
    words = ["-s", "maniac", "-s", "rock", "--hands", "4", "--seed", "3", "--plain"]
    played = program("play", "kuhn", *words)
    assert played.code == 0, played.err
    return "kuhn-1"


@pytest.fixture
def senet(program: Program) -> str:
    """A game from a position with few dancers: judging a whole one takes ten seconds."""
    start = {"cones": [5, 11], "spools": [8, 14], "player": 0, "steps": None, "pieces": 5}
    Path("late.json").write_text(json.dumps(start))
    words = ["-s", "random", "-s", "greedy", "--seed", "3", "--plain", "--position", "late.json"]
    played = program("watch", "senet", *words)
    assert played.code == 0, played.err
    return "senet-1"


def beside(folder: Path, name: str) -> Path:
    return folder / "saves" / f"{name}.review.json"


def test_programs_get_every_number(program: Program, senet: str) -> None:
    data = json.loads(program("review", senet, "--json").out)
    review = from_json(data["review"])
    assert data["complete"]
    assert len(review.steps) == review.total_steps
    for seat, one in enumerate(data["summaries"]):
        parts = sum(one[name] for name in ("start", "luck", "own", "others", "rest"))
        assert parts == pytest.approx(one["result"])
        assert review.summary(seat).accuracy == one["accuracy"]


def test_it_is_kept_beside_the_save_and_goes_with_it(
    program: Program, senet: str, clean_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = program("review", senet).out
    assert beside(clean_environment, senet).exists()
    monkeypatch.setattr(Reviewer, "advance", lambda _: pytest.fail("judged again"))
    assert program("review", senet).out == first
    assert program("saves").out.count("senet-1") == 1, "a review is not a save"
    program("saves", "delete", senet, "--yes")
    assert not beside(clean_environment, senet).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"boardgames_review": 5, "key": "x"}'])
def test_a_damaged_review_is_made_anew_and_said_once(
    program: Program, kuhn: str, clean_environment: Path, text: str
) -> None:
    first = program("review", kuhn).out
    beside(clean_environment, kuhn).write_text(text, encoding="utf-8")
    again = program("review", kuhn)
    assert again.out == first
    assert "; it is made anew" in again.err
    assert program("review", kuhn).err == ""


def test_any_changed_number_in_a_review_is_noticed(
    program: Program, kuhn: str, clean_environment: Path
) -> None:
    first = program("review", kuhn, "--json").out
    file = beside(clean_environment, kuhn)
    whole = json.loads(file.read_text())
    for name, value in [("seat", 99), ("loss", -1e300), ("ply", 10**9)]:
        text = json.dumps(whole)
        changed = re.sub(rf'"{name}": [-0-9.e]+', f'"{name}": {value}', text, count=1)
        assert changed != text
        file.write_text(changed)
        assert program("review", kuhn, "--json").out == first


def test_reviews_of_files_elsewhere_are_kept_in_the_cache_folder(
    program: Program, kuhn: str, clean_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = clean_environment / "elsewhere"
    elsewhere.mkdir()
    copy = elsewhere / "my-kuhn.jsonl"
    copy.write_bytes((clean_environment / "saves" / f"{kuhn}.jsonl").read_bytes())
    first = program("review", str(copy)).out
    assert list(elsewhere.iterdir()) == [copy]
    monkeypatch.setattr(Reviewer, "advance", lambda _: pytest.fail("judged again"))
    assert program("review", str(copy)).out == first


def test_where_nothing_can_be_written_it_is_told_all_the_same(
    program: Program, kuhn: str, clean_environment: Path
) -> None:
    beside(clean_environment, kuhn).mkdir()
    told = program("review", kuhn)
    assert "luck" in told.out
    assert "note: the review can't be kept: " in told.err
    assert f"{kuhn}.review.json can't be written." in told.err


def test_an_interrupted_review_is_told_as_far_as_it_is_and_gone_on_from(
    program: Program, senet: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = json.loads(program("review", senet, "--json").out)["review"]
    beside(Path.cwd(), senet).unlink()

    def interrupt(progress: Progress) -> None:
        if progress.done == 7:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        shown = nullcontext(interrupt)
        patch.setattr("boardgames_cli.cli.output.reporter", lambda *_: shown)
        told = program("review", senet, "--save-dir", "saves")
    assert told.code == 130
    assert "So far 7 of " in told.out
    assert told.err.splitlines() == [
        f"Stopped. To continue: boardgames review {senet} --save-dir saves"
    ]
    again = json.loads(program("review", senet, "--json").out)["review"]
    assert again == whole


@pytest.mark.usefixtures("toys")
def test_a_game_of_others_without_an_analyst_says_so_in_a_line(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_analysis(monkeypatch)
    watched = program("watch", "race", "-s", "random", "-s", "random", "--plain")
    assert "boardgames replay race-1" in watched.out
    assert "boardgames review" not in watched.out
    told = program("review", "race-1")
    assert told.code == 2
    assert told.err.startswith("Race can't be reviewed: it has no evaluation of positions")
    assert told.err.count("\n") == 1


# -- the last games


def test_stats_tell_what_cannot_be_read(program: Program, clean_environment: Path) -> None:
    for seed in ("1", "2"):
        words = ["-s", "human:Ann", "-s", "rock", "--hands", "3", "--seed", seed, "--plain"]
        assert program("play", "kuhn", *words, lines=["bet"] * 12).code == 0
    (data,) = json.loads(program("stats", "--json").out)
    assert [one["save"] for one in data["recent"]] == ["kuhn-2", "kuhn-1"]
    save = beside(clean_environment, "kuhn-2").with_name("kuhn-2.jsonl")
    save.write_text(save.read_text().replace('"bet"', '"fly"'))
    save.with_name("half.jsonl").write_text('{"boardgames": 1, "ga')
    (clean_environment / "data" / "boardgames" / "drill.json").mkdir()
    told = program("stats")
    assert "2 saves can't be read: half, kuhn-2." in told.err
    assert "the deck of the drill" in told.err
    assert "kuhn-1" in told.out
