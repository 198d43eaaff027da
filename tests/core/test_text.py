"""Pictures and the canvas they are drawn on."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from boardgames_cli.core.text import Canvas, Glyphs, Picture, Span, shortened


def test_a_picture_of_texts_spans_and_lists() -> None:
    picture = Picture.of(["ab", Span("c", "safe"), [Span("d"), Span("ef", "seat.0")], ()])
    assert picture.lines[1] == (Span("c", "safe"),)
    assert (picture.width, picture.height) == (3, 4)
    assert str(picture) == "ab\nc\ndef\n"
    assert (Picture(()).width, Picture(()).height, str(Picture(()))) == (0, 0, "")


def test_spaces_at_line_ends_are_not_printed() -> None:
    assert str(Picture.of(["ab  ", [Span("c "), Span("  ")]])) == "ab\nc"


def test_what_is_too_long_is_cut_with_a_sign() -> None:
    assert shortened("Annabelle", 9, Glyphs.ASCII) == "Annabelle"
    assert shortened("Annabelle", 5, Glyphs.ASCII) == "Anna~"
    assert shortened("Annabelle", 5) == "Anna…"
    assert len(shortened("Annabelle", 1)) == 1


def test_a_ground_that_is_named_is_not_named_twice() -> None:
    canvas = Canvas(3, 1, "sea")
    for x, role in enumerate(("sea", "sea rope", "seaside")):
        canvas.put(x, 0, "x", role)
    roles = [span.role for span in canvas.picture().lines[0]]
    assert roles == ["sea", "sea rope", "sea seaside"]


@dataclass
class Cell:
    """One cell of a canvas, kept for itself."""

    ground: str
    text: str = " "
    role: str = ""
    action: str = ""

    @property
    def shown(self) -> tuple[str, str]:
        """The role with the ground under it, and the action."""
        if not self.ground or self.role in ("", self.ground):
            return self.ground or self.role, self.action
        names_ground = self.role.startswith(f"{self.ground} ")
        return self.role if names_ground else f"{self.ground} {self.role}", self.action


@dataclass
class SlowCanvas:
    """A canvas cell by cell, without slices: what `Canvas` must look like."""

    width: int
    height: int
    role: str
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place in itertools.product(range(self.width), range(self.height)):
            self.cells[place] = Cell(self.role)

    def put(self, x: int, y: int, text: str, role: str | None, action: str | None) -> None:
        for column, letter in enumerate(text, start=x):
            cell = self.cells.get((column, y))
            if cell is not None:
                cell.text = letter
                cell.role = cell.role if role is None else role
                cell.action = cell.action if action is None else action

    def fill(self, x: int, y: int, width: int, height: int, role: str, action: str) -> None:
        for place in itertools.product(range(x, x + width), range(y, y + height)):
            if place in self.cells:
                self.cells[place] = Cell(role, action=action)

    def picture(self) -> Picture:
        lines = []
        for y in range(self.height):
            row = [self.cells[x, y] for x in range(self.width)]
            runs = itertools.groupby(row, key=lambda cell: (cell.ground, cell.role, cell.action))
            same = [list(run) for _, run in runs]
            lines.append(
                tuple(Span("".join(cell.text for cell in run), *run[0].shown) for run in same)
            )
        return Picture(tuple(lines))


places = st.integers(-1, 4)
roles = st.sampled_from(["", "sea", "rope", "sea rope", "seat.0"])
actions = st.sampled_from(["", "dive", "1>2"])
puts = st.tuples(
    st.just("put"), places, places, st.text("abc*", min_size=1, max_size=7), st.none() | roles,
    st.none() | actions,
)  # fmt: skip
fills = st.tuples(
    st.just("fill"), places, places, st.integers(0, 8), st.integers(0, 6), roles, actions
)


@given(st.integers(0, 5), st.integers(0, 3), roles, st.lists(puts | fills, min_size=6, max_size=25))
def test_a_canvas_is_what_it_would_be_cell_by_cell(
    width: int, height: int, role: str, drawn: list[tuple[str, ...]]
) -> None:
    canvas, slow = Canvas(width, height, role), SlowCanvas(width, height, role)
    for what, *arguments in drawn:
        getattr(canvas, what)(*arguments)
        getattr(slow, what)(*arguments)
    assert canvas.picture() == slow.picture()
