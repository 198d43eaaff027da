"""The standard streams of a process that answers requests with what an agent says."""

from __future__ import annotations

import io
import os
import sys


def take_streams() -> tuple[int, int]:
    """Take standard input and output away from everybody else in this process.

    The agent finds an empty standard input, and what it prints goes where errors go.

    Returns:
        The numbers of what were standard input and output; what is started does not inherit them.
    """
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        # Written at once: this process may be killed at any moment.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, errors="replace")
    return requests, answers
