"""The program as a process that saves after every block of a training."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
DRIVER = (
    "from boardgames_cli.training import training_run; training_run.SAVE_EVERY = 0.0\n"
    "from boardgames_cli.cli.main import main; main()"
)
PATIENT = (
    "import time; from boardgames_cli.training.training_run import TrainingRun\n"
    "learn = TrainingRun._timed_block\n"
    "TrainingRun._timed_block = lambda self: (learn(self), time.sleep(0.2 * self.has_saved))\n"
)
"""It waits between two blocks, or on a busy machine it may have ended before anybody stops it."""


def start(*words: str) -> subprocess.Popen[str]:
    """Run it in the folder of the test, to be stopped before its end."""
    return subprocess.Popen(
        [sys.executable, "-c", PATIENT + DRIVER, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until it has saved for the first time."""
    while not path.exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
