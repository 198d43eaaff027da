"""TD(lambda): what is learned, how it is measured, kept, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boardgames_cli import make
from boardgames_cli.algorithms.linear_model import LinearModel, ModelError, read_model
from boardgames_cli.core.errors import OptionError
from boardgames_cli.games.senet.board import bit
from boardgames_cli.games.senet.heuristic import evaluate
from boardgames_cli.games.senet.linear import FEATURES
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.games.senet.state import SenetState
from boardgames_cli.training.self_play_run import ScorePoint, read_points
from boardgames_cli.training.td import run as td_run
from boardgames_cli.training.td.learner import TdLearner
from boardgames_cli.training.td.run import (
    TdRun,
    resume_model,
    score,
    why_not_td,
)
from boardgames_cli.training.td.settings import TdSettings

SENET = make("senet")
SHORT = TdSettings(games=60)


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations that take no time; what they measure has a test of its own."""
    monkeypatch.setattr(td_run, "GAMES", 2)
    monkeypatch.setattr(td_run, "LAST_GAMES", 2)


class _Stop(Exception):
    """The user had enough."""


def learned(variant: str = "kendall", **settings: float) -> dict[str, float]:
    chosen = TdSettings(**{"games": 20, **settings})  # type: ignore[arg-type]
    learner = TdLearner(FEATURES, variant, chosen)
    learner.run(chosen.games)
    return learner.average()


def test_the_same_seed_learns_the_same_weights() -> None:
    assert learned(seed=4) == learned(seed=4)
    assert learned(seed=4) != learned(seed=5)
    assert learned("kendall") != learned("skyruk")


def test_a_win_raises_the_weights_of_the_winner() -> None:
    learner = TdLearner(FEATURES, "kendall", SHORT)
    learner.learn([SenetState(bit(30), bit(1), 0, None)], result=1.0, rate=0.1)
    assert learner.weights["own 1: 30"] == pytest.approx(0.05)
    assert learner.weights["foe 1: 1"] == pytest.approx(0.05)


def test_earlier_positions_move_toward_later_values() -> None:
    learner = TdLearner(FEATURES, "kendall", TdSettings(games=60, trace_decay=0.0))
    first, last = SenetState(bit(3), bit(2), 0, None), SenetState(bit(30), bit(1), 0, None)
    learner.learn([first, last], result=1.0, rate=0.1)
    # With lambda 0 the first position sees the last one's old value only, which was even; what
    # both share has moved by then.
    assert learner.weights["own 1: 30"] == pytest.approx(0.05)
    assert abs(learner.weights["own 1: 3"]) < 0.01


def test_the_rate_falls_by_a_constant_factor() -> None:
    settings = TdSettings(games=100, first_rate=0.1, last_rate=0.001)
    assert settings.rate_at(0) == pytest.approx(0.1)
    assert settings.rate_at(50) == pytest.approx(0.01)
    assert settings.rate_at(99) > 0.001


def test_self_play_games_end_and_name_their_winner() -> None:
    learner = TdLearner(FEATURES, "skyruk", TdSettings(games=60, random_starts=0.0))
    for _ in range(5):
        history, result = learner.play()
        assert len(history) > 10
        assert result in (-1.0, 1.0)


def test_the_bundled_weights_beat_random_moves_and_equal_themselves() -> None:
    against_random = score(Senet(), evaluate, None, 60)
    assert against_random.share > 0.6
    assert score(Senet(), evaluate, evaluate, 20).share == 0.5  # each deal from both seats
    assert "of 60 games (95 %: " in str(against_random)


def test_a_stopped_training_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = TdRun(SENET, SHORT, None)
    whole.run()
    path = tmp_path / "weights.json"
    begun = TdRun(SENET, SHORT, path)

    def pause() -> None:
        if begun.done >= 60:
            raise _Stop

    with pytest.raises(_Stop):
        begun.run(pause=pause)
    assert read_model(path).training
    resumed = resume_model(SENET, path, None)
    assert 60 <= resumed.done < 120
    assert resumed.points == begun.points
    resumed.run()
    assert resumed.model() == whole.model()
    assert not read_model(path).training
    assert read_model(path) == whole.model()


def test_a_finished_training_can_not_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    TdRun(SENET, TdSettings(games=1), path).run()
    with pytest.raises(ModelError, match="is finished"):
        resume_model(SENET, path, None)


@pytest.mark.parametrize(
    "damage",
    [
        {"learners": {}},
        {"learners": {"kendall": {}, "skyruk": {}}},
        {"learners": {"kendall": [], "skyruk": 3}},
        {"learners": None},
    ],
)
def test_a_damaged_training_says_so(tmp_path: Path, damage: dict[str, object]) -> None:
    path = tmp_path / "weights.json"
    model = LinearModel("senet", 1, {}, {}, {"settings": {"games": 5}, **damage})
    path.write_text(model.to_text())
    with pytest.raises(ModelError, match="has no training state"):
        resume_model(SENET, path, None)


def test_wrong_settings_in_a_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    model = LinearModel("senet", 1, {}, {}, {"settings": {"games": -5}})
    path.write_text(model.to_text())
    with pytest.raises(OptionError, match="games"):
        resume_model(SENET, path, None)


def test_games_are_asked_for_their_features() -> None:
    assert why_not_td(SENET) is None
    assert why_not_td(make("tapnswap")) == "it defines no features of its positions"


def test_what_came_of_it_names_scores_and_command() -> None:
    run = TdRun(SENET, TdSettings(games=1), None)
    assert run.last_scores == {}  # an unfinished training is not measured again
    run.run()
    run.last_scores = run.scores(games=4)
    lines = run.lines()
    assert any(line.startswith("kendall against random: ") for line in lines)
    assert any(line.startswith("skyruk against the bundled evaluation: ") for line in lines)
    assert any(
        line.startswith("made by: boardgames train senet --games 1 --seed 1") for line in lines
    )
    facts = run.as_json()
    assert json.loads(json.dumps(facts))["scores"].keys() == {"kendall", "skyruk"}
    assert facts["finished"] is True


def test_points_read_from_files_are_checked() -> None:
    good = ScorePoint("games", 50, {"kendall": 0.5, "skyruk": 0.7})
    bad = [{"games": 1}, 3, {"games": 1, "scores": {"x": "y"}}, {"rounds": 50, "scores": {}}]
    assert read_points([good.as_json(), *bad], "games") == [good]
    assert read_points("no list", "games") == []
    assert str(good) == "50 games: kendall 50.0 %  skyruk 70.0 % against random"
    assert (good.done, good.share, good.brief) == (50, 0.6, "60.0 % against random")
