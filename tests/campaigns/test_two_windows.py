"""Two windows: several processes at one save never destroy it, and no step is lost or twice.

One round starts two or three real processes that resume the same save at nearly the same moment,
and types into them in turn: moves, undo, quit. A window that may not play must say that the game is
open elsewhere; one that may is told its position at its beginning and its end. The windows that
played must form a chain: each begins where one before it ended, the first at the beginning and the
last at the end of what the save holds. A window may also be killed, or another process may try to
delete the save meanwhile.
"""

from __future__ import annotations

import itertools
import json
import random
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import check_manners, inside
from tests.campaigns.killing import PEOPLE, PROMPT, QUIETLY
from tests.campaigns.processes import Piped, positions_in

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.second_try("waits for programs that are killed or disturbed"),
]

GAMES = (("senet",), ("senet", "--rules", "skyruk"), ("deepsea", "--players", "2", "--rounds", "9"))
"""Long ones: no window plays them to their end."""
DENIED = "open in another window"


@dataclass
class Window:
    """One process at the save.

    Args:
        process: It.
        lines: What is typed there, the position asked for at both ends.
    """

    process: Piped
    lines: list[str]
    code: int | None = None

    def finish(self) -> None:
        """Let it end; it plays, or says why it can't."""
        self.code = self.process.end()
        text = self.process.raw.decode() + self.process.errors
        assert "Traceback" not in text, text
        assert "internal error" not in text, text
        if not self.played:
            assert self.code == 4, (self.code, text)
            assert DENIED in text, text
        else:
            assert self.code == 0, (self.code, text)

    @property
    def played(self) -> bool:
        """Whether it got the save."""
        return len(self.positions) > 0

    @property
    def positions(self) -> list[Any]:
        """The positions it told, in order."""
        return positions_in(self.process.raw)


def test_the_save_survives_several_windows(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        rng, folder = here.rng, tmp_path / str(here.index)
        folder.mkdir()
        game = rng.choice(GAMES)
        begun = ["1"] * rng.randrange(1, 12) + ["q"]
        seed = str(rng.randrange(10**6))
        check_manners(inside(folder, "play", *game, *PEOPLE, "--seed", seed, lines=begun), (0,))
        first = _end(folder, game[0])
        windows = _windows(folder, game[0], rng)
        for window in windows:
            window.finish()
        campaign.counts["windows"] += len(windows)
        campaign.counts["refused"] += sum(not window.played for window in windows)
        last = _end(folder, game[0])
        tenures = [(w.positions[0], w.positions[-1]) for w in windows if w.played]
        assert tenures, "nobody could play"
        assert _is_chain(first, tenures, last), (first, tenures, last)

    campaign.each(3, 1000, try_once)


def _windows(folder: Path, game: str, rng: random.Random) -> list[Window]:
    windows = []
    for number in range(rng.choice([2, 2, 3])):
        own = folder / str(number)
        own.mkdir()
        moves = [rng.choice(["1", "1", "2", "u", "u", "b"]) for _ in range(rng.randrange(0, 7))]
        process = Piped(own, "resume", f"{game}-1", *QUIETLY, BOARDGAMES_SAVES=f"{folder}/saves")
        windows.append(Window(process, ["pos", *moves, "pos", "q"]))
        time.sleep(rng.choice([0.0, 0.0, 0.02, 0.3]))
    while any(window.lines for window in windows):
        window = rng.choice([window for window in windows if window.lines])
        window.process.send(window.lines.pop(0) + "\n")
        time.sleep(rng.choice([0.0, 0.0, 0.005, 0.03]))
    return windows


def _end(folder: Path, game: str) -> Any:
    """The position at the end of the save, which must be whole and legal."""
    shown = inside(folder, "saves", "show", f"{game}-1")
    check_manners(shown, (0,))
    over = inside(folder, "replay", f"{game}-1", "--json")
    check_manners(over, (0,))
    return json.loads(over.out)["position"]


def _is_chain(first: Any, tenures: list[tuple[Any, Any]], last: Any) -> bool:
    for order in itertools.permutations(tenures):
        ends = [first, *(end for _, end in order)]
        begins = [*(begin for begin, _ in order), last]
        if ends == begins:
            return True
    return False


def test_a_save_that_is_played_is_not_deleted(campaign: Campaign, tmp_path: Path) -> None:
    def try_once(here: Round) -> None:
        rng, folder = here.rng, tmp_path / str(here.index)
        folder.mkdir()
        process = Piped(folder, "play", "tapnswap", *PEOPLE, *QUIETLY)
        prompts = rng.randrange(1, 6)
        process.send("1\n" * (prompts - 1))
        process.wait_until(lambda raw: len(PROMPT.findall(raw)) >= prompts)
        deleted = inside(folder, "saves", "delete", "tapnswap-1", "--yes")
        check_manners(deleted, (0, 4))
        other = inside(folder, "play", "tapnswap", *PEOPLE, lines=["1", "q"])
        check_manners(other, (0,))
        process.send("u\n2\npos\n")
        if rng.random() < 0.5:
            process.send("q\n")
        else:
            process.wait_until(lambda raw: positions_in(raw))
            process.kill(signal.SIGKILL)
        code = process.end()
        assert code in (0, -signal.SIGKILL), process.raw
        ends = [
            json.loads(inside(folder, "replay", str(path), "--json").out)["position"]
            for path in sorted((folder / "saves").glob("*.jsonl"))
        ]
        assert positions_in(process.raw)[-1] in ends
        assert len(ends) == 2, "one of the two games is gone"
        campaign.counts["refused"] += deleted.code != 0

    campaign.each(2, 60, try_once)
