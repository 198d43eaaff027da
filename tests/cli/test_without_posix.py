"""Where a system has no POSIX, agents run in this program, and programs are refused in words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CODE = """
import os, signal, sys

LACKED = {"fcntl", "termios", "resource", "pty", "tty", "pwd", "grp"}


class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name in LACKED:
            raise ModuleNotFoundError(name=name)


for name in LACKED:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Lacking())
for name in ("SIGHUP", "SIGTSTP", "SIGCONT", "SIGKILL", "SIGPIPE"):
    delattr(signal, name)
for name in ("fork", "killpg", "setsid", "getpgid", "getsid"):
    delattr(os, name)
from boardgames_cli.__main__ import main

main()
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", CODE, *words], capture_output=True, text=True)


def test_tournaments_and_trials_run(tmp_path: Path) -> None:
    words = ("kuhn", "-s", "random", "-s", "hard", "--games", "2", "--jobs", "1")
    played = run("tournament", *words, "--json", "--out", str(tmp_path / "out"))
    assert played.returncode == 0, played.stderr
    assert len(json.loads(played.stdout)["entrants"]) == 2
    tried = run("agents", "check", "random", "--game", "kuhn", "--games", "2")
    assert "All trials passed." in tried.stdout, tried.stderr


def test_a_program_cant_be_seated() -> None:
    refused = run("watch", "kuhn", "-s", "cmd:true", "--json")
    assert refused.returncode == 2
    assert 'Agent "cmd" can\'t play this game: it needs POSIX' in refused.stderr
