"""Laws of notation: texts and ids name actions without doubt."""

from __future__ import annotations

from functools import partial
from typing import Final

from boardgames_cli.core.errors import ActionError, IllegalActionError, UnknownActionError
from boardgames_cli.core.game import AnyGame, Traits, plain
from boardgames_cli.testing.findings import demand, demand_refusal
from boardgames_cli.testing.scene import Scene, SeatTurn

_NONSENSE: Final = ("", "   ", "no such action", "\N{SNOWMAN}", "9" * 40)
_BEGINNINGS: Final = 4


def has_one_text_for_each_action(game: AnyGame) -> None:
    """The texts of all actions of the game are different, printable and of one line."""
    texts = [str(action) for action in game.actions]
    demand(
        len({plain(text) for text in texts}) == len(texts),
        "two actions have the same text but for case and spaces",
    )
    bad = [text for text in texts if not text or not text.isprintable() or text != text.strip()]
    demand(not bad, f"these can't be typed: {bad[:5]}")


def reads_what_it_writes(turn: SeatTurn) -> None:
    """The text of a legal action is read back as that action, in any case and spacing.

    Make parse undo str.
    """
    for action in turn.legal:
        text = str(action)
        for typed in (text, text.upper(), f"  {text.replace(' ', '   ')}\t"):
            read = turn.game.parse(turn.state, turn.viewer, typed)
            demand(read == action and str(read) == text, f"{typed!r} was read as {read}")


def reads_chance(scene: Scene) -> None:
    """The text of an outcome of chance is read back as that outcome, any other is refused.

    Make parse_chance undo str; with sampled chance, override it. Give every outcome a unique text.
    """
    game, state = scene.game, scene.state
    for text in _NONSENSE:
        parse = partial(game.parse_chance, state, text)
        demand_refusal(parse, ActionError, f"the text {text!r} as an outcome of chance")
    if not scene.is_chance:
        return
    outcomes = [game.sample_chance(state, scene.rng("read"))]
    if Traits.SAMPLED_CHANCE not in game.traits:
        outcomes = [outcome for outcome, _ in game.chance_outcomes(state)]
    for outcome in outcomes:
        read = game.parse_chance(state, str(outcome))
        demand(read == outcome, f"{str(outcome)!r} was read as {read}")
    texts = {plain(str(outcome)) for outcome in outcomes}
    demand(
        len(texts) == len(outcomes),
        "two outcomes of chance have the same text but for case and spaces",
    )


def numbers_legal_actions(turn: SeatTurn) -> None:
    """Ids of legal actions are different, below action_count, and lead back to the action.

    Ids are 0 to action_count - 1; make action_of undo action_id.
    """
    game, state, legal = turn.game, turn.state, turn.legal
    ids = [game.action_id(state, action) for action in legal]
    demand(
        all(type(id) is int and 0 <= id < game.action_count for id in ids)
        and len(set(ids)) == len(ids),
        f"the ids of {[str(action) for action in legal]} are {ids}, "
        f"and action_count is {game.action_count}",
    )
    for action, id in zip(legal, ids, strict=True):
        back = game.action_of(state, id)
        demand(back == action, f"{action} has the id {id}, which stands for {back}")
    for none in (-1, game.action_count):
        read = partial(game.action_of, state, none)
        demand_refusal(read, UnknownActionError, f"action_of({none})")


def refuses_nonsense(turn: SeatTurn) -> None:
    """A text that is not a notation is refused as unknown, that of an illegal action as illegal.

    Of the beginning of a notation, parse may give a legal action.
    """
    kinds: dict[str, type[ActionError]] = dict.fromkeys(_NONSENSE, UnknownActionError)
    kinds |= dict.fromkeys(map(str, turn.illegal), IllegalActionError)
    for text, kind in kinds.items():
        read = partial(turn.game.parse, turn.state, turn.viewer, text)
        demand_refusal(read, kind, f"the text {text!r}")
    for start in (str(action)[:-1] for action in turn.legal[:_BEGINNINGS]):
        begun = partial(turn.game.parse, turn.state, turn.viewer, start)
        action = demand_refusal(begun, ActionError, f"the text {start!r}", must=False)
        demand(action in (None, *turn.legal), f"{start!r} was read as {action}: it is not legal")


def explains_refusals(turn: SeatTurn) -> None:
    """Illegal actions are explained in words; near misses are illegal ones of the game, each once.

    Let explain_illegal write the end of the sentence "illegal: ...", without a full stop.
    """
    game, near_misses = turn.game, list(turn.game.near_misses(turn.state, turn.viewer))
    wrong = [
        action
        for action in near_misses
        if action in turn.legal or game.action_named(str(action)) != action
    ]
    demand(
        not wrong and len(set(near_misses)) == len(near_misses),
        f"near_misses gave {[str(action) for action in near_misses]}, "
        f"of which these are legal or unknown: {[str(action) for action in wrong]}",
    )
    for action in [*near_misses, *turn.illegal]:
        reason = game.explain_illegal(turn.state, turn.viewer, action)
        demand(
            bool(reason) and reason == reason.strip().rstrip(".") and "\n" not in reason,
            f"the reason against {action} is {reason!r}",
        )
