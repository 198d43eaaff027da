"""Play with the lowest versions that pyproject.toml allows: ``python tests/lowest.py``.

Installs the package with all extras into a fresh environment, every requirement at its lower bound
and what those need at its newest version, and runs a selection of the tests there: a game in each
front end, in each kind of environment, a tournament, and the building of the package. It downloads
what is not cached.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]

CHECKS = (
    "tests/plain/test_whole_games.py",
    "tests/e2e/test_full_screen.py",
    "tests/e2e/test_plain_terminal.py::test_no_terminal_at_all",
    "tests/tui/test_theme.py",
    "tests/web/test_server.py",
    "tests/web/test_ssh.py",
    "tests/online/test_discovery.py",
    "tests/online/test_tables.py::test_two_people_play_a_whole_game",
    "tests/online/test_shared_lobby.py::test_a_server_without_redis_says_so",
    "tests/online/test_shared_lobby.py::test_a_redis_that_was_emptied_is_told_of_all_tables_again",
    "tests/cli/test_mcp.py",
    "tests/environments/test_aec.py",
    "tests/environments/test_checks_of_others.py",
    "tests/environments/test_openspiel.py",
    "tests/environments/test_rendering.py",
    "tests/environments/test_seat.py",
    "tests/environments/test_vector.py",
    "tests/tournament/test_cluster.py",
    "tests/tournament/test_ratings.py",
    "tests/tournament/test_run.py",
    "tests/training/test_training_run.py",
)
"""A game in each front end and environment, and what uses each extra."""


def lower_bounds(project: dict[str, Any]) -> Iterator[str]:
    """The requirements of a project table, each as a constraint to its lowest version.

    Raises:
        ValueError: A requirement has no lower bound.
    """
    extras = project["optional-dependencies"]
    lists = [project["dependencies"], *extras.values()]
    requirements = {item for items in lists for item in items}
    for item in sorted(requirements):
        if item.startswith("boardgames-cli["):
            continue
        found = re.match(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", item)
        if found is None:
            raise ValueError(f"{item}: no lower bound")
        yield f"{found[1]}=={found[2]}"


def main() -> int:
    """Install and check; returns the exit code."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with tempfile.TemporaryDirectory(prefix="lowest-") as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python = str(folder / "env" / "bin" / "python")
        constraints = folder / "lowest.txt"
        constraints.write_text("\n".join(lower_bounds(project)) + "\n", encoding="utf-8")
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*pip, "uv"], check=False).returncode == 0:  # ten times as fast
            pip = [python, "-m", "uv", "pip", "install", "--quiet", "--python", python]
        subprocess.run([*pip, "-c", str(constraints), "-e", f"{ROOT}[dev]"], check=True)
        quiet = {**os.environ, "_TYPER_FORCE_DISABLE_TERMINAL": "1"}
        tests = [python, "-m", "pytest", "-n", "auto", "-p", "no:cacheprovider", *CHECKS]
        return subprocess.run([*tests, *sys.argv[1:]], cwd=ROOT, env=quiet, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
