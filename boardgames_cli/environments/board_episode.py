"""Episodes by compiled rules, which equal those of the rules themselves.

Needs the extra ``fast``.
"""

from __future__ import annotations

from typing import Any, Final

from boardgames_cli.algorithms.fast.boards import PAID, SETTLED, WRITTEN, SingleBoard
from boardgames_cli.core.errors import GameError
from boardgames_cli.core.game import CHANCE, AnyGame, Observation, Seat
from boardgames_cli.core.match import AnyMatch, Match, returns_of_forfeit, seat_stream
from boardgames_cli.core.randomness import CHANCE_STREAM, CounterRandom, RandomStreams
from boardgames_cli.core.spec import load
from boardgames_cli.environments.episode import Episode, InvalidActionError, whole_number
from boardgames_cli.environments.spaces import Encoded, Mask, Spaces
from boardgames_cli.registry import find_game

_EVERY_SEAT: Final = (1 << SETTLED) - 1
_SEATS_OF: Final = tuple(
    tuple(seat for seat in range(SETTLED) if code >> seat & 1) for code in range(1 << SETTLED)
)
"""The seats of a number, as bits."""


class BoardEpisode(Episode):
    """An episode by compiled rules; a match is made when somebody asks. Actions are their ids.

    Args:
        game: The rulebook.
        spaces: The game's spaces.
        board: The board, which only the last episode on it may use.
        seed: The seed of the match.
        max_cycles: As for `Episode`.
    """

    def __init__(
        self,
        game: AnyGame,
        spaces: Spaces,
        *,
        board: SingleBoard,
        seed: int,
        max_cycles: int | None = None,
    ) -> None:
        self._board = board
        super().__init__(game, spaces, seed=seed, max_cycles=max_cycles)

    def _begin(self, seed: int) -> None:
        self._seed = seed
        self._seen = {}
        self._rngs: dict[Seat, CounterRandom] = {}
        self._joints: list[dict[Seat, int]] = []
        self._plies: list[int] = []
        """The ply of the match at each turn up to which it has been played."""
        self._returns = self._paid
        self._read(self._board.begin(RandomStreams(seed).at(CHANCE_STREAM, 0)))
        self._paid = self._returns

    def _read(self, code: int) -> None:
        self._code = code
        if code & PAID:
            self._returns = tuple(self._board.returns.tolist())
        self.acting = _SEATS_OF[code & _EVERY_SEAT]
        if self._max_cycles is not None:
            self._let_act(self.acting)

    @property
    def turn(self) -> int:
        return len(self._joints)

    @property
    def match(self) -> AnyMatch:
        """The match, in which what is missing is played now."""
        if not self._plies:
            self._match = Match(self.game, seed=self._seed)
            self._play_chance()
        match, game = self._match, self.game
        for joint in self._joints[len(self._plies) - 1 :]:
            state = match.state
            match.take_checked({
                seat: game.legal_with_id(state, game.legal_actions(state, seat), id)
                for seat, id in joint.items()
            })  # fmt: skip
            self._play_chance()
        return match

    def _play_chance(self) -> None:
        while self._match.waiting_for == (CHANCE,):
            self._match.resolve_chance()
        self._plies.append(self._match.ply)

    @property
    def returns(self) -> tuple[float, ...]:
        return self._returns

    def lose(self, seat: Seat) -> None:
        super().lose(seat)
        self._returns = returns_of_forfeit(self.game, self._returns, (seat,))

    @property
    def may_be_settled(self) -> bool:
        return not self.acting or self._code >> SETTLED & _EVERY_SEAT != 0

    def is_settled(self, seat: Seat) -> bool:
        if self.is_truncated:
            return False
        return self.loser is not None or self._code >> SETTLED + seat & 1 == 1

    def seen_at(self, turn: int, seat: Seat) -> Observation[Any, Any]:
        match = self.match
        return match.observe(seat, self._plies[turn])

    def _encode(self, seat: Seat) -> tuple[Encoded, Mask]:
        board = self._board
        if not self._code >> WRITTEN + seat & 1:
            board.write(seat)
        row, mask = board.rows[seat].copy(), board.masks[seat].copy()
        if self.loser is not None:
            mask[:] = 0
        return row if self._spaces.flatten else self._spaces.cut(row), mask

    def action(self, seat: Seat, id: object) -> int:
        number = id if type(id) is int else whole_number(seat, id)
        try:
            if number >= 0 and self._board.legal[seat, number]:
                return number
        except IndexError:
            pass
        raise InvalidActionError(*self._why_not(seat, number))

    def any_action(self, seat: Seat) -> int:
        rng = self._rngs.get(seat)
        if rng is None:
            rng = self._rngs[seat] = RandomStreams(self._seed).at(seat_stream(seat), 0)
        rng.move_to(self._board.ply)
        return rng.choice(self._board.listed(seat))

    def take(self, joint: dict[Seat, int]) -> None:
        if self._max_cycles is not None:
            for seat in joint:
                self._acted[seat] += 1
        self._encoded = {}
        self._seen = {}
        self._joints.append(joint)
        self._read(self._board.act(joint))


def find_board(game: AnyGame, spaces: Spaces) -> SingleBoard:
    """A compiled board of a game.

    Raises:
        GameError: The compiled rules lack the game, its options or the encoding.
    """
    spec = find_game(game.info.id)
    alone = None
    # The compiled rules don't know what a subclass changes.
    if spec.batch and spaces.is_default and type(game) is spec.game_class():
        alone = getattr(load(spec.batch), "alone", None)
    if alone is None:
        raise GameError(f"{game.info.name} has no compiled rules with this encoding.")
    board: SingleBoard = alone(game, flat=spaces.flatten)
    return board
