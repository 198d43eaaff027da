"""An agent as a program of its own that plays the first legal action, and one odd thing it does.

    python odd_program.py WAY [WHEN]

WHEN is the type of the message at which it misbehaves: act (if left out), hello, observe, over or
quit. Nothing but the standard library may be needed here: it is run with ``python -I -S``.
"""

import json
import os
import signal
import sys
import time

LEGAL: list[str] = []
PLY = 0


def out(data: bytes) -> None:
    """Write bytes and flush; nobody may be there."""
    while data:
        data = data[os.write(1, data) :]


def say(**message: object) -> None:
    out(json.dumps(message).encode() + b"\n")


def act(**more: object) -> None:
    say(type="action", **{"action": LEGAL[0], **more})


def leave_children() -> None:
    """Leave a child in this session, and one that has left it and all its pipes."""
    for leaves in (False, True):
        if os.fork() == 0:
            if leaves:
                os.setsid()
                if os.fork():
                    sys.exit(0)
            time.sleep(600)
            sys.exit(0)
    act()


def flood() -> None:
    while True:
        say(type="log", text="x" * 1000)


def endless() -> None:
    for _ in range(1600):  # 100 MB
        out(b"x" * 65536)
    time.sleep(600)


def hog() -> None:
    held = []
    while True:
        held.append(bytes([1]) * (5 * 10**6))
        time.sleep(0.02)


def chatter() -> None:
    for _ in range(2000):
        os.write(2, b"e" * 1000)
    act()


def stubborn() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    act()
    while True:
        time.sleep(1)


def twice() -> None:
    act()
    act()


def close() -> None:
    os.close(1)
    time.sleep(600)


WAYS = {
    "well": lambda: act(),
    "silent": lambda: time.sleep(600),
    "garbage": lambda: out(b"hello world\n"),
    "banner": lambda: out(b"Loading the model ...\n"),
    "half": lambda: (out(b'{"type": "acti'), time.sleep(600)),
    "exit": lambda: sys.exit(3),
    "torn": lambda: (out(b'{"type": "acti'), sys.exit(0)),
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "flood": flood,
    "endless": endless,
    "illegal": lambda: say(type="action", action="no such action"),
    "ply": lambda: act(ply=PLY + 1),
    "id": lambda: say(type="action", id=10**9),
    "neither": lambda: say(type="action"),
    "twin": lambda: out(b'{"type": "action", "type": "log", "action": "a"}\n'),
    "nan": lambda: out(b'{"type": "action", "id": NaN}\n'),
    "deep": lambda: out(b"[" * 100_000 + b"\n"),
    "bytes": lambda: out(b'{"type": "\xff\xfe"}\n'),
    "list": lambda: out(b"[1, 2]\n"),
    "untyped": lambda: out(b'{"action": "a"}\n'),
    "unknown": lambda: (say(type="hurrah"), act()),
    "twice": twice,
    "slow": lambda: (time.sleep(0.1), act()),
    "moody": lambda: act(action=LEGAL[int.from_bytes(os.urandom(2), "big") % len(LEGAL)]),
    "error": lambda: say(type="error", message="I can't \x1b[2J do that"),
    "close": close,
    "stop": lambda: os.kill(0, signal.SIGSTOP),
    "children": leave_children,
    "hog": hog,
    "chatter": chatter,
    "stubborn": stubborn,
    "version": lambda: say(type="ready", protocol=2),
    "games": lambda: say(type="ready", games=["chess"]),
    "rich": lambda: act(text="a \x1b[31mred\x07 word\nhere" + "!" * 500, values={LEGAL[0]: 1}),
    "crlf": lambda: out(
        b"\r\n\n" + json.dumps({"type": "action", "action": LEGAL[0]}).encode() + b"\r\n"
    ),
    "environment": lambda: (sys.stderr.write(json.dumps(dict(os.environ)) + "\n"), act()),
}


def main() -> None:
    global LEGAL, PLY
    way, when = sys.argv[1], (sys.argv[2:] or ["act"])[0]
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "observe":
            LEGAL, PLY = message["legal"], message["ply"]
        if kind == when:
            WAYS[way]()  # type: ignore[no-untyped-call]
        elif kind == "hello":
            say(type="ready", name="odd", values=True, deterministic=True)
        elif kind == "act":
            act()
        elif kind == "error":
            sys.stderr.write(message["message"] + "\n")
            sys.stderr.flush()
        elif kind == "quit":
            break


if __name__ == "__main__":
    main()
