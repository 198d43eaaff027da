"""Full disk: every command that writes a file writes it whole, or says that it could not.

Each round runs one command twice in a real process: first as it is, then so that no file may grow
beyond a random size (`RLIMIT_FSIZE`, the same error path as a full disk). The second ends with exit
code 0 and the same files, or with exit code 4 and a message; a file that was there before is whole
then, either the old or the new one. Nothing temporary is left. Only a review, which can be made
again, may be missing without a word.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from boardgames_cli.core.match import Match
from boardgames_cli.registry import make
from tests.campaigns.campaign import Campaign, Round
from tests.campaigns.inside import QUIETLY, check_manners, inside
from tests.conftest import Outcome
from tests.e2e.test_plain_terminal import pipe

LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
runpy.run_module("boardgames_cli", run_name="__main__")
"""
SMALLEST = 64
"""Bytes that every file may have; semaphores, which are no files on a disk, need 32."""
NOT_WRITTEN = re.compile(r"can't be written|not kept|not (being )?saved")
CACHED = ".review.json"
AGENTS = ("-s", "maniac", "-s", "rock")
WRITERS: dict[str, tuple[tuple[str, ...], str]] = {
    "puzzles": (("puzzle", "kuhn", "--make", "1", "--out", "out"), ""),
    "progress": (("puzzle", "kuhn", "--plain"), "a\na\nn\nq\n"),
    "review": (("review", "old"), ""),
    "page": (("review", "old", "--export", "out.html"), ""),
    "animation": (("replay", "old", "--export", "out.gif"), ""),
    "pictures": (("replay", "old", "--export", "out"), ""),
    "strategy": (("train", "kuhn", "--iterations", "5", "--out", "out"), ""),
    "q-table": (("train", "tapnswap", "--episodes", "40", "--out", "out", "--seed", "1"), ""),
    "tournament": (
        ("tournament", "kuhn", *AGENTS, "--games", "4", "--seed", "1", "--out", "out"),
        "",
    ),
    "game": (("watch", "kuhn", *AGENTS, "--hands", "3", "--seed", "1", *QUIETLY), ""),
    "result": (
        ("play", "kuhn", "--hands", "1", "-s", "human:Ann", "--vs", "random", *QUIETLY),
        "1\n1\n1\n1\nq\n\nq\n",
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_writers(campaign: Campaign, tmp_path: Path, name: str) -> None:
    words, typed = WRITERS[name]

    def try_once(here: Round) -> None:
        whole = _folder(tmp_path / f"{here.index}-whole")
        check_manners(_run(whole, words, typed), (0,))
        expected = _files(whole)
        folder = _folder(tmp_path / str(here.index))
        before = _files(folder)
        largest = max(len(expected[path]) for path in {*expected} - {*before})
        limit = here.rng.randrange(SMALLEST, max(largest, SMALLEST) + 50)
        outcome = _run(folder, words, typed, limit)
        check_manners(outcome, (0, 4))
        after = _files(folder)
        assert not [path for path in after if path.name.endswith("-tmp")], after
        if outcome.code == 0:
            missing = {path for path in expected if not path.name.endswith(CACHED)} - {*after}
            assert not missing, (limit, missing, outcome)
        else:
            assert NOT_WRITTEN.search(outcome.out + outcome.err), outcome
            assert Path("out") not in after, outcome
        for path, content in after.items():
            assert content == before.get(path, content)
            is_torn = not content or content[-2:] != expected[path][-2:]
            assert not is_torn or (outcome.code == 4 and path.suffix == ".jsonl"), (path, outcome)
        campaign.counts[f"exit code {outcome.code}"] += 1

    campaign.each(1, 30, try_once)


def _folder(folder: Path) -> Path:
    folder.mkdir()
    watched = inside(folder, "watch", "kuhn", *AGENTS, "--hands", "3", "--seed", "3", *QUIETLY)
    check_manners(watched, (0,))
    (folder / "saves" / "kuhn-1.jsonl").rename(folder / "saves" / "old.jsonl")
    match = Match(make("pommerman"), seed=1)
    match.resolve_chance()
    (folder / "position.json").write_text(json.dumps(match.game.to_json(match.state)))
    return folder


def _run(folder: Path, words: tuple[str, ...], typed: str, limit: int = 10**9) -> Outcome:
    program = ("-c", LIMITED, str(limit))
    # Python keeps a compiled module of which it could write a part only.
    done = pipe(folder, *words, text=typed, program=program, PYTHONDONTWRITEBYTECODE="1")
    return Outcome(done.returncode, done.stdout, done.stderr)


def _files(folder: Path) -> dict[Path, bytes]:
    return {
        path.relative_to(folder): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "config.toml" and "matplotlib" not in path.parts
    }
