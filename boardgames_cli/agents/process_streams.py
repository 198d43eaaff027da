"""The standard streams of a process that serves an agent."""

from __future__ import annotations

import io
import os
import sys


def take_streams() -> tuple[int, int]:
    """Reserve standard input and output for the protocol.

    The agent's standard input becomes empty, and its standard output goes to standard error.

    Returns:
        Descriptors of the original standard input and output, not inherited by children.
    """
    requests, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        # Unbuffered, because this process may be killed at any moment.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, errors="replace")
    return requests, answers
