"""How Nim is shown and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from boardgames_cli.core.game import NoChance, Observation, Step
from boardgames_cli.core.presentation.view import RenderContext, Size, View
from boardgames_cli.core.text import Glyphs, Picture, Span
from boardgames_nim.rules import Nim, NimState, Take


class NimView(View[Nim, NimState, Take, NoChance]):
    """One line a heap; a click on a match takes it and all to its right."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "dark": {"match": "bold #e8c15a", "taken": "#8f8775"},
        "light": {"match": "bold #7a5200", "taken": "#75694f"},
    }

    def picture(
        self, seen: Observation[NimState, Take], size: Size,
        context: RenderContext[Take, NoChance],
    ) -> Picture:  # fmt: skip
        lines = []
        for heap, count in enumerate(seen.state.heaps):
            spans = [Span(f"{'ABCD'[heap]} {count}  ")]
            for number in range(count):
                take = Take(heap, count - number)
                is_going = (
                    context.highlight is not None
                    and context.highlight.heap == heap
                    and number >= count - context.highlight.count
                )
                spans.append(
                    Span(
                        "x " if is_going else "| ",
                        "taken" if is_going else "match",
                        str(take) if take in seen.legal else "",
                    )
                )
            lines.append(spans)
        return Picture.of(lines)

    def narrate(
        self, before: NimState, step: Step[Take, NoChance],
        after: NimState, context: RenderContext[Take, NoChance],
    ) -> list[str]:  # fmt: skip
        take = step.joint[before.turn]
        matches = "match" if take.count == 1 else "matches"
        heap = "ABCD"[take.heap]
        return [f"{context.name(before.turn)} took {take.count} {matches} from heap {heap}."]

    def legend(self, glyphs: Glyphs) -> Picture:
        return Picture.of(["| a match   A3: take 3 from heap A"])
