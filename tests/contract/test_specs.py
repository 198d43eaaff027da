"""Every game is what its spec says, and here are specs that break a law each."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from boardgames_cli.core.game import Game
from boardgames_cli.core.presentation.styles import COMMON_STYLES
from boardgames_cli.core.spec import HOME, LESSON, AgentSpec, GameSpec
from boardgames_cli.core.text import COMMON_ROLES
from boardgames_cli.games.kuhn import GAME as KUHN
from boardgames_cli.games.senet import GAME as SENET
from boardgames_cli.games.senet.view import SenetView
from boardgames_cli.registry import find_game, game_ids
from boardgames_cli.testing import ContractError, check_spec
from tests.contract.breakers import BREAKERS, Breaker

SAVES = Path(__file__).parents[2] / "saves"


def sample(id: str) -> Path:
    return SAVES / f"sample-{id}.jsonl"


@pytest.mark.parametrize("id", game_ids())
def test_the_spec_keeps_the_contract(id: str) -> None:
    check_spec(find_game(id), [sample(id)])


def test_front_ends_have_a_style_for_every_common_role() -> None:
    # Seats take their colours from a list, one for each.
    assert {"dark": COMMON_ROLES - {"seat"}, "light": COMMON_ROLES - {"seat"}} == {
        theme: frozenset(COMMON_STYLES[theme]) for theme in ("dark", "light")
    }


class NoView:
    """Not a view at all."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {}

    def __init__(self, game: Game[Any, Any, Any]) -> None:
        self.game = game


class OneTheme(SenetView):
    """Has no colours in the light."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {"dark": SenetView.palette["dark"]}


class Uneven(SenetView):
    """Lacks a style in one theme."""

    palette: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "dark": {**SenetView.palette["dark"], "odd": "bold"},
        "light": SenetView.palette["light"],
    }


def too_sure(game: Any, state: Any, seat: int) -> float:
    return 2.0 if seat == 0 else -2.0


def too_hopeful(game: Any, state: Any, seat: int) -> float:
    return 0.5


class NoRules(SENET.game_class()):  # type: ignore[misc]
    """Senet in a package without RULES.md."""


class WithFiles(GameSpec):
    """Senet with changes in the first step of its lesson, in its picture, or its first opponent."""

    def text_beside_rules(self, name: str) -> str | None:
        text = SENET.text_beside_rules(name)
        if name not in {LESSON, HOME}:
            return text
        data = json.loads(text or "")
        changes = json.loads(self.encodings["changes"])
        if name == LESSON:
            data["steps"][0] |= changes.get(LESSON, {})
        else:
            data["picture"] |= changes.get("picture", {})
            data["ladder"]["opponents"][0] |= changes.get("opponent", {})
        return json.dumps(data)


def with_files(changes: dict[str, Any]) -> GameSpec:
    """Senet with changes in the files beside its rules."""
    fields = {field.name: getattr(SENET, field.name) for field in dataclasses.fields(SENET)}
    return WithFiles(**fields | {"encodings": {"changes": json.dumps(changes)}})


def with_lesson(**changes: Any) -> GameSpec:
    """Senet with changes in the first step of its lesson."""
    return with_files({LESSON: changes})


def here(name: str) -> str:
    return f"{__name__}:{name}"


def with_agent(agent: AgentSpec) -> GameSpec:
    """Senet with one agent more."""
    return replace(SENET, agents=(*SENET.agents, agent))


def other_levels(setting: str, **levels: str) -> GameSpec:
    """Senet with other levels where an option has a value."""
    return replace(SENET, levels_where={setting: levels})


SPECIAL_FIRST = {
    "rules=skyruk,pieces=7": {"hard": "expectimax:depth=1"},
    "rules=skyruk": {"hard": "expectimax:depth=3"},
}
STRATEGY = SAVES.parent / "boardgames_cli/games/kuhn/data/equilibrium.json"
HOME_LAW = "fills_its_place_on_the_home_screen"
BROKEN: list[tuple[str, GameSpec]] = [
    ("names_its_rules_and_view", replace(SENET, rules=KUHN.rules)),
    ("names_its_rules_and_view", replace(SENET, view=here("NoView"))),
    ("names_its_rules_and_view", replace(SENET, view=here("Missing"))),
    ("has_levels_that_can_play", replace(SENET, levels={"easy": "random"})),
    ("has_levels_that_can_play", replace(SENET, levels={**SENET.levels, "hard": "nobody"})),
    ("has_levels_that_can_play", replace(SENET, levels={**SENET.levels, "hard": "perfect"})),
    ("has_levels_that_can_play", other_levels("rules=skyruk", hard="perfect")),
    ("has_levels_that_can_play", other_levels("rules=skyruk", hard=SENET.levels["easy"])),
    ("has_levels_that_can_play", other_levels("rules=skyruk", master="random")),
    ("has_levels_that_can_play", other_levels("rules=skyrook", hard="random")),
    ("has_levels_that_can_play", other_levels("rules=skyruk,pieces=1", hard="random")),
    ("has_levels_that_can_play", replace(SENET, levels_where=SPECIAL_FIRST)),
    (
        "has_levels_that_can_play",
        replace(KUHN, levels={**KUHN.levels, "hard": f"cfr:file={STRATEGY}"}),
    ),
    (
        "has_agents_that_can_be_made",
        with_agent(AgentSpec("gone", "boardgames_cli.agents.random:Gone", "x")),
    ),
    (
        "has_agents_that_can_be_made",
        with_agent(AgentSpec("quiet", "boardgames_cli.agents.random:RandomAgent", "")),
    ),
    ("has_agents_that_can_be_made", replace(SENET, recommended=("nobody",))),
    ("has_agents_that_can_be_made", replace(SENET, beginner="nobody")),
    ("explains_its_rules", replace(SENET, rules=here("NoRules"))),
    ("gives_a_lesson_that_can_be_done", with_lesson(right=["18>21"])),
    ("gives_a_lesson_that_can_be_done", with_lesson(right=[])),
    ("gives_a_lesson_that_can_be_done", with_lesson(wrong={"18>20": "It is right."})),
    ("gives_a_lesson_that_can_be_done", with_lesson(otherwise="")),
    ("gives_a_lesson_that_can_be_done", with_lesson(then=["throw 6"])),
    ("gives_a_lesson_that_can_be_done", with_lesson(then=[])),
    ("gives_a_lesson_that_can_be_done", with_lesson(position={})),
    ("gives_a_lesson_that_can_be_done", with_lesson(hint="odd")),
    (HOME_LAW, with_files({"picture": {"ascii": ["too", "small", ""]}})),
    (HOME_LAW, with_files({"picture": {"ascii": ["▲" * 14] * 3}})),
    (HOME_LAW, with_files({"picture": {"roles": {}}})),
    (HOME_LAW, with_files({"picture": {"letters": ["x" * 14] * 3, "roles": {"x": "odd"}}})),
    (HOME_LAW, with_files({"opponent": {"name": "Greedy"}})),
    (HOME_LAW, with_files({"opponent": {"name": "Meret"}})),
    (HOME_LAW, with_files({"opponent": {"style": ""}})),
    (HOME_LAW, with_files({"opponent": {"agent": "nobody"}})),
    (HOME_LAW, with_files({"opponent": {"rating": 2000}})),
    (HOME_LAW, with_files({"opponent": {"rating": "strong"}})),
    ("has_a_colour_for_every_role", replace(SENET, view=here("OneTheme"))),
    ("has_a_colour_for_every_role", replace(SENET, view=here("Uneven"))),
    ("has_an_honest_heuristic", replace(SENET, heuristic=here("too_sure"))),
    ("has_an_honest_heuristic", replace(SENET, heuristic=here("too_hopeful"))),
    ("has_encoders_that_load", replace(SENET, encoder=here("NoView"))),
    ("has_encoders_that_load", replace(SENET, encoder=here("Missing"))),
    ("has_encoders_that_load", replace(SENET, encodings={"bits": here("Missing")})),
    ("has_encoders_that_load", replace(SENET, encodings={"": SENET.encoder})),
]
for law, spec in BROKEN:
    BREAKERS.append(Breaker(law, f"the spec of {spec.info.id} ", partial(check_spec, spec)))


SAMPLES = [
    ("of another game", sample("kuhn").read_text(encoding="utf-8")),
    ("with an illegal step", sample("senet").read_text(encoding="utf-8").replace("pass", "9>1")),
    ("without an end of its first line", '{"boardgames":'),
]


@pytest.mark.parametrize(("what", "text"), SAMPLES, ids=[what for what, _ in SAMPLES])
def test_a_broken_sample_is_caught(what: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "sample.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ContractError, match=r"sample\.jsonl") as caught:
        check_spec(SENET, [path])
    assert caught.value.law == "replays_its_samples"
