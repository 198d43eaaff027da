"""Pictures and the canvas they are drawn on."""

from __future__ import annotations

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
