"""The screen You: record, rating over time, ladder, what to train, and the last games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll

from boardgames_cli.core.text import Picture, Span, aligned, shortened, wrapped
from boardgames_cli.evaluation.you import You
from boardgames_cli.session.played_reviews import LookBack, LookBackJob, open_drill
from boardgames_cli.session.replay import replay_of
from boardgames_cli.session.settings import Settings
from boardgames_cli.storage.store import Store
from boardgames_cli.tui.keys import bindings_of, numbered
from boardgames_cli.tui.screens.frame import LEAST_ROOM, Frame, KeyHint
from boardgames_cli.tui.screens.question_screen import QuestionScreen
from boardgames_cli.tui.widgets.picture import PictureView, Sides

_Lines = list[list[Span]]


class YouScreen(Frame):
    """What a person has reached; it grows while their last games are reviewed in the background."""

    CSS_PATH = "home.tcss"
    AUTO_FOCUS = "#page-scroll"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "page",
        ("up", "move(-1)", "line above", "up"),
        ("down", "move(1)", "line below", "down"),
        ("left", "turn(-1)", "your record in the game before", "left"),
        ("right", "turn(1)", "your record in the next game", "right"),
        *numbered("replay", "last game {}: the biggest mistake", "replay", 10),
        ("d", "drill", "train on the mistakes of your games", "drill"),
        ("tab", "person", "the next person who has played here", "person"),
        ("escape,q", "leave", "go back", "leave"),
    )

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._found = LookBack(total=1)
        self._looking = LookBackJob(settings)
        self._person = self._game = 0

    def content(self) -> ComposeResult:
        with VerticalScroll(id="page-scroll"):
            yield PictureView(id="page")
            yield PictureView(id="recent")

    def on_unmount(self) -> None:
        self._looking.cancelled.set()

    def on_screen_resume(self) -> None:
        self._looking.cancelled.set()  # cards may have been answered meanwhile
        self._looking = LookBackJob(self._settings)
        self._looking.start(lambda found: self.from_thread(self._take, found))

    def _take(self, found: LookBack) -> None:
        self._found = found
        self.say("" if found.is_done else f"{found.done} of {found.total} games reviewed")

    @property
    def _known(self) -> You | None:
        people = self._found.people
        return people[self._person % len(people)] if people else None

    def title_bar(self) -> Sides:
        known = self._known
        return [Span("You", "title")], [Span(known.headline if known else "", "muted")]

    def key_hints(self) -> Sequence[KeyHint]:
        known, keys = self._known, [("↑↓", "read", "screen.move(1)")]
        keys += [("←→", "game", "screen.turn(1)")] if known and known.records[1:] else []
        keys += [("1-9", "see again", "screen.replay(1)")] if known and known.recent else []
        keys += [("d", "drill", "screen.drill")] if known and known.due else []
        keys += [("tab", "next person", "screen.person")] if self._found.people[1:] else []
        return [*keys, ("q", "back", "screen.leave")]

    def draw(self) -> None:
        width = max(LEAST_ROOM, self.query_one("#page").size.width)
        known = self._known
        if known is None:
            said = "Nobody has finished a game here yet. Your record begins with the first."
            lines = wrapped(said if self._found.is_done else "Your games are being read.", width)
            page, recent = [[Span(line, "muted")] for line in lines], list[list[Span]]()
        else:
            page, recent = self._record(known, width), self._recent(known, width)
        remarks = [line for said in self._found.remarks for line in wrapped(said, width)]
        recent += [[], *([Span(line, "bad")] for line in remarks)] if remarks else []
        self.show_picture("page", Picture.of(page))
        self.show_picture("recent", Picture.of(recent))
        super().draw()

    def _record(self, known: You, width: int) -> _Lines:
        lines: _Lines = [[Span("Games", "title")]] if known.records else []
        chosen = self._game % max(1, len(known.records))
        for at, row in enumerate(aligned(one.row for one in known.records)):
            sign, role = ("> ", "title") if at == chosen else ("  ", "")
            lines.append([Span(shortened(sign + row, width), role, f"turn({at - chosen})")])
        for one in known.records[chosen : chosen + 1]:
            lines += [[], [Span(one.row[0], "title")]]
            lines += [[Span(row, "key")] for row in one.curve(width, 5, self._settings.glyphs)]
            lines += [[Span(part)] for said in one.sentences() for part in wrapped(said, width)]
            lines.append([])
        lines.append([Span("To train", "title")])
        for said in known.training() or ["Nothing yet."]:
            action = "drill" if said.startswith("Drill") else ""
            lines += [[Span(part, "", action)] for part in wrapped(said, width)]
        return lines

    def _recent(self, known: You, width: int) -> _Lines:
        lines: _Lines = [*([] if self.has_class("-wide") else [[]]), [Span("Last games", "title")]]
        for number, one in enumerate(known.recent, start=1):
            action = f"replay({number})"
            key = Span(f"{number % 10} ", "key", action)
            lines.append([key, Span(shortened(f"{one.day}  {one}", width - 2), "", action)])
            said = wrapped(one.mistake, width - 2) if one.mistake else ()
            lines += [[Span(f"  {part}", "muted", action)] for part in said]
        return lines if known.recent else [*lines, [Span("None is saved here.", "muted")]]

    def action_move(self, by: int) -> None:
        self.query_one("#page-scroll").scroll_relative(y=by, animate=False)

    def action_turn(self, by: int) -> None:
        self._game += by
        self.redraw()

    def action_replay(self, number: int) -> None:
        known = self._known
        with self.telling_errors():
            for one in known.recent[number - 1 : number] if known else ():
                path = Store.at(self._settings.save_folder).find(one.save)
                replay = replay_of(path, self._settings.glyphs)
                replay.is_judged = True
                self.app.open_replay(replay, ply=one.ply)

    def action_drill(self) -> None:
        with self.telling_errors():
            self.app.push_screen(QuestionScreen(open_drill(self._settings), self._settings))

    def action_person(self) -> None:
        self._person, self._game = self._person + 1, 0
        self.redraw()
