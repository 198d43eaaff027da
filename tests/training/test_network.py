"""The training of networks: how it runs, what it says, and how it goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli.algorithms.learned_file import LearnedFileError

pytest.importorskip("numba", reason="networks are trained by compiled rules (numba)")

from boardgames_cli import make
from boardgames_cli.algorithms.networks.network_model import (
    NetworkModel,
    NetworkSettings,
    read_network,
)
from boardgames_cli.core.errors import OptionError
from boardgames_cli.games.senet.heuristic import bundled_model
from boardgames_cli.training import network_run
from boardgames_cli.training.network_run import NetworkRun, resume_network, why_no_network
from boardgames_cli.training.trainers import NETWORK, SELF_PLAY, UntrainableError, trainer_for
from tests.conftest import Program
from tests.toys import Race

SENET = make("senet")
SHORT = NetworkSettings(rounds=2, positions=256, hidden=4)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations that take no time."""
    monkeypatch.setattr(network_run, "GAMES", 4)
    monkeypatch.setattr(network_run, "LAST_GAMES", 4)


class _Stop(Exception):
    """The user had enough."""


def test_a_stopped_training_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = NetworkRun(SENET, SHORT, None)
    whole.run()
    path = tmp_path / "network.json"
    begun = NetworkRun(SENET, SHORT, path)

    def pause() -> None:
        if begun.done >= 3:
            raise _Stop

    with pytest.raises(_Stop):
        begun.run(pause=pause)
    assert read_network(path).training
    resumed = resume_network(SENET, path, None)
    assert resumed.done == 3
    assert resumed.points == begun.points
    resumed.run()
    assert resumed.model() == whole.model()
    assert read_network(path) == whole.model()
    assert not read_network(path).training
    with pytest.raises(LearnedFileError, match="is finished"):
        resume_network(SENET, path, None)


def test_what_came_of_it_names_scores_and_command() -> None:
    run = NetworkRun(SENET, NetworkSettings(rounds=1, positions=256, hidden=4), None)
    assert run.last_scores == {}  # an unfinished training is not measured again
    del run.last_scores
    run.run()
    lines = run.lines()
    for rules in ("kendall", "skyruk"):
        for rival in ("random", "the dancer furthest on", "the bundled network"):
            assert any(line.startswith(f"{rules} against {rival}: ") for line in lines)
    assert any(line.startswith("made by: boardgames train senet --rounds 1 ") for line in lines)
    facts = run.as_json()
    assert json.loads(json.dumps(facts))["scores"].keys() == {"kendall", "skyruk"}
    assert facts["finished"] is True
    assert str(run.points[-1]).startswith("2 rounds: kendall ")


@pytest.mark.parametrize(
    "damage",
    [
        {"learners": {}},
        {"learners": None},
        {"learners": {"kendall": {}, "skyruk": {}}},
        {"learners": {"kendall": [], "skyruk": 3}},
    ],
)
def test_a_damaged_training_says_so(tmp_path: Path, damage: dict[str, object]) -> None:
    path = tmp_path / "network.json"
    networks = bundled_model().networks
    model = NetworkModel("senet", 1, networks, {}, {"settings": {"rounds": 5}, **damage})
    path.write_text(model.to_text())
    with pytest.raises(LearnedFileError, match="has no training state"):
        resume_network(SENET, path, None)


def test_wrong_settings_in_a_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    networks = bundled_model().networks
    path.write_text(NetworkModel("senet", 1, networks, {}, {"settings": {"rounds": -5}}).to_text())
    with pytest.raises(OptionError, match="rounds"):
        resume_network(SENET, path, None)


def test_the_schedule_falls_from_first_to_last() -> None:
    settings = NetworkSettings(rounds=100, first_step=0.1, last_step=0.001)
    assert settings.step_at(0) == pytest.approx(0.1)
    assert settings.step_at(50) == pytest.approx(0.01)
    assert settings.trace_at(0) == settings.first_trace
    assert settings.trace_at(50) == settings.trace_at(99) == pytest.approx(settings.last_trace)
    middle = (settings.first_trace + settings.last_trace) / 2
    assert settings.trace_at(25) == pytest.approx(middle)


def test_senet_learns_a_network_unless_told_otherwise() -> None:
    assert trainer_for(SENET) is NETWORK
    assert why_no_network(make("kuhn")) == "it has no compiled rules for training networks"
    assert trainer_for(make("kuhn"), "network") is SELF_PLAY


class Nameless(Race):
    """A game whose actions have no ids."""

    action_count = 0


def test_a_game_without_ids_of_actions_is_told_why_no_network_learns_it() -> None:
    with pytest.raises(UntrainableError, match=r"no compiled rules.*have no ids") as caught:
        trainer_for(Nameless(), "network")
    assert "Can be trained: senet" in caught.value.todo


def test_the_command_line_trains_and_plays(program: Program) -> None:
    words = ("--rounds", "1", "--positions", "256", "--hidden", "4", "--out", "mine.json")
    made = program("train", "senet", *words)
    assert made.code == 0
    assert "kendall against the bundled network: " in made.out
    shown = program("agents", "show", "greedy:weights=mine.json", "--game", "senet")
    assert "4 hidden units" in shown.out
    refused = program("train", "senet", "--method", "networks")
    assert refused.code == 2
    assert 'unknown method "networks". Did you mean "network"?' in refused.err


def test_what_was_removed_is_told_with_what_to_do_instead(program: Program, tmp_path: Path) -> None:
    refused = program("train", "senet", "--method", "td")
    assert refused.code == 2
    assert "no longer trained" in refused.err
    assert "--method network" in refused.err
    old = tmp_path / "old.json"
    old.write_text('{"boardgames_weights": 1, "game": "senet", "rules_version": 1, "weights": {}}')
    unread = program("play", "senet", "--vs", f"greedy:weights={old}", "--no-save")
    assert unread.code == 4
    assert "linear weights, which this version no longer reads" in unread.err
    assert "boardgames train senet" in unread.err
    resumed = program("train", "senet", "--resume", "--out", str(old))
    assert resumed.code == 4
    assert "linear weights, which this version no longer reads" in resumed.err
