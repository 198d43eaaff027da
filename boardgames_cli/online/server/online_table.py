"""A table: the people at it, the game they play, and what they say and offer each other.

The table is told what clients want and tells every client what its seat may know. It never blocks,
and everything is saved before anybody is told.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from boardgames_cli.codec.derived import object_codec
from boardgames_cli.core.agent import split_agent
from boardgames_cli.core.clock import Clock, TimeControl, read_time_control
from boardgames_cli.core.errors import GameError, IllegalActionError, SeatError, StorageError
from boardgames_cli.core.game import AnyGame, Ending, Seat, read_ending
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.online.codes import hash_secret, new_token
from boardgames_cli.online.fair_dice import (
    MOST_GAMES,
    FairDice,
    commitment_of,
    read_dice,
    secret_of,
)
from boardgames_cli.online.messages import (
    Act,
    Answer,
    Join,
    Offer,
    Propose,
    Return,
    TableState,
    Welcome,
    write,
    write_fields,
)
from boardgames_cli.online.server import people
from boardgames_cli.online.server.people import NO_NONCE, Guest, OpenOffer, People, Player
from boardgames_cli.online.server.served_game import (
    GameEvents,
    ServedGame,
    TableServices,
    holders_of,
)
from boardgames_cli.online.server.table_file import (
    TableFile,
    TableRecord,
    TableSettings,
)
from boardgames_cli.registry import make, spec_of
from boardgames_cli.session.seats import HUMAN, SeatHolder
from boardgames_cli.session.session import undo_target
from boardgames_cli.storage.store import new_header

OPEN: Final = "open"
"""The holder of a seat that somebody may take."""

_RETRY_SECONDS: Final = 5.0
"""The pause before a game that could not be saved is begun again."""
_MOST_WATCHERS: Final = 50
_SPECTATOR: Final = "Spectator"
_ABOUT_ABSENT: Final = (Offer.AGENT, Offer.CLAIM)
_SIT_IN_LEVEL: Final = 1
"""Which level plays for somebody who is away: the second one, or the only one."""


class OnlineTable:
    """A table.

    Args:
        services: What it shares with other tables.
        settings: How it was opened.
        file: Its file.
        secret: The end of the chain of the server's secrets for the dice.
    """

    def __init__(
        self, services: TableServices, settings: TableSettings, file: TableFile, secret: str
    ) -> None:
        self.settings = settings
        self.game: AnyGame = make(settings.game, **dict(settings.options))
        self.control: TimeControl = read_time_control(settings.clock, settings.move_time)
        self.served: ServedGame | None = None
        """The game; None before it begins."""
        self.people = People(services.loop.time())
        self.opener = ""
        """The address from which it was opened."""
        self.offer: OpenOffer | None = None
        self.is_closed = False
        self._services = services
        self._loop = services.loop
        self._file = file
        self._secret = secret
        self._games = 0
        """How many games have begun."""
        self._told = 0
        """The edition of the history that everybody here has been sent."""

    @classmethod
    def restore(cls, services: TableServices, file: TableFile, record: TableRecord) -> OnlineTable:
        """Open a table again after the server was killed or stopped."""
        table = cls(services, record.settings, file, record.secret)
        now = services.loop.time()
        for player in record.seated.values():
            player.away_since = now
        table.people.players = record.seated
        if record.saves:
            table._resume(record)
        elif not table.open_seats:
            table._begin_or_wait()
        return table

    @property
    def open_seats(self) -> list[Seat]:
        """The seats that somebody may take; none once the game has begun."""
        if self.served is not None:
            return []
        return [
            seat
            for seat, spec in enumerate(self.settings.seats)
            if spec == OPEN and seat not in self._players
        ]

    @property
    def is_over(self) -> bool:
        return self.served is not None and self.served.ending is not None

    @property
    def is_own(self) -> bool:
        return self._file.is_own

    @property
    def _players(self) -> dict[Seat, Player]:
        return self.people.players

    def name_of(self, seat: Seat) -> str:
        """What the holder of a seat is called."""
        if self.served is not None:
            return self.served.holders[seat].name
        if seat in self._players:
            return self._players[seat].name
        return split_agent(self.settings.seats[seat])[0]

    def join(self, guest: Guest, message: Join) -> None:
        """Give a client an open seat, and begin if it was the last one."""
        self.check_free()
        seat = self.open_seats[0] if message.seat is None else message.seat
        if seat not in self.open_seats:
            raise SeatError(f"seat {seat + 1} is not open.", "Leave the seat out.")
        self.take_seat(guest, seat, message)

    def check_free(self) -> None:
        """Refuse whoever wants a seat if all are taken."""
        if not self.open_seats:
            raise SeatError(
                "all seats of this table are taken.",
                "Ask for another table. Whoever sat there comes back under the same name.",
            )

    def take_seat(self, guest: Guest, seat: Seat, message: Join) -> None:
        name = message.name or f"player {seat + 1}"
        others = [_SPECTATOR, *map(self.name_of, range(self.game.seats))]
        for other in others:
            if people.looks_of(other) == people.looks_of(name):
                raise SeatError(
                    f'somebody at this table is called "{other}".',
                    "Choose a name that looks different.",
                )
        if "," in name or "=" in name:
            raise SeatError("a name can't hold a comma or an equals sign.", "Leave it out.")
        holders_of(self.game, [f"{HUMAN}:name={name}"] * self.game.seats)
        token = new_token()
        nonce = "" if message.contributes else NO_NONCE
        player = Player(seat, name, hash_secret(token), nonce, message.is_bot)
        self._file.append(**player.saved())
        self.people.sit(player, guest)
        guest.send(self._welcome(guest, token, self.settings.code))
        self._announce()
        if not self.open_seats:
            self._begin_or_wait()

    def contribute(self, guest: Guest, nonce: str) -> None:
        """Add a client's number to the dice, once, and begin if it was the last one."""
        player = self._players[self._seat_of(guest)]
        if not player.nonce:
            self._file.append(**{**player.saved(), "nonce": nonce})
            player.nonce = nonce
            self._begin_or_wait()

    def watch(self, guest: Guest, code: str = "") -> None:
        """Let a client watch, who is told the code for open seats if they may know it."""
        if self.people.watchers >= _MOST_WATCHERS:
            raise SeatError(f"{_MOST_WATCHERS} people watch this table already.", "Try it later.")
        self.people.watch(guest)
        guest.send(self._welcome(guest, "", code))
        self._show_everything(guest)
        self._announce()

    def come_back(self, guest: Guest, message: Return) -> None:
        """Give a client its seat back, and send it the game."""
        player = self.people.holder_of(message.token)
        if player is None:
            raise SeatError("this seat is not yours any more.", "Join again with a code.")
        self.people.sit(player, guest)
        guest.send(self._welcome(guest, message.token, self.settings.code))
        if (
            self.offer is not None
            and self.offer.what in _ABOUT_ABSENT
            and not self.people.absent(self._loop.time())
        ):
            self.offer = None
        self._announce()
        served = self.served
        if served is None:
            return
        self._show_everything(guest)
        if served.ending is None:
            if player.stand_in:
                self._give_back(player)
            served.go_on()
            self._announce()  # with the clock that runs now

    def drop(self, guest: Guest) -> None:
        """A client is gone; its seat stays its own."""
        if self.people.drop(guest, self._loop.time()):
            self._loop.call_later(people.AWAY_SECONDS, self._announce)
        self._announce()

    def leave(self, guest: Guest) -> None:
        """A client leaves for good; before the game begins, its seat is open again."""
        seat = self.people.seat_of(guest) if self.served is None else None
        if seat is not None:
            self._file.append(left=seat)
        self.drop(guest)
        if seat is not None:
            del self._players[seat]
            self._announce()

    def _begin_or_wait(self) -> None:
        if self.served is not None or self.open_seats or self.is_closed:
            return
        if not all(player.nonce for player in self._players.values()):
            return
        try:
            self._begin(self._players)
        except StorageError:
            self._remark("The server can't save the game; it waits until it can.")
            self._loop.call_later(_RETRY_SECONDS, self._begin_or_wait)

    def _begin(self, players: Mapping[Seat, Player], **line: Any) -> None:
        nonces = tuple(players[seat].nonce for seat in sorted(players))
        dice = FairDice(secret_of(self._secret, self._games + 1), nonces)
        seats, moved = self.settings.seats, self._games % self.game.seats  # with every rematch
        specs = tuple(
            f"{HUMAN}:name={players[seat].name}" if seat in players else spec
            for seat, spec in enumerate((*seats[-moved:], *seats[:-moved]))
        )
        match: AnyMatch = Match(self.game, seed=dice.seed)
        header = new_header(
            self.game,
            seed=match.seed,
            seats=specs,
            tick=self.settings.tick,
            dice=object_codec(FairDice).write(dice),
        )
        journal = self._services.store.create(header)
        try:
            self._file.append(save=journal.name, **line)
        except StorageError:
            with contextlib.suppress(StorageError):
                journal.discard()
            raise
        self._games += 1
        self.people.move(players)
        self.served = self._serve(match, journal, (), specs)
        self._told = self.served.edition
        for guest in self.people:
            self._show_everything(guest)
        if [*self.people]:
            self.served.go_on()
        self._announce()  # with the clock that runs now

    def _resume(self, record: TableRecord) -> None:
        match, journal, saved = self._services.store.resume(record.saves[-1])
        self._games = len(record.saves)
        served = self._serve(match, journal, record.clocks, saved.header.seats)
        for ply, seat, action in record.chosen:
            if ply == match.ply and seat in match.waiting_for:
                served.choose_again(seat, action)
        if record.ended is not None:
            served.ending = read_ending(record.ended, self.game.seats) or match.ending
        self.served, self._told = served, served.edition

    def _serve(
        self, match: AnyMatch, journal: Any, left: Sequence[float], specs: tuple[str, ...]
    ) -> ServedGame:
        return ServedGame(
            match,
            journal,
            holders_of(self.game, specs, match.seed),
            Clock(self.control, left or [self.control.base] * self.game.seats),
            self.settings.tick,
            self._services,
            GameEvents(self._stepped, self._choosing, self._announce, self._ended, self._remark),
        )

    def act(self, guest: Guest, message: Act) -> None:
        served, seat = self._playing(), self._seat_of(guest)
        if message.edition is not None and message.edition != served.edition:
            raise IllegalActionError("that was for a history that was taken back.")
        served.act(seat, message)

    def resign(self, guest: Guest) -> None:
        self._end_game("resigned", self._seat_of(guest))

    def _end_game(self, reason: str, loser: Seat | None = None) -> None:
        self._playing().end(Ending.by_players(reason, self.game.seats, loser))

    def _playing(self) -> ServedGame:
        if self.served is None:
            raise IllegalActionError("the game has not begun.", "Wait until all seats are taken.")
        if self.served.ending is not None:
            raise IllegalActionError("the game is over.")
        return self.served

    def _seat_of(self, guest: Guest) -> Seat:
        seat = self.people.seat_of(guest)
        if seat is None:
            raise IllegalActionError("you are only watching this table.")
        return seat

    def say(self, guest: Guest, text: str) -> None:
        if not text:
            return
        seat = self.people.seat_of(guest)
        name = _SPECTATOR if seat is None else self.name_of(seat)
        self.people.tell("said", name=name, text=text)

    def propose(self, guest: Guest, message: Propose) -> None:
        """Offer something to the others; without others it happens at once."""
        seat = self._seat_of(guest)
        if self.offer is not None and self.offer.what is message.what and self.offer.by != seat:
            self._agree(seat)
            return
        self._check_offer(message.what, seat)
        self.offer = OpenOffer(message.what, seat)
        self._agree(seat)

    def answer(self, guest: Guest, message: Answer) -> None:
        """Agree to the open offer, or decline it."""
        seat, offer = self._seat_of(guest), self.offer
        if offer is None or message.what not in (None, offer.what):
            raise IllegalActionError("nothing is offered, or something else.")
        if message.agrees:
            self._agree(seat)
            return
        self.offer = None
        self.people.tell("declined", what=offer.what.value, name=self.name_of(seat))
        self._announce()

    def _check_offer(self, what: Offer, seat: Seat) -> None:
        if what is Offer.REMATCH:
            if not self.is_over:
                raise IllegalActionError("a rematch can be offered when the game is over.")
            if self._games >= MOST_GAMES:
                raise IllegalActionError("that is enough for one table.", "Open another one.")
            return
        served = self._playing()
        if what is Offer.UNDO:
            # What the others were shown since is asked when they agree: a refusal now would tell.
            undo_target(served.match, [seat])
        if what in _ABOUT_ABSENT and not self.people.absent(self._loop.time()):
            raise IllegalActionError(
                "nobody has been away long enough.", f"Wait {people.AWAY_SECONDS:.0f} seconds."
            )

    def _agree(self, seat: Seat) -> None:
        offer = self.offer
        assert offer is not None, "callers check it"
        offer.agreed.add(seat)
        asked = self.people.here if offer.what in _ABOUT_ABSENT else self._players.keys()
        if not asked <= offer.agreed:
            self._announce()
            return
        self.offer = None
        try:
            self._do(offer)
        except StorageError:
            self._remark("That can't be done: the server can't save it.")
        except GameError as error:
            self._remark(f"That can't be done: {error.message}")
        self._announce()

    def _do(self, offer: OpenOffer) -> None:
        match offer.what:
            case Offer.UNDO:
                self._playing().undo(offer.by)
                with contextlib.suppress(StorageError):  # only choices in a joint step come back
                    self._file.append(undone=offer.by)
                self._remark(f"{self.name_of(offer.by)} took the last decision back.")
            case Offer.CLAIM:
                self._end_game("claimed", self.people.absent(self._loop.time())[0].seat)
            case Offer.AGENT:
                for player in self.people.absent(self._loop.time()):
                    self._let_sit_in(player)
            case Offer.REMATCH:
                self._play_again()

    def _let_sit_in(self, player: Player) -> None:
        served = self._playing()
        levels = list(spec_of(self.game).levels)
        player.stand_in = levels[min(_SIT_IN_LEVEL, len(levels) - 1)]
        (*_, holder) = holders_of(self.game, [player.stand_in] * self.game.seats, served.match.seed)
        served.remark(f"{player.name} is away; {player.stand_in} plays.")
        served.sit_in(player.seat, replace(holder, name=f"{player.name} ({player.stand_in})"))

    def _give_back(self, player: Player) -> None:
        player.stand_in = ""
        served = self.served
        if served is not None and served.ending is None:
            served.remark(f"{player.name} is back.")
            spec = f"{HUMAN}:name={player.name}"
            served.sit_in(player.seat, SeatHolder(spec, player.name, None))

    def _play_again(self) -> None:
        last = self.served
        assert last is not None, "a rematch follows a game"
        seats = [*range(1, self.game.seats), 0]
        moved = {seats[seat]: player for seat, player in self._players.items()}
        saved = [{**player.saved(), "seat": seat} for seat, player in moved.items()]
        self._begin(moved, seats=saved)
        last.close()

    def _stepped(self) -> None:
        served = self.served
        if served is None or self._file.is_taken:  # it is just being set up, or nothing may be told
            return
        if self.control:
            with contextlib.suppress(StorageError):  # the step is saved, and must be told
                left = served.clock.left(self._loop.time())
                self._file.append(clocks=[round(seconds, 3) for seconds in left])
        is_void = self.offer is not None and self.offer.what is not Offer.AGENT
        if is_void:
            self.offer = None
        is_new, self._told = self._told != served.edition, served.edition
        shown: dict[Seat | None, str] = {}  # what several guests see is made once
        for guest in self.people:
            if is_new:
                self._show_everything(guest)
                continue
            seat = self.people.seat_of(guest)
            if seat not in shown:
                shown[seat] = served.observed(seat, served.match.ply)
            guest.send(shown[seat])
        if self.control or is_void:
            self._announce()

    def _choosing(self, seat: Seat, action: Any) -> None:
        self._file.append(ply=self._playing().match.ply, chosen=str(action), by=seat)

    def _ended(self, ending: Ending) -> None:
        self._file.append(ended=ending.saved)
        if ending.loser is not None and self.served is not None:
            self.served.remark(f"{ending.defeat(self.served.names)}.")
        self.offer = None
        for guest in self.people:
            self._show_end(guest)
        self._announce()

    def _welcome(self, guest: Guest, token: str, code: str) -> str:
        welcome = Welcome(
            self.game.info.id,
            self.settings.options,
            self.game.info.rules_version,
            commitment_of(secret_of(self._secret, 1))
            if self.served is None
            else self._dice_of(self.served).commitment,
            table=self.settings.id,
            token=token,
            seat=self.people.seat_of(guest),
            code=code,
            watch=self.settings.watch_code,
            has_pages=self._services.has_pages,
            clock=str(self.control),
            tick=self.settings.tick,
            away=round(people.AWAY_SECONDS),
        )
        return write_fields("welcome", welcome)

    @staticmethod
    def _dice_of(served: ServedGame) -> FairDice:
        return read_dice(served.journal.header.dice)

    def _show_everything(self, guest: Guest) -> None:
        served = self.served
        if served is None:
            return
        seat = self.people.seat_of(guest)
        guest.send(served.hello(seat, list(self._players), self._dice_of(served)))
        guest.send(served.observations(seat))
        self._show_end(guest)

    def _show_end(self, guest: Guest) -> None:
        served = self.served
        if served is None or served.ending is None:
            return
        guest.send(
            write(
                "over",
                reason=served.ending.reason,
                loser=served.ending.loser,
                returns=list(served.match.returns) if served.match.is_over else None,
                record=served.public_record(),
            )
        )

    def _announce(self) -> None:
        served, now, offer = self.served, self._loop.time(), self.offer
        here, players, game = self.people.here, self._players.values(), "waiting"
        if served is not None:
            game = "over" if self.is_over else "playing"
        state = TableState(
            state=game,
            names=tuple(self.name_of(seat) for seat in range(self.game.seats)),
            here=tuple(player.seat for player in players if player.seat in here),
            away=tuple(
                (player.seat, max(0, math.ceil(player.away_since + people.AWAY_SECONDS - now)))
                for player in players
                if player.seat not in here
            ),
            open=tuple(self.open_seats),
            clocks=tuple(map(round, served.clock.left(now))) if served and self.control else None,
            running=served.clock.running if served else (),
            committed=tuple(sorted(served.match.committed)) if served else (),
            offer=offer.what if offer else None,
            offered_by=offer.by if offer else None,
            agreed=tuple(sorted(offer.agreed)) if offer else (),
            watchers=self.people.watchers,
            bots=tuple(player.seat for player in players if player.is_bot),
        )
        self.people.send(write_fields("table", state))

    def _remark(self, text: str) -> None:
        self.people.tell("remark", text=text)

    def close(self, reason: str = "") -> None:
        """Close the connections and files; the table can be restored."""
        self._end(reason)
        self._file.close()

    def _end(self, reason: str) -> None:
        self.is_closed = True
        self.people.dismiss(reason)
        if self.served is not None:
            self.served.close()

    def discard(self) -> None:
        """Give the table up: nobody can come back. The save of its game stays."""
        self._end("This table was closed.")
        self._file.discard()  # while it is still locked: another server might open it
