from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_cli import Match, aec_env, gymnasium_env, make, parallel_env
from boardgames_cli.core.game import CHANCE
from boardgames_cli.core.match import AnyMatch
from boardgames_cli.core.presentation.styles import DARK, LIGHT, RoleStyles
from boardgames_cli.core.text import Picture, Span
from boardgames_cli.environments import image
from boardgames_cli.environments.image import Image
from boardgames_cli.registry import game_ids, spec_of
from tests.environments.players import acts, choose


def some_steps(env: Any, count: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    env.reset(seed=seed)
    for _ in range(count):
        env.step(choose(env.observe(env.agent_selection)["action_mask"], rng))


@pytest.mark.parametrize("game", game_ids())
def test_text_is_plain(game: str) -> None:
    env = aec_env(game, render_mode="ansi")
    some_steps(env, 1)
    text = env.render()
    assert isinstance(text, str)
    assert text.isascii()
    assert text.endswith("\n")
    assert "player_" in text


@pytest.mark.parametrize("game", game_ids())
def test_images_have_one_size_and_show_the_board(game: str) -> None:
    env = aec_env(game, render_mode="rgb_array")
    frames = []
    for steps in (0, 1):
        some_steps(env, steps)
        frames.append(env.render())
    for frame in frames:
        assert isinstance(frame, np.ndarray)
        assert (frame.shape, frame.dtype) == ((480, 800, 3), np.uint8)
        assert len(np.unique(frame @ np.array([65536, 256, 1]))) > 10
    assert not np.array_equal(*frames)  # type: ignore[arg-type]  # they are arrays


def test_human_prints_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for maker, asked in ((aec_env, 4), (parallel_env, 1), (gymnasium_env, 1)):
        env: Any = maker("pommerman", render_mode="human")
        env.reset(seed=1)
        first = capsys.readouterr().out
        assert "player_0" in first
        for _ in range(asked):
            acts(env, 0)
        later = capsys.readouterr().out
        assert later.count("step 1 of 800") == 1
        assert env.render() is None
        assert capsys.readouterr().out == later


def dealt(seed: int) -> tuple[int, ...]:
    """The cards of Kuhn poker in the match of a seed, which an episode is."""
    match: AnyMatch = Match(make("kuhn"), seed=seed)
    while match.waiting_for == (CHANCE,):
        match.resolve_chance()
    cards: tuple[int, ...] = match.state.cards
    return cards


def test_one_sees_only_what_the_own_seat_knows() -> None:
    """Kuhn: the picture is the same whatever the other holds."""
    pictures = set()
    for seed in range(60):
        env = gymnasium_env("kuhn", render_mode="ansi")
        env.reset(seed=seed)
        own, other = dealt(seed)
        if own == 1:
            pictures.add((other, env.render()))
    assert {other for other, _ in pictures} == {0, 2}
    assert len({text for _, text in pictures}) == 1


def test_who_acts_is_shown_its_own_cards_and_an_audience_none() -> None:
    env = aec_env("kuhn", render_mode="ansi")
    env.reset(seed=1)
    first = env.render()
    env.step(0)
    second = env.render()
    assert isinstance(first, str)
    assert isinstance(second, str)
    cards = ["JQK"[card] for card in dealt(1)]
    for seat, text in enumerate((first, second)):
        assert f"Your card: {cards[seat]}" in text
        assert f"Your card: {cards[1 - seat]}" not in text
    while env.agents:
        done = env.terminations[env.agent_selection]
        env.step(None if done else 0)
    assert "Your card" not in str(env.render())


def test_a_cell_has_the_colours_of_its_role() -> None:
    palette = spec_of(make("senet")).make_view(make("senet")).palette
    for theme, ground in ((DARK, (0x12, 0x12, 0x12)), (LIGHT, (0xFB, 0xF7, 0xEC))):
        drawn = Image(4, 2, RoleStyles(theme, palette[theme]))
        drawn.put(1, 0, Picture.of([Span("█", "seat.0"), Span(" too wide", "card")]))
        pixels = drawn.pixels()
        assert pixels.shape == (32, 32, 3)
        assert tuple(pixels[8, 2]) == ground
        full = {tuple(pixel) for pixel in pixels[0:16, 8:16].reshape(-1, 3)}
        wanted = (0x77, 0xE4, 0xF5) if theme == DARK else (0x0A, 0x5A, 0x7E)
        assert full == {wanted}, "a block fills its cell from edge to edge"


def test_later_roles_lie_on_top_and_can_be_reversed() -> None:
    styles = RoleStyles(DARK, {"a": "#ff0000 on #00ff00", "b": "reverse"})
    assert styles.layers("a b") == ("#ff0000 on #00ff00", "reverse")
    drawn = Image(1, 1, styles)
    drawn.put(0, 0, Picture.of([Span(" ", "a b")]))
    assert tuple(drawn.pixels()[0, 0]) == (0xFF, 0, 0)


def drawn(sign: str, style: str) -> bytes:
    cell = Image(1, 1, RoleStyles(DARK, {"a": style}))
    cell.put(0, 0, Picture.of([Span(sign, "a")]))
    return cell.pixels().tobytes()


def test_the_font_has_every_sign_that_boards_are_drawn_with() -> None:
    games = Path(image.__file__).parents[1] / "games"
    texts = [path.read_text(encoding="utf-8") for path in games.rglob("*.py")]
    signs = {sign for text in texts for sign in text if not sign.isalpha() and not sign.isascii()}
    assert len(signs) > 50
    for weight in ("", "bold"):
        shown = {sign: drawn(sign, weight) for sign in signs}
        assert not {sign for sign, pixels in shown.items() if pixels == drawn("\uffff", weight)}
