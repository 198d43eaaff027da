from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.action_value_table import read_table
from boardgames_cli.core.background import Progress
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.training.q_learning import (
    QLearning,
    QSettings,
    is_due,
    read_curve,
    resume,
    table_point,
)

GAME = TapnSwap()


def run(path: Path | None, **values: Any) -> QLearning[Any, Any]:
    return QLearning(GAME, QSettings(**values), path)


class StopHere(Exception):
    """Raised by a test between two blocks."""


def stop_after(blocks: int) -> Any:
    left = blocks

    def pause() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise StopHere

    return pause


def test_progress_is_reported_after_every_block() -> None:
    reports: list[Progress] = []
    run(None, episodes=1100).run(reports.append)
    assert [progress.done for progress in reports] == [250, 500, 750, 1000, 1100]
    assert all(progress.rate > 0 for progress in reports)
    assert reports[-1].seconds_left == 0.0
    assert (reports[0].seconds_left or 0) > 0.0
    assert reports[-1].line.split()[0] == "1,100"


@pytest.mark.parametrize("blocks", [1, 4, 9])
def test_stopped_and_gone_on_with_gives_the_same_file(tmp_path: Path, blocks: int) -> None:
    whole, begun = tmp_path / "whole", tmp_path / "begun"
    settings = {"episodes": 3000, "opponent": "random,mixed,self"}
    run(whole, **settings).run()
    assert [point.done for point in read_curve(read_table(whole).curve)][-1] == 3000
    with pytest.raises(StopHere):
        run(begun, **settings).run(pause=stop_after(blocks))
    table = read_table(begun)
    assert table.episodes == blocks * 250
    resume(GAME, table, path=begun).run()
    assert begun.read_bytes() == whole.read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {"begun", "whole"}


class Torn(QLearning[Any, Any]):
    """Interrupted in the middle of its first block."""

    def block(self) -> None:
        super().block()
        raise KeyboardInterrupt


def test_torn_out_of_a_block_nothing_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("the table of before")
    with pytest.raises(KeyboardInterrupt):
        Torn(GAME, QSettings(episodes=1000), path).run()
    assert path.read_text() == "the table of before"


@pytest.mark.parametrize(
    ("total", "count"), [(100, 1), (250, 1), (5000, 20), (50_000, 24), (1_000_000, 28)]
)
def test_evaluations_come_often_at_first_and_then_regularly(total: int, count: int) -> None:
    blocks = [min(done, total) for done in range(250, total + 250, 250)]
    due = [done for done in blocks if is_due(done, total)]
    assert due[-1] == total
    assert len(due) == count


def test_strange_curves_are_left_out() -> None:
    good = table_point(250, 3, 5, 0.5)
    assert read_curve((good.data, {}, {"episodes": "x"}, {**good.data, "kept": None})) == [good]
