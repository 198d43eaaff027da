"""A supervisor process that starts an agent's program, enforces its limits and ends it.

It is a stand-alone script, started by path and importing only the standard library, so that it
starts in 10 ms. On Linux it adopts orphaned descendants of the program, so that even children that
have left the session are killed. The program's standard output does not pass through it.

    supervisor.py SOCKET MEMORY CPU PROGRAM [ARGUMENT ...]

SOCKET is the file descriptor of a connection to the parent. A byte received resets the count of
processor time; when the connection closes, everything is killed. Before exiting, the supervisor
sends one line that says how the program ended: ``exit 3``, ``signal 9``, ``stopped 19``,
``memory``, ``cpu`` or ``start No such file``. MEMORY (bytes) and CPU (seconds) limit the program
and its descendants together; 0 is no limit.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time

_LOOK_MILLISECONDS = 50

_ENDING_SECONDS = 5.0
"""How long to keep killing processes that respawn."""

_MOST_LOGGED = 1 << 20
"""The maximum size of the log in bytes."""

_ADOPT = 36
"""PR_SET_CHILD_SUBREAPER of <sys/prctl.h>."""

_END_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of <sys/prctl.h>."""

_CHUNK = 65536


def main() -> None:
    """Run a program until it ends, exceeds a limit, or the parent closes the connection."""
    connection, memory, cpu = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    os.set_inheritable(connection, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    _control(_ADOPT, 1)
    supervisor = _Supervisor(connection, memory, cpu)
    end = supervisor.run(sys.argv[4:])
    try:  # noqa: SIM105  # importing contextlib takes longer than all else
        os.write(connection, end.encode())
    except OSError:
        pass  # the parent is gone
    os._exit(0)


class _Supervisor:
    def __init__(self, connection: int, memory: int, cpu: float) -> None:
        self._connection = connection
        self._memory, self._cpu = memory, cpu
        self._cpu_before = self._next_look = 0.0
        self._logged = 0
        """Bytes received on its standard error."""
        self._child = 0
        self._ending: str | None = None

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
        patience = _LOOK_MILLISECONDS if self._memory or self._cpu else None
        excess = ""
        while self._ending is None and not excess:
            ready = {pipe for pipe, _ in poll.poll(patience)}
            if errors in ready and not self._copy(errors):
                poll.unregister(errors)
            if wake in ready:
                os.read(wake, _CHUNK)
                self._reap()
            if self._connection in ready and not self._obey():
                self._reap()
                break
            excess = self._excess()
        self._end_all()
        os.set_blocking(errors, False)
        self._copy(errors)
        return excess or self._ending or "signal 9"

    def _start(self, words: list[str]) -> tuple[int, str]:
        """Start it; return the pipe of its standard error, and the error if it can't be started."""
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
                    # A backstop for programs that grow faster than the checks run.
                    resource.setrlimit(resource.RLIMIT_DATA, (2 * self._memory,) * 2)
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
        """Copy its standard error to the log, up to the limit; whether more can come."""
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

    def _obey(self) -> bool:
        """Reset the count of processor time; False if the parent closed the connection."""
        try:
            wish = os.read(self._connection, _CHUNK)
        except OSError:
            wish = b""
        if wish and self._cpu:
            self._cpu_before = self._usage()[1]
        return bool(wish)

    def _reap(self) -> bool:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:
                return False
            if not pid:
                return True
            if pid != self._child or self._ending is not None:
                continue
            if os.WIFSTOPPED(status):  # nobody would wake it; its game would wait in vain
                self._ending = f"stopped {os.WSTOPSIG(status)}"
            else:
                code = os.waitstatus_to_exitcode(status)
                self._ending = f"exit {code}" if code >= 0 else f"signal {-code}"

    def _excess(self) -> str:
        """The name of an exceeded limit; empty if there is none or no check is due."""
        now = time.monotonic()
        if now < self._next_look or not (self._memory or self._cpu):
            return ""
        self._next_look = now + _LOOK_MILLISECONDS / 1000
        memory, cpu = self._usage()
        if self._memory and memory > self._memory:
            return "memory"
        return "cpu" if self._cpu and cpu - self._cpu_before > self._cpu else ""

    def _usage(self) -> tuple[int, float]:
        memory, seconds = usage(os.getpid())
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return memory, seconds + ended.ru_utime + ended.ru_stime

    def _end_all(self) -> None:
        deadline = time.monotonic() + _ENDING_SECONDS
        if self._ending is None:
            _kill(self._child)  # it may not be a group leader yet
        _kill(-self._child)
        while self._reap() and time.monotonic() < deadline:
            time.sleep(0.001)
            for fields in _family(os.getpid()):
                _kill(int(fields[-1]))


def usage(root: int) -> tuple[int, float]:
    """The bytes of memory and the seconds of processor time of all descendants of a process.

    Both are 0 on systems without /proc.
    """
    found = _family(root)
    pages = sum(int(fields[21]) for fields in found)
    ticks = sum(int(field) for fields in found for field in fields[11:15])
    return pages * os.sysconf("SC_PAGE_SIZE"), ticks / os.sysconf("SC_CLK_TCK")


def _family(root: int) -> list[list[str]]:
    """All descendants of a process: for each the fields of its stat file from the state on.

    The last field is its pid; the others are in the order of /proc/PID/stat (see ``man 5 proc``).
    Empty on systems without /proc.
    """
    children: dict[str, list[list[str]]] = {}
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
        fields = text.rpartition(")")[2].split()
        children.setdefault(fields[1], []).append([*fields, number])
    found = list(children.get(str(root), ()))
    for fields in found:
        found += children.get(fields[-1], ())
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
