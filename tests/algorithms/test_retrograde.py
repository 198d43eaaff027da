from __future__ import annotations

import pytest

from boardgames_cli.algorithms.position_graph import explore, position_key
from boardgames_cli.algorithms.retrograde import Outcome, Verdict, solve, survey
from boardgames_cli.games.tapnswap.rules import TapnSwap
from boardgames_cli.games.tapnswap.state import TapnSwapState
from tests.algorithms.toys import Walk
from tests.games.tapnswap import slow_rules

GAME = TapnSwap()


def test_the_known_truth_about_tapnswap() -> None:
    found = survey(GAME)
    assert found.everywhere is not None
    assert (found.everywhere.won, found.everywhere.drawn, found.everywhere.lost) == (394, 35, 147)
    assert found.everywhere.longest == 33
    assert found.reachable.total == 534
    assert str(found.start) == "loss in 26"


def test_sweeping_with_the_slow_rules_finds_the_same_everywhere() -> None:
    solution = solve(explore(GAME, GAME.every_position()))
    for (own, opponent), plies in slow_rules.solve().items():
        verdict = solution.verdict(TapnSwapState((own, opponent), 0))
        wanted = Outcome.DRAW if plies == 0 else (Outcome.WIN if plies % 2 else Outcome.LOSS)
        assert (verdict.outcome, verdict.plies) == (wanted, plies), (own, opponent)
        assert solution.verdict(TapnSwapState((opponent, own), 1)) == verdict


def test_mirror_images_are_worth_the_same() -> None:
    apart, together = (
        solve(explore(GAME, GAME.every_position(), shared=shared)) for shared in (False, True)
    )
    assert (len(apart.graph), len(together.graph)) == (576, 196)
    for state in GAME.every_position():
        assert apart.verdict(state) == together.verdict(state)


@pytest.mark.parametrize(("max_plies", "first"), [(1, 1), (5, 2)])
def test_the_limit_on_moves_and_the_first_seat_change_nothing(max_plies: int, first: int) -> None:
    assert str(survey(TapnSwap(max_plies=max_plies, first=first)).start) == "loss in 26"


@pytest.mark.parametrize(
    ("map", "verdicts"),
    [
        ("stones", {"a5": "win in 3", "b4": "win in 3", "b3": "loss in 2", "b1": "win in 1"}),
        ("circle", {"a5": "draw", "b5": "draw"}),
        ("double", {"a5": "win in 4", "a6": "win in 3", "b6": "loss in 2", "b7": "loss in 1"}),
    ],
)
def test_small_maps(map: str, verdicts: dict[str, str]) -> None:
    game = Walk(map)
    solution = solve(explore(game))
    assert {place: str(solution.verdict(place)) for place in verdicts} == verdicts


def test_an_end_without_a_winner_is_a_draw() -> None:
    judged = solve(explore(Walk("double"))).judge("a5")
    assert {place: str(verdict) for place, verdict in judged.items()} == {
        "a6": "win in 4",
        "nobody wins": "draw",
    }


def test_quick_wins_are_worth_more_and_so_are_slow_losses() -> None:
    ranked = [
        Verdict(Outcome.LOSS, 2),
        Verdict(Outcome.LOSS, 26),
        Verdict(Outcome.DRAW),
        Verdict(Outcome.WIN, 33),
        Verdict(Outcome.WIN, 1),
    ]
    assert sorted(ranked, key=lambda verdict: verdict.value) == ranked


def test_keys_forget_the_seat_and_the_mirror_and_nothing_else() -> None:
    seen: dict[str, set[object]] = {}
    for own, opponent in slow_rules.POSITIONS:
        for state in (TapnSwapState((own, opponent), 0), TapnSwapState((opponent, own), 1, 50)):
            key = position_key(GAME, state)
            seen.setdefault(key, set()).add((tuple(sorted(own)), tuple(sorted(opponent))))
            assert GAME.position_key(state) == f"{own[0]}{own[1]}{opponent[0]}{opponent[1]}"
    assert len(seen) == 196
    assert all(len(fingers) == 1 for fingers in seen.values())


def test_games_without_keys_of_their_own_go_by_their_json() -> None:
    assert position_key(Walk(), "a5") == '{"place":"a5"}'
    found = survey(Walk())
    assert found.everywhere is None
    assert str(found.start) == "win in 3"
