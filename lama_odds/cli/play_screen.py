"""The prompt of `play`: reads what you type, and shows an advice while you type."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

WRITTEN = 0.5  # seconds within which a prompt is written
AGAIN = 0.1  # seconds after which a Ctrl-C that was not heard comes again
_CLEAR = "\r\x1b[K"


def _line_editor() -> ModuleType | None:
    """The module that edits lines typed at a terminal; None if there is none."""
    with contextlib.suppress(ImportError):
        import readline

        return readline
    return None


class Screen:
    """A terminal with a prompt, or lines of a file; `asks` is whether a person types."""

    def __init__(self) -> None:
        self.asks = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # bytes that are not text: no entry has them
        self.editor = _line_editor() if self.asks else None
        self.ansi = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._lock = threading.Lock()
        self._prompt = ""
        self._left = threading.Event()  # from then on an interrupt is not for the prompt
        self._told: socket.socket | None = None
        # Held until the prompt is complete: it is written letter by letter. The editor releases it
        # without a line of Python, in which Ctrl-C could leave an Event locked for ever.
        self._writing = threading.Lock()
        if self.editor is not None:
            self.editor.set_pre_input_hook(self._writing.release)

    def read(self, prompt: str) -> str | None:
        """What is typed next; None at the end of the input, and for Ctrl-C and Ctrl-D."""
        sys.stdout.flush()
        if not self.asks:
            line = sys.stdin.readline() if sys.stdin is not None else ""
            return line if line else None
        try:
            self._writing.acquire(blocking=False)
            with self._lock:
                self._prompt = prompt
            if self.editor is None:
                self._writing.release()
            with self._ctrl_c_is_heard():
                return input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        finally:
            with self._lock:
                self._prompt = ""

    @contextlib.contextmanager
    def _ctrl_c_is_heard(self) -> Iterator[None]:
        """Let Ctrl-C come again until a line is no longer being read.

        Between writing its prompt and waiting for keys the line editor waits for the interpreter,
        which an advice in another thread keeps busy. An interrupt that comes meanwhile is dropped,
        or not heard before the next key. So the system itself tells a thread of each.
        """
        if self.editor is None or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield
            return
        before = signal.set_wakeup_fd(self._signals(), warn_on_full_buffer=False)
        self._left.clear()
        signal.signal(signal.SIGINT, self._interrupted)
        try:
            yield
        finally:
            self._left.set()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.set_wakeup_fd(before)

    def _interrupted(self, *_: Any) -> None:
        if not self._left.is_set():
            raise KeyboardInterrupt

    def _signals(self) -> int:
        """Where the system writes signals, for a thread that sends them again."""
        if self._told is None:
            self._told, tells = socket.socketpair()
            self._told.setblocking(False)
            threading.Thread(target=self._repeat, args=(tells,), daemon=True).start()
        return self._told.fileno()

    def _repeat(self, signals: socket.socket) -> None:
        while number := signals.recv(1):
            if number[0] == signal.SIGINT and not self._left.wait(AGAIN):
                os.kill(os.getpid(), signal.SIGINT)

    def tell(self, text: str) -> None:
        """Show a line above the prompt, from another thread; the typed text stays."""
        if self._prompt and self._writing.acquire(timeout=WRITTEN):
            self._writing.release()
        with self._lock:
            if not self._prompt:
                print(text, flush=True)
                return
            typed = self.editor.get_line_buffer() if self.editor is not None else ""
            begin = _CLEAR if self.ansi else "\n"
            sys.stdout.write(f"{begin}{text}\n{self._prompt}{typed}")
            sys.stdout.flush()

    def ask_number(self, question: str, least: int, most: int, default: int) -> int | None:
        """A number typed at a terminal; repeats the question until it is one. None for Ctrl-C."""
        while True:
            typed = self.read(f"{question} [{default}] ")
            if typed is None:
                return None
            if not typed.strip():
                return default
            if typed.strip().isdecimal() and least <= int(typed) <= most:
                return int(typed)
            print(f"found {typed.strip()!r}, expected a number from {least} to {most}")
