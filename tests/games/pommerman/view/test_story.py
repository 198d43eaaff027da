"""What is told of a step, sentence by sentence, and only from what the reader saw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from boardgames_cli.core.presentation.view import Moment, RenderContext
from boardgames_cli.games.pommerman.actions import MOVES, Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.view import PommermanView
from boardgames_cli.games.pommerman.view.story import DEATH, called, moment, narrate, places
from tests.games.pommerman.sketches import cases, moves_of, state_of

NAMES: RenderContext[Any, Any] = RenderContext(names=("Ann", "B", "Seat 3", "Dan"))
DUEL = Pommerman(mode="duel")
FAR = "/......../......../......../......../......../.......B"


def told(
    before: PommermanState, moves: str, game: Pommerman = DUEL, eyes: int | None = 0
) -> list[str]:
    joint = {seat: MOVES[move] for seat, move in enumerate(moves_of(moves, before))}
    after = game.apply(before, joint)
    return narrate(game, game.redact(before, eyes), game.redact(after, eyes), NAMES)


STEPS = [
    ("nothing happens", "A.......", "r", []),
    ("a bomb is laid", ".A......", "b", ["Ann laid a bomb at r0c1."]),
    ("it is not laid twice", ".a......", "b", []),
    ("a bomb at rest is kicked", "Ao......", "r", ["A bomb rolls from r0c1."]),
    ("a bomb that comes is kicked back", ">.A.....", "l", ["A bomb rolls from r0c0."]),
    (
        "one is kicked round the corner",
        "......../>......./.A......",
        "u",
        ["A bomb rolls from r1c0."],
    ),
    ("a bomb rolls on", "A.>.....", "s", []),
    ("a bomb is stopped", "A.>#....", "s", []),
    ("a kick fails", "Ao#.....", "r", []),
    ("more bombs", "A6......", "r", ["Ann took an extra bomb."]),
    ("more range", "A7......", "r", ["Ann took an extra range."]),
    ("the kick", "A8......", "r", ["Ann took the kick."]),
    ("a power-up is passed by", "A6......", "s", []),
    ("somebody walks into flames", "A*......", "r", ["Ann died in the flames."]),
    ("and takes a power-up there", "A*6.....", "r", ["Ann died in the flames."]),
]


@pytest.mark.parametrize(("row", "moves", "sentences"), cases(STEPS))
def test_a_step_is_told(row: str, moves: str, sentences: list[str]) -> None:
    rows = row.split("/")
    below = FAR.split("/")[1:][len(rows) - 1 :]
    before = state_of("/".join([*rows, "........", *below][:8]), kicks="A")
    far = before.agents[1]._replace(cell=63, alive=True)
    assert told(before._replace(agents=(before.agents[0], far)), moves) == sentences


def blast(drawing: str, strength: int = 2) -> PommermanState:
    before = state_of(drawing + "/......../......../....A.../.......B/......../........")
    bombs = tuple(bomb._replace(life=1, strength=strength) for bomb in before.bombs)
    return before._replace(bombs=bombs)


@pytest.mark.parametrize(
    ("drawing", "strength", "sentence"),
    [
        ("o.......", 2, "Boom."),
        ("o+......", 2, "Wood burns at r0c1."),
        ("o+....../+", 2, "Wood burns at r0c1 r1c0."),
        ("+o+o+o+o/+", 2, "Wood burns at r0c0 r0c2 r0c4 r0c6."),
        ("+o+o+o+o/+o+", 2, "Wood burns at r0c0 r0c2 r0c4 r0c6 ..."),
    ],
)
def test_blasts_are_told(drawing: str, strength: int, sentence: str) -> None:
    assert told(blast(drawing, strength), "ss") == [sentence]


def test_a_blast_within_flames_is_told_too() -> None:
    before = blast("o.......")._replace(flames=(0, 1 << 0 | 1 << 1 | 1 << 8, 0))
    assert told(before._replace(bombs=(before.bombs[0]._replace(life=1),)), "ss") == ["Boom."]


def test_seats_have_their_letters_unless_somebody_has_a_name() -> None:
    assert [called(NAMES, seat) for seat in range(4)] == ["Ann", "B", "C", "Dan"]
    assert called(RenderContext(), 1) == "B"


def team_state(*cells: int, **changes: object) -> PommermanState:
    agents = tuple(Bomber(cell, True, 1, 3, False) for cell in cells)
    return PommermanState(agents=agents, **changes)  # type: ignore[arg-type]


TEAM = Pommerman(mode="team", view=2)


def test_in_the_fog_nobody_knows_whose_bomb_it_is() -> None:
    # A at r0c0 sees B at r0c2; C and D are far away.
    state = team_state(0, 2, 120, 110)
    assert told(state, "sbbb", TEAM) == ["Somebody laid a bomb at r0c2."]
    assert told(state, "sbbb", TEAM, eyes=1) == ["B laid a bomb at r0c2."]
    assert told(state, "bsss", TEAM, eyes=None) == []


def test_what_the_fog_hides_is_not_told() -> None:
    far = team_state(
        0, 2, 120, 110, wood=1 << 119, powers=(1 << 109, 0, 0), bombs=(Bomb(118, 1, 2, 3, 0),)
    )
    assert told(far, "ssus", TEAM) == []
    assert "Wood burns at r10c9." in told(far, "ssss", TEAM, eyes=2)
    # But who dies is known to all.
    burning = far._replace(flames=(0, 1 << 120, 0), bombs=())
    assert told(burning, "ssss", TEAM) == ["C died."]


def test_wood_that_falls_out_of_sight_has_not_burnt() -> None:
    assert told(team_state(0, 10, 120, 110, wood=1 << 22), "rsss", TEAM) == []
    assert told(team_state(1, 10, 120, 110, wood=1 << 3), "lsss", TEAM) == []


def test_a_bomb_that_only_rolls_on_is_not_taken_for_another() -> None:
    # In the fog both bombs are nobody's and of one age; the one at rest was not kicked.
    bombs = (Bomb(1, 6, 2, 1, 4), Bomb(13, 6, 2, 3, 0))
    assert told(team_state(11, 2 + 33, 120, 110, bombs=bombs), "ssss", TEAM) == []


def test_words_are_told_to_those_who_hear_them() -> None:
    game = Pommerman(mode="radio")
    state = team_state(0, 10, 110, 120)
    after = game.apply(state, {0: Move(0, (1, 2)), 1: Move(0, (3, 4)), 2: MOVES[0], 3: MOVES[0]})
    heard = [
        narrate(game, game.redact(state, seat), game.redact(after, seat), NAMES)
        for seat in (0, 1, 2, 3, None)
    ]
    ann, bob = ["Ann by radio: 1 2."], ["B by radio: 3 4."]
    assert heard == [ann, bob, ann, bob, []]


def test_the_collapse_is_told_ring_by_ring() -> None:
    game = Pommerman(mode="duel", collapse=True, steps=8, first_collapse=4)
    state = team_state(1, 27)
    sentences = []
    while not game.is_over(state):
        after = game.apply(state, dict.fromkeys(game.to_act(state), MOVES[0]))
        sentences.append(narrate(game, state, after, NAMES))
        state = after
    fell = ["Ann died.", "The board falls in: ring 1 from the edge is rigid now."]
    assert sentences == [
        [],
        [],
        [],
        fell,
        ["The board falls in: ring 2 from the edge is rigid now."],
    ]


def test_the_last_step_of_a_tie_says_how_it_goes_on() -> None:
    plain = Pommerman(mode="duel", steps=8, first_collapse=4)
    again = replace(plain, rerun_ties=True)
    state = team_state(9, 54, step=7)
    tie = "A tie after 8 steps; the game is played again"
    assert told(state, "ss", plain) == []
    assert told(state, "ss", again) == [f"{tie}."]
    assert told(state._replace(reruns=1), "ss", again) == [f"{tie}, with the collapse."]
    assert told(state._replace(reruns=98), "ss", again) == [f"{tie}, with the collapse."]
    assert told(state._replace(reruns=99), "ss", again) == []
    assert told(state._replace(reruns=0), "ss", replace(again, collapse=True))[-1] == (
        f"{tie}, with the collapse."
    )


def test_the_moment_names_the_game_only_if_there_was_another() -> None:
    state = team_state(9, 54, step=7)
    assert [moment(state._replace(reruns=count)) for count in range(3)] == [
        "step 7",
        "game 2, step 7",
        "game 3, step 7",
    ]


def killed(owners: tuple[int, ...], game: Pommerman = DUEL, eyes: int | None = 0) -> Moment:
    """The death of seat 1 at r0c2, between bombs at r0c1 and r0c3 of some owners."""
    bombs = tuple(Bomb(1 + 2 * n, 1, 3, owner, 0) for n, owner in enumerate(owners))
    far = 63 if game is DUEL else 120
    cells = (far, 2) if game is DUEL else (far, 2, far - 1, far - 2)
    before = team_state(*cells, bombs=bombs)
    joint = dict.fromkeys(game.to_act(before), MOVES[0])
    after = game.apply(before, joint)
    seen = (game.redact(before, eyes), game.redact(after, eyes))
    people = replace(NAMES, people=() if eyes is None else (eyes,))
    (death,) = (line for line in narrate(game, *seen, people) if isinstance(line, Moment))
    return death


def test_a_death_names_the_owners_of_the_bombs() -> None:
    assert str(killed((0,))) == "B died in the blast of Ann's bomb."
    assert str(killed((1,))) == "B died in the blast of their own bomb."
    assert str(killed((0, 1))) == "B died in the blast of Ann's and their own bombs."
    one, both = killed((0,)), killed((0, 1))
    assert (one.kind, one.seat, one.by, one.number, both.by) == ("death", 1, 0, 1, None)


def test_people_get_banners_for_their_own_deaths_and_bombs() -> None:
    assert killed((0,)).banner == "B is out"
    assert killed((0,), eyes=1).banner == "boom"
    assert killed((1,)).banner == ""
    assert killed((0,), eyes=None).banner == ""


def test_the_fog_does_not_tell_whose_bomb_killed() -> None:
    hidden = killed((0,), TEAM, eyes=1)
    assert str(hidden) == "B died in the flames."
    assert hidden.by is None
    assert str(killed((1,), TEAM, eyes=1)) == "B died in the blast of their own bomb."


def test_places_follow_from_when_everybody_died() -> None:
    died = (("A", 3, 0), ("A", 9, 0), ("C", 9, 2), ("B", 12, 1))
    moments = [Moment(f"{who} died.", kind=DEATH, seat=seat, number=at) for who, at, seat in died]
    context = replace(NAMES, moments=moments)
    state = team_state(0, 1, 2, 3, step=20)
    agents = tuple(bomber._replace(alive=seat == 3) for seat, bomber in enumerate(state.agents))
    state = state._replace(agents=agents)
    assert places(state, context) == [(1, 3), (2, 1), (3, 0), (3, 2)]
    said = PommermanView(Pommerman(mode="ffa")).result(state, context)
    assert said == "Dan won after 20 steps. Places: 2 B, 3 Ann, 3 C."
