"""Names in wide characters shift no row: every picture keeps the columns it has anyway."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from boardgames_cli.core.presentation.view import Size
from boardgames_cli.core.text import (
    Canvas,
    Glyphs,
    Picture,
    columns,
    cut,
    justified,
    shortened,
    wrapped,
)
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Settings, Setup
from boardgames_cli.testing.scene import one_step

GAMES = ("senet", "tapnswap", "kuhn", "deepsea", "pommerman")
NAMES = st.text("李漢字カタカナ가나ab ", min_size=1, max_size=16).map(str.strip).filter(bool)
SIZES = (Size(47, 18), Size(51, 18), Size(77, 30), Size(60, 20))


def narrow(name: str) -> str:
    """A name of as many columns without wide characters."""
    return "".join(
        "w" * cell_len(character) if cell_len(character) > 1 else character for character in name
    )


def cells(picture: Picture) -> list[str]:
    """The rows of a picture as they stand on a terminal; a wide character as ``ww``."""
    return [narrow("".join(span.text for span in line)) for line in picture.lines]


def same(row: str, other: str) -> bool:
    """Whether rows agree but for halves of wide characters, which become spaces."""
    return len(row) == len(other) and all(
        one == two or (one == " " and two == "w") for one, two in zip(row, other, strict=True)
    )


def table(game: str, names: list[str], plies: int, glyphs: Glyphs) -> Session:
    seats = tuple("human" for _ in names)
    chosen = Settings(save=False, glyphs=glyphs)
    session = open_session(Setup(game, seats=seats, rest="human", seed=3), chosen)
    session.names = tuple(names)
    while session.match.ply < plies and session.match.waiting_for:
        one_step(session.match)
    return session


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25)
@given(names=st.lists(NAMES, min_size=6, max_size=6), plies=st.integers(0, 30), data=st.data())
def test_every_row_has_its_columns(
    game: str, names: list[str], plies: int, data: st.DataObject
) -> None:
    glyphs = data.draw(st.sampled_from([Glyphs.ASCII, Glyphs.UNICODE]))
    seats = len(open_session(Setup(game, rest="human", seed=3), Settings(save=False)).holders)
    wide = table(game, names[:seats], plies, glyphs)
    ascii_only = table(game, list(map(narrow, names[:seats])), plies, glyphs)
    for size in SIZES:
        for one, two in zip(pictures(wide, size), pictures(ascii_only, size), strict=True):
            rows = list(zip(cells(one), cells(two), strict=True))
            assert [pair for pair in rows if not same(*pair)] == []
            assert one.width == max(map(len, cells(one)))


def pictures(session: Session, size: Size) -> list[Picture]:
    shown = session.snapshot()
    return [shown.board(size), shown.sidebar(min(size.width, 38))]


@given(NAMES, st.integers(0, 20))
def test_a_cut_name_has_the_columns_asked_for(name: str, most: int) -> None:
    assert columns(name) == cell_len(name)
    assert cell_len(cut(name, most)) == min(most, cell_len(name))
    if most:
        assert cell_len(shortened(name, most)) == min(most, cell_len(name))
    assert cell_len(justified(name, 40)) == 40


@given(st.text("李漢字ab ", max_size=80), st.integers(4, 30))
def test_wrapped_lines_keep_to_their_columns(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(st.lists(st.tuples(st.integers(-4, 12), st.text("李漢ae\u0301 ", max_size=9)), max_size=5))
def test_a_canvas_keeps_its_columns_whatever_covers_what(
    written: list[tuple[int, str]],
) -> None:
    canvas = Canvas(10, 1)
    for x, text in written:
        canvas.put(x, 0, text)
    assert cell_len("".join(span.text for span in canvas.picture().lines[0])) == 10
