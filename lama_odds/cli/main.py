"""Entry point: what Ctrl-C does, then the commands, which take a moment to load."""

from __future__ import annotations

import signal


def main() -> None:
    """Run a command; Ctrl-C ends the process at once before the command begins and after it ends.

    In between the command handles it, and gives the answer so far or prints `stopped`.
    """
    # Not if the signal is ignored (a job in the background), or if the caller handles it.
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        except ValueError:  # another thread than the main one
            ours = False
    from lama_odds.cli.commands import run

    if ours:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            run()
        finally:
            if ours:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
    except KeyboardInterrupt:  # between the command and the line above, or before the command
        if not ours:
            raise
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
