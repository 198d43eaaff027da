"""What the views show and say of positions: every scene of ``scenes/`` beside its picture.

A scene begins with ``$`` and a name. The line below it, an object of JSON, says what is looked at:

- ``options`` of the game; ``position``, from which ``steps`` are played, as a save writes them
- ``seats`` that look, null for a spectator, a list for people who pool what they know, ``all`` for
  who sees everything; without it the seat to act
- ``draw``: pictures, such as ``unicode 51x16``, with ``layer`` or ``grey`` (no colours) behind it;
  with ``roles`` their styles are told, with ``frames`` how the last step moves
- ``highlight``, ``names``, ``committed``, ``people``, as in `RenderContext`; ``sidebar``, a width
- ``json``: the position that a seat sees, ``arrays``: that of the encodings named, ``ids`` of the
  choices, ``mistakes``: what the analyst says of one choice beside another
- ``keys`` for so many people, and ``legend``, alone
- ``changes`` of the position, each read instead of it, as ``{"agents.0.ammo": 2}`` or ``"-step"``
- ``tries``: what is typed there, with ``chance`` before what the dice or cards might say

What follows is what the view makes of it. After a change that is meant, write the files anew, and
read them: ``UPDATE_GOLDEN=1 pytest tests/games/test_scenes.py``.
"""

from __future__ import annotations

import copy
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from boardgames_cli.algorithms.analysts.choose_analyst import analyst_for
from boardgames_cli.core.errors import ActionError, GameError, PositionError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Step
from boardgames_cli.core.presentation.view import (
    AnyView,
    KeyedView,
    Moment,
    RenderContext,
    Size,
)
from boardgames_cli.core.text import Glyphs, Picture
from boardgames_cli.registry import find_game, game_ids, make, make_encoder

FOLDER = Path(__file__).parent / "scenes"
SCENE = re.compile(r"^\$ (.+)\n(\{.*\})\n", re.MULTILINE)
NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")
Look = RenderContext[Any, Any]


@pytest.mark.parametrize("game", game_ids())
def test_every_scene_looks_like_this(game: str) -> None:
    path = FOLDER / f"{game}.txt"
    known = path.read_text(encoding="utf-8")
    asked = SCENE.findall(known)
    assert len({name for name, _ in asked}) == len(asked) > 5
    text = "\n\n".join(
        "\n".join([f"$ {name}", scene, *_shown(game, json.loads(scene))]) for name, scene in asked
    )
    text = re.sub(r" +$", "", text, flags=re.MULTILINE) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def _shown(game: str, scene: dict[str, Any]) -> Iterator[str]:
    try:
        rules: AnyGame = make(game, **scene.get("options", {}))
    except GameError as refused:
        yield f"refused: {refused}"
        return
    view = find_game(game).make_view(rules)
    look: Look = RenderContext(
        names=scene.get("names", NAMES),
        committed=scene.get("committed", ()),
        people=scene.get("people"),
    )
    yield from _keys(view, scene.get("keys", ()))
    if scene.get("legend"):
        for glyphs in Glyphs:
            yield from (f"legend {glyphs.value}", *_lines(view.legend(glyphs)))
        return
    if "position" not in scene:
        return
    for change in scene.get("changes", ()):
        yield f"{json.dumps(change)}: {_read(rules, _changed(scene['position'], change))}"
    state = rules.from_json(scene["position"])
    for text in scene.get("tries", ()):
        yield f"{json.dumps(text)}: {_tried(rules, state, text)}"
    if "changes" in scene or "tries" in scene:
        return
    seats = scene.get("seats") or [max(rules.to_act(state), default=CHANCE)]
    seats = [None if seat == CHANCE else seat for seat in seats]
    moments: dict[str, list[Moment]] = defaultdict(list)
    for texts in scene.get("steps", ()):
        step, before = _step(rules, state, texts), state
        state = rules.apply_step(before, step)
        yield f"step {json.dumps(texts)}"
        for seat in seats:
            was, now = (rules.redact(one, seat) for one in (before, state))
            known = rules.redact_step(before, step, seat)
            told = view.narrate(was, known, now, replace(look, viewer=seat))
            moments[str(seat)] += [line for line in told if isinstance(line, Moment)]
            yield from (f"to {seat}: {_sentence(line)}" for line in told)
            for wish in scene.get("draw", ()) if texts is scene["steps"][-1] else ():
                if "frames" in wish:
                    here = replace(_asked(look, wish), viewer=seat, last=known)
                    yield from _frames(view, was, known, now, _size(wish), here)
        look = replace(look, last=step)
    for seat in seats:
        seen = _seen(rules, state, seat)
        here = replace(look, viewer=seen.seat, moments=moments[str(seat)])
        if scene.get("steps"):
            here = replace(here, last=rules.redact_step(before, step, seat))
        yield from (f"-- seat {seat}", *_said(view, seen, here, scene))
        for wish in scene.get("draw", ()):
            yield from _drawn(view, seen, here, wish, scene)


def _changed(position: dict[str, Any], change: Any) -> Any:
    data: Any = copy.deepcopy(position)
    if isinstance(change, str):
        *way, last = change.removeprefix("-").split(".")
        del _place(data, way)[int(last) if last.isdigit() else last]
        return data
    for path, value in change.items():
        *way, last = path.split(".")
        _place(data, way)[int(last) if last.isdigit() else last] = value
    return data


def _place(data: Any, way: list[str]) -> Any:
    for part in way:
        data = data[int(part) if part.isdigit() else part]
    return data


def _read(rules: AnyGame, data: Any) -> str:
    try:
        state = rules.from_json(data)
    except PositionError as refused:
        return f"refused: {refused}"
    written = rules.to_json(state)
    return "read" if written == data else f"read as {json.dumps(written)}"


def _tried(rules: AnyGame, state: Any, text: str) -> str:
    (seat, *_) = rules.to_act(state)
    try:
        if text.startswith("chance "):
            return str(rules.parse_chance(state, text.removeprefix("chance ")))
        return str(rules.parse(state, max(seat, 0), text))
    except ActionError as refused:
        return f"refused: {refused}"


def _seen(rules: AnyGame, state: Any, seat: Any) -> Observation[Any, Any]:
    if isinstance(seat, list):
        return Observation(seat[0], 0, rules.redact_for_all(state, tuple(seat)), ())
    return Observation(None, 0, state, ()) if seat == "all" else rules.observe(state, seat)


def _step(rules: AnyGame, state: Any, texts: dict[str, str]) -> Step[Any, Any]:
    if "chance" in texts:
        return Step.of_chance(rules.parse_chance(state, texts["chance"]))
    return Step({int(seat): rules.parse(state, int(seat), text) for seat, text in texts.items()})


def _sentence(line: str) -> str:
    if not isinstance(line, Moment):
        return line
    facts = ("kind", "banner", "seat", "by", "number", "shakes")
    shown = (f"{name} {getattr(line, name)!r}" for name in facts if getattr(line, name) is not None)
    return f"{line} [{', '.join(shown)}]"


def _said(view: AnyView, seen: Observation[Any, Any], look: Look, scene: Any) -> Iterator[str]:
    yield f"prompt: {view.prompt(seen, look)}"
    if not view.game.to_act(seen.state):
        yield f"result: {view.result(seen.state, look)}"
    if isinstance(view, KeyedView):
        yield f"status: {view.status(seen, look)}"
        yield f"at a glance: {view.at_a_glance(seen)}"
        for word in view.reports:
            yield from (f"{word}: {line}" for line in view.report(seen, word, look))
    yield from _told_to_programs(view.game, seen, scene)
    for action in view.shortlist(seen):
        yield f"choice {action}: {view.describe(seen, action)}"
    yield from _lines(view.sidebar(seen, scene.get("sidebar", 26), look))


def _told_to_programs(game: AnyGame, seen: Observation[Any, Any], scene: Any) -> Iterator[str]:
    if "json" in scene:
        yield f"json: {json.dumps(game.to_json(seen.state))}"
    for name in scene.get("arrays", ()):
        for field, array in make_encoder(game, name).encode(seen).items():
            rows = array.tolist() if array.size < 80 else _not_zero(array)
            yield f"array {name}.{field} {array.dtype}{array.shape}: {rows}"
    for action in seen.legal if "ids" in scene else ():
        yield f"id {game.action_id(seen.state, action)}: {action}"
    for pair in scene.get("mistakes", ()):
        played, better = (game.parse(seen.state, seen.seat or 0, text) for text in pair)
        reason = analyst_for(game).reason(seen, played, better)
        yield f"{played}, not {better}: {reason.kind}: {reason.text}"


def _not_zero(array: Any) -> dict[str, Any]:
    places = zip(*array.nonzero(), strict=True)
    return {",".join(map(str, place)): array[place].item() for place in places}


def _size(wish: str) -> Size:
    width, height = wish.split()[1].split("x")
    return Size(int(width), int(height))


def _asked(look: Look, wish: str) -> Look:
    glyphs = Glyphs(wish.split()[0])
    return replace(look, glyphs=glyphs, shows_layer="layer" in wish, has_colours="grey" not in wish)


def _drawn(
    view: AnyView, seen: Observation[Any, Any], look: Look, wish: str, scene: Any
) -> Iterator[str]:
    look = _asked(look, wish)
    if text := scene.get("highlight"):
        look = replace(look, highlight=view.game.parse(seen.state, seen.seat, text))
    picture = view.picture(seen, _size(wish), look)
    yield from (f"-- {wish}", *_lines(picture))
    spans = [span for line in picture.lines for span in line]
    yield from _told("click", [(span.action, span.text) for span in spans if span.action])
    if "roles" in wish:
        yield from _told("role", [(span.role, span.text) for span in spans])


def _told(what: str, pairs: list[tuple[str, str]]) -> Iterator[str]:
    texts: dict[str, list[str]] = defaultdict(list)
    for name, text in pairs:
        texts[name].append(text)
    for name, found in sorted(texts.items()):
        words = [word for text in found for word in text.split() if word.isascii()]
        yield f"{what} {name}: {sum(map(len, found))} {' '.join(words)}"


def _lines(picture: Picture) -> list[str]:
    return [f"|{line}" for line in str(picture).splitlines()]


def _frames(
    view: AnyView, before: Any, step: Step[Any, Any], after: Any, size: Size, look: Look
) -> Iterator[str]:
    frames = list(view.frames(before, step, after, size, look))
    yield f"frames: {len(frames)}; then: {view.pause_after(before, step, after, look)}"
    still = view.picture(Observation(look.viewer, 1, after, ()), size, look)
    assert {(one.width, one.height) for one in frames} <= {(still.width, still.height)}
    assert still not in frames[: None if view.pause_after(before, step, after, look) == "" else -1]
    assert all(one != other for one, other in pairwise(frames)), "every frame moves something"
    rows: list[str] = []
    for number, frame in enumerate(frames, 1):
        yield f"frame {number}"
        drawn = str(frame).splitlines()
        yield from (f"{y:2}|{row}" for y, row in enumerate(drawn) if rows[y : y + 1] != [row])
        rows = drawn


def _keys(view: AnyView, counts: list[int]) -> Iterator[str]:
    for people in counts:
        for keys in view.key_sets(people) if isinstance(view, KeyedView) else ():
            yield f"keys of {people}: {dict(keys.actions)}"
            yield f"hints: {keys.hints}; words: {dict(keys.words)} by {keys.word_count}"
