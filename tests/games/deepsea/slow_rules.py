"""Deep Sea Adventure once more, written plainly from RULES.md alone; the real rules must agree.

A table of mutable divers and a list of places, driven by the notation of what happens. Removed
places are simply not in the list, and a chip is a list of dots.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

Chip = list[int]
"""The dots of a chip; of a stack, those of the chips in it."""

CHANCE = "chance"
OVER = "over"


@dataclass
class Diver:
    place: int = 0
    """0 is the submarine; else the number of a place that has not been removed."""
    is_diving: bool = True
    load: list[Chip] = field(default_factory=list)
    points: int = 0

    @property
    def is_home(self) -> bool:
        return self.place == 0 and not self.is_diving


class Table:
    """One game.

    Args:
        players: Divers.
        rounds: Rounds to play.
        oxygen: What is in the tank when a round begins.
        drop: "lowest" or "choose".
        stacks: Whether drowned chips come back.
    """

    def __init__(self, players: int, rounds: int, oxygen: int, drop: str, stacks: bool) -> None:
        self.rounds_left = rounds
        self.tank = oxygen
        self.oxygen = oxygen
        self.chooses = drop == "choose"
        self.stacks = stacks
        self.divers = [Diver() for _ in range(players)]
        self.trail: list[Chip] = [[dots] for dots in (1, 2, 3, 4) for _ in range(8)]
        """For each place the dots there, from the submarine outward; empty is a blank."""
        self.turn = -1
        self.waits_for = "start"
        self.seen: Counter[int] = Counter()
        """How often each value was turned over."""

    # -- whose move it is ----------------------------------------------------------------------

    @property
    def actor(self) -> int | str:
        if self.waits_for == OVER:
            return OVER
        return self.turn if self.waits_for in ("direction", "chip", "blank") else CHANCE

    @property
    def diver(self) -> Diver:
        return self.divers[self.turn]

    def choices(self) -> set[str]:
        """What the diver whose turn it is can do, in notation."""
        if self.waits_for == "direction":
            return {"dive", "return"}
        if self.waits_for == "chip":
            return {"take", "leave"}
        if not self.chooses:
            return {"drop", "keep"}
        return {"keep"} | {"drop " + "+".join(map(str, chip)) for chip in self.diver.load}

    def chances(self) -> dict[str, float]:
        """What chance can bring, in notation."""
        if self.waits_for == "start":
            return {
                f"start {number + 1}": 1 / len(self.divers) for number in range(len(self.divers))
            }
        if self.waits_for == "dice":
            return {f"dice {one} {two}": 1 / 9 for one in (1, 2, 3) for two in (1, 2, 3)}
        level = self.next_home().load[0][0]
        hidden = {
            value: 2 - self.seen[value]
            for value in range(4 * level - 4, 4 * level)
            if self.seen[value] < 2
        }
        return {f"chip {value}": left / sum(hidden.values()) for value, left in hidden.items()}

    # -- what happens --------------------------------------------------------------------------

    def play(self, text: str) -> None:
        """Let something happen, given in notation."""
        word, *rest = text.split()
        getattr(self, f"_{word}")(*rest)

    def _start(self, number: str) -> None:
        self.turn = int(number) - 1
        self._breathe()

    def _breathe(self) -> None:
        self.oxygen = max(0, self.oxygen - len(self.diver.load))
        is_out = self.diver.place > 0
        self.waits_for = "direction" if is_out and self.diver.is_diving else "dice"

    def _dive(self) -> None:
        self.waits_for = "dice"

    def _return(self) -> None:
        self.diver.is_diving = False
        self.waits_for = "dice"

    def _dice(self, one: str, two: str) -> None:
        diver = self.diver
        others = {other.place for other in self.divers if other is not diver}
        for _ in range(max(0, int(one) + int(two) - len(diver.load))):
            step = 1 if diver.is_diving else -1
            ahead = diver.place + step
            while ahead in others and ahead > 0:
                ahead += step
            if ahead > len(self.trail):
                break  # nothing is free beyond: the diver stops, and need not turn
            diver.place = ahead
            if ahead <= 0:
                diver.place = 0
                break
        if not self.trail:
            diver.is_diving = False  # nothing is left to dive for
        if diver.place and self.trail[diver.place - 1]:
            self.waits_for = "chip"
        elif diver.place and diver.load:
            self.waits_for = "blank"
        else:
            self._pass_on()

    def _take(self) -> None:
        self.diver.load.append(self.trail[self.diver.place - 1])
        self.trail[self.diver.place - 1] = []
        self._pass_on()

    def _leave(self) -> None:
        self._pass_on()

    def _keep(self) -> None:
        self._pass_on()

    def _drop(self, dots: str = "") -> None:
        load = self.diver.load
        if dots:
            chip = [int(one) for one in dots.split("+")]
        else:
            fewest = min(sum(chip) for chip in load)
            chip = next(chip for chip in load if sum(chip) == fewest)
        load.remove(chip)
        self.trail[self.diver.place - 1] = chip
        self._pass_on()

    def _pass_on(self) -> None:
        if self.oxygen == 0 or all(diver.is_home for diver in self.divers):
            self._end_round()
            return
        self.turn = (self.turn + 1) % len(self.divers)
        while self.diver.is_home:
            self.turn = (self.turn + 1) % len(self.divers)
        self._breathe()

    # -- the end of a round --------------------------------------------------------------------

    def _end_round(self) -> None:
        drowned = [number for number, diver in enumerate(self.divers) if not diver.is_home]
        if drowned:
            self.turn = max(drowned, key=lambda number: self.divers[number].place)
        # Otherwise the last one home has just moved, and it is its turn still.
        self._count()

    def next_home(self) -> Diver:
        return next(diver for diver in self.divers if diver.is_home and diver.load)

    def _chip(self, value: str) -> None:
        diver = self.next_home()
        diver.points += int(value)
        self.seen[int(value)] += 1
        diver.load[0] = diver.load[0][1:]
        diver.load = [chip for chip in diver.load if chip]
        self._count()

    def _count(self) -> None:
        if any(diver.is_home and diver.load for diver in self.divers):
            self.waits_for = "value"
            return
        self.rounds_left -= 1
        if self.rounds_left == 0:
            self.waits_for = OVER
            return
        lying = [chip for chip in self.trail if chip]
        if self.stacks:
            lost = sorted(self.divers, key=lambda diver: diver.place, reverse=True)
            loose = [dots for diver in lost for chip in diver.load for dots in chip]
            lying += [sorted(loose[start : start + 3]) for start in range(0, len(loose), 3)]
        self.trail = lying
        self.oxygen = self.tank
        for diver in self.divers:
            diver.place, diver.is_diving, diver.load = 0, True, []
        self._breathe()
