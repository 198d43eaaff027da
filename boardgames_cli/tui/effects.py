"""Everything that moves: animations of steps, banners, and how long they last.

Views draw the frames of a step and say which of its sentences are moments
(`core.presentation.view.Moment`); how moments look is decided here. An effect is only ever a
picture in place of the board: it changes nothing, and any key ends it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from textual._callback import invoke
from textual.message_pump import MessagePump
from textual.timer import Timer, TimerCallback

from boardgames_cli.core.game import LOST, OVER, WON, Seat
from boardgames_cli.core.presentation.view import Moment, Size
from boardgames_cli.core.text import Glyphs, Picture, Span, columns, wrapped
from boardgames_cli.session.match_driver import other_pace
from boardgames_cli.session.settings import Pace
from boardgames_cli.session.snapshot import TableSnapshot

_SHARE: Final = 0.65
"""The share of a step's time used for motion; the rest shows the result."""

_LONGEST_FRAME: Final = 0.15
"""The longest duration of a frame in seconds, so that short moves are not slow."""

_SHORTEST_FRAME: Final = 0.03
"""The shortest duration of a frame in seconds; faster frames would not be seen."""

_IMPACT: Final = (0.1, 0.07, 0.07)
"""The seconds of the frames of a blow, which moves the board to and fro."""

_HOLD: Final = 1.1
"""How long a banner can be read, in seconds."""

_COUNTS: Final = 8
"""The number of frames in which a number is counted up."""

_COUNT_SECONDS: Final = 0.06
_SECOND: Final = 0.6
"""One number of the countdown to real time, in seconds."""

_LARGE: Final = {
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644",
    "G": "34553", "H": "55755", "I": "72227", "J": "11152", "K": "55655", "L": "44447",
    "M": "10001 11011 10101 10001 10001", "N": "10001 11001 10101 10011 10001",
    "O": "75557", "P": "65644", "Q": "25563", "R": "65655",
    "S": "34216", "T": "72222", "U": "55557", "V": "55552",
    "W": "10001 10001 10101 11011 10001", "X": "55255",
    "Y": "55222", "Z": "71247", "0": "25552", "1": "26227", "2": "61247", "3": "61216",
    "4": "55711", "5": "74616", "6": "34757", "7": "71222", "8": "75757", "9": "75716",
    "-": "00700", "+": "02720", " ": "00000",
}  # fmt: skip
"""For each sign its five rows of three dots, each row an octal digit; of five dots, bit by bit."""
_HALVES: Final = {"00": " ", "10": "▀", "01": "▄", "11": "█"}


def large_text(text: str, glyphs: Glyphs, *, is_wide: bool = False) -> list[str]:
    """Capital letters, digits, spaces, ``+`` and ``-`` as block letters.

    Wide ones take two columns and a row for a dot, instead of one column and half a row.
    """
    signs = [_dots(sign) for sign in text]
    rows = [" ".join(sign[row] for sign in signs) for row in range(len(_dots("-")))]
    if is_wide or glyphs is Glyphs.ASCII:
        dot, times = "#" if glyphs is Glyphs.ASCII else "█", 2 if is_wide else 1
        cells = {ord(sign): sign * times for sign in (" ", dot)}
        return [row.replace("0", " ").replace("1", dot).translate(cells) for row in rows]
    return half_blocks(rows)


def half_blocks(rows: Sequence[str]) -> list[str]:
    """Rows of dots, 1 or 0, as half as many lines; what is neither stays empty."""
    rows = [*rows, *["".join("0" if dot in "01" else dot for dot in rows[0])] * (len(rows) % 2)]
    return [
        "".join(" " if a == " " else _HALVES[a + b] for a, b in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]


def _dots(sign: str) -> list[str]:
    rows = _LARGE[sign]
    return rows.split() if " " in rows else [f"{int(row):03b}" for row in rows]


def capitals_of(title: str) -> str:
    """A title for `large_text`; a name in another script is left out."""
    capitals = title.upper()
    return capitals if set(capitals) <= _LARGE.keys() else "GAME OVER"


class EffectFrame(NamedTuple):
    """A picture in place of the board, and for how long."""

    picture: Picture
    seconds: float


def frame_seconds(pace: Pace, count: int) -> float:
    """The duration of each frame in seconds at a pace; 0 for no animation."""
    # Stepping has no time limit, so the normal pace is used.
    seconds = pace.seconds if pace.seconds is not None else Pace.NORMAL.seconds
    return min(_SHARE * (seconds or 0.0) / count, _LONGEST_FRAME) if count else 0.0


def paced(pictures: Sequence[Picture], pace: Pace) -> list[EffectFrame]:
    """A subset of pictures that fits a pace, including the last; none at the fastest."""
    seconds = frame_seconds(pace, len(pictures))
    if 0 < seconds < _SHORTEST_FRAME:
        pictures = pictures[::-1][:: math.ceil(_SHORTEST_FRAME / seconds)][::-1]
        seconds = frame_seconds(pace, len(pictures))
    return [EffectFrame(picture, seconds) for picture in pictures] if seconds else []


def motion(after: TableSnapshot, size: Size) -> Sequence[Picture]:
    """The frames of the last step, without the board of a pause, which is shown after them."""
    pictures = after.frames(size)
    return pictures[:-1] if after.pause() else pictures


def step_effect(
    before: TableSnapshot, after: TableSnapshot, size: Size, pace: Pace
) -> list[EffectFrame]:
    """The effect of the last step: its frames, then a banner for each moment that has one."""
    pictures = motion(after, size)
    # Nothing waits for the end of what a pause follows.
    frames = paced(pictures, other_pace(pace, -1) if after.pause() and pace.seconds else pace)
    if pace is not Pace.INSTANT:
        board = pictures[-1] if pictures else before.board(size)
        for moment in moments_of(after):
            frames += _banner(moment, board, size, after.context.glyphs)
    return frames


def countdown(snapshot: TableSnapshot, size: Size) -> list[EffectFrame]:
    """The seconds before real time begins, over the board."""
    board, glyphs = snapshot.board(size), snapshot.context.glyphs
    says = ("get ready", "get ready", "go")
    return [
        EffectFrame(_over(board, size, _band(f"{number}", said, "banner", size, glyphs)), _SECOND)
        for number, said in zip((3, 2, 1), says, strict=True)
    ]


def moments_of(snapshot: TableSnapshot) -> list[Moment]:
    """The moments of the last step that have a banner, and the end of the game."""
    found = [line for line in snapshot.sentences if isinstance(line, Moment) and line.banner]
    ending = snapshot.ending
    is_over = snapshot.context.last is not None and ending is not None and ending.reason == OVER
    return [*found, ending_of(snapshot)] if is_over else found


def ending_of(snapshot: TableSnapshot) -> Moment:
    """Who won: addressed to the people at the screen if all of them did or none."""
    ending, people = snapshot.ending, snapshot.context.people or ()
    outcomes, best = ((), []) if ending is None else (ending.outcomes, ending.winners)
    own = {outcomes[person] for person in people} if outcomes else set()
    seat: Seat | None = best[0] if len(best) == 1 else None
    title = "game over" if outcomes else ""
    if own == {WON} and len(people) < len(outcomes):
        title, seat = "you won", best[0]
    elif own == {LOST}:
        title = "you lost"
    elif outcomes and not best:
        title = "draw"
    elif seat is not None:
        title = f"{snapshot.context.name(seat)} won"
    return Moment(snapshot.result, kind="end", banner=title, seat=seat)


def _banner(moment: Moment, board: Picture, size: Size, glyphs: Glyphs) -> Iterator[EffectFrame]:
    role = "banner" if moment.seat is None else f"banner seat.{moment.seat}"

    def frame(number: int, seconds: float, shift: int = 0, look: str = role) -> EffectFrame:
        title = moment.banner.format(number) if "{}" in moment.banner else moment.banner
        return EffectFrame(
            _over(board, size, _band(title, moment, look, size, glyphs), shift), seconds
        )

    is_counted = "{}" in moment.banner and moment.number > 1
    first = 0 if is_counted else moment.number
    if moment.shakes:
        for place, seconds in enumerate(_IMPACT):
            is_lit = place == 0
            yield frame(first, seconds, 1 - place % 2, f"{role} flash" if is_lit else role)
    if is_counted:
        for count in range(_COUNTS):
            yield frame(moment.number * count // _COUNTS, _COUNT_SECONDS)
    yield frame(moment.number, _HOLD)


def _band(title: str, said: str, role: str, size: Size, glyphs: Glyphs) -> list[list[Span]]:
    capitals = capitals_of(title)
    letters = [capitals]
    for is_wide in (True, False):
        made = large_text(capitals, glyphs, is_wide=is_wide)
        if columns(made[0]) <= size.width - 4 and len(made) + 7 <= size.height:
            letters = made
            break
    edge = ("-" if glyphs is Glyphs.ASCII else "─") * size.width
    sentence = wrapped(said, max(2, size.width - 2), max_lines=2)
    lines = ["", *letters, *([""] if len(letters) > 1 else []), *sentence, ""]
    return [
        [Span(edge, role)],
        *([Span(f"{_centred(line, size.width)}", role)] for line in lines),
        [Span(edge, role)],
    ]


def _centred(text: str, width: int) -> str:
    left = max(0, (width - columns(text)) // 2)
    return f"{' ' * left}{text}{' ' * (width - left - columns(text))}"


def _over(board: Picture, size: Size, band: Sequence[Sequence[Span]], shift: int = 0) -> Picture:
    left = max(0, (size.width - board.width) // 2) + shift
    top = max(0, (size.height - board.height) // 2)
    margin = [Span(" " * left)] if left else []
    lines: list[Sequence[Span]] = [[] for _ in range(size.height)]
    for row, line in enumerate(board.lines[: size.height], start=top):
        lines[row] = [*margin, *line]
    first = max(0, (size.height - len(band)) // 2)
    lines[first : first + len(band)] = band
    return Picture.of(lines[: size.height])


class Animation:
    """Shows pictures one after the other, driven by timers."""

    def __init__(
        self, set_timer: Callable[[float, Callable[[], None]], Timer], changed: Callable[[], None]
    ) -> None:
        self._set_timer = set_timer
        self._changed = changed
        self.before: TableSnapshot | None = None
        """The table before the step that is shown; None if no step is."""
        self._frames: tuple[EffectFrame, ...] = ()
        self._place = 0
        self._alarm: Timer | None = None

    @property
    def picture(self) -> Picture | None:
        """The current frame; None if there is no animation."""
        return self._frames[self._place].picture if self._frames else None

    def play(self, frames: Sequence[EffectFrame], before: TableSnapshot | None = None) -> None:
        """Start an animation, ending the previous one."""
        self.stop()
        if frames:
            self._frames, self._place, self.before = tuple(frames), 0, before
            self._arm()

    def stop(self) -> None:
        self._frames, self.before = (), None
        if self._alarm is not None:
            self._alarm.stop()
            self._alarm = None

    def _arm(self) -> None:
        self._alarm = self._set_timer(self._frames[self._place].seconds, self._next)

    def _next(self) -> None:
        if self._place + 1 < len(self._frames):
            self._place += 1
            self._arm()
        else:
            self._frames = ()  # what was before the step stays until all that is shown changes
        self._changed()


class ReliableTimers(MessagePump):
    """A message pump whose one-shot timers always fire, even if late.

    Textual skips firings that a timer is late for. That is right for repeating timers. But a
    one-shot timer is lost if it expires before its task starts, because the process had no
    processor time. A table whose next step depends on such a timer would freeze, and an application
    would miss a resize.
    """

    def set_timer(self, delay: float, callback: TimerCallback | None = None, **more: Any) -> Timer:
        """Call something once, after a delay or as soon as possible after it."""

        async def ring() -> None:
            # It may be stopped once it has rung, while its message still waits.
            if timer._task is not None and callback is not None:
                await invoke(callback)

        timer = super().set_timer(delay, ring, **more)
        timer._skip = False  # its task has not begun; Textual has no argument for it
        return timer
