"""A Gymnasium vector environment on a game's compiled rules."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from boardgames_cli.core.errors import GameError, OptionError, install_command
from boardgames_cli.core.game import AnyGame
from boardgames_cli.core.randomness import check_seed
from boardgames_cli.core.spec import load
from boardgames_cli.environments.episode import (
    ClosedError,
    InvalidActionError,
    RenderModeError,
    ResetNeededError,
)
from boardgames_cli.environments.episodes import ERROR, Episodes
from boardgames_cli.environments.seat import check_opponents, read_seat
from boardgames_cli.environments.spaces import Encoded
from boardgames_cli.registry import spec_of

if TYPE_CHECKING:  # without the extra `fast`, the module is imported all the same
    from boardgames_cli.algorithms.fast.boards import TurnBatch, Turns

    AnyBatch: TypeAlias = TurnBatch[Any, Any]

Ints = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

_ONE_BY_ONE: Final = 'Use gymnasium.make_vec(..., vectorization_mode="sync") for that.'
_SEED_LIMIT: Final = 2**31
PLAY_ON: Final = "play"
WAIT: Final = "wait"
TRUNCATE: Final = "truncate"


class VectorEnvironment(VectorEnv[Encoded, npt.NDArray[np.integer], npt.NDArray[Any]]):
    """One seat in many games at once; the vectorized `SeatEnvironment`.

    There is no Python loop over boards. Spaces and rewards are those of `SeatEnvironment`; every
    info has ``seat``, int32[num_envs], and ``action_mask``, int8[num_envs, actions]. After
    ``reset(seed=n)``, board i is generated from the seed ``n + i``.

    Args:
        game: The id of a game, or a rulebook.
        num_envs: The number of games.
        seat: The learner's seat, counted from 0; ``"random"`` draws a new one for every episode.
        opponents: An opponent for all other seats, or a list with one for each, in the order of
            their seats: names known to the game's compiled rules, such as ``"random"`` and
            ``"policy"``.
        autoreset_mode: When a finished game is replaced by the next: ``"NextStep"`` (by the next
            step, ignoring its action), ``"SameStep"`` (at once; the last observation is in the info
            as ``final_obs``) or ``"Disabled"`` (by ``reset`` with the option ``reset_mask``).
        after_death: What follows when the seat is out of a game whose result is still open for it:
            ``"play"`` (the others finish the game within the step, so that every step is a
            decision), ``"wait"`` (each step plays one step of the game, as in the original
            Pommerman, and any action is allowed and ignored) or ``"truncate"`` (the episode is
            truncated at once, which saves most of the time, and a learner estimates the rest).
        **options: Options of the game, and of `EnvironmentOptions` ``flatten`` and ``max_cycles``.

    Raises:
        GameError: The game has no compiled rules, or they need a package that is not installed.
        SeatError: There is no such seat, or the number of opponents is wrong.
        UnknownNameError: There is no such game or option.
        OptionError: An option has an invalid value, or is not supported by the compiled rules.
    """

    def __init__(
        self,
        game: str | AnyGame,
        num_envs: int = 1,
        *,
        seat: int | str = 0,
        opponents: str | Sequence[str] = "random",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        after_death: str = PLAY_ON,
        **options: Any,
    ) -> None:
        episodes = Episodes(game, options)
        if episodes.render_mode is not None:
            raise RenderModeError("a vector environment can't be drawn.", _ONE_BY_ONE)
        if episodes.options.encoding or episodes.options.illegal != ERROR:
            raise OptionError("compiled rules have no option encoding or illegal.", _ONE_BY_ONE)
        self.game = episodes.game
        self.num_envs = _read_count(num_envs)
        self._wanted_seat = read_seat(seat, self.game)
        self._max_cycles = episodes.options.max_cycles
        self._batch: AnyBatch = _load_batch(self.game)(self.game, self.num_envs)
        self._flatten = episodes.options.flatten
        dtype = "float32" if self._flatten else self._batch.row_type
        self._wanted: dict[str, Any] = {"masked": True, "dtype": dtype}
        if self._batch.is_cold:
            announce_compilation(self.game.info.name)
        self._opponents = _read_movers(opponents, self._batch, self.game)
        self._mode = _read_mode(autoreset_mode)
        self._leaves_when_out = _read_after_death(after_death, self._batch)
        self.metadata = {"render_modes": [], "autoreset_mode": self._mode}
        self.single_observation_space = episodes.spaces.observations()
        self.single_action_space = episodes.spaces.actions()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._sit_down(np.full(self.num_envs, self._wanted_seat or 0, np.int32))
        self._cycles: Ints = np.zeros(self.num_envs, np.int32)
        self._over: Flags = np.zeros(self.num_envs, np.bool_)
        self._everywhere: Flags = np.ones(self.num_envs, np.bool_)
        self._masks: Flags = np.zeros((self.num_envs, self.game.action_count), np.bool_)
        self._has_begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Encoded, dict[str, Any]]:
        """Start all games, or some.

        Args:
            seed: Board i gets the seed ``seed + i``, or element i of a list. Without it the first
                games differ every time, and later ones derive from them.
            options: ``reset_mask``, bool[num_envs], selects the boards to reset; by default all.

        Raises:
            OptionError: The seeds or the mask don't fit.
            ClosedError: The environment was closed.
        """
        self._refuse_if_closed()
        chosen = _read_reset_mask(options, self.num_envs)
        seeds = self._read_seeds(seed)
        if seeds is not None:
            boards = np.flatnonzero(chosen).tolist()
            self._batch.seed([seeds[board] for board in boards], boards)
        self._has_begun = True
        return self._begin(chosen), self._info()

    def step(
        self, actions: npt.NDArray[np.integer]
    ) -> tuple[Encoded, Floats, Flags, Flags, dict[str, Any]]:
        """Act on every board, and play until it is the seat's turn again.

        Args:
            actions: int[num_envs], the ids of actions.

        Raises:
            InvalidActionError: The number of actions is wrong, or one is not an id or not legal.
                Nothing has changed.
            ResetNeededError: No game has been started, or one is over and autoreset is off.
        """
        self._refuse_if_not_begun()
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            raise ResetNeededError(
                f"{int(self._over.sum())} games are over, and autoreset is off.",
                'Call reset(options={"reset_mask": terminated | truncated}).',
            )
        ids, playing = self._checked(actions), ~self._over
        self._prepare(self._over)
        turns = self._batch.play(self._seats, ids, self._movers, **self._wanted)
        seen, terminated = self._read(turns), turns.over & playing
        truncated = np.zeros(self.num_envs, np.bool_)
        if self._max_cycles:
            self._cycles += playing
            truncated = playing & ~terminated & (self._cycles >= self._max_cycles)
        if self._leaves_when_out:
            truncated |= playing & ~terminated & ~self._batch.living(self._seats)
        self._over = terminated | truncated
        infos = self._info()
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            infos |= self._final(seen, self._over)
            seen = self._begin(self._over)
            infos |= self._info()
        return seen, turns.rewards, terminated, truncated, infos

    def action_masks(self) -> Flags:
        """The mask of legal ids on each board: bool[num_envs, actions]."""
        self._refuse_if_not_begun()
        return self._masks.copy()

    def _refuse_if_closed(self) -> None:
        if self.closed:
            raise ClosedError("the environment was closed.", "Make another one.")

    def _refuse_if_not_begun(self) -> None:
        self._refuse_if_closed()
        if not self._has_begun:
            raise ResetNeededError("no game has begun.", "Call reset() first.")

    def _checked(self, actions: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
        given, count = np.asarray(actions), self.game.action_count
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise InvalidActionError(
                f"actions are {self.num_envs} whole numbers, not {given.dtype} of {given.shape}."
            )
        ids, board = self._batch.plan(given, self._over, self._masks)
        if board < 0:
            return ids
        if 0 <= given[board] < count:
            raise InvalidActionError(
                f"action {given[board]} of board {board} is illegal now.",
                f"Legal: {', '.join(map(str, np.flatnonzero(self._masks[board])))}. "
                "See action_masks().",
            )
        raise InvalidActionError(
            f"action {given[board]} of board {board} is not an action.",
            f"Ids: 0 to {count - 1}.",
        )

    def _read_seeds(self, seed: int | Sequence[int] | None) -> Sequence[int] | None:
        if seed is None:
            if self._has_begun:
                return None
            seed = int(self.np_random.integers(_SEED_LIMIT))
        if isinstance(seed, int | np.integer):
            super().reset(seed=check_seed(seed))
            return range(int(seed), int(seed) + self.num_envs)
        if len(seed) != self.num_envs:
            raise OptionError(f"{len(seed)} seeds can't seed {self.num_envs} boards.")
        super().reset(seed=check_seed(seed[0]))
        return [check_seed(number) for number in seed]

    def _begin(self, boards: Flags) -> Encoded:
        self._prepare(boards)
        self._over = self._over & ~boards
        return self._read(self._batch.begin(self._seats, self._movers, boards, **self._wanted))

    def _prepare(self, boards: Flags) -> None:
        if self._wanted_seat is None and boards.any():
            drawn = self.np_random.integers(self.game.seats, size=self.num_envs, dtype=np.int32)
            self._sit_down(np.where(boards, drawn, self._seats))
        if self._max_cycles:
            self._cycles[boards] = 0

    def _read(self, turns: Turns) -> Encoded:
        self._masks = turns.masks
        return turns.rows if self._flatten else self._batch.split(turns.rows)

    def _sit_down(self, seats: Ints) -> None:
        places, own = np.arange(self.game.seats), seats[:, None]
        order = np.minimum(places - (places > own), self.game.seats - 2)
        self._seats = seats
        self._movers = np.where(places == own, self._batch.given, self._opponents[order])

    def _info(self) -> dict[str, Any]:
        everywhere = self._everywhere.copy()
        return {
            "seat": self._seats.copy(), "_seat": everywhere,
            "action_mask": self._masks.astype(np.int8), "_action_mask": everywhere.copy(),
        }  # fmt: skip

    def _final(self, seen: Encoded, boards: Flags) -> dict[str, Any]:
        final = np.full(self.num_envs, None, dtype=object)
        for board in np.flatnonzero(boards):
            if isinstance(seen, dict):
                final[board] = {name: array[board].copy() for name, array in seen.items()}
            else:
                final[board] = seen[board].copy()
        infos = {
            name: boards.copy() if name.startswith("_") else array
            for name, array in self._info().items()
        }
        return {
            "final_obs": final, "_final_obs": boards.copy(),
            "final_info": infos, "_final_info": boards.copy(),
        }  # fmt: skip


@functools.cache  # once in a process
def announce_compilation(name: str) -> None:
    """Say on the error stream that rules are compiled."""
    sys.stderr.write(f"Compiling the rules of {name} as they are used; later programs load them.\n")


def _load_batch(game: AnyGame) -> Any:
    path = spec_of(game).batch
    if not path:
        raise GameError(f"{game.info.name} has no compiled rules.", _ONE_BY_ONE)
    try:
        return load(path)
    except ModuleNotFoundError as error:
        raise GameError(
            f"the compiled rules of {game.info.name} need a package that is not installed "
            f"({error.name}).",
            f"Install it: {install_command('fast')}   {_ONE_BY_ONE}",
        ) from error


def _read_count(count: object) -> int:
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise OptionError(f"num_envs can't be {count!r}.", "Allowed: a whole number, 1 or more.")
    return int(count)


def _read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(mode.value for mode in AutoresetMode)
        raise OptionError(f"autoreset_mode can't be {mode!r}.", f"Allowed: {known}.") from None


def _read_after_death(given: str, batch: AnyBatch) -> bool:
    known = [PLAY_ON, WAIT, TRUNCATE] if batch.can_be_out else [PLAY_ON]
    if given not in known:
        raise OptionError(
            f"after_death can't be {given!r}.", f"Allowed in this game: {', '.join(known)}."
        )
    if given != PLAY_ON:
        batch.leave_when_out()
    return given == TRUNCATE


def _read_movers(opponents: str | Sequence[str], batch: AnyBatch, game: AnyGame) -> Ints:
    names = [opponents] * (game.seats - 1) if isinstance(opponents, str) else list(opponents)
    check_opponents(len(names), game)
    for name in names:
        if name not in batch.movers:
            raise OptionError(
                f"compiled rules have no opponent {name!r}.",
                f"Allowed: {', '.join(batch.movers)}. {_ONE_BY_ONE}",
            )
    return np.array([batch.movers[name] for name in names], np.int32)


def _read_reset_mask(options: Mapping[str, Any] | None, count: int) -> Flags:
    if not options or "reset_mask" not in options:
        return np.ones(count, np.bool_)
    mask = np.asarray(options["reset_mask"])
    if mask.shape != (count,) or mask.dtype != np.bool_ or not mask.any():
        raise OptionError(
            f"reset_mask is {mask.dtype} of shape {mask.shape}.",
            f"It is bool of shape ({count},), True for at least one board.",
        )
    return mask.astype(np.bool_)
