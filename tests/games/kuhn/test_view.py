"""How Kuhn poker looks and is told."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from boardgames_cli.core.game import Observation, Seat, Step
from boardgames_cli.core.match import Match
from boardgames_cli.core.options import RANDOM
from boardgames_cli.core.presentation.view import Moment, RenderContext, Size
from boardgames_cli.core.text import Canvas, Glyphs, Picture, Span
from boardgames_cli.games.kuhn.actions import HIDDEN, Action, Deal
from boardgames_cli.games.kuhn.rules import Kuhn
from boardgames_cli.games.kuhn.state import KuhnState, Seen
from boardgames_cli.games.kuhn.view import KuhnView
from boardgames_cli.games.kuhn.view.chips import Stacks, chip_piles
from tests.games.kuhn.tables import BET, CHECK, JACK, KING, KuhnMatch, every_state, play_hand

MATCH = Kuhn(hands=20)
FACING = KuhnState((KING, JACK), (CHECK, BET), 0, 6, 3)
ASCII, UNICODE = Glyphs.ASCII, Glyphs.UNICODE


def context(glyphs: Glyphs = ASCII, highlight: Action | None = None) -> RenderContext[Action, Deal]:
    return RenderContext(glyphs, ("Ann", "Bob"), highlight, Step({1: BET}))


def drawn(
    state: KuhnState, size: Size, glyphs: Glyphs = ASCII, seat: int | None = 0, game: Kuhn = MATCH
) -> Picture:
    return KuhnView(game).picture(game.observe(state, seat), size, context(glyphs))


def test_the_compact_table() -> None:
    assert str(drawn(FACING, Size(51, 18))).splitlines() == [
        "   Bob                  card [?]     chips 35",
        "   bet 1",
        "                        pot 3",
        "   Hand 7 of 20, Ann leads by 3",
        "   checked",
        " > Ann                  card [K]     chips 42",
        "",
        "   [fold]  [call (pay 1)]",
    ]


def test_the_table_with_cards() -> None:
    assert str(drawn(FACING, Size(60, 12), UNICODE)).splitlines() == [
        "    Bob                   ╭─────╮   ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▄▄",
        "    chips 35              │╱ ? ╱│█  ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀",
        "    (>_>)                 │╲╱╲╱╲│█  ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀",
        "    bet 1                 ╰─────╯█  6  6  6  6  6  5",
        "                           ▀▀▀▀▀▀▀",
        "    Hand 7 of 20    ▟██▙ ▟██▙ ▟██▙  pot 3",
        "    Ann leads by 3",
        "  > Ann                   ╭─────╮   ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀",
        "    chips 42              │K ♚  │█  ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀",
        "                          │    K│█  ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀ ▀▀",
        "    checked               ╰─────╯█  6  6  6  6  6  6  6",
        "                    fold    call (pay 1)",
    ]


@pytest.mark.parametrize("size", [Size(51, 16), Size(60, 13), Size(77, 30), Size(140, 40)])
def test_in_colour_the_felt_fills_the_room(size: Size) -> None:
    picture = drawn(FACING, size, UNICODE)
    assert (picture.width, picture.height) == (size.width, size.height)


@pytest.mark.parametrize("size", [Size(51, 16), Size(60, 13), Size(77, 30)])
@pytest.mark.parametrize("has_colours", [True, False])
def test_the_chips_that_are_drawn_can_be_counted(size: Size, has_colours: bool) -> None:
    picture = KuhnView(MATCH).picture(
        MATCH.observe(FACING, 0), size, replace(context(UNICODE), has_colours=has_colours)
    )
    worth = 0
    for line in picture.lines:
        for span in line:
            if found := re.search(r"chip\.(\d+)(\.pair)?$", span.role):
                worth += int(found[1]) * (2 if found[2] else 1)
    assert worth == 35 + 42 + 3


@pytest.mark.parametrize("glyphs", list(Glyphs))
@pytest.mark.parametrize("size", [Size(51, 18), Size(60, 12), Size(77, 30)])
def test_every_size_holds_every_fact(size: Size, glyphs: Glyphs) -> None:
    picture = drawn(FACING, size, glyphs)
    text = str(picture)
    assert picture.width <= size.width
    assert picture.height <= size.height
    for fact in ("Ann", "Bob", "K", "?", "42", "35", "pot 3", "Hand 7 of 20", "bet 1", "checked"):
        assert fact in text, fact
    assert {span.action for line in picture.lines for span in line} == {"", "check", "bet"}


def test_the_narrow_table_has_cards_chips_and_pot() -> None:
    assert str(drawn(FACING, Size(30, 6))).splitlines() == [
        "  Bob          [?]   35",
        "> Ann          [K]   42",
        "  pot 3",
        "  [fold] [call (pay 1)]",
    ]


def test_the_viewer_sits_near() -> None:
    size = Size(60, 12)
    for seat, near in ((0, "Ann"), (1, "Bob"), (None, "Ann")):
        lines = str(drawn(FACING, size, UNICODE, seat)).splitlines()
        assert near in lines[7]


@pytest.mark.parametrize(("action", "text"), [(BET, "pot 3 -> 4"), (CHECK, "pot 3\n")])
def test_the_highlighted_action_shows_what_it_would_do(action: Action, text: str) -> None:
    seen = MATCH.observe(FACING, 0)
    picture = KuhnView(MATCH).picture(seen, Size(51, 18), context(highlight=action))
    assert text in str(picture)
    chosen = {span.action for line in picture.lines for span in line if span.role == "felt chosen"}
    assert chosen == {str(action)}


def test_a_showdown_turns_the_cards_over_and_pays() -> None:
    end = KuhnState((KING, JACK), (CHECK, BET, BET), 0, 6, 3)
    text = str(drawn(end, Size(51, 18)))
    assert "[K]" in text
    assert "[J]" in text
    assert "chips 45" in text
    assert "Ann won 2" in text
    assert "pot" not in text


def test_chips_on_the_table_are_always_all() -> None:
    # 20 hands: 40 chips each, wherever they lie.
    game = Kuhn(hands=20)
    for state in every_state(Kuhn()):
        text = str(drawn(state, Size(51, 18), seat=None, game=game))
        stacks = sum(int(number) for number in re.findall(r"chips (\d+)", text))
        pot = re.search(r"pot (\d+)", text)
        assert stacks + (int(pot[1]) if pot else 0) == 80


def test_nobody_runs_out_of_chips() -> None:
    text = str(drawn(KuhnState((JACK, KING), (BET, BET), 0), Size(51, 18), game=Kuhn()))
    assert "chips 0" in text
    assert "chips 4" in text


@pytest.mark.parametrize("chips", [0, 1, 4, 43, 99, 2000])
@pytest.mark.parametrize("highest", [2, 5])
def test_piles_are_worth_what_they_stand_for(chips: int, highest: int) -> None:
    piles = list(chip_piles(chips, highest))
    assert sum(value * count for value, count in piles) == chips
    assert all(1 <= count <= highest for _, count in piles)


@pytest.mark.parametrize(
    ("most", "columns", "values", "width"),
    [
        (3, 18, (1,), 4),
        (39, 18, (1,), 3),
        (47, 18, (1,), 2),
        (80, 18, (5, 1), 4),
        (2000, 18, (100, 25, 5, 1), 4),
    ],
)
def test_every_chip_is_drawn_while_there_is_room(
    most: int, columns: int, values: tuple[int, ...], width: int
) -> None:
    stacks = Stacks.of(most, columns, 5, UNICODE, has_colours=True)
    assert (stacks.values, stacks.width) == (values, width)
    piles = list(chip_piles(most, 10, stacks.values))
    assert most > 1000 or len(piles) * (width + 1) - 1 <= columns


def test_both_stacks_are_drawn_alike_and_the_larger_one_is_higher() -> None:
    def chips(count: int) -> int:
        canvas = Canvas(18, 6)
        Stacks.of(5, 18, 5, UNICODE, has_colours=True).draw(canvas, count, 0, 5)
        return sum(span.text.count("▀") * 2 + span.text.count("▄") for span in spans(canvas))

    assert [chips(count) // 4 for count in (1, 4, 5)] == [1, 4, 5]


def spans(canvas: Canvas) -> list[Span]:
    return [span for line in canvas.picture().lines for span in line]


def rules_of(match: KuhnMatch) -> Kuhn:
    game = match.game
    assert isinstance(game, Kuhn)
    return game


def test_the_story_of_a_match() -> None:
    match: KuhnMatch = Match(Kuhn(hands=2), seed=1)
    play_hand(match, "KJ", "cbb")
    play_hand(match, "QK", "bc")
    told = []
    for ply, step in enumerate(match.steps):
        before, after = (match.game.redact(match.state_at(at), 0) for at in (ply, ply + 1))
        told += KuhnView(rules_of(match)).narrate(before, step, after, context())
    assert told == [
        "Hand 1 of 2. Ann to act first.",
        "Ann got the king.",
        "Ann checked.",
        "Bob bet 1.",
        "Ann called.",
        "Ann showed K, Bob showed J: Ann won 2 chips.",
        "Ann caught a bluff.",
        "Chips: Ann 6, Bob 2.",
        "Hand 2 of 2. Bob to act first.",
        "Ann got the king.",
        "Bob bet 1.",
        "Ann folded.",
        "Bob won 1 chip: Ann folded, no card was shown.",
        "Chips: Ann 5, Bob 3.",
    ]
    assert KuhnView(rules_of(match)).result(match.state, context()) == "Ann won 1 chip."


def told_moments(viewer: Seat | None, *hands: tuple[str, str]) -> list[Moment]:
    match: KuhnMatch = Match(Kuhn(hands=len(hands)), seed=1)
    for cards, line in hands:
        play_hand(match, cards, line)
    found: list[str] = []
    for ply, step in enumerate(match.steps):
        before, after = (match.game.redact(match.state_at(at), viewer) for at in (ply, ply + 1))
        found += KuhnView(rules_of(match)).narrate(before, step, after, context())
    return [line for line in found if isinstance(line, Moment)]


def test_bets_are_counted_and_only_those_that_were_shown_are_bluffs_or_not() -> None:
    hands = (("KJ", "cbb"), ("QK", "bc"), ("KQ", "bb"), ("JK", "bc"))
    for viewer in (0, 1, None):
        moments = told_moments(viewer, *hands)
        assert [(one.kind, one.seat, one.by) for one in moments if one.kind != "stolen"] == [
            ("bet", 1, None),
            ("called", 1, 0),
            ("bluff", 0, 1),
            ("bet", 1, None),
            ("bet", 0, None),
            ("called", 0, 1),
            ("bet", 1, None),
        ]
        # Only who holds the jack knows that it was never called.
        stolen = [(one.seat, one.banner, str(one)) for one in moments if one.kind == "stolen"]
        assert stolen == (
            [(1, "bluff worked", "Bob bluffed with the jack.")] if viewer == 1 else []
        )
        assert [one.banner for one in moments if one.shakes] == ["bluff called"]
    look = replace(context(), moments=told_moments(0, *hands))
    beside = str(KuhnView(Kuhn(hands=4)).sidebar(MATCH.observe(FACING, 0), 30, look))
    assert beside.splitlines()[-3:] == [
        "            bets called bluffs",
        "  Ann          1      1      0",
        "  Bob          3      1      1",
    ]


def test_the_other_has_a_face_and_who_leads_is_told() -> None:
    lines = str(drawn(FACING, Size(51, 16), UNICODE)).splitlines()
    assert [line[:21].rstrip() for line in lines[:6]] == [
        "    Bob",
        "    chips 35",
        "    ╭─────╮",
        "    │ > > │ bet 1",
        "    │ ──╯ │",
        "    ╰─────╯",
    ]
    assert lines[8].strip() == "Ann leads by 3"
    you = replace(context(), names=("You", "Bob"))
    table = KuhnView(MATCH).picture(MATCH.observe(FACING, 0), Size(51, 16), you)
    assert "You lead by 3" in str(table)
    first = KuhnState((KING, JACK), (), 0)
    assert "leads" not in str(drawn(first, Size(51, 16), UNICODE))
    assert "level" not in str(drawn(first, Size(51, 16), UNICODE)), "nothing is played yet"
    assert "level" in str(drawn(first._replace(hand=2), Size(51, 16), UNICODE))


def test_cards_are_turned_chips_slide_and_the_last_picture_is_the_result() -> None:
    game = Kuhn(hands=4)
    view, size, look = KuhnView(game), Size(60, 16), replace(context(UNICODE), viewer=0)
    before = KuhnState((KING, HIDDEN), (Action.CHECK, Action.BET), 0)
    after = KuhnState((KING, JACK), (Action.CHECK, Action.BET, Action.BET), 0)
    made = list(view.frames(before, Step({0: Action.BET}), after, size, look))
    assert [bool(roles_in(frame, "sliding")) for frame in made[:3]] == [True] * 3, "into the pot"
    assert "?" in str(made[3])
    early = "".join(map(str, made[:-1]))
    assert "(T_T)" not in early, "no face tells the card"
    assert "won" not in early, "nor do words, before the pot has gone"
    assert "won" in str(made[-1])
    seen: Seen = Observation(0, 1, after, ())
    assert made[-1] == view.picture(seen, size, look)
    assert not list(view.frames(before, Step({}), before, size, look))


def roles_in(picture: Picture, role: str) -> str:
    return "".join(s.text for line in picture.lines for s in line if role in s.role.split())


def test_labels_prompt_and_sidebar() -> None:
    seen = MATCH.observe(FACING, 0)
    assert [KuhnView(MATCH).describe(seen, action) for action in seen.legal] == [
        "fold",
        "call (pay 1)",
    ]
    opening = KuhnState((KING, JACK), (), 0)
    assert [KuhnView(MATCH).describe(MATCH.observe(opening, 0), a) for a in seen.legal] == [
        "check", "bet 1",
    ]  # fmt: skip
    prompt = KuhnView(MATCH).prompt(seen, context())
    assert prompt == "Hand 7 of 20. Your card: K. Ann checked, Bob bet 1. Pot 3 chips."
    assert str(KuhnView(MATCH).sidebar(seen, 40, context())).splitlines() == [
        "Hand 7 of 20, ante 1",
        "> Ann  +3",
        "  Bob  -3",
        "Ann checked",
        "Bob bet 1",
        "Ann to act",
        "other card: J or Q",
    ]


@pytest.mark.parametrize(("card", "others"), [(0, "Q or K"), (1, "J or K"), (2, "J or Q")])
def test_the_sidebar_says_what_the_other_may_hold(card: int, others: str) -> None:
    state = KuhnState((card, (card + 1) % 3), (), 0)
    text = str(KuhnView(MATCH).sidebar(MATCH.observe(state, 0), 40, context()))
    assert f"other card: {others}" in text
    assert "other card" not in str(
        KuhnView(MATCH).sidebar(MATCH.observe(state, None), 40, context())
    )


def test_the_table_shows_what_each_did_last() -> None:
    end = KuhnState((KING, JACK), (CHECK, BET, CHECK), 0, 6, 3)
    text = str(drawn(end, Size(51, 18)))
    assert "folded" in text
    assert "bet 1" in text
    assert "checked" not in text


def test_an_even_match() -> None:
    assert (
        KuhnView(MATCH).result(KuhnState((-1, -1), (), 0), context()) == "Nobody has won anything."
    )


def test_between_two_hands_nobody_is_said_to_act_first() -> None:
    game = Kuhn(2, RANDOM)
    ended = KuhnState((KING, JACK), (CHECK, CHECK), 0)
    said = KuhnView(game).prompt(game.observe(ended, 0), context())
    assert said == "Hand 1 of 2: the next card is dealt."
