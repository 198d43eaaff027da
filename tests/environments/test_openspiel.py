"""Our games as games of OpenSpiel: its own checks of them, and what they tell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from boardgames_cli import registry
from boardgames_cli.core.errors import (
    GameError,
    OptionError,
    PositionError,
    UnknownNameError,
    install_command,
)
from boardgames_cli.environments import openspiel
from tests.environments.openspiel_tools import every_state, play_randomly, pyspiel
from tests.toys import Race, RaceState

TERMINAL = pyspiel.PlayerId.TERMINAL
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("kuhn", {}),
    ("kuhn", {"hands": 3, "first": 2}),
    ("tapnswap", {}),
    ("senet", {}),
    ("deepsea", {"players": 3, "rounds": 1}),
]
SAMPLED: list[tuple[str, dict[str, Any]]] = [
    ("pommerman", {"mode": "duel", "steps": 60}),
    ("pommerman", {"mode": "radio", "steps": 20}),
]


@pytest.mark.parametrize(("id", "options"), [*GAMES, *SAMPLED], ids=str)
def test_its_random_simulation_finds_nothing(id: str, options: dict[str, Any]) -> None:
    game = openspiel.load(id, **options)
    # Nothing that OpenSpiel gives to Python can write the generator of sampled chance.
    pyspiel.random_sim_test(game, 2, serialize=id != "pommerman", verbose=False)


@pytest.mark.parametrize("id", ["race", "pennies", "cards"])
def test_so_is_a_game_that_openspiel_never_heard_of(id: str, toys: None) -> None:
    game = openspiel.load(id)
    pyspiel.random_sim_test(game, 3, serialize=True, verbose=False)
    # No array can show the cards.
    assert game.get_type().provides_observation_tensor == (id != "cards")


@pytest.mark.parametrize("id", ["kuhn(hands=2)", *registry.BUILT_IN_GAMES])
def test_a_playthrough_of_all_that_the_interface_has(id: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    openspiel.register()
    text = generate_playthrough.playthrough(f"boardgames_{id}", None, seed=1)
    assert f"game: boardgames_{id}" in text
    assert "IsTerminal() = True" in text


def test_a_joint_step_can_be_taken_in_turns() -> None:
    game = pyspiel.convert_to_turn_based(openspiel.load("pommerman", steps=30))
    pyspiel.random_sim_test(game, 1, serialize=False, verbose=False)


def test_observations_have_the_shapes_and_the_numbers_of_the_encoder() -> None:
    from open_spiel.python.observation import make_observation

    game = openspiel.load("senet")
    state = play_randomly(game.new_initial_state(), np.random.RandomState(1), 20)
    observer = make_observation(game)
    observer.set_from(state, 1)
    assert game.encoder is not None
    wanted = game.encoder.encode(state.past.observe(1))
    assert list(observer.dict) == list(wanted)
    for name, array in wanted.items():
        assert np.array_equal(observer.dict[name].ravel(), array.ravel())
    assert np.array_equal(observer.tensor, game.encoder.flat(state.past.observe(1)))
    assert np.array_equal(observer.tensor, state.observation_tensor(1))
    with pytest.raises(ValueError, match="observations have no parameters"):
        make_observation(game, params={"size": 3})


def test_the_traits_of_a_game_are_its_type() -> None:
    types = pyspiel.GameType
    kuhn, senet = openspiel.load("kuhn"), openspiel.load("senet")
    deepsea, bombs = openspiel.load("deepsea"), openspiel.load("pommerman")
    explicit, sampled = types.ChanceMode.EXPLICIT_STOCHASTIC, types.ChanceMode.SAMPLED_STOCHASTIC
    assert [g.get_type().chance_mode for g in (kuhn, senet, bombs)] == [explicit] * 2 + [sampled]
    assert openspiel.load("tapnswap").get_type().chance_mode == types.ChanceMode.DETERMINISTIC
    hidden, open_ = types.Information.IMPERFECT_INFORMATION, types.Information.PERFECT_INFORMATION
    assert [g.get_type().information for g in (kuhn, senet, bombs)] == [hidden, open_, hidden]
    assert bombs.get_type().dynamics == types.Dynamics.SIMULTANEOUS
    assert kuhn.get_type().dynamics == types.Dynamics.SEQUENTIAL
    assert (kuhn.utility_sum(), deepsea.utility_sum()) == (0.0, None)
    assert (kuhn.min_utility(), kuhn.max_utility()) == (-2.0, 2.0)
    assert (kuhn.num_distinct_actions(), senet.num_distinct_actions()) == (2, 51)
    assert [g.max_chance_outcomes() for g in (kuhn, senet, deepsea, bombs)] == [3, 5, 9, 1]
    assert [g.max_game_length() for g in (kuhn, senet)] == [5, 10_000]
    assert (deepsea.num_players(), openspiel.load("deepsea", players=2).num_players()) == (4, 2)


@pytest.mark.parametrize(("hands", "sets"), [(1, 12), (2, None)])
def test_an_information_state_is_all_that_its_player_knows(hands: int, sets: int | None) -> None:
    game = openspiel.load("kuhn", hands=hands)
    found: dict[str, set[Any]] = {}
    tensors: dict[bytes, set[str]] = {}
    for state in every_state(game.new_initial_state()):
        seat = state.current_player()
        if seat < 0:
            continue
        seen = [link.observe(seat)[2:] for link in state.past.links()]
        own = [link.known_step(seat) for link in state.past.links() if link.before is not None]
        name = state.information_state_string(seat)
        found.setdefault(name, set()).add(str((seen, own)))
        if hands == 1:
            tensor = np.array(state.information_state_tensor(seat)).tobytes()
            tensors.setdefault(tensor, set()).add(name)
    assert all(len(known) == 1 for known in found.values())
    # Nor do two names stand for the same knowledge.
    assert len({known for all_known in found.values() for known in all_known}) == len(found)
    assert len(found) == (sets or len(found))
    if hands == 1:
        assert len(tensors) == len(found)
        assert all(len(names) == 1 for names in tensors.values())


def test_a_text_says_who_saw_what() -> None:
    state = openspiel.load("kuhn").new_initial_state()
    for action in (2, 0, 0, 1):
        state.apply_action(action)
    first, second = (state.information_state_string(seat) for seat in (0, 1))
    assert first.startswith("0: deal K, ?, 0 check, 1 bet [")
    assert second.startswith("1: ?, deal J, 0 check, 1 bet [")
    assert state.observation_string(0).startswith('0: {"cards":[2,"?"]')
    assert json.loads(str(state))["cards"] == [2, 0]
    assert state.action_to_string(0, 1) == "bet"


def test_a_game_without_secrets_needs_no_digest() -> None:
    state = openspiel.load("tapnswap").new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert state.past.step is not None
    assert state.information_state_string(0) == f"0: 0 {state.past.step.joint[0]}"


@pytest.mark.parametrize(("id", "options"), [*GAMES, *SAMPLED], ids=str)
def test_a_state_is_written_and_read(id: str, options: dict[str, Any]) -> None:
    game = openspiel.load(id, **options)
    state = play_randomly(game.new_initial_state(), np.random.RandomState(3), 7)
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state)
    assert again.history() == state.history()
    for seat in range(game.num_players()):
        assert again.information_state_string(seat) == state.information_state_string(seat)
    rest = [play_randomly(one, np.random.RandomState(4), 3) for one in (state, again)]
    assert str(rest[0]) == str(rest[1]) or id == "pommerman"


def test_a_seed_gives_the_same_boards() -> None:
    def board(seed: int) -> str:
        state = openspiel.load("pommerman", rng_seed=seed).new_initial_state()
        state.apply_action(0)
        return str(state)

    assert board(1) == board(1) != board(2)
    game = openspiel.load("pommerman")
    state = game.new_initial_state()
    other = state.clone()
    for one in (state, other):
        one.apply_action(0)
    assert str(state) != str(other)


def test_a_game_goes_on_from_a_position() -> None:
    game = openspiel.load("senet")
    position = game.rules.to_json(game.rules.initial_state()) | {"cones": [28], "spools": [29]}
    for given in (position, json.dumps(position)):
        state = game.new_initial_state(given)
        assert json.loads(str(state))["cones"] == [28]
        again = game.deserialize_state(
            play_randomly(state, np.random.RandomState(1), 2).serialize()
        )
        assert str(again) == str(state)


@pytest.mark.parametrize("position", ["{", "[1]", '{"cones": [99]}'])
def test_a_bad_position_is_refused(position: str) -> None:
    with pytest.raises(PositionError):
        openspiel.load("senet").new_initial_state(position)


def test_bad_input_gets_one_clear_error() -> None:
    with pytest.raises(UnknownNameError, match=r'unknown game "khun"\. Did you mean "kuhn"'):
        openspiel.load("khun")
    with pytest.raises(UnknownNameError, match='unknown kuhn option "hand"'):
        openspiel.load("kuhn", hand=2)
    openspiel.register()
    with pytest.raises(OptionError, match="hands can't be 0"):
        pyspiel.load_game("boardgames_kuhn(hands=0)")
    state = openspiel.load("kuhn").new_initial_state()
    with pytest.raises(GameError, match="no outcome 7"):
        state.apply_action(7)
    state.apply_action(0)
    state.apply_action(0)
    with pytest.raises(GameError, match=r"no legal action has the id 7.*Ids now: 0, 1"):
        state.apply_action(7)


def test_more_outcomes_than_were_ever_met_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_cli.environments.openspiel.adapter.most_outcomes", lambda _: 2)
    with pytest.raises(GameError, match="Kuhn poker has 3 outcomes of chance"):
        openspiel.load("kuhn").new_initial_state().chance_outcomes()


def test_actions_without_ids_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_cli.core.game.Game.action_count", 0)
    with pytest.raises(GameError, match="the actions of Kuhn poker have no ids"):
        openspiel.load("kuhn")


class Alike(Race):
    """Its actions share an id."""

    def action_id(self, state: RaceState, action: str) -> int:
        return 0


def test_two_actions_with_one_id_are_refused() -> None:
    past = openspiel.adapter.History(Alike(), RaceState((0, 0), 0, 1))
    with pytest.raises(GameError, match="have the same id"):
        past.legal(0)


def test_without_openspiel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for name in [name for name in sys.modules if name.startswith(f"{openspiel.__name__}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(openspiel, "adapter", raising=False)
    with pytest.raises(GameError, match=re.escape(install_command("openspiel"))):
        openspiel.load("kuhn")


def test_the_process_ends_well_after_all() -> None:
    source = """
        import warnings
        warnings.simplefilter("ignore")
        from boardgames_cli.environments import openspiel
        names = openspiel.register()
        import pyspiel
        state = pyspiel.load_game("boardgames_kuhn").new_initial_state()
        print(len(names), state)
    """
    source = "\n".join(line.strip() for line in source.splitlines())
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("5 {")
