"""What is published: whole, the same bytes each time, and usable from any folder."""

from __future__ import annotations

import datetime
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from boardgames_cli import __version__
from tests.e2e.test_plain_terminal import COMMANDS
from tests.fresh_environment import Environment, fresh_environment

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def build(source: Path, target: Path) -> tuple[Path, Path]:
    """Build the source distribution and the wheel of a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return next(target.glob("*.tar.gz")), next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution and the wheel of this tree."""
    return build(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def metadata(built: tuple[Path, Path]) -> Message:
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
        return Parser().parsestr(wheel.read(name).decode())


def test_what_is_built_from_the_published_source_is_the_same(
    built: tuple[Path, Path], tmp_path: Path
) -> None:
    with tarfile.open(built[0]) as source:
        source.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    for path in folder.rglob("*"):  # nothing may depend on times
        if path.is_file():
            path.touch()
    again = build(folder, tmp_path / "dist")
    for first, second in zip(built, again, strict=True):
        assert first.name == second.name
        assert first.read_bytes() == second.read_bytes(), first.name


def test_the_source_holds_what_tests_and_site_need(built: tuple[Path, Path]) -> None:
    with tarfile.open(built[0]) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    for name in ("mkdocs.yml", "CITATION.cff", "SECURITY.md", "docs/hosting/Containerfile"):
        assert name in names
    assert {"tests/conftest.py", "saves/sample-senet.jsonl", "docs/senet.svg"} <= names


def test_twine_accepts_it(built: tuple[Path, Path]) -> None:
    if importlib.util.find_spec("twine") is None:
        pytest.skip("twine is not installed")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *built], check=True)


def test_the_description_points_at_nothing_that_an_index_lacks(metadata: Message) -> None:
    text = str(metadata.get_payload())
    assert "| **Senet** |" in text
    assert not re.findall(r"\]\((?!\w+:)", text)


def test_licences_name_the_font(metadata: Message) -> None:
    assert metadata["License-Expression"] == "MIT AND Bitstream-Vera"
    assert metadata.get_all("License-File") == PROJECT["license-files"]


def test_the_citation_and_the_changelog_know_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(rf"^version: {re.escape(__version__)}$", citation, re.MULTILINE)
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = "## Unreleased" if ".dev" in __version__ else f"## {__version__} - "
    assert re.search(r"^## .*", changelog, re.MULTILINE)[0].startswith(heading)  # type: ignore[index]
    dates = re.findall(r"^## [\d.]+ - (.*)", changelog, re.MULTILINE)
    assert dates == sorted(dates, reverse=True)
    newest = datetime.date.fromisoformat(dates[0])
    assert f"date-released: {newest}" in citation


@pytest.fixture(scope="module")
def installed(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the wheel, and with the libraries of this one."""
    return fresh_environment(tmp_path_factory.mktemp("wheel") / "env", built[1])


@pytest.mark.parametrize("verb", COMMANDS)
def test_the_wheel_runs_every_command_from_another_folder(
    installed: Environment, verb: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [installed.bin / "boardgames", verb, *COMMANDS[verb], "--no-color"],
        input="q\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=tmp_path,
        env={
            **installed.variables,
            "BOARDGAMES_SAVES": str(tmp_path / "saves"),
            "XDG_DATA_HOME": str(tmp_path / "data"),
            "BOARDGAMES_CONFIG": str(tmp_path / "config.toml"),
        },
    )
    refused = ("host", "join", "mcp", "resume", "serve")  # these have nothing to work on
    assert (done.returncode in (2, 4)) == (verb in refused), done.stderr
    assert done.returncode in (0, 2, 4)
    assert "Traceback" not in done.stderr


def test_uvx_plays_from_the_wheel(built: tuple[Path, Path], tmp_path: Path) -> None:
    uvx = shutil.which("uvx", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if uvx is None:
        pytest.skip("uv is not installed")
    kept = {key: value for key, value in os.environ.items() if key.startswith(("SSL_", "UV_"))}
    done = subprocess.run(
        [uvx, "--python", sys.executable, "--from", built[1], "boardgames", "play", "senet"],
        input="1\nq\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", **kept},
    )
    if "Failed to fetch" in done.stderr or "error sending request" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "Senet" in done.stdout
    (save,) = (tmp_path / ".local/share/boardgames/saves").glob("senet-*.jsonl")
    assert len(save.read_text().splitlines()) > 1, "a move was played and is kept"


def test_a_manual_page_is_made_from_the_help(installed: Environment, tmp_path: Path) -> None:
    if shutil.which("help2man") is None:
        pytest.skip("help2man is not installed")
    command = ["help2man", "--no-info", f"--version-string={__version__}", "boardgames"]
    page = subprocess.run(
        command, env=dict(installed.variables), capture_output=True, text=True, check=True
    ).stdout
    assert ".TH BOARDGAMES" in page
    for verb in COMMANDS:
        assert re.search(rf"^{verb}$", page.replace(r"\-", "-"), re.MULTILINE), verb
