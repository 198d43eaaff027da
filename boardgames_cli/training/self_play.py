"""A network of policy and value (`policy_value_network`) learns any game by self-play.

In every round, games are played by a tree search that the network guides, and the network learns
from the latest positions: the shares of the simulations, and the mean of the game's result and the
search's value. At the root, noise is added to the policy, and early actions are drawn by their
shares (D. Silver et al., 2018). Needs numpy.
"""

from __future__ import annotations

import functools
import math
import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from boardgames_cli.agents.mcts import Ismcts, Mcts
from boardgames_cli.agents.network_agent import NetworkAgent
from boardgames_cli.agents.remote.process_pool import Pool
from boardgames_cli.algorithms.game_tree import draw
from boardgames_cli.algorithms.learned_file import LearnedFileError
from boardgames_cli.algorithms.networks.policy_value_network import (
    Example,
    Inputs,
    NetworkLeaves,
    PolicyValueModel,
    PolicyValueNetwork,
    joined,
    largest_return,
    pack,
    read_policy_value,
    unpack,
)
from boardgames_cli.algorithms.tree_search import GuidedBandit, TreeSearch
from boardgames_cli.core.agent import Agent
from boardgames_cli.core.background import Progress
from boardgames_cli.core.errors import GameError, OptionError
from boardgames_cli.core.game import CHANCE, AnyGame, Seat, Traits
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.core.options import build, chosen_words, option_values
from boardgames_cli.core.text import percent
from boardgames_cli.registry import make, make_encoder
from boardgames_cli.tournament.cluster import make_pool
from boardgames_cli.training.curve import Curve, Point
from boardgames_cli.training.trainers import SelfPlaySettings
from boardgames_cli.training.training_run import TrainingRun, silent, training_command, without

_NOISE: Final = 0.25
"""The share of noise in the policy at the root."""
_SPREAD: Final = 10.0
"""The noise is Dirichlet's with this sum of parameters."""
_BATCH: Final = 256
_LONGEST: Final = 1000
"""The most decisions of a game."""
_VARIED: Final = 12
"""Decisions of a game that are drawn by their share of the simulations."""
_WINDOW: Final = 20_000
"""The latest positions, from which is learned."""
_REPEATS: Final = 8
"""How often a position is learned from."""
_STEP: Final = 0.001
"""Adam's learning rate."""
_ONCE_SETTINGS: Final = {"varied": _VARIED, "window": _WINDOW, "repeats": _REPEATS, "step": _STEP}
"""What files of earlier versions record, and the only values that can be resumed."""


POINTS: Final = 10
"""The number of measurements, evenly spread."""
BEGIN_ANEW: Final = "Train anew: leave --resume out, and add --force."


def score_point(rounds: int, score: float, rival: str) -> Point:
    """The share of points that the network wins against a rival after some rounds, 0 to 1."""
    points = percent(score, 1)
    return Point(
        rounds,
        f"{rounds:,} rounds: {points} against {rival}",
        points,
        f"{points} against {rival}",
        score,
        {"rounds": rounds, "scores": {"": score}},
    )


def read_points(curve: Any, rival: str) -> list[Point]:
    """The points of a curve in a file; invalid ones are skipped."""
    points = []
    for point in curve if isinstance(curve, list) else []:
        match point:
            case {"rounds": int(rounds), "scores": {"": int() | float() as score}}:
                points.append(score_point(rounds, float(score), rival))
    return points


class SelfPlayer:
    """Plays games against itself."""

    def __init__(self, game: AnyGame, settings: SelfPlaySettings, weights: Any) -> None:
        inputs = Inputs(make_encoder(game))
        network = PolicyValueNetwork(inputs.count, game.action_count, settings.units)
        network.weights[:] = weights
        self._game = game
        self._settings = settings
        self._inputs = inputs
        self.leaves = NetworkLeaves(game, network, inputs)
        self._is_multi = Traits.HIDDEN in game.traits

    def play(self, rng: random.Random) -> list[Example]:
        game, state, decisions = self._game, self._game.initial_state(), 0
        rows: list[tuple[Example, Seat, float]] = []
        while (seats := game.to_act(state)) and decisions < _LONGEST:
            if seats == (CHANCE,):
                state = game.apply_chance(state, game.sample_chance(state, rng))
                continue
            joint = {}
            for seat in seats:
                legal = game.legal_actions(state, seat)
                joint[seat] = legal[0]
                if len(legal) > 1:
                    search = self._search(state, seat, seats, decisions, rng)
                    is_varied = decisions < _VARIED
                    joint[seat] = draw(search.shares() if is_varied else search.policy(), rng)
                    rows.append((self._example(search), seat, self._mean(search)))
            state = game.apply(state, joint)
            decisions += 1
        returns, most = game.returns(state), largest_return(game)
        return [
            row._replace(value=np.array((returns[seat] + mean) / 2 / most, np.float32))
            for row, seat, mean in rows
        ]

    def _search(
        self, state: Any, seat: Seat, seats: Sequence[Seat], ply: int, rng: random.Random
    ) -> TreeSearch[Any, Any]:
        seen = self._game.observe(state, seat, ply)
        search = TreeSearch(self._game, seen, self.leaves, rng, multi=self._is_multi)
        root = search.new_decision(seats, seat, state)
        if isinstance(root, GuidedBandit):
            each = [rng.gammavariate(_SPREAD / len(seen.legal), 1) for _ in seen.legal]
            total = sum(each)
            root.priors = {
                action: (1 - _NOISE) * root.priors[action] + _NOISE * one / total
                for action, one in zip(seen.legal, each, strict=True)
            }
        search.root.decisions[seat] = root
        search.run(self._settings.simulations, lambda _: search.root.solved is not None)
        return search

    def _mean(self, search: TreeSearch[Any, Any]) -> float:
        values, shares = search.values(), search.shares()
        return sum(share * values[action] for action, share in shares.items())

    def _example(self, search: TreeSearch[Any, Any]) -> Example:
        seen, game = search.seen, self._game
        policy = np.zeros(game.action_count, np.float32)
        for action, share in search.shares().items():
            policy[game.action_id(seen.state, action)] = share
        return Example(
            self._inputs(seen), self._inputs.encoder.mask(seen), policy, np.zeros((), np.float32)
        )


def play_games(
    game: AnyGame, settings: SelfPlaySettings, weights: Any, seeds: Sequence[str]
) -> list[Example]:
    """The decisions of some games; a call for a worker."""
    # A player for each game: what one remembers must not depend on how the games are shared out.
    return [
        example
        for seed in seeds
        for example in SelfPlayer(game, settings, weights).play(random.Random(seed))
    ]


class _Learner(NetworkAgent[Any, Any]):
    def __init__(self, simulations: int, leaves: NetworkLeaves) -> None:
        super().__init__(simulations=simulations)
        self._leaves = leaves

    def load(self, game: AnyGame) -> NetworkLeaves:
        leaves: NetworkLeaves = self._leaves
        return leaves


def play_rival(game: AnyGame, settings: SelfPlaySettings, weights: Any, number: int) -> float:
    """The points of the network in a game against the rival, 0 to 1; a call for a worker.

    The network sits at seat ``number`` modulo the seats, the rival at all others.
    """
    leaves = SelfPlayer(game, settings, weights).leaves
    seat = number % game.seats
    kind = Ismcts if Traits.HIDDEN in game.traits else Mcts
    agents: list[Agent[Any, Any]] = [
        kind(simulations=settings.simulations) for _ in range(game.seats)
    ]
    agents[seat] = _Learner(settings.simulations, leaves)
    for place, agent in enumerate(agents):
        agent.reset(game, place)
    match: AnyMatch = Match(game, seed=number // game.seats, max_plies=_LONGEST)
    returns = play(match, agents)
    others = [one for place, one in enumerate(returns) if place != seat]
    return sum((returns[seat] > one) + (returns[seat] == one) / 2 for one in others) / len(others)


def rival_of(game: AnyGame, settings: SelfPlaySettings) -> str:
    """What the network is measured against: a search with as many simulations."""
    kind = "ismcts" if Traits.HIDDEN in game.traits else "mcts"
    return f"{kind}:simulations={settings.simulations}"


class SelfPlayRun(TrainingRun):
    """A training run by self-play.

    Args:
        game: A game whose actions have ids.
        settings: The settings.
        path: The network's file; None keeps it in memory only.
        model: An unfinished network to resume, made with these settings.

    Raises:
        MissingPackageError: The extra ``numpy`` is missing.
        LearnedFileError: The model is for another game, or has no training state.
    """

    unit: ClassVar[str] = "rounds"
    counter: ClassVar[str] = "rounds"

    def __init__(
        self,
        game: AnyGame,
        settings: SelfPlaySettings,
        path: Path | None,
        model: PolicyValueModel | None = None,
    ) -> None:
        self.game = game
        self.settings = settings
        self._inputs = Inputs(make_encoder(game))
        self._window: deque[Example] = deque(maxlen=_WINDOW)
        self._rounds = 0
        if model is None:
            self._network = PolicyValueNetwork(
                self._inputs.count, game.action_count, settings.units, settings.seed
            )
        else:
            self._network, _ = model.load(game)
            self._restore(model.training)
        curve = None if model is None else model.about.get("curve")
        self._rival = rival_of(game, settings)
        points = read_points(curve, self._rival)
        super().__init__(game, settings, path, self._rounds, points)
        bytes_each = 4 * (self._inputs.count + 2 * game.action_count)
        memory = _WINDOW * bytes_each + 16 * len(self._network.weights)
        self.needs = (
            f"{game.info.name}: {self._inputs.count:,} inputs, {len(self._network.weights):,} "
            f"weights, {_WINDOW:,} positions in {memory / 1e6:,.1f} MB of memory"
        )

    def text(self) -> str:
        return self.model().to_text()

    def _about(self) -> dict[str, Any]:
        return {
            "command": training_command(self.game, self.settings, "--method network"),
            "curve": self.curve_data,
        }

    @property
    def done(self) -> int:
        return self._rounds

    @property
    def curve(self) -> Curve:
        return Curve(self.unit, f"points against {self._rival}", self.points)

    def run(
        self,
        report: Callable[[Progress], None] = silent,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        """Train on all processors, or a cluster; see `TrainingRun.run`."""
        try:
            super().run(report, pause)
        finally:
            if "_pool" in vars(self):
                self._pool.shutdown()
                del self._pool

    def model(self) -> PolicyValueModel:
        """The network so far, with the state of the training if it is unfinished."""
        info = self.game.info
        network = self._network
        training = {
            "settings": option_values(self.settings),
            "rounds": self._rounds,
            "steps": network.steps,
            "moments": [pack(row) for row in network.moments],
        }
        return PolicyValueModel(
            info.id,
            info.rules_version,
            option_values(self.game),
            self._inputs.encoding,
            self.settings.units,
            pack(network.weights),
            self._about(),
            training if self.done < self.total else {},
        )

    def facts(self) -> list[str]:
        measured = [f"after {self.points[-1].line}"] if self.points else []
        return [*measured, f"made by: {self._about()['command']}"]

    @functools.cached_property
    def _pool(self) -> Pool:
        return make_pool(self.settings.jobs or None, self.settings.dask or None)

    def block(self) -> None:
        """One round: games on all workers, then steps of learning."""
        settings = self.settings
        seeds = [f"{settings.seed}/{self._rounds}/{game}" for game in range(settings.games)]
        share = math.ceil(len(seeds) / self._pool.size)
        shares = [seeds[start : start + share] for start in range(0, len(seeds), share)]
        played = [example for part in self._call(play_games, shares) for example in part]
        self._window.extend(played)
        rng = np.random.default_rng((settings.seed, self._rounds))
        rows = list(self._window)
        for _ in range(math.ceil(_REPEATS * len(played) / _BATCH)):
            chosen = rng.integers(len(rows), size=min(_BATCH, len(rows)))
            self._network.learn(joined([rows[at] for at in chosen]), _STEP)
        self._rounds += 1

    def measure(self) -> Point | None:
        step = max(1, self.total // POINTS)
        if self.done < self.total and self.done % step:
            return None
        games = self.settings.games
        points = self._call(play_rival, range(games))
        return score_point(self.done, sum(points) / games, self._rival)

    def _call(self, function: Callable[..., Any], parts: Sequence[Any]) -> list[Any]:
        submit = functools.partial(
            self._pool.submit, function, self.game, self.settings, self._network.weights
        )
        futures = [submit(part) for part in parts]
        results = []
        for part, future in zip(parts, futures, strict=True):
            try:
                results.append(future.result())
            except BrokenExecutor:
                try:
                    results.append(submit(part).result())
                except BrokenExecutor as error:
                    raise GameError(
                        f"the games can't be played: {error}.", "Try fewer workers: --jobs 1"
                    ) from error
        return results

    def _restore(self, training: Mapping[str, Any]) -> None:
        match training:
            case {"rounds": int(rounds), "steps": int(steps), "moments": [first, second]}:
                size = len(self._network.weights)
                self._network.moments[:] = unpack(first, size), unpack(second, size)
                self._network.steps, self._rounds = steps, rounds
            case _:
                raise LearnedFileError("the file has no training state to resume.", BEGIN_ANEW)


def resume_self_play(game: AnyGame, path: Path, rounds: int | None) -> SelfPlayRun:
    """Resume the training of the network in a file; the latest positions are played anew.

    Args:
        game: The game.
        path: The file, which will be replaced.
        rounds: A new number of rounds; None keeps the old one.

    Raises:
        LearnedFileError: The file is damaged, for another game, or finished.
        OptionError: The settings in it are not allowed, or the game had other options.
    """
    model = read_policy_value(path)
    before = make(model.game, **model.options) if model.game == game.info.id else game
    if option_values(before) != option_values(game):
        words = chosen_words(before, option_values(SelfPlaySettings()))
        told = f"{path} was trained with other options of {game.info.name}."
        raise OptionError(told, f"Give the same: {' '.join(words) or 'none'}")
    kept = model.training.get("settings")
    if not isinstance(kept, dict):
        raise LearnedFileError(f"the training of {path} is finished.", BEGIN_ANEW)
    texts = {str(name): str(value) for name, value in without(kept, _ONCE_SETTINGS).items()}
    texts.pop("measured", "")
    if rounds is not None:
        texts["rounds"] = str(rounds)
    return SelfPlayRun(game, build(SelfPlaySettings, texts, "training"), path, model)
