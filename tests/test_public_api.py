"""What ``import boardgames_cli as bg`` promises."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

import boardgames_cli as bg
import boardgames_cli.testing
from boardgames_cli.registry import game_ids
from tests.toys import Race


def test_the_public_names() -> None:
    # What authors of games, views, encoders, analysts and agents need, and what scripts use.
    for module, names in {
        "core.agent": "Agent Budget EvaluatesActions ExplainsActions Thinking",
        "core.encoder": "Encoder",
        "core.errors": "AgentError GameError IllegalActionError OptionError PositionError",
        "core.game": "CHANCE Game GameInfo NoChance Observation Seat Step Traits",
        "core.match": "Match",
        "core.options": "option",
        "core.record": "Record",
        "core.spec": "AgentSpec GameSpec",
        "core.text": "Picture",
        "core.presentation.view": "View",
        "environments": "aec_env gymnasium_env parallel_env",
        "registry": "list_games make make_agent make_encoder",
        "storage.reading": "load_record",
    }.items():
        home = importlib.import_module(f"boardgames_cli.{module}")
        for name in names.split():
            assert name in bg.__all__
            assert getattr(bg, name) is getattr(home, name)
    assert set(bg.__all__) <= set(dir(bg))
    assert "play" in dir(bg)
    assert "__version__" in bg.__all__
    for name in bg.__all__:
        assert getattr(bg, name) is not None
    assert set(bg.__all__) <= set(vars(bg)), "each is looked up once"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bg.nothing  # noqa: B018


@pytest.mark.parametrize("module", [bg, boardgames_cli.testing], ids=lambda m: m.__name__)
def test_the_examples_in_the_docstrings(module: object) -> None:
    result = doctest.testmod(module, raise_on_error=False)  # type: ignore[arg-type]
    assert (result.failed, result.attempted > 0) == (0, True)


def silent_methods() -> Iterator[str]:
    """Public methods without a docstring that override nothing, in the rooms that authors use."""
    for found in pkgutil.walk_packages(bg.__path__, "boardgames_cli."):
        if found.name.split(".")[1] not in ("codec", "core", "environments", "registry"):
            continue
        module = importlib.import_module(found.name)
        for kind in filter(inspect.isclass, list(vars(module).values())):
            inherited = {name for base in kind.__mro__[1:-1] for name in vars(base)}
            for name, member in vars(kind).items() if kind.__module__ == found.name else ():
                function = inspect.unwrap(getattr(member, "fget", None) or member)
                is_own = inspect.isfunction(function) and function.__qualname__.startswith(
                    f"{kind.__name__}.{name}"
                )
                is_public = not (name.startswith("_") or kind.__name__.startswith("_"))
                if is_own and is_public and name not in inherited and not function.__doc__:
                    yield f"{found.name}.{kind.__name__}.{name}"


def test_public_methods_say_what_they_do_or_override_one_that_does() -> None:
    assert list(silent_methods()) == []


@pytest.mark.parametrize(
    ("code", "banned"),
    [
        ("import boardgames_cli; boardgames_cli.__version__", ["boardgames_cli.core", "argparse"]),
        (
            "import boardgames_cli as bg; bg.make('senet')",
            ["numpy", "numba", "textual", "rich", "typer", "click"],
        ),
        (
            "from boardgames_cli.registry import game_ids; game_ids()",
            [f"boardgames_cli.games.{game}" for game in game_ids()],
        ),
        ("import boardgames_cli.testing", ["pytest", "textual", "rich", "typer", "numpy"]),
    ],
)
def test_what_is_not_needed_is_not_imported(code: str, banned: list[str]) -> None:
    script = f"{code}\nimport sys; print(sorted(set(sys.modules) & set({banned})))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_games_agents_and_actions_are_accepted_by_name() -> None:
    assert sorted(bg.play(bg.Match("senet", seed=1), ["random", "greedy"])) == [-1.0, 1.0]
    assert bg.make_agent("greedy", "senet") == bg.make_agent("greedy", bg.make("senet"))
    assert bg.make_encoder("senet").fields == bg.make_encoder(bg.make("senet")).fields
    match = bg.Match("kuhn", seed=1)
    match.resolve_chance()
    match.resolve_chance()
    match.submit(0, "c")
    assert list(map(str, match.steps[-1].joint.values())) == ["check"]
    for call, why in (
        (lambda: bg.Match("kalah", seed=1), 'unknown game "kalah".'),
        (lambda: bg.make_agent("greedy", "kalah"), 'unknown game "kalah".'),
        (lambda: bg.play(match, ["random", "nobody"]), 'unknown agent "nobody".'),
        (lambda: bg.play(match, ["random", None]), "an agent can't be None."),  # type: ignore[list-item]
        (lambda: match.submit(1, "raise"), '"raise" is not an action of Kuhn poker.'),
        (lambda: match.submit(1, None), '"None" is not an action of Kuhn poker.'),
    ):
        with pytest.raises(bg.GameError) as caught:
            call()
        assert caught.value.message == why
    assert match.ply == 3


@pytest.mark.parametrize("seat", [-1, 9, "0"])
def test_only_seats_and_spectators_see_a_match(seat: int) -> None:
    match = bg.Match("kuhn", seed=1)
    for look in (match.observe, match.observe_step, lambda who: match.observe(who, 0)):
        with pytest.raises(bg.SeatError) as caught:
            look(seat)
        assert str(caught.value).endswith("Seats: 0, 1; None is a spectator, who only looks on.")


def test_a_game_that_is_not_registered_meets_agents() -> None:
    game = Race()
    assert sum(bg.play(bg.Match(game, seed=1), ["mcts:simulations=5", "random"])) == 0
    with pytest.raises(bg.UnknownNameError, match=r'unknown agent "hard"\..*Agents: random'):
        bg.make_agent("hard", game)
    env = bg.aec_env(game, render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises(bg.GameError, match="it is not registered, so its view is unknown"):
        env.render()
