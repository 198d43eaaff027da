"""Laws of matches: refusals change nothing, undo and redo are exact, records replay."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.record import header_of, lines_after, read_lines, step_texts
from boardgames_cli.testing.findings import demand, demand_refusal
from boardgames_cli.testing.scene import AnyStep, Scene, one_step

_LONGEST: Final = 20_000
"""The number of steps in which a game that has no bound should be over."""
_HASH_SEEDS: Final = (1, 2)
_REPLAYED: Final = 60
_tried: Final[set[type]] = set()
_REPLAYING: Final = "BOARDGAMES_KIT_REPLAYS"
"""The environment variable of processes that repeat a game."""


def refuses_illegal_actions(scene: Scene) -> None:
    """Illegal actions and wrong seats are refused with IllegalActionError and change nothing.

    Let action_named cope with every text, explain_illegal with every action; both must be pure.
    """
    match, game = scene.match, scene.game
    for turn in scene.turns:
        for action in [*turn.illegal, _Foreign()]:
            _refuse(match, turn.viewer, action)
    legal = [action for turn in scene.turns for action in turn.legal[:1]]
    some = next(iter([*legal, *game.actions]), _Foreign())
    for seat in (CHANCE, -2, *range(game.seats + 1)):
        if seat not in scene.acting:
            _refuse(match, seat, some)
    _refuse(match, CHANCE, _Foreign(), by_chance=True)


class _Foreign:
    def __str__(self) -> str:
        return "an object of another kind"


def _refuse(match: AnyMatch, seat: int, action: Any, *, by_chance: bool = False) -> None:
    before = match.state, match.ply, match.version, match.committed
    submit = match.submit_chance if by_chance else partial(match.submit, seat)
    what = f"{action} of seat {seat}"
    demand_refusal(partial(submit, action), IllegalActionError, what)
    demand(
        before == (match.state, match.ply, match.version, match.committed),
        f"refusing {what} changed the match",
    )


def undoes_and_redoes(match: AnyMatch) -> None:
    """Undo leads back through the same states, redo forward, and chance never re-rolls.

    States must be frozen, apply pure; sample_chance depends on the state and the generator alone.
    """
    final = match.state, match.steps, match.returns
    states = [match.state_at(ply) for ply in range(match.ply + 1)]
    while match.ply:
        match.undo()
        demand(match.state == states[match.ply], f"undo gave another state at ply {match.ply}")
    while match.can_redo:
        if match.waiting_for == (CHANCE,):
            again = match.game.sample_chance(match.state, match.rng("chance"))
            wanted = final[1][match.ply].outcome
            demand(
                again == wanted,
                f"after undo chance gives {again} at ply {match.ply}, before it gave {wanted}",
            )
        match.redo()
    demand(
        (match.state, match.steps, match.returns) == final,
        "undoing and redoing the whole match led to another end",
    )


def replays_from_its_record(match: AnyMatch) -> None:
    """A match written as lines and read back is the same match, also from its middle position.

    Texts of actions and outcomes must hold all that they mean, to_json all that matters for what
    follows; give returns as floats that JSON can hold.
    """
    game, half = match.game, match.ply // 2
    start = game.from_json(game.to_json(match.state_at(half)))
    middle: AnyMatch = Match(game, seed=match.seed, start=start)
    for step in match.steps[half:]:
        middle.take(step)
    for one in (middle, match):
        header = header_of(one, ("random",) * game.seats)
        record = read_lines(f"{line}\n" for line in [header.line(), *lines_after(one, 0)])
        again = record.restore(type(game)(**dict(record.header.options)))
        demand(
            again.state == match.state and again.steps == one.steps,
            f"from {one.start!r} the same steps lead to {again.state!r}",
        )
    demand(
        not match.is_over or match.truncated or record.result == match.returns,
        f"the record says {record.result}, the match {match.returns}",
    )


def ends_in_time(match: AnyMatch) -> None:
    """A game played at random is over at some time, and after no more steps than longest.

    Limit its steps, or let a repetition be a draw; longest counts the steps of chance, too, and is
    None if there is no bound.
    """
    game, longest = match.game, match.game.longest
    further: AnyMatch = Match(game, seed=match.seed, start=match.state, max_plies=_LONGEST)
    while further.waiting_for:
        one_step(further)
    plies = match.ply + further.ply
    demand(
        not further.truncated if longest is None else plies <= longest,
        f"a random game had {plies} steps or more; longest is {longest}",
    )


def is_the_same_in_other_processes(match: AnyMatch) -> None:
    """The same seed gives the same game in every process, where strings have other hashes.

    Never list actions or outcomes in the order of a set of strings: sort it.
    """
    # It takes a second; and a module that checks its game when it is imported does so there, too.
    if type(match.game) in _tried or _REPLAYING in os.environ:
        return
    _tried.add(type(match.game))
    plies = min(match.ply, _REPLAYED)
    here, asked = _written(match.steps[:plies]), pickle.dumps((match.game, match.seed, plies))
    for hash_seed in _HASH_SEEDS:
        text = _in_another_process(asked, hash_seed)
        demand(text in ("", here), f"the steps were {here!r}, in another process {text!r}")


def _in_another_process(asked: bytes, hash_seed: int) -> str:
    path = os.pathsep.join(filter(None, sys.path))
    own = {"PYTHONPATH": path, "PYTHONHASHSEED": str(hash_seed), _REPLAYING: "1"}
    script = f"from {__name__} import replay_elsewhere; replay_elsewhere()"
    run = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", script],
        input=asked,
        capture_output=True,
        env={**os.environ, **own},
        check=False,
    )
    # The last line: a module may print something when it is imported.
    return run.stdout.decode().rpartition("\n")[2]


def replay_elsewhere() -> None:
    """Play a random game that comes pickled on standard input, and print its steps."""
    game, seed, plies = pickle.load(sys.stdin.buffer)  # noqa: S301  # from `_in_other_processes`
    match: AnyMatch = Match(game, seed=seed)
    while match.ply < plies:
        one_step(match)
    sys.stdout.write(f"\n{_written(match.steps)}")


def _written(steps: Sequence[AnyStep]) -> str:
    return "; ".join(str(step_texts(step)) for step in steps)
