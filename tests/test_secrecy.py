"""Non-interference: what a seat may not see changes no byte of what it gets.

Every way out of the program is tried: the page, the screen, the log, saves, replays, JSON, hints,
errors. See `tests.secrecy` for the twins.
"""

from __future__ import annotations

import itertools
import json
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.core.errors import IllegalActionError
from boardgames_cli.core.presentation.view import Moment, RenderContext, Size
from boardgames_cli.core.text import Glyphs
from boardgames_cli.registry import find_game
from boardgames_cli.session.opening import open_session, read_position
from boardgames_cli.session.replay import Replay
from boardgames_cli.session.session import Session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.session.snapshot import take_snapshot
from boardgames_cli.session.viewpoint import Viewpoint
from boardgames_cli.tui.app import BoardgamesApp, build_app
from boardgames_cli.tui.effects import step_effect
from boardgames_cli.tui.screens.replay_screen import ReplayScreen
from boardgames_cli.tui.screens.table import GameScreen
from tests.conftest import Program
from tests.plugins import forget
from tests.secrecy import (
    Twin,
    fogged_twins,
    kuhn_twins,
    play_on,
    seat_odd_agents,
    sights,
    the_same_for,
)
from tests.tui.tables import my_turn, settings, shown, until

KUHN = kuhn_twins(0, 6)
"""Alike to seat 0 through the first hand and into the second, where it is to act."""
KUHN_IN_PUBLIC = kuhn_twins(None, 3)
FOG = fogged_twins(0, 3)
FREE = fogged_twins(0, 3, "ffa")
PAIRS = {"kuhn": KUHN, "fog": FOG, "ffa": FREE}

ASKS = ["board", "moves", "last", "score", "pos", "legend", "save", "undo", "help"]
"""What a person asks for before it acts, for everything that can be told."""


@pytest.fixture(autouse=True)
def _odd_agents(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    seat_odd_agents(monkeypatch)
    yield
    forget()


def lines_for(twin: Twin) -> list[str]:
    # One more check would come to a showdown, where the other's card may be seen.
    if twin.game == "kuhn":
        return [*ASKS, "check", *ASKS]
    return [*ASKS, "stop", *ASKS, "stop", *ASKS]


def fresh(program: Program, twin: Twin, *more: str, lines: list[str] | None = None) -> str:
    """Play a twin with an empty save folder; what a person reads."""
    shutil.rmtree("saves", ignore_errors=True)
    outcome = program("play", *twin.words(), "--no-color", *more, lines=lines or lines_for(twin))
    assert outcome.code == 0, outcome.err
    return outcome.out + outcome.err


@pytest.mark.parametrize("pair", PAIRS)
def test_the_page(program: Program, pair: str) -> None:
    text = the_same_for(
        PAIRS[pair], lambda twin: fresh(program, twin, "-s", "human:name=Ann", "--vs", "first")
    )
    assert "Go on with: boardgames resume" in text
    assert "eed" not in text.replace("needs", "")


@pytest.mark.parametrize(
    ("twins", "seat", "plies"),
    [(KUHN, 0, 6), (KUHN_IN_PUBLIC, None, 3), (FOG, 0, 3), (FREE, 0, 3)],
    ids=["kuhn", "kuhn in public", "fog", "free"],
)
def test_the_effects(twins: tuple[Twin, Twin], seat: int | None, plies: int) -> None:
    """Animations, banners and what they say."""

    def run(twin: Twin) -> str:
        match = twin.played(plies)
        people = () if seat is None else (seat,)
        look: RenderContext[Any, Any] = RenderContext(Glyphs.UNICODE, people=people)
        view, viewpoint = find_game(twin.game).make_view(match.game), Viewpoint(people)
        shown = [take_snapshot(match, view, viewpoint, ply, look) for ply in range(plies + 1)]
        size = Size(77, 30)
        pictures = [step_effect(*two, size, Pace.NORMAL) for two in itertools.pairwise(shown)]
        told = [line.facts for one in shown for line in one.sentences if isinstance(line, Moment)]
        return repr((pictures, told))

    the_same_for(twins, run)


@pytest.mark.parametrize("agent", ["confessing", "first"])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize(
    "words",
    [
        ["saves"],
        ["saves", "list", "--json"],
        ["saves", "show", "SAVE"],
        ["saves", "show", "SAVE", "--json"],
        ["replay", "SAVE", "--all"],
        ["replay", "SAVE", "--boards"],
        ["replay", "SAVE", "--json"],
        ["resume", "SAVE", "--plain"],
    ],
    ids=" ".join,
)
def test_what_is_told_of_an_unfinished_save(
    program: Program, pair: str, agent: str, words: list[str]
) -> None:
    def run(twin: Twin) -> str:
        lines = ["check" if twin.game == "kuhn" else "stop"]
        if agent == "confessing" and twin.game == "kuhn":
            lines = []  # what is played for it is drawn, and goes by the seed
        fresh(program, twin, "-s", "human:name=Ann", "--vs", agent, lines=[*lines, "q"])
        outcome = program(*(f"{twin.game}-1" if word == "SAVE" else word for word in words))
        assert outcome.code == 0, outcome.err
        return outcome.out + outcome.err

    text = the_same_for(PAIRS[pair], run)
    assert "I know" not in text
    if words[-1] == "--json" and words[0] != "saves":
        assert json.loads(text)["seed"] is None


def test_agents_that_fail_tell_nothing(program: Program) -> None:
    def run(twin: Twin) -> str:
        words = [*twin.words(), "--max-plies", "2", "--vs", "confessing", "--json"]
        shutil.rmtree("saves", ignore_errors=True)
        outcome = program("watch", *words)
        assert outcome.code == 5
        return outcome.out + outcome.err

    assert "I know" not in the_same_for(FOG, run)
    assert "State(" in "".join(path.read_text() for path in Path("state").glob("**/*.log"))


def test_hints_go_by_what_the_seat_sees(program: Program) -> None:
    twins = kuhn_twins(0, 2)
    text = the_same_for(
        twins,
        lambda twin: fresh(program, twin, "-s", "human", "--vs", "first", lines=["i", "q"]),
    )
    assert "Check: a jack folds and a king calls" in text


def test_a_hint_is_not_written_down_with_its_action(program: Program) -> None:
    fresh(program, KUHN[0], "-s", "human:name=Ann", "--vs", "first", lines=["i", "q"])
    assert json.loads(program("saves", "show", "kuhn-1", "--json").out)["notes"] == [
        "step 2: Ann took a hint."
    ]


def watched(program: Program, twin: Twin, plies: int, *more: str) -> str:
    shutil.rmtree("saves", ignore_errors=True)
    words = ["--vs", "first", "--max-plies", str(plies), "--json", *more]
    outcome = program("watch", *twin.words(), *words)
    assert outcome.code == 0, outcome.err
    return outcome.out


def test_the_json_of_a_game_that_was_cut_short(program: Program) -> None:
    text = the_same_for(KUHN_IN_PUBLIC, lambda twin: watched(program, twin, 3))
    told = json.loads(text)
    assert (told["seed"], told["truncated"]) == (None, True)
    assert told["position"]["cards"] == ["?", "?"]
    the_same_for(FOG, lambda twin: watched(program, twin, 3))


def test_whoever_asks_to_see_all_does(program: Program) -> None:
    told = json.loads(watched(program, KUHN_IN_PUBLIC[0], 3, "--view-as", "all"))
    assert "?" not in told["position"]["cards"]
    assert told["seed"] is None


def test_a_save_that_was_cut_short_stays_secret(program: Program) -> None:
    def run(twin: Twin) -> str:
        watched(program, twin, 3)
        told = [program(*words, "kuhn-1", *form).out for words, form in (
            (("replay",), ("--all",)), (("replay",), ("--json",)), (("saves", "show"), ("--json",)),
        )]  # fmt: skip
        return "".join([*told, program("saves", "--json").out])

    the_same_for(KUHN_IN_PUBLIC, run)


def test_once_it_is_over_all_is_told(program: Program) -> None:
    shutil.rmtree("saves", ignore_errors=True)
    done = json.loads(program("watch", *KUHN[0].words(), "--vs", "first", "--json").out)
    assert done["seed"] == KUHN[0].seed
    assert "?" not in done["position"]["cards"]
    told = json.loads(program("replay", "kuhn-1", "--json").out)
    assert told["seed"] == KUHN[0].seed
    assert all(None not in step["step"].values() for step in told["steps"])
    assert json.loads(program("saves", "show", "kuhn-1", "--json").out)["seed"] == KUHN[0].seed
    page = fresh(program, KUHN[0], "-s", "human", "--vs", "first", lines=["check"] * 9)
    assert page.count(f"Seed {KUHN[0].seed}.") == 1


def test_a_match_of_hands_is_over_after_the_last(program: Program) -> None:
    twin = KUHN[0]
    text = fresh(program, twin, "-s", "human", "--vs", "first", lines=["check", "check", "q"])
    assert "eed" not in text


def test_a_game_without_secrets_tells_its_seed(program: Program) -> None:
    text = program("play", "senet", "--seed", "5", "--plain", "--no-save", lines=["q"]).out
    assert "Seed 5." in text
    program("watch", "senet", "--seed", "5", "--vs", "random", "--max-plies", "4", "--json")
    told = json.loads(program("replay", "senet-1", "--json").out)
    assert told["seed"] == 5
    assert all(None not in step["step"].values() for step in told["steps"])


def test_what_the_reader_knows_of_a_step_is_told(program: Program) -> None:
    fresh(program, KUHN[0], "-s", "human", "--vs", "first", lines=["check", "q"])
    steps = [
        step["step"] for step in json.loads(program("replay", "kuhn-1", "--json").out)["steps"]
    ]
    assert {"0": "check"} in steps
    assert {"1": "check"} in steps  # a bet is made in public
    assert sum(step == {"chance": None} for step in steps) == 2  # one card of each hand


@pytest.mark.parametrize("text", ["fold", "deal A", "nonsense"])
def test_damaged_saves_quote_no_cards(program: Program, text: str) -> None:
    def run(twin: Twin) -> str:
        fresh(program, twin, "-s", "human", "--vs", "first", lines=["q"])
        path = Path("saves/kuhn-1.jsonl")
        lines = path.read_text().splitlines()
        at = next(i for i, line in enumerate(lines) if "chance" in line) + 1
        lines[at] = json.dumps({"chance": text})
        path.write_text("\n".join(lines) + "\n")
        outcome = program("replay", "kuhn-1", "--all")
        assert outcome.code == 4
        return outcome.err

    assert "can't be played." in the_same_for(KUHN, run)


# -- the screen ------------------------------------------------------------------------------------


def session_of(twin: Twin, *seats: str) -> Session:
    words = twin.words()
    setup = Setup(
        twin.game,
        twin.named_options(),
        seats,
        rest="first",
        seed=twin.seed,
        start=read_position(Path(words[-1])) if "--position" in words else None,
    )
    return open_session(setup, settings())


def is_evaluated() -> bool:
    """Whether nobody judges any more: what it finds is shown a moment later."""
    return all(thread.name != "oracle" for thread in threading.enumerate())


async def seen_on_screen(twin: Twin, keys: str) -> str:
    """All that the screen shows while a person plays, key by key."""
    session = session_of(twin, "human:name=Ann")
    app = build_app(session, settings())
    pages: list[str] = []
    async with app.run_test(size=(100, 32)) as pilot:
        screen = await my_turn(pilot, app)
        for key in keys.split():
            await pilot.press(key)
            await pilot.pause()
            await my_turn(pilot, app)  # "a" is a move in Pommerman
            await until(pilot, is_evaluated)
            pages += [*shown(app), app.title, app.sub_title, app.clipboard]
        pages += [line.text for line in screen.session.log.lines()]
    return "\n".join(pages)


@pytest.mark.parametrize(
    ("pair", "keys"),
    [
        ("kuhn", "e e e u y left_square_bracket right_curly_bracket 1 tab e y u f a v"),
        ("fog", "y b u left_square_bracket right_curly_bracket space f a v tab y"),
    ],
)
async def test_the_screen(clean_environment: Path, pair: str, keys: str) -> None:
    one, other = [await seen_on_screen(twin, keys) for twin in PAIRS[pair]]
    assert one == other
    assert "seed" not in one


async def test_the_screen_of_a_replay(clean_environment: Path) -> None:
    pages = []
    for twin in KUHN:
        session = session_of(twin, "human:name=Ann")
        play_on(session.match, 6)
        story = Replay.of_session(session)
        app = BoardgamesApp(None, settings(), ReplayScreen(story, settings()))
        async with app.run_test(size=(100, 32)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, ReplayScreen))  # noqa: B023
            for key in ("}", "[", "["):
                await pilot.press({"}": "right_curly_bracket", "[": "left_square_bracket"}[key])
                await pilot.pause()
                pages.append("\n".join(shown(app)))
    assert pages[:3] == pages[3:]
    assert "seed" not in "".join(pages)


async def test_the_seed_is_shown_when_it_is_over(clean_environment: Path) -> None:
    twin = Twin("kuhn", ("--hands", "1"), 3)
    app = build_app(session_of(twin, "human"), settings())
    async with app.run_test(size=(100, 32)) as pilot:
        await my_turn(pilot, app)
        assert "seed" not in "\n".join(shown(app))
        await pilot.press("1")
        await until(pilot, lambda: "steps, seed 3" in "\n".join(shown(app)))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, GameScreen))
        assert "seed 3" in "\n".join(shown(app))
        assert "undo" not in shown(app)[-1]


# -- the rule itself -------------------------------------------------------------------------------


def test_nothing_is_taken_back_after_the_end() -> None:
    session = open_session(
        Setup("kuhn", seats=("human",), rest="random", seed=1), Settings(save=False)
    )
    while not session.match.is_over:
        play_on(session.match, 1)
    with pytest.raises(IllegalActionError, match="shown at the end can't be hidden again"):
        session.undo()


@pytest.mark.parametrize("pair", PAIRS)
def test_sights_of_twins_are_the_same(pair: str) -> None:
    one, other = (twin.played(6 if pair == "kuhn" else 3) for twin in PAIRS[pair])
    assert sights(one, 0) == sights(other, 0)
    assert one.state != other.state
