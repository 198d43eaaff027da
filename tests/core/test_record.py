"""Records: what is written is read back, and every kind of damage is named with its line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardgames_cli.core.errors import RecordError
from boardgames_cli.core.game import Step
from boardgames_cli.core.match import AnyMatch, Match
from boardgames_cli.core.options import option_values
from boardgames_cli.core.record import (
    DIGEST_EVERY,
    FORMAT,
    Header,
    Record,
    digest,
    lines_after,
    note_line,
    read_lines,
)
from boardgames_cli.games.senet.rules import Senet
from boardgames_cli.testing.scene import one_step
from tests.toys import Pennies, Race


def header(game: Any, **changes: Any) -> Header:
    fields = {
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "options": option_values(game),
        "seed": 5,
        "seats": ("human:name=Ann", "random"),
    }
    return Header(**fields | changes)


def played(game: Any, plies: int = 10**6, seed: int = 5) -> AnyMatch:
    match: AnyMatch = Match(game, seed=seed)
    while match.waiting_for and match.ply < plies:
        one_step(match)
    return match


def written(match: AnyMatch) -> list[str]:
    lines = [header(match.game).line(), *lines_after(match, 0)]
    return [f"{line}\n" for line in lines]


def test_lines_are_readable() -> None:
    match = Match(Race(), seed=5)
    for seat, roll in ((0, "roll 2"), (1, "roll 1")):
        match.submit_chance(roll)
        match.submit(seat, "step")
    head, *steps = [header(match.game).line(), *lines_after(match, 0)]
    assert head.startswith('{"boardgames": 1, "game": "race", "rules_version": 1, "options": {')
    assert steps == [
        '{"chance": "roll 2"}',
        '{"0": "step"}',
        '{"chance": "roll 1"}',
        '{"1": "step"}',
    ]
    assert list(lines_after(match, 3)) == steps[3:]


def test_a_joint_step_is_one_line_with_all_seats_in_order() -> None:
    match = Match(Pennies(), seed=5)
    match.submit(1, "tails")
    match.submit(0, "heads")
    assert list(lines_after(match, 0)) == ['{"0": "heads", "1": "tails"}']
    record = read_lines([header(Pennies()).line() + "\n", '{"1": "tails", "0": "heads"}\n'])
    assert record.restore(Pennies()).steps == (Step({0: "heads", 1: "tails"}),)


def test_digests_come_now_and_then_and_the_result_at_the_end() -> None:
    match = played(Senet())
    kinds = [next(iter(json.loads(line))) for line in lines_after(match, 0)]
    assert kinds.count("digest") == match.ply // DIGEST_EVERY
    assert kinds[DIGEST_EVERY] == "digest"
    assert kinds[-1] == "result"
    unfinished = played(Senet(), plies=DIGEST_EVERY)
    assert "result" not in [next(iter(json.loads(line))) for line in lines_after(unfinished, 0)]


def test_notes_are_kept_with_their_ply() -> None:
    lines = [header(Race()).line() + "\n", note_line(0, "hint taken") + "\n"]
    lines += ['{"chance": "roll 1"}\n', note_line(1, "é \N{SNOWMAN}") + "\n"]
    record = read_lines(lines)
    assert record.notes == ((0, "hint taken"), (1, "é \N{SNOWMAN}"))
    assert record.restore(Race()).ply == 1


GOOD = ['{"chance": "roll 2"}\n', '{"0": "step"}\n', '{"chance": "roll 1"}\n', '{"1": "step"}\n']
DAMAGE = [
    # line number, what stands there, what the message says
    (3, "not json\n", "this can't be read as JSON"),
    (3, '{"0": "st\n', "this can't be read as JSON"),
    (3, "[1]\n", "this is not a JSON object"),
    (3, "null\n", "this is not a JSON object"),
    (3, "{}\n", "this is not a step"),
    (3, '{"0": 7}\n', "this is not a step"),
    (3, '{"digest": 7, "ply": 1}\n', "this is not a step"),
    (3, '{"note": "x", "ply": "1"}\n', "this step can't be played"),
    (3, '{"result": ["a"]}\n', "this is not a step"),
    (3, "[" * 100_000 + "\n", "this can't be read as JSON"),
    (3, '{"0": "fly"}\n', "this step can't be played"),
    (3, '{"0": "jump"}\n', "jump is not possible now"),
    (3, '{"0": "ste"}\n', "this step can't be played"),
    (3, '{"1": "step"}\n', "this step can't be played"),
    (3, '{"5": "step"}\n', "this step can't be played"),
    (3, '{"zero": "step"}\n', '"zero" is not to act here, but 0'),
    (3, '{"00": "step"}\n', '"00" is not to act'),
    (3, '{"-1": "roll 1"}\n', '"-1" is not to act'),
    (3, '{"\N{ARABIC-INDIC DIGIT ZERO}": "step"}\n', "is not to act"),
    (2, '{"chance": "roll 9"}\n', "this step can't be played"),
    (2, '{"chance": "roll 1", "0": "step"}\n', "this step can't be played"),
]


@pytest.mark.parametrize(("line", "text", "reason"), DAMAGE)
def test_damage_is_named_with_its_line(line: int, text: str, reason: str) -> None:
    lines = [header(Race()).line() + "\n", *GOOD]
    lines[line - 1] = text
    with pytest.raises(RecordError, match=f"line {line}: .*{reason}") as caught:
        read_lines(lines).restore(Race())
    assert caught.value.line == line
    assert caught.value.todo


OLD = header(Race(), rules_version=2, program="9.1").line() + "\n"
NOWHERE = header(Race(), start={"here": 1}).line() + "\n"
WHOLE = [
    # the lines, the rules that read them, what the message says
    ([*written(played(Race())), '{"0": "step"}\n'], Race(), "the game is over"),
    ([*written(played(Pennies()))[:1], '{"0": "heads"}\n'], Pennies(), "this step is not complete"),
    ([OLD], Race(), "version 2 of the rules of Race.*9.1"),
    ([NOWHERE], Race(), "the start position is wrong: the position lacks"),
]


@pytest.mark.parametrize(("lines", "game", "reason"), WHOLE)
def test_a_whole_that_is_wrong_is_refused(lines: list[str], game: Any, reason: str) -> None:
    with pytest.raises(RecordError, match=f"line {len(lines)}: .*{reason}"):
        read_lines(lines).restore(game)


def test_a_changed_step_is_found_by_the_next_digest() -> None:
    match = played(Senet())
    lines = written(match)
    wrong = list(lines)
    wrong[DIGEST_EVERY + 1] = '{"digest": "0123456789abcdef", "ply": 20}\n'
    with pytest.raises(RecordError, match="the position after step 20 is not the one"):
        read_lines(wrong).restore(Senet())
    assert digest(Senet(), match.state_at(20)) in lines[DIGEST_EVERY + 1]


def test_a_wrong_result_is_refused() -> None:
    lines = [*written(played(Race()))[:-1], '{"result": [0.5, -0.5]}\n']
    with pytest.raises(RecordError, match="the result is not the one of these moves"):
        read_lines(lines).restore(Race())


ABSENT = object()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"boardgames": None}, "not a save of boardgames"),
        ({"boardgames": True}, "not a save of boardgames"),
        ({"boardgames": FORMAT + 1}, f"format {FORMAT + 1}; this version reads 1-{FORMAT}"),
        ({"boardgames": 0}, "not a save of boardgames"),
        ({"game": 1}, 'no valid "game"'),
        ({"rules_version": "1"}, 'no valid "rules_version"'),
        ({"rules_version": True}, 'no valid "rules_version"'),
        ({"options": []}, 'no valid "options"'),
        ({"seed": "x"}, 'no valid "seed"'),
        ({"seed": 1.5}, 'no valid "seed"'),
        ({"seed": None}, 'no valid "seed"'),
        ({"seats": "ab"}, 'no valid "seats"'),
        ({"seats": [1, 2]}, 'no valid "seats"'),
        ({"start": 5}, 'no valid "start"'),
        *(
            ({key: ABSENT}, f'no valid "{key}"')
            for key in ("game", "rules_version", "options", "seed", "seats")
        ),
    ],
)
def test_a_wrong_header_is_named(change: dict[str, Any], reason: str) -> None:
    data = json.loads(header(Race()).line()) | change
    data = {key: value for key, value in data.items() if value is not ABSENT}
    with pytest.raises(RecordError, match=f"line 1: .*{reason}"):
        read_lines([json.dumps(data) + "\n"])


@pytest.mark.parametrize("lines", [[], ["\n"], ["  \n", "\n"]])
def test_an_empty_file_is_refused(lines: list[str]) -> None:
    with pytest.raises(RecordError, match="empty"):
        read_lines(lines)


def cut(text: str, at: int) -> Record:
    # As a file is read: bytes that are not text any more become marks.
    kept = text.encode()[:at].decode(errors="replace")
    return read_lines(kept.splitlines(keepends=True))


@pytest.mark.parametrize("game", [Race(), Pennies(), Senet()], ids=str)
def test_a_save_torn_at_any_byte_loses_at_most_the_last_step(game: Any) -> None:
    match = played(game, plies=44)
    text = "".join(written(match)[:1]) + note_line(0, "é\N{SNOWMAN}") + "\n"
    text += "".join(written(match)[1:])
    data = text.encode()
    first = data.index(b"\n")
    for at in range(first + 1, len(data) + 1):
        record = cut(text, at)
        whole = data[:at].count(b"\n")
        steps_on_disk = sum(
            1
            for line in text.splitlines()[1:whole]
            if not any(word in line for word in ('"digest"', '"note"', '"result"'))
        )
        again = record.restore(game)
        assert again.steps == match.steps[: again.ply]
        assert again.ply >= steps_on_disk
        assert record.unterminated == (not data[:at].endswith(b"\n"))


def test_a_file_torn_in_its_header_holds_nothing_and_says_so() -> None:
    text = "".join(written(played(Race())))
    for at in range(text.index("\n")):
        with pytest.raises(RecordError):
            cut(text, at)


def test_only_the_last_line_may_be_torn() -> None:
    lines = [header(Race()).line() + "\n", *GOOD]
    with pytest.raises(RecordError, match="line 3"):
        read_lines([*lines[:2], '{"0": "st', *lines[3:]])
    with pytest.raises(RecordError, match="line 5"):
        read_lines([*lines[:4], '{"0": "st\n'])
    assert read_lines([*lines[:4], '{"1": "st']).torn
