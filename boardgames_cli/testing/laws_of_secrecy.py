"""Laws of secrecy: a seat's observation tells what the seat may know, and nothing else."""

from __future__ import annotations

from typing import Any, Final

from boardgames_cli.core.game import CHANCE, AnyGame, Seat, Traits
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.testing.report import Law, demand
from boardgames_cli.testing.scene import Scene, one_step

_GUESSES = 3
_STEPS_AHEAD = 12


def hides_nothing_it_does_not_declare(scene: Scene) -> None:
    """Without Traits.HIDDEN everybody sees the state itself."""
    if Traits.HIDDEN in scene.game.traits:
        return
    for seat in scene.viewers:
        demand(
            scene.game.redact(scene.state, seat) == scene.state,
            f"{_who(seat)} sees {scene.game.redact(scene.state, seat)!r}",
            "Add Traits.HIDDEN, or leave redact as it is.",
        )


def redacts_once_and_for_all(scene: Scene) -> None:
    """Redacting a redacted state changes nothing."""
    game = scene.game
    for seat in scene.viewers:
        seen = game.redact(scene.state, seat)
        demand(
            game.redact(seen, seat) == seen,
            f"{_who(seat)} sees {seen!r}, and of that only {game.redact(seen, seat)!r}",
            "redact must leave a state alone that it has redacted for that seat.",
        )


def tells_in_public_who_acts(scene: Scene) -> None:
    """A redacted state still says who acts, and to the acting seat what is legal."""
    game, state = scene.game, scene.state
    for seat in scene.viewers:
        seen = game.redact(state, seat)
        demand(
            game.to_act(seen) == game.to_act(state),
            f"{_who(seat)} believes that {game.to_act(seen)} act, but it is {game.to_act(state)}",
            "Whose turn it is must be public; front ends show it.",
        )
        if seat in scene.acting:
            assert seat is not None
            demand(
                list(game.legal_actions(seen, seat)) == list(game.legal_actions(state, seat)),
                f"seat {seat} sees other legal actions than it has",
                "What a seat can do must follow from what it sees, else it would learn a secret.",
            )


def guesses_what_looks_the_same(scene: Scene) -> None:
    """Every state that determinize imagines looks to the seat exactly like the true one."""
    game = scene.game
    for seat in scene.viewers:
        seen = game.observe(scene.state, seat, scene.ply)
        for guess in range(_GUESSES):
            imagined = game.determinize(seen, scene.rng(f"guess{guess}"))
            demand(
                game.observe(imagined, seat, scene.ply) == seen,
                f"{_who(seat)} saw {seen!r}, but in the imagined state {imagined!r} it would see "
                f"{game.observe(imagined, seat, scene.ply)!r}",
                "redact lets a secret through, or determinize changes what the seat knows.",
            )


def guesses_states_that_can_be_played(scene: Scene) -> None:
    """An imagined state is a full one: the game goes on from it."""
    if Traits.HIDDEN not in scene.game.traits:
        return
    for seat in scene.viewers:
        seen = scene.game.observe(scene.state, seat, scene.ply)
        imagined = scene.game.determinize(seen, scene.rng("ahead"))
        match: AnyMatch = Match(scene.game, seed=scene.seed, start=imagined, max_plies=_STEPS_AHEAD)
        while match.waiting_for:
            one_step(match)
        scene.game.returns(match.state)


def keeps_some_secret(game: AnyGame) -> None:
    """A game with Traits.HIDDEN hides something from somebody at some time."""
    if Traits.HIDDEN not in game.traits:
        return
    for seed in range(5):
        match: AnyMatch = Match(game, seed=seed, max_plies=40)
        while True:
            viewers: tuple[Seat | None, ...] = (*range(game.seats), None)
            if any(game.redact(match.state, seat) != match.state for seat in viewers):
                return
            if not match.waiting_for:
                break
            one_step(match)
    demand(False, "redact hid nothing in five games", "Override redact, or drop Traits.HIDDEN.")


def shows_acting_seats_their_actions(scene: Scene) -> None:
    """An observation lists the seat's legal actions while it is to act, and none otherwise."""
    game, state = scene.game, scene.state
    for seat in scene.viewers:
        seen = game.observe(state, seat, scene.ply)
        expected: tuple[Any, ...] = ()
        if seat is not None and seat in scene.acting:
            expected = tuple(game.legal_actions(state, seat))
        demand(
            (seen.seat, seen.ply, seen.legal) == (seat, scene.ply, expected)
            and seen.state == game.redact(state, seat),
            f"{_who(seat)} observes {seen!r}",
            "Leave Game.observe as it is.",
        )


def _who(seat: Seat | None) -> str:
    if seat is None:
        return "a spectator"
    return "chance" if seat == CHANCE else f"seat {seat}"


GAME_LAWS: Final[tuple[Law, ...]] = (keeps_some_secret,)
LAWS: Final[tuple[Law, ...]] = (
    hides_nothing_it_does_not_declare,
    redacts_once_and_for_all,
    tells_in_public_who_acts,
    shows_acting_seats_their_actions,
    guesses_what_looks_the_same,
    guesses_states_that_can_be_played,
)
