"""The analyst of TapnSwap: exact values, including the draw at the end of long games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final

from boardgames_cli.agents.perfect import solution_of
from boardgames_cli.algorithms.analysts.open_analyst import OpenAnalyst
from boardgames_cli.algorithms.retrograde import Outcome, Verdict
from boardgames_cli.core.analyst import (
    Choice,
    Judgement,
    Method,
    Reason,
    ranked,
)
from boardgames_cli.core.game import NoChance
from boardgames_cli.games.tapnswap.actions import HAND_NAMES, Tap, TapnSwapAction, tapped
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import Seen, TapnSwapState

_KINDS: Final = {
    (Outcome.WIN, Outcome.WIN): "delayed a win",
    (Outcome.LOSS, Outcome.LOSS): "hastened a loss",
    (Outcome.WIN, Outcome.DRAW): "let a win go",
    (Outcome.WIN, Outcome.LOSS): "turned a win into a loss",
    (Outcome.DRAW, Outcome.LOSS): "turned a draw into a loss",
}


@dataclass(frozen=True)
class TapnSwapAnalyst(OpenAnalyst[TapnSwap, TapnSwapState, TapnSwapAction, NoChance]):
    """Looks up solved positions, and accounts for the moves left until the draw."""

    version: ClassVar[int] = 2
    is_quick: ClassVar[bool] = True
    method: ClassVar = Method(True, "every position is solved")

    def memory_key(self, state: TapnSwapState) -> Any:
        """Includes the moves left, which equality of states ignores."""
        return (state, state.ply)

    def verdicts(self, state: TapnSwapState) -> dict[TapnSwapAction, Verdict]:
        """The result of best play for every legal action, within the limit of moves."""
        left = self.game.max_plies - state.ply
        # A win or loss beyond the limit of moves is a draw.
        return {
            action: verdict if verdict.plies <= left else Verdict(Outcome.DRAW)
            for action, verdict in solution_of(self.game).judge(state).items()
        }

    def judge_state(self, state: TapnSwapState) -> Judgement[TapnSwapAction]:
        seat = state.player
        choices = []
        for action, verdict in self.verdicts(state).items():
            own = float(verdict.outcome)
            returns = (-own, own) if seat else (own, -own)
            distance = verdict.plies if verdict.outcome else None
            choices.append(Choice(action, returns, words=str(verdict), distance=distance))
        return ranked(seat, choices, self.method)

    def reason(self, seen: Seen, played: TapnSwapAction, better: TapnSwapAction) -> Reason:
        state = seen.state
        verdicts = self.verdicts(state)
        wanted, got = verdicts[better], verdicts[played]
        text = f"{better}{_effect(state, better)} {_ends(wanted)}; {played} {_ends(got)}"
        after = self.game.apply(state, {state.player: played})
        if got.outcome is Outcome.LOSS and not self.game.is_over(after):
            replies = self.verdicts(after)
            reply = max(replies, key=lambda action: replies[action].value)
            text += f": the other side replies {reply}{_effect(after, reply)}"
        return Reason(_KINDS.get((wanted.outcome, got.outcome), ""), text)


def _ends(verdict: Verdict) -> str:
    if verdict.outcome is Outcome.DRAW:
        return "draws"
    verb = "wins" if verdict.outcome is Outcome.WIN else "loses"
    return f"{verb} in {verdict.plies}"


def _effect(state: TapnSwapState, action: TapnSwapAction) -> str:
    if not isinstance(action, Tap):
        return ""
    own, opponent = state.hands[state.player], state.hands[1 - state.player]
    if tapped(opponent[action.opponent], own[action.own]):
        return ""
    return f" (kills the {HAND_NAMES[action.opponent]} hand)"
