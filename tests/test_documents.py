"""What the documents show is run, so that it can't become untrue."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
import types
from pathlib import Path
from typing import Any

import mkdocs
import pytest

import boardgames_cli as bg
from boardgames_cli.agents.remote import protocol
from boardgames_cli.agents.remote.client import MOST_MESSAGES
from boardgames_cli.algorithms.strategy import parse_strategy
from boardgames_cli.codec.json_reader import DEEPEST, LONGEST_NUMBER
from boardgames_cli.online.messages import LONGEST_CHAT, LONGEST_MESSAGE
from boardgames_cli.registry import find_game, game_ids, list_games, make, make_encoder
from boardgames_cli.session.opening import POSITIONS
from boardgames_cli.storage.reading import LARGEST_SAVE, load_record, restore
from tests.games.kuhn import spiel

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
FOLLOWED = ("adding-a-game.md", "game-details.md")
"""The guide whose blocks build on each other; test_guide.py follows it."""


def script(name: str) -> dict[str, Any]:
    """What a program in the folder of the documents defines."""
    return runpy.run_path(str(DOCS / name))


def blocks(language: str) -> list[tuple[str, str]]:
    """All code blocks of a language, each with the place it stands at."""
    found = []
    for document in (path for path in DOCUMENTS if path.name not in FOLLOWED):
        text = document.read_text(encoding="utf-8")
        for match in re.finditer(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            line = text[: match.start()].count("\n") + 1
            found.append((f"{document.relative_to(ROOT)}:{line}", match[1]))
    return found


def commands() -> list[tuple[str, str]]:
    """All lines of shell blocks that run the program."""
    shells = [(place, line) for place, block in blocks("sh") for line in block.splitlines()]
    lines = [(place, line.split("#")[0].strip()) for place, line in shells]
    return [(place, line) for place, line in lines if line.startswith("boardgames")]


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("protocol.md", f"at most 1 MiB ({protocol.LONGEST_LINE:,} bytes)"),
        ("protocol.md", f"at most {protocol.LONGEST_TEXT} characters each"),
        ("protocol.md", f"at most {protocol.LONGEST_NAME} characters each"),
        ("protocol.md", f"At most {MOST_MESSAGES:,} such lines"),
        ("protocol.md", f"from 0 to 2^{protocol.RANDOM_BITS} - 1"),
        ("protocol.md", f"`text`, at most {LONGEST_CHAT} characters"),
        ("protocol.md", f"A client's message has at most {LONGEST_MESSAGE >> 10} KiB"),
        ("file-formats.md", f"whole numbers have at most {LONGEST_NUMBER} digits"),
        ("file-formats.md", f"at most {DEEPEST} levels deep"),
        ("file-formats.md", f"save, review | {LARGEST_SAVE // 10**6} MB"),
        ("file-formats.md", f"position (`--position`) | {POSITIONS.limit // 10**6} MB"),
    ],
)
def test_limits_are_as_the_specifications_say(page: str, told: str) -> None:
    assert told in (DOCS / page).read_text(encoding="utf-8")


@pytest.mark.parametrize(("place", "code"), blocks("python"), ids=lambda value: value[:40])
def test_python_blocks_run(
    place: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "openspiel" in code:
        spiel.load()
    shutil.copytree(ROOT / "saves", tmp_path / "saves")  # documents may open one
    monkeypatch.chdir(tmp_path)
    # As a module, so that its classes have a home that dataclasses and pickle can look up.
    module = types.ModuleType("document")
    monkeypatch.setitem(sys.modules, "document", module)
    exec(compile(code, place, "exec", dont_inherit=True), module.__dict__)


@pytest.mark.parametrize(("place", "command"), commands(), ids=lambda value: value[:60])
def test_commands_and_options_exist(place: str, command: str, tmp_path: Path) -> None:
    arguments = shlex.split(command)[1:]
    finished = subprocess.run(
        [sys.executable, "-m", "boardgames_cli", *arguments, "--help"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert finished.returncode == 0, f"{place}: {finished.stderr}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere_and_nothing_comes_from_an_index(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    if "install 'boardgames-cli[" in text:
        assert document.name == "serve.md"  # with @ file:///PATH/TO/CHECKOUT
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        # The pages of the reference are made while the site is built, which checks links.
        if "://" not in target and not target.startswith("reference/"):
            assert (document.parent / target).exists(), target
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    assert not re.findall(r"^(?:- )?\*\*\*.*", prose, re.MULTILINE)


def test_documented_positions_and_strategies_can_be_read() -> None:
    text = (DOCS / "file-formats.md").read_text(encoding="utf-8")
    found = re.findall(r"^### ([^\n]+)\n\n```json\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    ids = {info.name: info.id for info in list_games()}
    assert {"Senet", "TapnSwap", "Kuhn poker"} <= {name for name, _ in found}
    for name, example in found:
        position = json.loads(example)
        game = make(ids[name], **({"hands": 9} if "hand" in position else {}))
        assert game.to_json(game.from_json(position)) == position
    (example,) = re.findall(r'^```json\n(\{\n  "boardgames_strategy.*?)^```', text, re.S | re.M)
    assert parse_strategy(example, "the example").fits(make("kuhn")) is None


def test_every_dependency_has_its_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    extras = project["optional-dependencies"].values()
    for item in [*project["dependencies"], *(item for extra in extras for item in extra)]:
        name = re.split(r"[<>=\[; ]", item)[0]
        row = rf"^\|[^|]*\b{re.escape(name)}\b"
        assert name == "boardgames-cli" or re.search(row, contributing, re.MULTILINE), name


@pytest.mark.parametrize("game", game_ids())
def test_every_game_has_a_sample_save_that_can_be_replayed(game: str) -> None:
    record = load_record(ROOT / "saves" / f"sample-{game}.jsonl")
    assert record.header.game == game
    match = restore(record)
    assert match.is_over
    assert match.returns == record.result


def test_the_architecture_names_what_there_is() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "boardgames_cli").rglob("*.py")]
    for path in re.findall(r"`(\w+/[\w/]+\.py)`", text):
        assert (ROOT / "boardgames_cli" / path).exists() or (ROOT / path).exists(), path
    for owner, name in re.findall(r"`([A-Z]\w+)\.(\w+)", text):
        found = [source for source in sources if re.search(rf"^class {owner}\b", source, re.M)]
        assert found, owner
        member = rf"^    (def |async def |class )?{name}\b"
        assert any(re.search(member, source, re.M) for source in found), f"{owner}.{name}"
    for name in re.findall(r"`([A-Z]\w+)`", text):
        assert any(re.search(rf"^(class {name}|{name}:)\b", source, re.M) for source in sources), (
            name
        )


def test_the_contributing_page_names_every_room_and_folder_of_tests() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for top in ("boardgames_cli", "tests"):
        for folder in (ROOT / top).iterdir():
            if folder.is_dir() and any(folder.glob("**/*.py")) and folder.name != "__pycache__":
                assert f"`{folder.name}/" in text, folder


def test_the_readme_leads_to_every_page_and_has_the_words_of_ci() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    # .ci/run takes its command from this line; exactly one may fit.
    assert len(re.findall(r"^python3 -m venv \.venv && .*pytest -n auto$", readme, re.M)) == 1
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in DOCS.glob("*.md"):
        assert f"(docs/{page.name})" in readme, page.name
        assert f": {page.name}\n" in navigation, page.name


@pytest.mark.parametrize("name", script("screenshots.py")["SHOTS"])
async def test_pictures_are_as_the_program_draws_them(name: str, tmp_path: Path) -> None:
    await script("screenshots.py")["draw"](name, tmp_path)
    drawn = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == (DOCS / f"{name}.svg").read_text(encoding="utf-8"), "python docs/screenshots.py"


def test_the_reference_tells_of_every_public_name() -> None:
    text = script("reference_pages.py")["package_page"]()
    for name in bg.__all__:
        row = rf"^- \*\*\[`{name}`\].*<br>\w|`bg\.{name}`"
        assert re.search(row, text, re.MULTILINE), name


def test_the_page_of_arrays_tells_of_every_field() -> None:
    lines = script("spaces.py")["page"]().splitlines()
    for id in game_ids():
        assert f"## {find_game(id).info.name}" in lines
        for encoding in ("", *find_game(id).encodings):
            for field in make_encoder(make(id), encoding).fields:
                start = f"| `{field.name}` | {list(field.shape)} | {field.dtype} |"
                assert any(line.startswith(start) for line in lines), (id, encoding, field.name)


def test_the_site_has_what_the_script_of_its_theme_looks_for() -> None:
    template = (DOCS / "theme" / "main.html").read_text(encoding="utf-8")
    theme = Path(mkdocs.__file__).parent / "themes" / "mkdocs"
    code = (theme / "js" / "darkmode.js").read_text(encoding="utf-8")
    looked_for = re.findall(r"getElementById\('(hljs-\w+)'\)", code)
    assert looked_for
    assert [id for id in looked_for if f'id="{id}"' not in template] == []
