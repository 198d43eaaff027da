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


def test_a_canvas_joins_neighbours_of_one_look() -> None:
    canvas = Canvas(6, 2, "board")
    canvas.put(1, 0, "AB", "seat.0", "1>2")
    canvas.put(3, 0, "C", "seat.0", "1>2")
    assert canvas.picture().lines == (
        (Span(" ", "board"), Span("ABC", "board seat.0", "1>2"), Span("  ", "board")),
        (Span("      ", "board"),),
    )


def test_what_falls_outside_is_cut_off() -> None:
    canvas = Canvas(3, 1)
    for x, y, text in ((-1, 0, "abcde"), (0, -1, "x"), (0, 1, "x"), (9, 0, "x"), (-9, 0, "x")):
        canvas.put(x, y, text)
    assert str(canvas.picture()) == "bcd"
    assert str(Canvas(0, 2).picture()) == "\n"
    assert Canvas(3, 0).picture().lines == ()


def test_none_keeps_what_is_there_and_a_fill_blanks_it() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "abcd", "safe", "go")
    canvas.put(1, 0, "X")
    canvas.put(2, 0, "Y", role="last-move")
    assert canvas.picture().lines[0] == (
        Span("aX", "safe", "go"),
        Span("Y", "last-move", "go"),
        Span("d", "safe", "go"),
    )
    canvas.fill(0, 0, 2, 5, "water", "swim")
    assert canvas.picture().lines[0][0] == Span("  ", "water", "swim")


def test_what_is_too_long_is_cut_with_a_sign() -> None:
    assert shortened("Annabelle", 9, Glyphs.ASCII) == "Annabelle"
    assert shortened("Annabelle", 5, Glyphs.ASCII) == "Anna~"
    assert shortened("Annabelle", 5) == "Anna…"
    assert len(shortened("Annabelle", 1)) == 1


def test_what_is_put_on_a_canvas_keeps_the_ground() -> None:
    canvas = Canvas(5, 1, "sea")
    canvas.fill(1, 0, 3, 1, "house")
    canvas.put(2, 0, "A", "seat.0")
    assert [(span.text, span.role) for span in canvas.picture().lines[0]] == [
        (" ", "sea"), (" ", "house"), ("A", "house seat.0"), (" ", "house"), (" ", "sea"),
    ]  # fmt: skip


def test_a_ground_that_is_named_is_not_named_twice() -> None:
    canvas = Canvas(3, 1, "sea")
    for x, role in enumerate(("sea", "sea rope", "seaside")):
        canvas.put(x, 0, "x", role)
    roles = [span.role for span in canvas.picture().lines[0]]
    assert roles == ["sea", "sea rope", "sea seaside"]


def test_a_ground_can_be_laid_beyond_the_edge() -> None:
    canvas = Canvas(3, 2)
    canvas.fill(-2, -1, 4, 2, "a")
    canvas.fill(2, 1, 9, 9, "b")
    assert [[(s.text, s.role) for s in line] for line in canvas.picture().lines] == [
        [("  ", "a"), (" ", "")], [("  ", ""), (" ", "b")],
    ]  # fmt: skip


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
            runs = itertools.groupby(row, key=lambda cell: cell.shown)
            lines.append(
                tuple(Span("".join(cell.text for cell in run), *look) for look, run in runs)
            )
        return Picture(tuple(lines))


def joined(picture: Picture) -> Picture:
    """Neighbouring spans that look the same as one: on other grounds they may be apart."""
    lines = []
    for line in picture.lines:
        runs = itertools.groupby(line, key=lambda span: (span.role, span.action))
        lines.append(tuple(Span("".join(s.text for s in run), *look) for look, run in runs))
    return Picture(tuple(lines))


places = st.integers(-4, 12)
roles = st.sampled_from(["", "sea", "rope", "sea rope", "seat.0"])
actions = st.sampled_from(["", "dive", "1>2"])
puts = st.tuples(
    st.just("put"), places, places, st.text("abc*", max_size=14), st.none() | roles,
    st.none() | actions,
)  # fmt: skip
fills = st.tuples(
    st.just("fill"), places, places, st.integers(0, 12), st.integers(0, 6), roles, actions
)


@given(st.integers(0, 10), st.integers(0, 5), roles, st.lists(puts | fills, max_size=25))
def test_a_canvas_is_what_it_would_be_cell_by_cell(
    width: int, height: int, role: str, drawn: list[tuple[str, ...]]
) -> None:
    canvas, slow = Canvas(width, height, role), SlowCanvas(width, height, role)
    for what, *arguments in drawn:
        getattr(canvas, what)(*arguments)
        getattr(slow, what)(*arguments)
    assert joined(canvas.picture()) == slow.picture()
    for line in canvas.picture().lines:
        assert sum(len(span.text) for span in line) == width
        assert all(one != other for one, other in itertools.pairwise(line))
