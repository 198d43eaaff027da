"""Tables, odd agents and games for the tests of the full-screen front end."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from boardgames_cli.core.agent import Agent, Thinking
from boardgames_cli.core.game import Observation, Step
from boardgames_cli.core.presentation.view import AnyView, RenderContext, Size
from boardgames_cli.core.spec import GameSpec
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.session.opening import open_session
from boardgames_cli.session.session import Event, Session
from boardgames_cli.session.settings import Pace, Settings, Setup
from boardgames_cli.tui.app import BoardgamesApp
from boardgames_cli.tui.screens.frame import Frame
from boardgames_cli.tui.screens.table import GameScreen
from boardgames_cli.tui.widgets.picture import Bar
from tests.foreign import POISON
from tests.toys import Cards, Pennies

Shown = TypeVar("Shown", bound=Screen[Any])

SIZES = ((60, 20), (80, 24), (120, 40))


def settings(folder: Path | None = None, **changes: Any) -> Settings:
    """Settings under which nothing waits."""
    values: dict[str, Any] = {"pace": Pace.INSTANT, "glyphs": Glyphs.UNICODE}
    return Settings(**values | {"save": folder is not None, "save_folder": folder} | changes)


def table(
    game: str = "senet",
    seats: tuple[str, ...] = ("human", "random"),
    folder: Path | None = None,
    seed: int = 101,
    options: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Session:
    setup = Setup(game, options or {}, seats=seats, seed=seed)
    return open_session(setup, settings(folder, **changes))


def game_screen(app: BoardgamesApp) -> GameScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, GameScreen))


async def until(pilot: Pilot[None], condition: Callable[[], bool], key: str = "") -> None:
    """Wait until something is so, and press a key meanwhile: in real time it counts once."""
    for _ in range(6000):
        if condition():
            await pilot.pause()
            return
        await pilot.press(*([key] if key else []))
        await pilot.pause(0.005)
    raise AssertionError("it never came so far")


async def comes(pilot: Pilot[None], kind: type[Shown]) -> Shown:
    """Wait for a screen of a kind."""
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    assert isinstance(pilot.app.screen, kind)
    return pilot.app.screen


async def my_turn(pilot: Pilot[None], app: BoardgamesApp) -> GameScreen:
    """Wait until a person must decide, or the game is over."""
    await until(pilot, lambda: any(isinstance(s, GameScreen) for s in app.screen_stack))
    screen = game_screen(app)
    await until(
        pilot,
        lambda: (
            screen.loop.event in (Event.HUMAN, Event.OVER)
            and screen.loop.event is screen.session.next_event()
        ),
    )
    return screen


@asynccontextmanager
async def on_screen(
    session: Session | None,
    chosen: Settings | None = None,
    size: tuple[int, int] = (80, 24),
    only: Frame | None = None,
) -> AsyncIterator[tuple[Pilot[None], BoardgamesApp]]:
    """A table on the screen, or the menu, or another first screen."""
    app = BoardgamesApp(session, chosen or settings(), only)
    async with app.run_test(size=size) as pilot:
        yield pilot, app


@asynccontextmanager
async def at_table(
    session: Session, chosen: Settings | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[None], BoardgamesApp, GameScreen]]:
    """A table on the screen, as soon as a person must decide."""
    async with on_screen(session, chosen, size) as (pilot, app):
        yield pilot, app, await my_turn(pilot, app)


def says(app: BoardgamesApp, selector: str) -> str:
    return game_screen(app).query_one(selector, Bar).text


def shown(app: App[Any]) -> list[str]:
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    return [strip.text.ljust(width)[:width] for strip in strips[:height]]


def text(app: BoardgamesApp) -> str:
    return "\n".join(shown(app))


def words(app: BoardgamesApp) -> str:
    """What the screen says, wherever its lines are broken."""
    return " ".join(text(app).split())


class Time:
    """A clock that stands still until the test moves it."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


class Poisonous(Agent[Any, Any]):
    """Fails with words that a terminal would obey."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise ValueError(POISON)


class Failing(Agent[Any, Any]):
    """Always raises."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        raise ValueError("out of ideas")


class Hanging(Agent[Any, Any]):
    """Never answers, and does not listen, until the test lets go of it."""

    let_go = threading.Event()

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        self.let_go.wait(600)
        return seen.legal[0]


class Slow(Agent[Any, Any]):
    """Thinks until it is asked to move."""

    def act(self, seen: Observation[Any, Any], thinking: Thinking) -> Any:
        done = threading.Event()
        while not thinking.cancelled():
            done.wait(0.005)
        return seen.legal[-1]


class PlainView(AnyView):
    """Says the position."""

    def picture(
        self,
        seen: Observation[Any, Any],
        size: Size,
        context: RenderContext[Any, Any],
    ) -> Picture:
        return Picture.of([str(seen.state)[i : i + size.width] for i in range(0, 120, size.width)])

    def narrate(
        self, before: Any, step: Step[Any, Any], after: Any,
        context: RenderContext[Any, Any],
    ) -> list[str]:  # fmt: skip
        acts = ", ".join(f"{context.name(seat)} {act}" for seat, act in step.joint.items())
        return [acts or "Chance acts."]

    def legend(self, glyphs: Glyphs) -> Picture:
        return Picture.of(["no signs"])


_LEVELS = {"easy": "random", "medium": "random", "hard": "random"}
CARDS = GameSpec(Cards.info, "tests.toys:Cards", "tests.tui.tables:PlainView", _LEVELS)
PENNIES = GameSpec(Pennies.info, "tests.toys:Pennies", "tests.tui.tables:PlainView", _LEVELS)
