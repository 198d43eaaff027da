"""What every command prints: its help, typical results, and what it answers to mistakes.

After a change that is meant, write the files anew: ``UPDATE_GOLDEN=1 pytest tests/cli``.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from boardgames_cli import __version__
from boardgames_cli.cli.main import VERBS
from tests.conftest import Program

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[2]
GAMES = ("tapnswap", "pommerman", "deepsea", "kuhn", "senet")
SCRIPTS: dict[str, Sequence[str]] = {
    "program": (
        "--help", "", "--version", "plya", "senet", "--colour", "--plain", "--version list",
    ),
    "play": (
        "play --help", *(f"play {game} --help" for game in GAMES),
        "play", "play chess", "play --plain", "play senet --seed x", "play senet --pieces 6",
        "play senet --think nan --plain", "play senet --think 0", "play senet --pace hectic",
        "play senet --vs hard --level hard", "play senet --tick 1 --plain",
        "play pommerman --tick 1 --plain", "play pommerman --tick 1 --tutor --plain",
        "play kuhn -s human -s human --plain", "play senet -v --plain --seed 1",
    ),
    "watch": (
        "watch --help", *(f"watch {game} --help" for game in ("pommerman", "kuhn")),
        "watch kuhn --json --seed 3 --hands 2 --no-save", "watch kuhn -s human --plain",
        "watch kuhn --json --seed 3 --hands 2", "play kuhn --json",
        "watch kuhn --view-as all --plain --hands 2 --seed 3 --no-save",
        "watch kuhn --view-as nobody --plain --hands 2 --seed 3 --no-save",
    ),
    "resume": ("resume --help", "resume", "resume nothing", "resume kuhn-9", "resume --tick 1"),
    "replay": (
        "replay --help", "replay kuhn-9", "replay kuhn-9 --json", "replay kuhn-9 --boards",
        "replay nothing", "replay kuhn-9 --export x.txt", "replay",
    ),
    "review": (
        "review --help", "review kuhn-9 --plain", "review kuhn-9 --seat 1",
        "review kuhn-9 --seat 9", "review kuhn-9 --since 2026-01-01",
        "review --all --since never", "review --all",
        "review --all --seat 1", "review kuhn-9 --export x.txt", "review kuhn-9 --export x.html",
        "review --all --json",
    ),
    "saves": (
        "saves --help", "saves list --help", "saves show --help", "saves delete --help", "saves",
        "saves --json", "saves list", "saves show kuhn-9", "saves show kuhn-9 --json",
        "saves show nothing", "saves show", "saves forget", "saves delete kuhn-9",
        "saves delete kuhn-9 --yes", "saves --save-dir nowhere", "saves list --no-color",
    ),
    "list": ("list --help", "list", "list --json", "list --jsn"),
    "agents": (
        "agents --help", "agents list --help", "agents show --help", "agents check --help",
        "agents serve --help", "agents kuhn", "agents list kuhn --json", "agent kuhn",
        "agents chess", "agents show q-table", "agents show rollouts --json", "agents show hero",
        "agents show cfr --game senet", "agents show hard --game kuhn",
        "agents check random --game tapnswap --games 2", "agents check random",
        "agents check random --game tapnswap --games 2 --json",
    ),
    "learn": ("learn --help", "learn", "learn kuhn", "learn chess"),
    "rules": ("rules --help", "rules kuhn", "rules", "rules chess"),
    "train": ("train --help", "train", "train chess"),
    "tournament": ("tournament --help", "tournament", "tournament kuhn"),
    "solve": (
        "solve --help", "solve", "solve tapnswap", "solve tapnswap --json", "solve --list",
        "solve tapnswap --position taps.json", "solve tapnswap --position taps.json --json",
        "solve --list --json", "solve kuhn", "solve tapnswap --up-to 3", "solve senet --up-to 77",
        "solve tapnswap --position nothing.json", "solve chess",
    ),
    "host": (
        "host --help", *(f"host {game} --help" for game in GAMES), "host", "host chess",
        "host kuhn --clock soon --headless", "host kuhn --listen nowhere --headless",
        "host kuhn -s a -s b -s c --headless", "host kuhn --tick 0.5 --headless --listen :0",
    ),
    "join": (
        "join --help", "join nonsense/nonsense", "join localhost:1/KEGA-3F2P",
        "join localhost",
    ),
    "serve": ("serve --help", "serve chess", "serve --port 99999"),
    "mcp": ("mcp --help",),
    "puzzle": (
        "puzzle --help", "puzzle tapnswap --list", "puzzle tapnswap --id tapnswap-1",
        "puzzle --level mad", "puzzle chess", "puzzle tapnswap --id nothing", "puzzle --make 3",
        "puzzle tapnswap --make 1 --out mine.json", "puzzle --file mine.json --list",
        "puzzle kuhn --make 2 --out x --hands 3,4",
    ),
    "drill": ("drill --help", "drill chess"),
    "ladder": ("ladder --help", "ladder", "ladder kuhn", "ladder senet --json", "ladder chess"),
    "stats": ("stats --help", "stats", "stats --json", "stats chess"),
    "new-game": (
        "new-game --help", "new-game", "new-game Kuhn", "new-game kuhn", "new-game three",
        "new-game three",
    ),
    "config": (
        "config --help", "config show --help", "config keys --help", "config edit --help",
        "config path --help", "config", "config path", "config edit", "config lose",
    ),
    "doctor": ("doctor --help",),
}  # fmt: skip


def test_every_command_has_a_transcript() -> None:
    assert set(SCRIPTS) == {"program", *VERBS}


@pytest.mark.parametrize("verb", SCRIPTS)
def test_transcript(program: Program, clean_environment: Path, verb: str) -> None:
    saves = clean_environment / "saves"
    saves.mkdir()
    shutil.copy(ROOT / "saves" / "sample-kuhn.jsonl", saves / "kuhn-9.jsonl")
    shutil.copy(ROOT / "saves" / "sample-kuhn.jsonl", clean_environment / "kuhn-9.jsonl")
    os.utime(saves / "kuhn-9.jsonl", (1_000_000_000, 1_000_000_000))
    for game, name in (("tapnswap", "taps.json"), ("deepsea", "deep.json")):
        lines = ["pos", "q"]
        told = program("play", game, "--plain", "--no-save", "--seed", "1", lines=lines).out
        position = next(line for line in told.splitlines() if line.startswith("{"))
        (clean_environment / name).write_text(position, encoding="utf-8")
    text = ""
    for words in SCRIPTS[verb]:
        outcome = program(*words.split())
        text += f"$ boardgames {words}\n{outcome.out}"
        text += f"stderr: {outcome.err}" if outcome.err else ""
        text += f"exit code: {outcome.code}\n" if outcome.code else ""
        text += "\n"
    text = text.replace(str(clean_environment), "HERE").replace(__version__, "VERSION")
    text = re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d|Z)?", "TIME", text)
    text = re.sub(r"\d+(\.\d)? (ms|MB)\b", r"N \2", text)
    golden = GOLDEN / f"{verb}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
