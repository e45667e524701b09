"""SIGTERM as an exception, so that a command that gets it closes what it has opened, as on Ctrl-C."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Final

INTERRUPTED: Final = 128 + signal.SIGINT
"""Exit code of a command ended by Ctrl-C, as in shells."""
TERMINATED: Final = 128 + signal.SIGTERM
"""Exit code of a command ended by SIGTERM, as in shells."""
REPEAT_SECONDS: Final = 0.05
"""Seconds after which an exception that Python dropped is raised again."""


class Terminated(KeyboardInterrupt):
    """The process got SIGTERM. What handles Ctrl-C handles it too."""


@contextmanager
def raising_terminated() -> Iterator[None]:
    """Raises Terminated in the main thread on the first SIGTERM in the block. A second one ends the process at once.

    By default SIGTERM ends the process without its `finally` blocks: temporary files and the folder of the fork server
    would stay. A SIGTERM that is ignored, or handled by other code, is left alone.

    Python drops an exception in a callback of its garbage collector. There, Terminated and the KeyboardInterrupt of
    Ctrl-C are raised again a moment later.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _raise)
    former, sys.unraisablehook = sys.unraisablehook, _raise_again
    try:
        yield
    finally:
        sys.unraisablehook = former
        if signal.getsignal(signal.SIGALRM) in _REPEATING:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
        if signal.getsignal(signal.SIGTERM) is _raise:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def exit_code(error: KeyboardInterrupt) -> int:
    """Returns the exit code of a command that `error` ended."""
    return TERMINATED if isinstance(error, Terminated) else INTERRUPTED


def _raise(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise Terminated


_REPEATING: Final = (_raise, signal.default_int_handler)
"""The handlers that raise an exception again."""


def _raise_again(dropped: sys.UnraisableHookArgs) -> None:
    if not isinstance(dropped.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(dropped)
        return
    signal.signal(signal.SIGALRM, _REPEATING[0 if isinstance(dropped.exc_value, Terminated) else 1])
    signal.setitimer(signal.ITIMER_REAL, REPEAT_SECONDS)


def interrupt_in_one_line() -> None:
    """Prints one line instead of a traceback for a Ctrl-C that nothing handles, such as during an import. Python then
    ends the process by SIGINT, so that its parent sees it."""
    sys.excepthook = _one_line


def _one_line(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("newscrawl: interrupted\n")
    else:
        sys.__excepthook__(kind, error, trace)
