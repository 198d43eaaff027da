"""The screen of a position in which a person is asked for an action: of puzzles and lessons."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.binding import BindingsMap, BindingType
from textual.containers import Vertical

from boardgames_cli.core.game import Seat
from boardgames_cli.evaluation.asked_position import AskedPosition
from boardgames_cli.session.setup import Settings
from boardgames_cli.session.snapshot import TableSnapshot
from boardgames_cli.tui.keyboard import Keyboard
from boardgames_cli.tui.keys import actions_by_key, bindings_of, numbered
from boardgames_cli.tui.screens.frame import BoardScreen, HelpTopic, KeyHint
from boardgames_cli.tui.theme import tells_grounds
from boardgames_cli.tui.timers import REST_SECONDS, KeyDebounce
from boardgames_cli.tui.widgets.bars import Bar, KeyBar, Sides
from boardgames_cli.tui.widgets.choices import ChoiceList, ListedChoice, moved
from boardgames_cli.tui.widgets.panes import TablePanes
from boardgames_cli.tui.widgets.picture import ReasonView


def question_keys(room: str, *own: tuple[str, str, str, str]) -> list[BindingType]:
    """The keys of a screen that asks: those of every one, and its own.

    Args:
        room: The first part of their ids.
        own: As for `bindings_of`.
    """
    return bindings_of(
        room,
        *numbered("choose", "answer with that number", "answer", 10),
        ("up", "highlight(-1, True)", "look at the choice above", "up"),
        ("down", "highlight(1, True)", "look at the choice below", "down"),
        ("left,shift+tab", "highlight(-1)", "look at the choice before", "previous"),
        ("right", "highlight(1)", "look at the next choice", "next-choice"),
        ("enter,space", "confirm", "answer with that choice; afterwards: go on", "confirm"),
        *own,
        ("n", "next", "go on to the next one", "next"),
        ("tab", "tab", "next choice; in a small window: board or facts", "tab"),
        ("question_mark,f1", "help", "keys, rules, legend", "help"),
        ("q,escape", "leave", "close", "leave"),
    )


class QuestionScreen(BoardScreen):
    """Asks for an action, again until it is right.

    Args:
        asked: The first question.
        settings: How it is shown.
    """

    def __init__(self, asked: AskedPosition, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.panes = TablePanes(asked.view)
        self._common = dict(self._bindings.key_to_bindings)
        self._action_of_key = actions_by_key(self.BINDINGS)
        self._rest: KeyDebounce | None = None
        """Keeps the key that answered from passing over what there is to see then."""
        self._begin()

    # -- what every screen says for itself ---------------------------------------------------

    @property
    @abstractmethod
    def asked(self) -> AskedPosition:
        """What is asked now."""

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats whose own keys answer."""
        return (self.asked.seat,)

    @property
    def details(self) -> Sequence[str]:
        """What the help adds to the keys."""
        return ()

    @property
    def listed(self) -> Sequence[str]:
        """The choices that can be looked at now, by notation."""
        return self.asked.choices

    @abstractmethod
    def prompt_bar(self) -> Sides:
        """The question."""

    @abstractmethod
    def snapshot(self, highlight: Any, *, has_colours: bool) -> TableSnapshot:
        """The board.

        Args:
            highlight: The action under the cursor, if any.
            has_colours: Whether colours are available.
        """

    @abstractmethod
    def take(self, notation: str) -> None:
        """Take an answer to what is asked and not done yet."""

    @abstractmethod
    def action_next(self) -> None:
        """Go on to the next one."""

    # -- drawing -----------------------------------------------------------------------------

    def _begin(self) -> None:
        """Take up what is asked: its game's look and keys."""
        asked = self.asked
        self.index: int | None = None
        """The place of the choice that is looked at, in `listed`."""
        people = self.people
        self.keyboard = Keyboard(asked.view, people, (), lambda: people)
        self.panes.view = asked.view
        # A game's own keys win over those of every question.
        own = BindingsMap(self.keyboard.bindings()).key_to_bindings
        self._bindings.key_to_bindings = {**self._common, **own}

    def body(self) -> ComposeResult:
        """Board and facts, then the lines below them."""
        yield Bar(id="title")
        yield self.panes
        with Vertical(id="below"):
            yield from self.question()
            yield Bar(id="message")
            yield KeyBar(id="keys")

    def question(self) -> ComposeResult:
        """The lines of the question and its choices."""
        yield Bar(id="prompt")
        yield ChoiceList(id="choices")
        yield ReasonView(id="reason")

    def on_mount(self) -> None:
        """Show the first one."""
        self.redraw()

    def game_palette(self) -> Mapping[str, Mapping[str, str]]:
        """The palette of the game that is asked about."""
        return self.asked.view.palette

    def draw(self) -> None:
        """Draw everything as it is now."""
        self.query_one("#below").set_class(bool(self.keyboard.hints), "-keyed")
        has_colours = tells_grounds(self.app.theme, self.app)
        self.panes.show(self.snapshot(self._highlight, has_colours=has_colours), self.palette)
        self.show_choices()
        self.show_bar("prompt", *self.prompt_bar())
        super().draw()

    def show_choices(self) -> None:
        """Show the list of choices."""
        listed = [] if self.asked.is_done else self.choices()
        self.query_one(ChoiceList).show(listed, (), self.index, self.palette)

    def show_reason(self, text: str, rows: int, role: str = "muted") -> None:
        """Show a text below the board."""
        self.query_one(ReasonView).show_text(text, rows, self.palette, role)

    def choices(self) -> list[ListedChoice]:
        """The choices as the list shows them."""
        asked = self.asked
        return [
            self.keyboard.choice(asked.view, asked.seen, action, asked.glyphs)
            for action in asked.seen.legal
        ]

    def answer_keys(self) -> tuple[list[KeyHint], list[KeyHint]]:
        """The keys that answer, and those that look at the choices."""
        own, count = self.keyboard.hints, min(9, len(self.asked.choices))
        act = [(keys, word, "screen.highlight(1)") for keys, word in own]
        act = act or [(f"1-{count}", "answer", "screen.highlight(1)")]
        has_room = not (own or self.has_class("-compact"))
        return act, [("↑↓", "look", "screen.highlight(1)")] if has_room else []

    @property
    def rows(self) -> int:
        """How many rows there are for the choices."""
        height = self.query_one("#choices").styles.height
        return int(height.value) if height is not None else 1

    @property
    def _highlight(self) -> Any:
        """The action that the board shows: the one looked at."""
        return None if self.index is None else self.asked.action(self.listed[self.index])

    # -- answering ---------------------------------------------------------------------------

    def answer(self, notation: str) -> None:
        """Take a choice."""
        self.message = ""
        self.take(notation)
        if self.asked.is_done:
            self._rest = KeyDebounce(REST_SECONDS)
        self.redraw()

    async def action_press(self, key: str) -> None:
        """Do what a key of the game means; when it is done, what it means everywhere."""
        press = None if self.asked.is_done else self.keyboard.press(key, self.asked.seat)
        if press is None:
            if key in self._action_of_key:
                await self.app.run_action(self._action_of_key[key], default_namespace=self)
            return
        notation = self.asked.read(press[1]) if press[1] else None
        if notation is not None:
            self.answer(notation)
        elif press[1]:
            self.say("That is not a choice here.")

    def action_choose(self, number: int) -> None:
        """Take a choice by its number."""
        asked = self.asked
        if asked.is_done:
            self.say("This one is done: enter or n goes to the next.")
        elif number > len(asked.choices):
            self.say(f"There is no choice {number}; choose 1 to {len(asked.choices)}.")
        else:
            self.answer(asked.choices[number - 1])

    def action_highlight(self, by: int, in_rows: bool = False) -> None:
        """Look at another choice: the next or the one before, or below or above."""
        if not self.listed:
            return
        is_list = in_rows and not self.asked.is_done
        columns = self.query_one(ChoiceList).columns if is_list else 1
        self.index = moved(self.index, by, len(self.listed), columns)
        self.message = ""
        self.redraw()

    def action_confirm(self) -> None:
        """Take the choice that is looked at; when it is done, go on."""
        if self.asked.is_done:
            if self._rest is None or self._rest.is_over:
                self.action_next()
        elif self.index is None:
            self.action_highlight(1)
        else:
            self.action_choose(self.index + 1)

    def show_new(self, message: str = "") -> None:
        """Show another question.

        Args:
            message: What there is to say about it.
        """
        self.message, self._rest = message, None
        self._begin()
        self.panes.remove_class("-side")
        self.use_theme()
        # The rows below the board may have changed with the game.
        self.call_after_refresh(self.redraw)

    # -- the mouse, and what changes nothing -------------------------------------------------

    def clicked(self, action: str) -> None:
        """Answer with what was clicked."""
        notation = self.asked.read(action)
        if notation is not None:
            self.answer(notation)

    def index_of(self, notation: str) -> int | None:
        """The place of a choice, while there is one to make."""
        asked = self.asked
        is_choice = not asked.is_done and notation in asked.choices
        return asked.choices.index(notation) if is_choice else None

    def point(self, index: int | None) -> None:
        """Look at the choice under the mouse."""
        if index not in (None, self.index) and index < len(self.listed):
            self.index = index
            self.redraw()

    def help_topic(self) -> HelpTopic:
        """The game, and what there is to say besides."""
        return HelpTopic(self.asked.game, self.asked.glyphs, self.palette, self.details)
