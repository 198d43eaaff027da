"""Fresh environments with the program installed, as users have it."""

from __future__ import annotations

import importlib.util
import os
import shlex
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Environment:
    """A virtual environment that knows nothing of this tree."""

    folder: Path

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def variables(self) -> Mapping[str, str]:
        """What its programs are run with; its own programs come first."""
        keep = {key: value for key, value in os.environ.items() if key == "LANG"}
        return keep | {
            "HOME": str(self.folder),
            "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
        }

    def install(self, *packages: Path) -> None:
        done = subprocess.run(
            [self.bin / "pip", "install", *packages],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def fresh_environment(folder: Path, package: Path = ROOT) -> Environment:
    """A new environment in a folder, with boardgames installed from its tree or a wheel.

    Its pip is this interpreter's, and needs no network where hatchling is at hand.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    made = Environment(folder)
    python = made.bin / "python"
    # Libraries that were downloaded for these tests already are lent; the lines lead to folders
    # of packages only, so that an editable installation of boardgames there does not count.
    lent = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    folders = [path for path in sys.path if Path(path).name == "site-packages"]
    (Path(lent) / "lent.pth").write_text("\n".join(folders) + "\n", encoding="utf-8")
    offline = importlib.util.find_spec("hatchling") is not None
    command = shlex.join([sys.executable, "-m", "pip", "--python", str(python)])
    extra = "--no-deps --quiet --disable-pip-version-check"
    extra += " --no-build-isolation --no-index" if offline else ""
    pip = made.bin / "pip"
    pip.write_text(f'#!/bin/sh\nexec {command} "$@" {extra}\n', encoding="utf-8")
    pip.chmod(0o755)
    made.install(package)
    return made
