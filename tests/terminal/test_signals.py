from __future__ import annotations

import os
import signal
import threading

import pytest

from boardgames_cli.terminal.signals import SignalWatch
from boardgames_cli.terminal.startup import Stopped
from boardgames_cli.terminal.streams import printable


def test_signal_waits_until_the_program_does() -> None:
    done = []
    with SignalWatch() as interrupts:
        os.kill(os.getpid(), signal.SIGTERM)
        done.append("what must not be torn")
        with pytest.raises(Stopped) as stop, interrupts.waiting():
            done.append("never")
    assert done == ["what must not be torn"]
    assert stop.value.exit_code == 143


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_signal_while_waiting_comes_through(name: str, code: int) -> None:
    with (  # noqa: PT012  # the signal may take a moment
        SignalWatch() as interrupts,
        pytest.raises(Stopped) as stop,
        interrupts.waiting(),
    ):
        os.kill(os.getpid(), getattr(signal, name))
        threading.Event().wait(10)
    assert stop.value.exit_code == code


def test_second_signal_comes_through_at_once() -> None:
    with SignalWatch(), pytest.raises(Stopped):  # noqa: PT012  # the first must not raise
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)


def test_handlers_are_given_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with SignalWatch():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


def test_other_threads_may_use_it_without_handlers() -> None:
    entered = threading.Event()

    def use() -> None:
        with SignalWatch() as interrupts, interrupts.waiting():
            entered.set()

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert entered.is_set()


@pytest.mark.parametrize(
    ("text", "shown"),
    [("plain", "plain"), ("a\nb", "a\nb"), ("\x1b[2J\r\x07\x9b", "?[2J???"), ("a\tb", "a   b")],
)
def test_control_characters_are_not_obeyed(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_what_is_typed_can_be_kept_off_the_screen() -> None:
    import pty
    import termios

    from boardgames_cli.plain.console import _echo_off

    mine, theirs = pty.openpty()
    with os.fdopen(mine, "wb", 0), os.fdopen(theirs, "r") as terminal:

        def echoes() -> bool:
            return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)

        assert echoes()
        with _echo_off(terminal):
            assert not echoes()
        assert echoes()
