"""Codes, addresses, clocks, messages and fair_dice."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardgames_cli import make, make_agent
from boardgames_cli.agents.remote.protocol import clean
from boardgames_cli.codec.derived import object_codec
from boardgames_cli.core.clock import Clock, TimeControl, read_time_control
from boardgames_cli.core.match import AnyMatch, Match, play
from boardgames_cli.online import fair_dice
from boardgames_cli.online.codes import (
    ALPHABET,
    AddressError,
    TableAddress,
    is_loopback,
    new_code,
    read_address,
    read_code,
)
from boardgames_cli.online.messages import (
    KINDS,
    LONGEST_CHAT,
    Act,
    Answer,
    ClientMessage,
    Contribute,
    Join,
    MessageError,
    Offer,
    Open,
    Propose,
    Return,
    Say,
    read_client,
    text_of,
    write_client,
)
from tests.online.wire import FROM_CLIENT, TO_CLIENT


def test_codes_have_no_lookalikes_and_survive_typing() -> None:
    assert not set("IO01") & set(ALPHABET)
    code = new_code()
    assert read_code(code) == code
    assert read_code(f" {code.lower().replace('-', '')} ") == code
    assert len({new_code() for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("host", "is_own"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("", False)],
)
def test_what_only_this_machine_reaches(host: str, is_own: bool) -> None:
    assert is_loopback(host) is is_own


@pytest.mark.parametrize("text", ["", "KEGA", "KEGA-3F2O", "KEGA-3F2P-X", "../../etc"])
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(AddressError, match="code"):
        read_code(text)


@pytest.mark.parametrize(
    ("text", "host", "port", "code", "is_secure"),
    [
        ("192.0.2.7:7777/KEGA-3F2P", "192.0.2.7", 7777, "KEGA-3F2P", False),
        ("example.org/kega3f2p", "example.org", 7777, "KEGA-3F2P", False),
        ("https://example.org:443/KEGA-3F2P", "example.org", 443, "KEGA-3F2P", True),
        ("[2001:db8::7]:8000/KEGA-3F2P", "2001:db8::7", 8000, "KEGA-3F2P", False),
        ("KEGA-3F2P", "localhost", 7777, "KEGA-3F2P", False),
        ("example.org", "example.org", 7777, "", False),
    ],
)
def test_addresses_are_read_as_people_pass_them_on(
    text: str, host: str, port: int, code: str, is_secure: bool
) -> None:
    address = read_address(text)
    assert address == TableAddress(host, port, code, is_secure)
    assert read_address(str(address)) == address


@pytest.mark.parametrize("text", ["", "ftp://x/KEGA-3F2P", "a b:1", "x:99999", "x@y/KEGA-3F2P"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressError):
        read_address(text)


# -- clocks ----------------------------------------------------------------------------------


def test_time_controls_are_written_as_they_are_read() -> None:
    assert read_time_control("5m+3s") == TimeControl(300.0, 3.0)
    assert read_time_control("5m+") == TimeControl(300.0), "nothing is added"
    assert read_time_control("", "60s") == TimeControl(move=60.0)
    assert str(read_time_control("5m+3s")) == "5m+3s"
    assert not read_time_control("")


@pytest.mark.parametrize("text", ["soon", "-3s", "0s", "1e9h", "5m+3s+1s"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(Exception, match="not a time"):
        read_time_control(text)


def test_only_who_must_act_loses_time_and_gets_the_increment() -> None:
    clock = Clock(TimeControl(60.0, 2.0), [60.0, 60.0])
    clock.run([0], now=100.0)
    assert clock.left(110.0) == [50.0, 60.0]
    clock.run([1], now=110.0)
    assert clock.left(115.0) == [52.0, 55.0]
    assert clock.next_flag(115.0) == (55.0, 1)
    clock.hold(115.0)
    assert clock.left(1000.0) == [52.0, 55.0], "a pause adds and takes nothing"


# -- messages --------------------------------------------------------------------------------


MESSAGES: tuple[ClientMessage, ...] = (
    Open("kuhn", {"hands": 3}, ("human:Ann", "open"), clock="5m", is_private=True),
    Join("KEGA-3F2P", "Ann", contributes=True),
    Contribute("1" * 64),
    Return("abc", "token"),
    Act("bet", id=1, ply=3, edition=7),
    Say("hello"),
    Propose(Offer.REMATCH),
    Answer(agrees=True, what=Offer.UNDO),
    *(kind() for kind in KINDS.values() if not dataclasses.fields(kind)),
)


@pytest.mark.parametrize("message", MESSAGES)
def test_messages_are_read_as_they_were_written(message: ClientMessage) -> None:
    FROM_CLIENT.validate(json.loads(write_client(message)))
    assert read_client(write_client(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"type": "join"}',
        '{"type": "dance"}',
        '{"type": "join", "code": 7}',
        '{"type": "say", "text": "a", "text": "b"}',
        '{"type": "nonce", "nonce": "short"}',
        '{"type": "offer", "what": "money"}',
        '{"type": "action", "ply": true}',
        "[" * 200 + "]" * 200,
    ],
)
def test_what_is_no_message_gets_one_sentence(text: str) -> None:
    with pytest.raises(MessageError) as refused:
        read_client(text)
    assert refused.value.message.endswith(".")


def test_long_texts_are_cut() -> None:
    assert read_client(write_client(Join("a" * 2000))) == Join("a" * 1000)
    assert text_of({"said": "a" * 2000}, "said") == "a" * 300


@given(st.text())
def test_nothing_that_a_terminal_obeys_is_left_of_a_text(text: str) -> None:
    cleaned = clean(text, LONGEST_CHAT)
    assert len(cleaned) <= LONGEST_CHAT
    assert cleaned.isprintable()
    assert cleaned == clean(cleaned, LONGEST_CHAT)


@given(
    st.dictionaries(
        st.sampled_from(["code", "name", "ply", "id", "what"]),
        st.none() | st.text() | st.integers(),
    ),
    st.sampled_from([*KINDS, "x"]),
)
def test_a_message_of_any_content_is_read_or_refused(fields: dict[str, object], kind: str) -> None:
    with contextlib.suppress(MessageError):  # and nothing else
        read_client(json.dumps({**fields, "type": kind}))


def test_every_type_of_message_has_a_schema() -> None:
    assert {one["title"] for one in FROM_CLIENT.schema["oneOf"]} == set(KINDS)
    page = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
    _, _, from_server = page.partition("| From the server |")
    for one in TO_CLIENT.schema["oneOf"]:
        assert f"`{one['title']}`" in from_server


# -- dice ------------------------------------------------------------------------------------


def _played(fair: fair_dice.FairDice) -> AnyMatch:
    match: AnyMatch = Match(make("senet"), seed=fair.seed, max_plies=60)
    play(match, [make_agent("random", match.game)] * 2)
    return match


def test_the_dice_of_an_honest_game_are_confirmed() -> None:
    fair = fair_dice.FairDice(
        fair_dice.new_secret(), (fair_dice.new_secret(), fair_dice.new_secret())
    )
    assert fair_dice.check_dice(_played(fair), fair) > 10
    fair_dice.check_promise(fair, fair.commitment, fair.nonces[1])
    assert fair_dice.read_dice(object_codec(fair_dice.FairDice).write(fair)) == fair


def test_another_secret_than_the_promised_one_is_found() -> None:
    nonce = fair_dice.new_secret()
    fair = fair_dice.FairDice(fair_dice.new_secret(), (nonce,))
    with pytest.raises(fair_dice.UnfairDiceError, match="another secret"):
        fair_dice.check_promise(fair, fair_dice.commitment_of(fair_dice.new_secret()), nonce)
    with pytest.raises(fair_dice.UnfairDiceError, match="not among"):
        fair_dice.check_promise(fair, fair.commitment, fair_dice.new_secret())


def test_loaded_dice_are_found() -> None:
    fair = fair_dice.FairDice(fair_dice.new_secret(), (fair_dice.new_secret(),))
    honest = _played(fair)
    loaded: AnyMatch = Match(make("senet"), seed=fair.seed)
    for step in honest.steps:
        if not step.is_chance:
            loaded.take(step)
            continue
        other = next(o for o, _ in loaded.game.chance_outcomes(loaded.state) if o != step.outcome)
        loaded.submit_chance(other)
        break
    with pytest.raises(fair_dice.UnfairDiceError, match="the seed gives"):
        fair_dice.check_dice(loaded, fair)


def test_every_number_changes_the_seed() -> None:
    secret, nonces = fair_dice.new_secret(), (fair_dice.new_secret(), fair_dice.new_secret())
    seeds = {
        fair_dice.FairDice(secret, nonces).seed,
        fair_dice.FairDice(secret, nonces[::-1]).seed,
        fair_dice.FairDice(secret, nonces[:1]).seed,
        fair_dice.FairDice(fair_dice.new_secret(), nonces).seed,
    }
    assert len(seeds) == 4
