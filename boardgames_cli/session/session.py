"""A match with its seats, its save and its log; what a front end drives.

A front end asks what is to be done (`Session.next_event`), shows it, and reports back. All calls
belong to one thread; agents think elsewhere (see `thinking`).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from functools import cached_property
from typing import Any, Final

from boardgames_cli.agents.processes import close, released, seat_agent
from boardgames_cli.core.agent import Agent, Budget, EvaluatesActions, ExplainsActions
from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import CHANCE, Observation, Seat
from boardgames_cli.core.info import Traits
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.options import option_words
from boardgames_cli.core.play import announce_end
from boardgames_cli.core.text import Glyphs
from boardgames_cli.core.view import RenderContext
from boardgames_cli.registry import spec_of
from boardgames_cli.session import history
from boardgames_cli.session.agent_runner import AgentRunner
from boardgames_cli.session.agent_thread import ActRequest, ActResult
from boardgames_cli.session.game_log import GameLog, LogLine
from boardgames_cli.session.hints import find_rival
from boardgames_cli.session.joint import JointStep
from boardgames_cli.session.saving import Saving
from boardgames_cli.session.seats import SeatHolder
from boardgames_cli.session.secrecy import has_secrets, is_disclosed
from boardgames_cli.session.standing import worth
from boardgames_cli.session.viewpoint import PUBLIC, Viewpoint
from boardgames_cli.storage.journal import Journal

TOOK_HINT: Final = "took a hint"  # in every remark about help that a person was given


class Event(Enum):
    """What a session waits for."""

    OVER = auto()
    CHANCE = auto()
    HUMAN = auto()
    AGENT = auto()
    FORCED = auto()
    """A person's turn with only one thing to do."""


class Session:
    """One table.

    Args:
        match: The match, at any ply.
        holders: The owner of every seat.
        journal: Its save; None plays without saving.
        budget: How much agents may think about one action.
        glyphs: Which characters views may use.
        is_shared: Whether people who share a screen don't mind seeing each other's secrets.
    """

    def __init__(
        self,
        match: AnyMatch,
        holders: Sequence[SeatHolder],
        journal: Journal | None = None,
        budget: Budget = Budget(seconds=2.0),  # noqa: B008  # frozen
        glyphs: Glyphs = Glyphs.ASCII,
        is_shared: bool = False,
    ) -> None:
        self.match = match
        self.game = match.game
        self.spec = spec_of(match.game)
        self.view = self.spec.make_view(match.game)
        self.holders = tuple(holders)
        self.glyphs = glyphs
        self.is_shared = is_shared
        self.tick: float | None = None
        """Seconds from one joint step to the next; None waits until everybody has chosen."""
        self.hints_by = ""  # the specification of the agent that gives them, if one was chosen
        self.shows_layer = True
        """Whether what the view can lay over the board is shown."""
        self.runner = AgentRunner(match, self.holders, budget, self.remark)
        self.joint = JointStep(match)
        self._followed: Viewpoint | None = None
        self._log = GameLog(match, self.view, lambda ply, seen_by: self.context(ply, None, seen_by))
        self._log.catch_up(self._listener)
        self.saving = Saving(match, journal, self._log.remark)

    # -- who and what ----------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """What the owners of the seats are called."""
        return tuple(holder.name for holder in self.holders)

    @property
    def humans(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat, owner in enumerate(self.holders) if owner.is_human)

    @property
    def title(self) -> str:
        """The game with the options that matter, such as ``Senet - skyruk, pieces 7``."""
        shown = option_words(self.game)
        return f"{self.game.info.name} - {', '.join(shown)}" if shown else self.game.info.name

    @property
    def journal(self) -> Journal | None:
        """The save; None plays without saving."""
        return self.saving.journal

    @property
    def budget(self) -> Budget:
        """How much agents may think about one action."""
        return self.runner.budget

    # -- whose view ------------------------------------------------------------------------

    @property
    def keeps_secrets(self) -> bool:
        """Whether people who share the screen must not see each other's secrets."""
        return self.game.needs_lock_screen and len(self.humans) > 1 and not self.is_shared

    def viewer(self) -> Seat | None:
        """The person whose turn it is to look: the one to act, else the only or first one.

        None, the spectator, if no person plays.
        """
        acting = [seat for seat in self.match.waiting_for if seat in self.humans]
        return next(iter([*acting, *self.humans]), None)

    @property
    def viewpoint(self) -> Viewpoint:
        """From where the table is shown."""
        if self._borrowed is not None:
            return self._borrowed
        viewer = self.viewer()
        if viewer is None:
            seat = self.view.audience_viewpoint()
            return PUBLIC if seat is None else Viewpoint((seat,))
        if self.keeps_secrets:
            return Viewpoint((viewer,))
        return Viewpoint((viewer, *(seat for seat in self.humans if seat != viewer)))

    @property
    def is_audience(self) -> bool:
        """Whether no person can act any more, so that anybody's view may be shown."""
        state = self.match.state
        return all(self.game.is_out(state, seat) for seat in self.humans)

    def follow(self, viewpoint: Viewpoint) -> None:
        """Show the table from another viewpoint.

        Raises:
            IllegalActionError: A person still plays, who would learn too much.
        """
        if not self.is_audience:
            raise IllegalActionError("you see what you may know as long as somebody of you plays.")
        self._followed = viewpoint
        self._log.catch_up(self._listener)

    @property
    def _listener(self) -> Viewpoint:
        """The viewpoint of the log; the log must not be rewritten each time another person acts."""
        if self.keeps_secrets and self._borrowed is None:
            return PUBLIC
        shown = self.viewpoint
        return shown if shown.see_all else Viewpoint(tuple(sorted(shown.seats)))

    @property
    def _borrowed(self) -> Viewpoint | None:
        return self._followed if self._followed is not None and self.is_audience else None

    def next_event(self) -> Event:
        """The event that is due."""
        waiting = self.match.waiting_for
        if not waiting:
            return Event.OVER
        if waiting == (CHANCE,):
            return Event.CHANCE
        humans = [seat for seat in waiting if seat in self.humans]
        if not humans:
            return Event.AGENT
        return Event.FORCED if len(self.observe(humans[0]).legal) == 1 else Event.HUMAN

    def observe(self, seat: Seat | None, ply: int | None = None) -> Observation[Any, Any]:
        """What a seat sees now or saw at a ply."""
        return self.match.observe(seat, ply)

    def see(self, viewpoint: Viewpoint, ply: int | None = None) -> Observation[Any, Any]:
        """What is seen from a viewpoint now, or at a ply of the past, where nothing is legal."""
        at = self.match.ply if ply is None else ply
        state, seat = viewpoint.state(self.game, self.match.state_at(at)), viewpoint.seat
        acts = ply is None and seat in self.humans and not viewpoint.see_all
        return Observation(seat, at, state, self.observe(seat).legal if acts else ())

    def context(
        self, ply: int | None = None, highlight: Any = None, viewpoint: Viewpoint | None = None
    ) -> RenderContext[Any, Any]:
        """The context in which the board is drawn: names, glyphs, the last step, the highlight.

        Args:
            ply: The ply; None is now.
            highlight: The action under the cursor.
            viewpoint: From where it is seen; None is that of the table.
        """
        match = self.match
        at = match.ply if ply is None else ply
        last, last_move = (viewpoint or self.viewpoint).last_steps(match, at)
        # A person alone with agents never waits for anybody.
        is_awaited = at == match.ply and len(self.humans) > 1
        committed = {*match.committed, *self.joint.chosen} if is_awaited else set()
        return RenderContext(
            self.glyphs,
            self.names,
            highlight,
            last,
            last_move,
            committed,
            self.humans,
            self.shows_layer,
            viewer=(viewpoint or self.viewpoint).seat,
        )

    # -- the log ---------------------------------------------------------------------------

    def log(self, upto: int | None = None) -> list[LogLine]:
        """All lines of the log, in order; with a ply, only what had happened by then."""
        return self._log.lines(upto)

    @property
    def remarks(self) -> tuple[LogLine, ...]:
        """The lines that are not a step: hints taken, agents that failed."""
        return self._log.remarks

    def remark(self, text: str) -> None:
        """Note something that is not a step, such as a hint taken, in the log and the save."""
        self._log.remark(text)
        self.saving.note(text)

    def take_hint(self, seat: Seat, best: Any) -> str:
        """Note in the log and the save that a person got a hint; returns the remark."""
        # The best action would disclose something about the hand to a reader of the save.
        remark = f"{self.names[seat]} {TOOK_HINT}{'' if has_secrets(self.game) else f': {best}'}."
        self.remark(remark)
        return remark

    @property
    def hints_taken(self) -> int:
        """How many hints people have taken in this game."""
        return sum(TOOK_HINT in line.text for line in self.remarks)

    def recall(self, notes: Sequence[tuple[int, str]]) -> None:
        """Take over the remarks of a resumed save."""
        self._log.recall(notes)

    def sentences_since(self, ply: int) -> list[str]:
        """The sentences about the steps after a ply."""
        return self._log.since(ply)

    # -- going on --------------------------------------------------------------------------

    def resolve_chance(self) -> Any:
        """Let chance act; returns the outcome."""
        outcome = self.match.resolve_chance()
        self._went_on()
        return outcome

    def submit(self, seat: Seat, action: Any) -> None:
        """Let a seat act.

        Raises:
            IllegalActionError: It can't act so; nothing has changed.
        """
        self.match.submit(seat, action)
        self._went_on()

    def take_step(self) -> None:
        """Let the joint step happen as chosen; a seat that has not chosen lets its time pass.

        Raises:
            IllegalActionError: The game has no action that lets time pass.
        """
        for seat, action in self.joint.complete().items():
            self.match.submit(seat, action)
        self._went_on()

    def _went_on(self) -> None:
        self._log.catch_up(self._listener)
        self.saving.record()

    # -- agents ----------------------------------------------------------------------------

    def next_agent(self) -> Seat:
        """The first seat of an agent that is to act."""
        return next(seat for seat in self.match.waiting_for if seat not in self.humans)

    def question(self) -> ActRequest:
        """The decision that the first waiting agent must take now."""
        return self.runner.question(self.next_agent())

    def accept(self, answer: ActResult) -> bool:
        """Play an agent's answer; False if it came too late to count.

        For an agent that failed something else is played, and the log says so.
        """
        question = answer.question
        if question.version != self.match.version:
            return False
        self.submit(question.seat, self.runner.action_of(answer))
        return True

    def replace_late(self, question: ActRequest) -> None:
        """Play something for an agent that does not come back."""
        self.submit(question.seat, self.runner.give_up(question))

    def replace_absent(self, seat: Seat) -> None:
        """Play something for an agent that was given up and has not come back yet."""
        self.submit(seat, self.runner.action_of_absent(seat))

    # -- back and forth --------------------------------------------------------------------

    def undo(self) -> None:
        """Go back to the last moment at which a person had a choice; see `history.undo`.

        Raises:
            IllegalActionError: There is no such moment, or it would hide again what was shown.
        """
        if self.humans and self._borrowed is not None and Traits.HIDDEN in self.game.traits:
            raise IllegalActionError(
                "what you have seen from another viewpoint can't be hidden again."
            )
        if is_disclosed(self.match):
            raise IllegalActionError("what was shown at the end can't be hidden again.")
        history.undo(self.match, self.humans)
        self._went_back()

    def redo(self) -> None:
        """Take again what was undone, up to a person's next choice.

        Raises:
            IllegalActionError: Nothing was undone, or something else was done since.
        """
        history.redo(self.match, self.humans)
        self._went_back()

    def _went_back(self) -> None:
        self.runner.forget()
        self._log.catch_up(self._listener)
        self.saving.rewrite()

    # -- help ------------------------------------------------------------------------------

    def refused(self, seat: Seat) -> list[tuple[Any, str]]:
        """Tempting actions that are illegal now, each with the reason."""
        state = self.observe(seat).state
        return [
            (action, self.game.explain_illegal(state, seat, action))
            for action in self.game.near_misses(state, seat)
        ]

    def adviser(self) -> Agent[Any, Any]:
        """The agent that gives hints: the one chosen for it, or the game's strongest level.

        It is made anew; see `agents.processes.released` for how to let go of it.
        """
        return seat_agent(self._adviser, self.game, self.match.seed)

    def rival(self, seat: Seat) -> tuple[str, Agent[Any, Any]] | None:
        """Another agent that can say what it thinks of a seat's choices; see `find_rival`."""
        return find_rival(self.match, self.holders, seat, self._adviser)

    @property
    def _adviser(self) -> str:
        return self.hints_by or list(self.spec.levels.values())[-1]

    def worth(self, value: float) -> str:
        """An expected return in words: a share of wins where that is what it means."""
        return worth(self.game, self.spec, value)

    @cached_property
    def can_advise(self) -> bool:
        """Whether the agent that gives hints can say what each choice is worth."""
        with released(self.adviser()) as adviser:
            return isinstance(adviser, EvaluatesActions | ExplainsActions)

    def review(self) -> list[str]:
        """The match in a few lines once it is over, where judging it takes no time."""
        from boardgames_cli.session.closing import closing_review  # needed at the end alone

        return closing_review(self.match, self.names, self.viewer())

    def close(self) -> None:
        """Release the save and the agents."""
        announce_end(self.match, [holder.agent for holder in self.holders])
        close(holder.agent for holder in self.holders)
        self.saving.close()
