"""Names in wide characters shift no row: every picture keeps the columns it has anyway."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.text import FILLER, Glyphs, cut, in_columns, shortened
from boardgames_cli.core.view import Size
from boardgames_cli.session.session import Session
from boardgames_cli.session.setup import Settings, Setup, open_session

GAMES = ("senet", "tapnswap", "kuhn", "deepsea", "pommerman")
NAMES = st.text("李漢字カタカナ가나ab ", min_size=1, max_size=16).map(str.strip).filter(bool)
SIZES = (Size(47, 18), Size(51, 18), Size(77, 30), Size(60, 20))


def columns(text: str) -> int:
    """What a terminal shows of it; the filler takes no room there."""
    return cell_len(text.replace(FILLER, ""))


def table(game: str, names: list[str], plies: int, glyphs: Glyphs) -> Session:
    seats = tuple("human" for _ in names)
    chosen = Settings(save=False, glyphs=glyphs)
    session = open_session(Setup(game, seats=seats, rest="human", seed=3), chosen)
    holders = zip(session.holders, names, strict=False)
    session.holders = tuple(replace(holder, name=name) for holder, name in holders)
    session.use_names_in_columns()
    rng = random.Random(1)
    while session.match.ply < plies and session.match.waiting_for:
        if session.match.waiting_for == (CHANCE,):
            session.resolve_chance()
            continue
        for seat in session.match.waiting_for:
            session.match.submit(seat, rng.choice(session.match.observe(seat).legal))
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
    for size in SIZES:
        view, seen, context = wide.view, wide.see(wide.viewpoint), wide.context()
        for picture in (
            view.picture(seen, size, context),
            view.sidebar(seen, min(size.width, 38), context),
        ):
            for line in str(picture).splitlines():
                assert columns(line) == len(line), repr(line)


@given(NAMES, st.integers(0, 20))
def test_a_cut_name_has_the_columns_asked_for(name: str, most: int) -> None:
    text = in_columns(name)
    assert columns(cut(text, most)) == len(cut(text, most)) == min(most, len(text))
    if most:
        assert columns(shortened(text, most)) == len(shortened(text, most)) <= most
