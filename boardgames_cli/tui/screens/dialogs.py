"""Dialogs: a choice, a name, and handing over the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingsMap, BindingType
from textual.containers import Center, Vertical
from textual.widgets import Button, Input, Static

from boardgames_cli.core.text import Picture, Span, columns, justified
from boardgames_cli.tui.keys import KeyDebounce, bindings_of, numbered
from boardgames_cli.tui.screens.frame import Dialog, Frame
from boardgames_cli.tui.theme import Palette
from boardgames_cli.tui.widgets.choices import ChoiceList, ListedChoice, moved
from boardgames_cli.tui.widgets.picture import PictureView

_AROUND_ANSWERS: Final = 8
_BESIDE_ANSWERS: Final = 13
"""The rows and columns of a dialog besides its facts, the answers and their marks."""
_FEWEST_ROWS: Final = 3


Answer = tuple[str, Callable[[], object] | None]
"""The label of an answer and what it does; None does nothing, as closing the dialog does."""


class ChoiceDialog(Dialog):
    """A title, some facts, and answers with numbers, keys of their own, or marks.

    Dismissed with the place of the chosen answer, or with None. Without a start enter does nothing
    at first; dialogs that open by themselves rest, so that keys meant for what was shown before are
    ignored.
    """

    STAYS: ClassVar[bool] = False
    """Whether it stays open whatever is answered."""
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "dialog",
        *numbered("choose", "answer {}", "answer"),
        ("up,left,shift+tab", "move(-1)", "answer above", "up"),
        ("down,right,tab", "move(1)", "answer below", "down"),
        ("pageup", "turn_page(-1)", "answers above", "pageup"),
        ("pagedown", "turn_page(1)", "answers below", "pagedown"),
        ("enter,space", "confirm", "take it", "confirm"),
        ("question_mark,f1", "help", "help of what is below", "help"),
        ("escape,q", "close", "close", "close"),
    )

    def __init__(
        self,
        title: str | Picture,
        facts: Sequence[str],
        answers: Sequence[Answer],
        palette: Palette,
        start: int | None = 0,
        keys: Sequence[str] = (),
        rest: KeyDebounce | None = None,
        marks: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._rest = rest
        self._marks = marks
        self._title = title
        self._facts = tuple(facts)
        self._palette = palette
        self._index = start
        self.offer(answers, keys)

    def offer(self, answers: Sequence[Answer], keys: Sequence[str]) -> None:
        self._answers, self._keys = answers, keys
        self._labels = [label for label, _ in answers]
        own = [(key, f"take({at})", self._labels[at], key) for at, key in enumerate(keys)]
        made = BindingsMap(bindings_of("dialog", *own))
        self._bindings.key_to_bindings.update(made.key_to_bindings)

    def follow(self, place: int | None) -> None:
        """Do what belongs to the chosen answer."""
        do = None if place is None else self._answers[place][1]
        if do is not None:
            do()

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield PictureView(id="dialog-title")
            if self._facts:
                yield Static("\n".join(self._facts), id="facts", markup=False)
            yield ChoiceList(id="answers")

    def on_mount(self) -> None:
        self._fill()
        self._show()

    def _fill(self) -> None:
        title = self._title
        if isinstance(title, str):
            title = Picture.of([Span(title, "title")])
        self.query_one("#dialog-title", PictureView).show(title, self._palette)
        answers = self.query_one(ChoiceList)
        room = self.app.size.height - len(self._facts) - _AROUND_ANSWERS
        answers.styles.height = min(len(self._answers), max(_FEWEST_ROWS, room))
        widest = max(columns(label) for label, _ in self._answers)
        beside = _BESIDE_ANSWERS + max(map(len, self._marks), default=1)
        self.query_one("#box").styles.min_width = min(self.app.size.width, widest + beside)
        # One column: answers may be as wide as the box.
        self._labels = [justified(label, max(widest, 40)) for label, _ in self._answers]

    def on_key(self, event: events.Key) -> None:
        """Block keys that were meant for the previous screen."""
        if self._rest is not None and not self._rest.is_over:
            event.stop()

    def _show(self) -> None:
        if not self.query(ChoiceList):
            return  # a key came before the first layout
        marks = self._marks or self._keys or [""] * len(self._labels)
        choices = [
            ListedChoice(label, mark=mark) for mark, label in zip(marks, self._labels, strict=True)
        ]
        self.query_one(ChoiceList).show(choices, (), self._index, self._palette)

    def action_move(self, by: int) -> None:
        self._index = moved(self._index, by, len(self._answers))
        self._show()

    def action_turn_page(self, by: int) -> None:
        rows = sum(shown.size.height for shown in self.query(ChoiceList))  # none before the layout
        far = (self._index or 0) + by * max(1, rows - 1)
        self._index = max(0, min(far, len(self._answers) - 1))
        self._show()

    def action_choose(self, number: int) -> None:
        if not (self._keys or self._marks) and number <= len(self._answers):
            self.action_take(number - 1)

    async def action_help(self) -> None:
        await self.app.run_action("help", self.app.screen_stack[-2])

    def action_take(self, place: int) -> None:
        if self.STAYS:
            self._index = place
            self.follow(place)
        else:
            self.dismiss(place)

    def action_confirm(self) -> None:
        if self._index is not None:
            self.action_take(self._index)

    def on_choice_list_chosen(self, event: ChoiceList.Chosen) -> None:
        if self._rest is None or self._rest.is_over:
            self.action_take(event.index)


def ask(
    screen: Frame, title: str, facts: Sequence[str], answers: Sequence[Answer], **more: Any
) -> ChoiceDialog:
    """Ask a question over a screen, and do what belongs to the answer; see `ChoiceDialog`."""
    dialog = ChoiceDialog(title, facts, answers, screen.palette, **more)
    screen.app.push_screen(dialog, dialog.follow)
    return dialog


class SavesDialog(ChoiceDialog):
    """A list of saves; dismissed with a verb and the place of a save, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "saves",
        ("c", "act('resume')", "go on with it", "resume"),
        ("r", "act('replay')", "see it again", "replay"),
        ("v", "act('review')", "review it", "review"),
        ("n", "act('rename')", "give it another name", "rename"),
        ("d,delete", "act('delete')", "delete it", "delete"),
    )

    def __init__(self, labels: Sequence[str], palette: Palette) -> None:
        facts = ["c go on  r replay  v review  n rename  d delete"]
        super().__init__("Saved games", facts, [(label, None) for label in labels], palette)

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close; a place alone opens the save."""
        return super().dismiss(("open", result) if isinstance(result, int) else result)

    def action_act(self, verb: str) -> None:
        self.dismiss((verb, self._index))


def notice(message: str, palette: Palette) -> ChoiceDialog:
    """A dialog for a message that is too long for one line; the remedy gets its own paragraph."""
    first, *rest = message.split("   ")
    facts = [text for part in rest for text in ("", part)]
    title = "That did not work" if rest else "To read"
    return ChoiceDialog(title, [first, *facts], [("Go back", None)], palette)


class NameDialog(Dialog):
    """Asks for a text; dismissed with it, which may be empty, or with None."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "name", ("escape", "close", "close", "close")
    )

    def __init__(
        self, title: str, suggestion: str, hint: str = "enter saves, esc goes back"
    ) -> None:
        super().__init__()
        self._hint = hint
        self._title = title
        self._suggestion = suggestion

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Static(self._title, id="name-title", markup=False)
            yield Input(self._suggestion, compact=True, id="name")
            yield Static(self._hint, classes="quiet")

    def on_mount(self) -> None:
        self.set_focus(self.query_one(Input))

    def on_key(self, event: events.Key) -> None:
        # Typed before the field had the focus; later the field keeps what it can use.
        if event.is_printable:
            self.query_one(Input).post_message(event.stop())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class HandOver(Dialog):
    """Hides everything until the next person has taken over the screen.

    Only the button, enter or space close it, not a click elsewhere.
    """

    AUTO_FOCUS = "#handover-go"
    BINDINGS: ClassVar[list[BindingType]] = bindings_of(
        "handover", ("enter,space", "go", "show my view", "go")
    )

    def __init__(self, name: str, reveal: Callable[[], None]) -> None:
        super().__init__()
        self._person = name
        self._reveal = reveal

    def compose(self) -> ComposeResult:
        name = self._person
        yield Static(
            f"Pass to {name.upper()}.\n\n{name}: press enter when only you can see the screen.",
            id="handover",
            markup=False,
        )
        with Center():
            yield Button("Show my view", id="handover-go", compact=True)

    def action_go(self) -> None:
        self._reveal()  # before the table is drawn again, which else would cover itself once more
        self.dismiss("go")

    def on_button_pressed(self) -> None:
        self.action_go()
