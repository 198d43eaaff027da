"""Nothing that a terminal would obey passes the last filter of the screen."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import Monochrome
from textual.strip import Strip

from boardgames_cli.tui.theme import PrintableOnly

GROUND = Color.parse("black")
ANYTHING = st.text(st.characters())
"""All code points, control characters and halves of surrogate pairs among them."""

STYLES = st.sampled_from([None, Style(bold=True), Style(link="http://x\x1b]0;y\x07")])


@given(st.lists(st.tuples(ANYTHING, STYLES), max_size=4))
def test_what_passes_can_be_printed_and_is_as_wide(parts: list[tuple[str, Style | None]]) -> None:
    before = [Segment(text, style) for text, style in parts]
    after = PrintableOnly().apply(before, GROUND)
    assert [cell_len(segment.text) for segment in after] == [
        cell_len(segment.text) for segment in before
    ]
    for segment in after:
        assert segment.text.isprintable()
        assert segment.style is None or segment.style.link is None


@given(ANYTHING.filter(str.isprintable))
def test_what_can_be_printed_stays(text: str) -> None:
    strip = Strip([Segment(text, Style(bold=True))])
    assert strip.apply_filter(PrintableOnly(), GROUND) == strip


def test_other_filters_apply_first() -> None:
    (one,) = PrintableOnly([Monochrome()]).apply([Segment("\x07-", Style(color="red"))], GROUND)
    assert one.text == "-"
    assert one.style is not None
    assert one.style.color is not None
    assert len({*one.style.color.get_truecolor()}) == 1, "grey"
