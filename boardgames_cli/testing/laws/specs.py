"""Laws of specs: the manifest of a game is true."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.encoder import Encoder
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import AnyGame, Seat
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import build, every_option_set
from boardgames_cli.core.presentation.home_page import home_page_of
from boardgames_cli.core.presentation.lesson import LessonStep, begin_step, follow, lesson_of
from boardgames_cli.core.presentation.view import View
from boardgames_cli.core.record import read_lines
from boardgames_cli.core.spec import GameSpec, load
from boardgames_cli.core.text import Glyphs
from boardgames_cli.registry import agents_for, level_of, levels_with, read_agent
from boardgames_cli.testing.findings import BrokenLaw, demand
from boardgames_cli.testing.laws.rules import declares_seats_and_bounds
from boardgames_cli.testing.laws.views import unstyled
from boardgames_cli.testing.scene import can_be_returns, scenes

_LONGEST_NAME: Final = 20
_LEVELS: Final = ("easy", "medium", "hard")
_THEMES: Final = ("dark", "light")
_SEEDS: Final = 2
_PLIES: Final = 60


@dataclass(frozen=True)
class SpecTrial:
    """A spec to check, with sample saves."""

    spec: GameSpec
    samples: Sequence[Path] = ()

    @cached_property
    def games(self) -> list[AnyGame]:
        """The game with every set of options."""
        kind = self.spec.game_class()
        return [kind(**options) for options in every_option_set(kind)]


def names_its_rules_and_view(trial: SpecTrial) -> None:
    """The paths lead to a rulebook with the same info and to a view that is made with it.

    Write info once, in the spec's module, with a line on what the game is, and let the rulebook
    take it from there; let the path of the view lead to a subclass of View.
    """
    spec = trial.spec
    game = spec.game_class()()
    demand(game.info == spec.info, f"the rulebook's info is {game.info}, the spec's {spec.info}")
    view = spec.make_view(game)
    demand(isinstance(view, View) and view.game is game, f"the view is {view!r}")
    demand(bool(spec.info.summary), "info has no summary")
    for game in trial.games:
        declares_seats_and_bounds(game)


def has_levels_that_can_play(trial: SpecTrial) -> None:
    """There is an easy, a medium and a hard agent, and each plays the game with all options.

    Name values of options and levels, an agent for one level only, and more special settings after
    more general ones. A file of an agent lies in the folder data of the game, as data/NAME.
    """
    spec = trial.spec
    demand(set(_LEVELS) <= set(spec.levels), f"the levels are {list(spec.levels)}")
    tables = (spec.levels, *spec.levels_where.values())
    for level, text in (one for table in tables for one in table.items()):
        options = split_agent(text)[1].values()
        paths = [word for word in options if Path(word).expanduser().is_absolute()]
        demand(not paths, f'level "{level}" names a file of this machine: {paths}')
        games = [one for one in trial.games if levels_with(one, spec).get(level) == text]
        demand(
            level in spec.levels
            and (spec.levels[level] == text or (bool(games) and level_of(text, spec) == level)),
            f'level "{level}" is {text} with no option, or another level is the same',
        )
        _check_that_it_plays(f'level "{level}"', text, spec, games)


def has_agents_that_can_be_made(trial: SpecTrial) -> None:
    """Every agent of the game can be made, and all that it recommends or names are known.

    Correct the path and the options of the agent, and say in its summary what it does.
    """
    spec = trial.spec
    for agent in spec.agents:
        if not agent.needs:  # an extra may not be installed
            _made(agent.name, spec)
        demand(bool(agent.summary), f"agent {agent.name} has no summary")
    if spec.beginner:
        _made(spec.beginner, spec)
    unknown = sorted(set(spec.recommended) - set(agents_for(spec)))
    demand(not unknown, f"recommended, but unknown: {unknown}")


def _made(text: str, spec: GameSpec) -> Any:
    try:
        return read_agent(text, spec)
    except GameError as error:
        raise BrokenLaw(f'agent "{text}" can\'t be made: {error}') from error


def _check_that_it_plays(who: str, text: str, spec: GameSpec, games: Iterable[AnyGame]) -> None:
    agent = _made(text, spec)
    for game in games:
        reason = agent.supports(game)
        demand(reason is None, f"{who} ({text}) can't play {game!r}: {reason}")


def explains_its_rules(trial: SpecTrial) -> None:
    """RULES.md stands beside the rules: a title, headings, and something below each of them.

    Write it in Markdown: '# Name', then sections with '## Heading'.
    """
    text = trial.spec.rules_text()
    demand(text.startswith("# "), f"it begins with {text[:30]!r}")
    sections = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    demand(len(sections) > 1, "it has no section")
    for heading, body in zip(sections[1::2], sections[2::2], strict=True):
        demand(bool(heading.strip() and body.strip()), f"nothing is said under {heading!r}")


def gives_a_lesson_that_can_be_done(trial: SpecTrial) -> None:
    """Every step of LESSON.json, if there is one, can be done and is followed by the next one.

    Correct the step: its position, its notations, or what follows the step before it.
    """
    lesson = lesson_of(trial.spec)
    if lesson is not None:
        game = build(trial.spec.game_class(), lesson.options, trial.spec.info.id)
        match = None
        for number, step in enumerate(lesson.steps):
            match = begin_step(game, lesson, number, match)
            match = _done_in_every_way(match, lesson.seat, step)


def _done_in_every_way(match: AnyMatch, seat: Seat, step: LessonStep) -> AnyMatch:
    legal = {str(action): action for action in match.game.legal_actions(match.state, seat)}
    demand(
        set(legal) >= {*step.right, *step.wrong} and not set(step.right) & set(step.wrong),
        f'"{step.task}" names {[*step.right, *step.wrong]}; legal are {list(legal)}',
        "Name legal actions, each as right or as wrong.",
    )
    demand(
        set(legal) <= {*step.right, *step.wrong} or bool(step.otherwise),
        f'"{step.task}" does not say why another action is wrong',
        "Write it into otherwise.",
    )
    after = match
    for notation in step.right:
        after = Match(match.game, seed=0, start=match.state)
        after.submit(seat, legal[notation])
        follow(after, step.then)
        demand(after.ply > 0, f'"{step.task}" has no effect', "Let the others act in then.")
    return after


def fills_its_place_on_the_home_screen(trial: SpecTrial) -> None:
    """HOME.json, if there is one, has a picture that can be drawn and opponents that can play.

    List opponents from the weakest to the strongest, each with a sentence on its style and a short
    name that no agent or level has.
    """
    spec = trial.spec
    page = home_page_of(spec)
    if page.picture is not None:
        drawn = [page.picture.drawn(one) for one in Glyphs]
        demand("".join(page.picture.ascii).isascii(), "the ASCII picture has other signs")
        unknown = unstyled(drawn, spec.view_class())
        demand(not unknown, f"the picture uses {unknown}, which have no style")
    opponents = () if page.ladder is None else page.ladder.opponents
    strengths = [one.rating for one in opponents]
    demand(strengths == sorted(strengths), f"the ratings are {strengths}")
    taken = {*agents_for(spec), *spec.levels, "ai"}
    for one in opponents:
        demand(
            0 < len(one.name) <= _LONGEST_NAME and one.name.lower() not in taken,
            f'an opponent is called "{one.name}"',
        )
        demand(bool(one.style), f"nothing is said about {one.name}")
        taken.add(one.name.lower())
        _check_that_it_plays(one.name, one.seat, spec, [spec.game_class()()])


def has_a_colour_for_every_role(trial: SpecTrial) -> None:
    """The palette has the same roles for dark and light, each with a style."""
    palette = trial.spec.view_class().palette
    demand(not palette or set(_THEMES) <= set(palette), f"the palette is for {list(palette)}")
    dark, light = (set(palette.get(theme, ())) for theme in _THEMES)
    demand(dark == light, f"only one theme has {sorted(dark ^ light)}")


def has_an_honest_heuristic(trial: SpecTrial) -> None:
    """The heuristic estimates a return: within the utility, and adding up to 0 if returns do."""
    evaluate = trial.spec.load_part("heuristic")
    if evaluate is None:
        return
    game = trial.spec.game_class()()
    for scene in scenes(game, range(_SEEDS), _PLIES):
        values = [evaluate(game, scene.state, seat) for seat in range(game.seats)]
        demand(
            can_be_returns(game, values),
            f"for {scene.state!r} it gives {values}, but utility is {game.utility}",
        )


def has_encoders_that_load(trial: SpecTrial) -> None:
    """Every encoder can be created with every set of options, and has a unique name.

    Let its path lead to a subclass of Encoder that is made with its game; the usual one, which
    needs no name, is `encoder`.
    """
    spec = trial.spec
    demand("" not in spec.encodings, "an encoding has no name")
    if importlib.util.find_spec("numpy") is None:
        return  # encoders need numpy and ids
    for path in filter(None, (spec.encoder, *spec.encodings.values())):
        kind = load(path)
        for game in trial.games:
            encoder = kind(game)
            demand(
                isinstance(encoder, Encoder) and bool(encoder.fields), f"{path} makes {encoder!r}"
            )


def replays_its_samples(trial: SpecTrial) -> None:
    """Sample saves are of this game, replay through the rules, and end as they say.

    Record the sample anew with these rules.
    """
    for path in trial.samples:
        try:
            with path.open(encoding="utf-8") as lines:
                record = read_lines(lines)
            id, options = record.header.game, dict(record.header.options)
            demand(id == trial.spec.info.id, f"{path.name} is a game of {id}")
            match = record.restore(trial.spec.game_class()(**options))
        except (GameError, OSError) as error:
            raise BrokenLaw(f"{path.name}: {error}") from error
        demand(
            bool(match.steps) and record.result in (None, match.returns),
            f"{path.name} says {record.result}, the rules {match.returns}",
        )
