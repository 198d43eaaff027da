"""Games as pictures: the files are read again by the programs that people have for them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PIL import Image

from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, OptionError, StorageError, install_command
from boardgames_cli.session.recording import export_replay
from boardgames_cli.session.replay import Replay
from boardgames_cli.storage.reading import load_record, restore

SAMPLES = Path(__file__).parents[2] / "saves"


def replay(game: str = "kuhn") -> Replay:
    path = SAMPLES / f"sample-{game}.jsonl"
    record = load_record(path)
    return Replay.of_record(restore(record, path), record, path=path)


def test_an_animation_has_a_frame_for_every_position(tmp_path: Path) -> None:
    game, path = replay("tapnswap"), tmp_path / "game.gif"
    count = export_replay(game, path)
    assert count == game.match.ply + 1
    with Image.open(path) as image:
        assert getattr(image, "n_frames", 1) == count
        assert image.size == (800, 464)
        frames = set()
        for number in range(count):
            image.seek(number)
            frames.add(image.convert("RGB").tobytes())
    assert len(frames) == count


def test_a_folder_gets_a_file_for_every_position(tmp_path: Path) -> None:
    game, folder = replay(), tmp_path / "game"
    folder.mkdir()  # an empty one is used, and a full one is not
    count = export_replay(game, folder)
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"{number:02}.png" for number in range(count)]
    for file in files:
        with Image.open(file) as image:
            assert (image.format, image.size) == ("PNG", (800, 464))
    assert files[0].read_bytes() != files[-1].read_bytes()
    with pytest.raises(StorageError, match="already exists"):
        export_replay(game, folder)


def test_what_exists_is_kept_and_other_endings_are_refused(tmp_path: Path) -> None:
    path, link = tmp_path / "game.gif", tmp_path / "link.gif"
    path.write_text("mine")
    link.symlink_to(tmp_path / "nowhere")
    for existing in (path, link):
        with pytest.raises(StorageError, match="already exists"):
            export_replay(replay(), existing)
    assert path.read_text() == "mine"
    with pytest.raises(OptionError, match="no known ending") as caught:
        export_replay(replay(), tmp_path / "game.mp4")
    assert ".gif" in caught.value.todo
    with pytest.raises(StorageError, match="can't be written"):
        export_replay(replay(), tmp_path / "none" / "game.gif")


@pytest.mark.parametrize("name", ["", ".", ".gif"])
def test_a_path_without_a_name_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="names no file or folder"):
        export_replay(replay(), Path(name))


@pytest.mark.parametrize("name", ["game", "game.gif"])
def test_what_is_stopped_leaves_nothing(tmp_path: Path, name: str) -> None:
    def stop(progress: Progress) -> None:
        assert progress.total is not None
        if progress.done == progress.total - 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_replay(replay(), tmp_path / name, stop)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boardgames_cli.environments.image", None)
    with pytest.raises(GameError, match="not installed") as caught:
        export_replay(replay(), tmp_path / "game")
    assert install_command("environments") in caught.value.todo
    assert list(tmp_path.iterdir()) == []
