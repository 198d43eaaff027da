"""A supervisor process that starts an agent's program and ends it.

It is a stand-alone script, started by path and importing only the standard library, so that it
starts in 10 ms. On Linux it adopts orphaned descendants of the program, so that even children that
have left the session are killed. The program's standard output does not pass through it.

    supervisor.py SOCKET MEMORY PROGRAM [ARGUMENT ...]

SOCKET is the file descriptor of a connection to the parent; when it closes, everything is killed.
Before exiting, the supervisor sends one line that says how the program ended: ``exit 3``,
``signal 9``, ``stopped 19`` or ``start No such file``. MEMORY limits the data of each process in
bytes; 0 is no limit.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time

_ENDING_SECONDS = 5.0
"""How long to keep killing processes that respawn."""

_MOST_LOGGED = 1 << 20

_ADOPT = 36
"""PR_SET_CHILD_SUBREAPER of <sys/prctl.h>."""

_END_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of <sys/prctl.h>."""

_CHUNK = 65536


def main() -> None:
    """Run a program until it ends or the parent closes the connection."""
    connection, memory = int(sys.argv[1]), int(sys.argv[2])
    os.set_inheritable(connection, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    _control(_ADOPT, 1)
    end = _Supervisor(connection, memory).run(sys.argv[3:])
    try:  # noqa: SIM105  # importing contextlib takes longer than all else
        os.write(connection, end.encode())
    except OSError:
        pass  # the parent is gone
    os._exit(0)


class _Supervisor:
    def __init__(self, connection: int, memory: int) -> None:
        self._connection = connection
        self._memory = memory
        self._logged = 0
        self._child = 0
        self._ending = ""

    def run(self, words: list[str]) -> str:
        wake, ring = os.pipe()
        os.set_blocking(ring, False)
        signal.set_wakeup_fd(ring)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        errors, problem = self._start(words)
        if problem:
            self._end_all()
            return f"start {problem}"
        poll = select.poll()
        for pipe in (self._connection, wake, errors):
            poll.register(pipe, select.POLLIN)
        while not self._ending:
            ready = {pipe for pipe, _ in poll.poll()}
            if errors in ready and not self._copy(errors):
                poll.unregister(errors)
            if wake in ready:
                os.read(wake, _CHUNK)
                self._reap()
            if self._connection in ready:  # the parent never writes
                self._reap()
                break
        self._end_all()
        os.set_blocking(errors, False)
        self._copy(errors)
        return self._ending or "signal 9"

    def _start(self, words: list[str]) -> tuple[int, str]:
        errors, errors_end = os.pipe()
        failure, failure_end = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            try:
                os.setsid()
                _control(_END_WITH_PARENT, signal.SIGKILL)
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP):
                    signal.signal(number, signal.SIG_DFL)
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                os.dup2(errors_end, 2)
                if self._memory:
                    resource.setrlimit(resource.RLIMIT_DATA, (self._memory,) * 2)
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                os.execvp(words[0], words)  # noqa: S606  # deliberately without a shell
            except (OSError, ValueError) as error:
                os.write(failure_end, (getattr(error, "strerror", "") or str(error)).encode())
            finally:
                os._exit(127)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for pipe in (0, 1):
            os.dup2(nowhere, pipe)  # otherwise the other end would not see the program close them
        os.close(errors_end)
        os.close(failure_end)
        problem = os.read(failure, _CHUNK).decode(errors="replace")
        os.close(failure)
        return errors, problem

    def _copy(self, errors: int) -> bool:
        while True:
            try:
                data = os.read(errors, _CHUNK)
            except BlockingIOError:
                return True
            room = max(0, _MOST_LOGGED - self._logged)
            self._logged += len(data)
            if data[:room]:
                try:  # noqa: SIM105  # as above
                    os.write(2, data[:room])
                except OSError:
                    pass  # a full disk must not end a game
            if os.get_blocking(errors) or not data:
                return bool(data)

    def _reap(self) -> bool:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:
                return False
            if not pid:
                return True
            if pid != self._child or self._ending:
                continue
            if os.WIFSTOPPED(status):  # nobody would wake it; its game would wait in vain
                self._ending = f"stopped {os.WSTOPSIG(status)}"
            else:
                code = os.waitstatus_to_exitcode(status)
                self._ending = f"exit {code}" if code >= 0 else f"signal {-code}"

    def _end_all(self) -> None:
        deadline = time.monotonic() + _ENDING_SECONDS
        if not self._ending:
            _kill(self._child)  # it may not be a group leader yet
        _kill(-self._child)
        while self._reap() and time.monotonic() < deadline:
            time.sleep(0.001)
            for number in _descendants(os.getpid()):
                _kill(int(number))


def _descendants(root: int) -> list[str]:
    children: dict[str, list[str]] = {}
    try:
        numbers = [name for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
    except OSError:
        return []
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat", "rb") as file:  # noqa: PTH123
                text = file.read().decode(errors="replace")
        except OSError:
            continue  # it has exited meanwhile
        # The name is in parentheses, and may contain any character.
        parent = text.rpartition(")")[2].split()[1]
        children.setdefault(parent, []).append(number)
    found = list(children.get(str(root), ()))
    for number in found:  # which grows
        found += children.get(number, ())
    return found


def _kill(number: int) -> None:
    try:  # noqa: SIM105  # as above
        os.kill(number, signal.SIGKILL)
    except OSError:
        pass  # it has already exited


def _control(what: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


if __name__ == "__main__":
    main()
