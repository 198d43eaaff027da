"""Dialogs of a replay: decide again, or play on from a position."""

from __future__ import annotations

from typing import Any, Final, Protocol

from textual.app import App

from boardgames_cli.core.errors import GameError
from boardgames_cli.registry import spec_of
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.setup import AS_BEFORE, branch
from boardgames_cli.tui.navigator import navigator_of
from boardgames_cli.tui.review_model import ReviewModel
from boardgames_cli.tui.screens.dialogs import ChoiceDialog, NameDialog
from boardgames_cli.tui.theme import Palette

_AGAIN: Final = "again"
_BEFORE: Final = "before"
_OTHER: Final = "other"
_MOST: Final = 9
"""The number of choices offered in a dialog: one per digit."""


class ReplayedMoment(Protocol):
    """What the dialogs need from the replay screen."""

    replay: Replay
    ply: int
    palette: Palette
    review: ReviewModel | None

    @property
    def step(self) -> int:
        """The step number shown to the user."""
        ...

    @property
    def app(self) -> App[Any]:
        """The application."""
        ...

    def say(self, text: str) -> None:
        """Show a message."""
        ...

    def refresh_moment(self) -> None:
        """Redraw everything."""
        ...


class RetryDialogs:
    """The sequence of dialogs.

    Args:
        screen: The replay screen.
    """

    def __init__(self, screen: ReplayedMoment) -> None:
        self._screen = screen
        self._replay = screen.replay
        self._ply = screen.ply

    def ask(self) -> None:
        """Ask what to do from here."""
        screen, replay = self._screen, self._replay
        match = replay.match
        if match.game.is_over(match.state_at(self._ply)):
            screen.say("The game is over here. Go back to an earlier step to play on from it.")
            return
        review = screen.review
        decision = review.decision(self._ply) if review is not None else None
        is_open = decision is not None and not decision.is_forced
        levels = list(spec_of(replay.game).levels)
        answers = [
            *([(_AGAIN, "Decide again, and see whether it is better")] if is_open else []),
            (_BEFORE, "Play on from here, everybody as before"),
            *[(level, f"Play on from here against {level}") for level in levels],
            (_OTHER, "Play on from here against another agent"),
        ]
        facts = ["A new game: other luck, and a save of its own."]
        title = f"From step {screen.step}"
        dialog = ChoiceDialog(title, facts, answers[:_MOST], screen.palette)
        screen.app.push_screen(dialog, self._follow)

    def _follow(self, answer: str | None) -> None:
        if answer == _AGAIN:
            self._decide_again()
        elif answer == _OTHER:
            question = NameDialog(
                "Play on against which agent?", "random", "enter plays, esc stays here"
            )
            self._screen.app.push_screen(question, self._play_against)
        elif answer is not None:
            self._play_on(AS_BEFORE if answer == _BEFORE else answer)

    def _play_against(self, agent: str | None) -> None:
        if agent:
            self._play_on(agent)

    def _play_on(self, rival: str) -> None:
        try:
            setup = branch(self._replay, self._ply, rival)
            navigator_of(self._screen.app).play_on(setup)
        except GameError as error:
            self._screen.say(str(error))

    # -- the same decision again -------------------------------------------------------------

    def _decide_again(self) -> None:
        """Offer the choices in the order of the rules, without their values."""
        screen, match = self._screen, self._replay.match
        review = screen.review
        decision = None if review is None else review.decision(self._ply)
        if review is None or decision is None:
            return
        review.is_hidden = True
        screen.refresh_moment()
        labels = {choice.action: choice.label for choice in decision.choices}
        legal = match.game.legal_actions(match.state_at(self._ply), decision.seat)
        answers = [(str(action), labels[str(action)]) for action in legal if str(action) in labels]
        if len(answers) > _MOST:
            screen.app.push_screen(
                NameDialog("Which choice, in full?", "", "enter decides, esc gives up"),
                self._judge_again,
            )
            return
        title = f"{self._replay.names[decision.seat]} to decide"
        facts = [f"Played was {decision.choice.label}."]
        screen.app.push_screen(
            ChoiceDialog(title, facts, answers, screen.palette, None), self._judge_again
        )

    def _judge_again(self, notation: str | None) -> None:
        screen, review = self._screen, self._screen.review
        if review is None:
            return
        review.is_hidden = False
        if notation is None:
            screen.refresh_moment()
            return
        said = review.choose(self._ply, notation)
        screen.say(said or f"{notation} is not among the choices here.")
