"""Laws of matches: refusals change nothing, undo and redo are exact, records replay."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import Header, lines_after, read_lines, step_texts
from boardgames_cli.testing.findings import demand, demand_refusal
from boardgames_cli.testing.scene import AnyStep, Scene, one_step

_LONGEST: Final = 20_000
"""The number of steps after which a game that has no bound should be over."""
_HASH_SEEDS: Final = (1, 2)
_REPLAYED: Final = 60
_tried: Final[set[type]] = set()
_REPLAYING: Final = "BOARDGAMES_KIT_REPLAYS"
"""The environment variable of processes that repeat a game."""


def refuses_illegal_actions(scene: Scene) -> None:
    """Illegal actions and wrong seats are refused with IllegalActionError and change nothing."""
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
    todo = "Let action_named cope with every text, explain_illegal with every action."
    demand_refusal(partial(submit, action), IllegalActionError, what, todo)
    demand(
        before == (match.state, match.ply, match.version, match.committed),
        f"refusing {what} changed the match",
        "apply and explain_illegal must be pure.",
    )


def undoes_and_redoes(match: AnyMatch) -> None:
    """Undo leads back through the same states, redo forward, and chance never re-rolls."""
    final = match.state, match.steps, match.returns
    states = [match.state_at(ply) for ply in range(match.ply + 1)]
    while match.ply:
        match.undo()
        demand(
            match.state == states[match.ply],
            f"undo gave another state at ply {match.ply}",
            "States must be frozen.",
        )
    while match.can_redo:
        if match.waiting_for == (CHANCE,):
            again = match.game.sample_chance(match.state, match.rng("chance"))
            wanted = final[1][match.ply].outcome
            demand(
                again == wanted,
                f"after undo chance gives {again} at ply {match.ply}, before it gave {wanted}",
                "sample_chance must depend on the state and the generator alone.",
            )
        match.redo()
    demand(
        (match.state, match.steps, match.returns) == final,
        "undoing and redoing the whole match led to another end",
        "apply must be pure.",
    )


def replays_from_its_record(match: AnyMatch) -> None:
    """A match written as lines and read back is the same match."""
    game = match.game
    header = _header(match)
    lines = [header.line(), *lines_after(match, 0)]
    record = read_lines(f"{line}\n" for line in lines)
    again = record.restore(type(game)(**dict(record.header.options)))
    demand(
        again.steps == match.steps and again.state == match.state,
        f"the record ends in {again.state!r}",
        "Texts of actions and outcomes must hold all that they mean.",
    )
    demand(
        not match.is_over or match.truncated or record.result == match.returns,
        f"the record says {record.result}, the match {match.returns}",
        "Give returns as floats that JSON can hold.",
    )


def replays_from_a_position(match: AnyMatch) -> None:
    """A match can begin at a position in the middle of another and go on as that did."""
    middle = match.ply // 2
    game = match.game
    start = game.to_json(match.state_at(middle))
    record = read_lines([_header(match, start).line() + "\n"])
    again = record.restore(game)
    for step in match.steps[middle:]:
        again.take(step)
    demand(
        again.state == match.state,
        f"from the position at ply {middle} the same steps lead to {again.state!r}",
        "to_json must hold all that matters for what follows.",
    )


def comes_to_an_end(match: AnyMatch) -> None:
    """A game played at random is over at some time."""
    most = min(match.game.longest or _LONGEST, _LONGEST)
    if not match.truncated or most == _LONGEST <= (match.game.longest or 0):
        return
    further: AnyMatch = Match(match.game, seed=match.seed, start=match.state, max_plies=most)
    while further.waiting_for:
        one_step(further)
    demand(
        not further.truncated,
        f"a random game is not over after {match.ply + further.ply} steps",
        "Give every game an end: limit its steps, or let a repetition be a draw.",
    )


def is_the_same_in_other_processes(match: AnyMatch) -> None:
    """The same seed gives the same game in every process, where strings have other hashes."""
    # It takes a second; and a module that checks its game when it is imported does so there, too.
    if type(match.game) in _tried or _REPLAYING in os.environ:
        return
    _tried.add(type(match.game))
    plies = min(match.ply, _REPLAYED)
    for text in _in_other_processes(pickle.dumps((match.game, match.seed, plies))):
        here = _written(match.steps[:plies])
        demand(
            text in ("", here),
            f"the steps were {here!r}, in another process {text!r}",
            "Never list actions or outcomes in the order of a set of strings: sort it.",
        )


def _in_other_processes(pickled: bytes) -> list[str]:
    """A random game, as processes with other hashes play it; empty if they can't load it."""
    path = os.pathsep.join(filter(None, sys.path))
    started = [
        subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, "-c", f"from {__name__} import replay_elsewhere; replay_elsewhere()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": str(seed), _REPLAYING: "1"},
        )
        for seed in _HASH_SEEDS
    ]
    # The last line: a module may print something when it is imported.
    return [one.communicate(pickled)[0].decode().rpartition("\n")[2] for one in started]


def replay_elsewhere() -> None:
    """Play a random game that comes pickled on standard input, and print its steps."""
    game, seed, plies = pickle.load(sys.stdin.buffer)  # noqa: S301  # from `_in_other_processes`
    match: AnyMatch = Match(game, seed=seed)
    while match.ply < plies:
        one_step(match)
    sys.stdout.write(f"\n{_written(match.steps)}")


def _written(steps: Sequence[AnyStep]) -> str:
    return "; ".join(str(step_texts(step)) for step in steps)


def _header(match: AnyMatch, start: Mapping[str, Any] | None = None) -> Header:
    info = match.game.info
    return Header(
        game=info.id,
        rules_version=info.rules_version,
        options=option_values(match.game),
        seed=match.seed,
        seats=("random",) * match.game.seats,
        start=start,
        max_plies=match.max_plies,
        agent_seed=match.agent_seed,
    )
