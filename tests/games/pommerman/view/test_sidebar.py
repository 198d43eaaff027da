"""What stands beside and below the board, and what is told on request."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection
from typing import Any

import pytest

from boardgames_cli.core.game import Observation, Seat
from boardgames_cli.core.presentation.view import RenderContext
from boardgames_cli.core.text import Glyphs
from boardgames_cli.games.pommerman.actions import Move
from boardgames_cli.games.pommerman.rules import Pommerman
from boardgames_cli.games.pommerman.state import Bomb, Bomber, PommermanState
from boardgames_cli.games.pommerman.view import PommermanView
from tests.games.pommerman.crowds import crowded
from tests.games.pommerman.view.pictures import DUEL, at
from tests.games.pommerman.view.pictures import calm_duel as duel

FFA, RADIO = Pommerman(), Pommerman(mode="radio")
WIDTH = 27
NAMES = ("Ann", "bot", "Cid", "Dot")
Seen = Observation[PommermanState, Move]


def radio(*words: tuple[int, int]) -> PommermanState:
    start = RADIO.initial_state()
    state = RADIO.apply_chance(start, RADIO.sample_chance(start, random.Random(1)))
    return state._replace(words=words, step=7)


def context(
    committed: Collection[Seat] = (),
    names: tuple[str, ...] = NAMES,
    glyphs: Glyphs = Glyphs.ASCII,
) -> RenderContext[Any, Any]:
    return RenderContext(glyphs, names, committed=committed)


def beside(game: Pommerman, seen: Seen, committed: Collection[Seat] = ()) -> list[str]:
    return str(PommermanView(game).sidebar(seen, WIDTH, context(committed))).splitlines()


def below(game: Pommerman, seen: Seen, committed: Collection[Seat] = ()) -> str:
    return PommermanView(game).prompt(seen, context(committed))


def pooled(game: Pommerman, state: PommermanState, *seats: Seat) -> Seen:
    return Observation(seats[0], 0, game.redact_for_all(state, seats), ())


# -- beside the board ----------------------------------------------------------------------


def test_the_facts_are_what_the_seat_knows() -> None:
    state = duel(bombs=(Bomb(at(4, 4), 1, 2, 1, 0),))
    assert beside(DUEL, DUEL.observe(state, 0)) == [
        "A Ann       1 bomb, range 3",
        "B bot                 alive",
        "burns in 1 r3c4 r4c3 +3",
        "step 48 of 800",
    ]
    assert beside(DUEL, DUEL.observe(state, 1))[:3] == [
        "A Ann                 alive",
        "B bot",
        "     0 bombs, range 4, kick",
    ]
    assert beside(DUEL, DUEL.observe(state, None))[:2] == [
        "A Ann                 alive",
        "B bot                 alive",
    ]


def test_each_cell_is_warned_of_once() -> None:
    state = duel(bombs=(Bomb(at(0, 7), 1, 2, 1, 0), Bomb(at(7, 0), 3, 2, 1, 0)))
    assert beside(DUEL, DUEL.observe(state, 0))[2:4] == [
        "burns in 1 r0c6 r0c7 r1c7",
        "burns in 3 r6c0 r7c0 r7c1",
    ]


def test_the_pockets_of_people_who_pool_are_all_shown() -> None:
    lines = beside(DUEL, pooled(DUEL, duel(), 0, 1))
    assert lines[:3] == [
        "A Ann       1 bomb, range 3",
        "B bot",
        "     0 bombs, range 4, kick",
    ]
    wide = PommermanView(DUEL).sidebar(pooled(DUEL, duel(), 0, 1), 39, context())
    assert str(wide).splitlines()[1] == "B bot            0 bombs, range 4, kick"


def test_who_sees_everything_sees_all_pockets_and_all_words() -> None:
    state = radio((1, 2), (3, 4), (0, 0), (8, 8))
    lines = beside(RADIO, Observation(None, 0, state, ()))
    assert all(line.endswith(" 1 bomb, range 3") for line in lines[:4])
    assert lines[4] == "teams  A C v B D"
    assert lines[5:7] == ["radio A 1 2  C -", "radio B 3 4  D 8 8"]


def test_a_seat_hears_its_own_side_only() -> None:
    state = radio((1, 2), (3, 4), (0, 0), (8, 8))
    lines = beside(RADIO, RADIO.observe(state, 0))
    assert lines[:5] == [
        "A Ann       1 bomb, range 3",
        "B bot                 alive",
        "C Cid                  mate",
        "D Dot                 alive",
        "radio in C -  out A 1 2",
    ]
    assert beside(RADIO, RADIO.observe(state, 3))[4] == "radio in B 3 4  out D 8 8"
    assert not any("radio" in line for line in beside(RADIO, RADIO.observe(state, None)))


def test_sides_have_marks_where_there_are_signs_for_them() -> None:
    seen = RADIO.observe(radio((0, 0), (0, 0), (0, 0), (0, 0)), 0)
    lines = PommermanView(RADIO).sidebar(seen, WIDTH, context(glyphs=Glyphs.UNICODE)).lines
    assert [line[0].role for line in lines[:4]] == ["team.0", "team.1", "team.0", "team.1"]
    assert lines[0][0].text != lines[1][0].text, "also without colour"


def test_a_line_of_its_own_says_what_a_person_has() -> None:
    view = PommermanView(DUEL)
    state = duel(bombs=(Bomb(at(1, 2), 4, 3, 1, 0),))
    said = [view.status(DUEL.observe(state, seat), context()) for seat in (0, 1)]
    assert said == ["1 bomb, range 3, burns in 4", "0 bombs, range 4, kick"]
    agents = (duel().agents[0]._replace(alive=False), duel().agents[1])
    assert view.status(DUEL.observe(duel(agents=agents), 0), context()) == "dead"
    assert view.status(DUEL.observe(DUEL.initial_state(), 0), context()) == ""


def test_mates_who_pool_hear_their_side_and_no_other() -> None:
    lines = beside(RADIO, pooled(RADIO, radio((1, 2), (3, 4), (5, 6), (8, 8)), 0, 2))
    assert [line for line in lines if "radio" in line] == ["radio A 1 2  C 5 6"]


def test_who_has_chosen_is_marked_but_not_what() -> None:
    state = crowded(FFA, random.Random(1))
    agents = (*state.agents[:3], state.agents[3]._replace(alive=False))
    seen = FFA.observe(state._replace(agents=agents), 0)
    assert "chosen  A *  B -  C *" in beside(FFA, seen, (0, 2))
    assert not any("chosen" in line for line in beside(FFA, seen))


def test_the_dead_are_said_to_be_dead() -> None:
    agents = (Bomber(at(1, 1), False, 1, 3, False), Bomber(at(6, 6), True, 0, 4, True))
    picture = PommermanView(DUEL).sidebar(DUEL.observe(duel(agents=agents), 1), WIDTH, context())
    assert str(picture).startswith("A Ann             dead r1c1")
    assert {span.role for span in picture.lines[0]} == {"dead"}


@pytest.mark.parametrize("glyphs", [Glyphs.ASCII, Glyphs.UNICODE])
def test_the_facts_fit_into_the_narrow_pane(glyphs: Glyphs) -> None:
    names = ("x" * 20, "a name of 20 letters", "Cid", "bot, hard, 2000 nodes")
    games = (
        Pommerman(mode="radio", rerun_ties=True),
        Pommerman(collapse=True, steps=10_000, first_collapse=5000),
        DUEL,
    )
    for game, seed, seat in itertools.product(games, range(20), (0, 1, None)):
        state = crowded(game, random.Random(seed))._replace(step=480)
        if game.has_radio:
            state = state._replace(words=((8, 8),) * 4, reruns=1)
        for seen in (game.observe(state, seat), Observation(None, 0, state, ())):
            picture = PommermanView(game).sidebar(seen, WIDTH, context(range(4), names, glyphs))
            assert picture.width <= WIDTH


def test_the_next_ring_to_fall_is_announced() -> None:
    game = Pommerman(mode="duel", collapse=True, steps=800, first_collapse=500)
    assert beside(game, game.observe(duel(), 0))[-2:] == ["step 48 of 800", "falls in at 500"]
    late = duel(step=799)
    assert beside(game, game.observe(late, 0))[-1] == "step 799 of 800"


def test_before_the_layout_there_are_only_names() -> None:
    seen = DUEL.observe(DUEL.initial_state(), 0)
    assert beside(DUEL, seen) == ["A Ann", "B bot", "step 0 of 800"]


# -- below the board -----------------------------------------------------------------------


def test_a_person_is_told_where_it_stands_and_what_it_has() -> None:
    state = duel(bombs=(Bomb(at(1, 2), 4, 3, 1, 0),))
    seen = DUEL.observe(state, 0)
    assert below(DUEL, seen) == "Step 48. You are A at r1c1, 1 bomb, range 3. Burns in 4."
    seen = DUEL.observe(state, 1)
    assert below(DUEL, seen) == "Step 48. You are B at r6c6, 0 bombs, range 4, kick."


def test_a_person_hears_its_mate() -> None:
    state = radio((1, 2), (3, 4), (3, 7), (0, 0))
    assert below(RADIO, RADIO.observe(state, 0)).endswith("range 3. C says 3 7.")
    assert below(RADIO, RADIO.observe(state, 1)).endswith("range 3. D says nothing.")


def test_a_watcher_is_not_told_that_it_is_somebody() -> None:
    seen = DUEL.observe(duel(), 0)._replace(legal=())
    nobody: RenderContext[Any, Any] = RenderContext(people=())
    said = PommermanView(DUEL).prompt(seen, nobody)
    assert said == "Step 48. Seen by A at r1c1, 1 bomb, range 3."
    assert below(DUEL, DUEL.observe(duel(), None)) == "Step 48. 2 alive."


def test_who_has_chosen_is_told_to_wait() -> None:
    seen = DUEL.observe(duel(), 0)._replace(legal=())
    assert below(DUEL, seen, (0,)) == "Step 48. You have chosen; the step comes when all have."
    assert below(DUEL, seen, (1,)).startswith("Step 48. You are A")


def test_the_dead_are_told_so() -> None:
    state = crowded(FFA, random.Random(1))
    agents = (state.agents[0]._replace(alive=False), *state.agents[1:])
    seen = FFA.observe(state._replace(agents=agents, step=60), 0)
    assert below(FFA, seen) == "Step 60. You are dead. 3 alive."
    nobody: RenderContext[Any, Any] = RenderContext(people=())
    assert PommermanView(FFA).prompt(seen, nobody) == "Step 60. A is dead. 3 alive."


def test_the_prompt_of_the_beginning_and_the_end() -> None:
    assert below(DUEL, DUEL.observe(DUEL.initial_state(), 0)) == "The board is being laid out."
    over = duel(step=800)
    assert below(DUEL, DUEL.observe(over, 0)) == "A tie after 800 steps."


def test_the_prompt_fits_into_a_line() -> None:
    agent = Bomber(120, True, 10, 10, True)
    for mode, step, reruns in itertools.product(("ffa", "radio"), (48, 799), (0, 2)):
        game = Pommerman(mode=mode, rerun_ties=True)
        others = tuple(Bomber(cell, True, 1, 3, False) for cell in (0, 5, 10))
        words = ((8, 8),) * 4 if game.has_radio else ()
        bombs = (Bomb(119, 9, 3, 1, 0),)
        state = PommermanState(
            agents=(agent, *others), words=words, step=step, reruns=reruns, bombs=bombs
        )
        for seen in (game.observe(state, 0), game.observe(state, 0)._replace(legal=())):
            for committed in ((), (0,)):
                assert len(below(game, seen, committed)) <= 79
