"""An object in another process, so that its work takes no time from the process that needs the result.

The process of a crawl has to serve an event loop, and Python runs one thread at a time, so the loop would wait for the
work of a thread. Requests are answered in order. The caller waits for the answer in a thread.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable
from contextlib import nullcontext, suppress
from copy import copy
from io import BytesIO
from multiprocessing.connection import Connection
from typing import Any, Final

from newscrawl import failpoints
from newscrawl.errors import DatabaseUnavailable, NewscrawlError
from newscrawl.processes.forkserver import Child, requests, start_child

OFFLOAD_AFTER_PAGES: Final = 100
"""Pages after which a crawl starts such processes. A shorter crawl ends before they have started."""

NICE: Final = 10
"""The nice value that is added: the process runs with less priority than the one that needs the result, and with more
than the extraction workers."""

HOPE_S: Final = 1.0
"""Seconds between two looks at whether the other process is still waited for."""

_LOGGED: Final = "logged"
_RAISED: Final = "raised"
_DATABASE_UNAVAILABLE: Final = "database unavailable"
"""Like `_RAISED`, for an unavailable database: the caller tries again."""
_DONE: Final = "done"


class ChildFailed(NewscrawlError):
    """A call failed in the other process. The message is that of the error there."""


class ChildDied(ChildFailed):
    """The other process died. The call may or may not have been carried out."""


class ChildProcess:
    """The object that `make(*arguments)` creates in the other process. The process starts with the first call, and
    again after it died. `make` and all arguments are pickled. Only one thread may use it. Once `is_hopeless` is true,
    the process is killed where it would be waited for, as one that waits for a server that does not answer."""

    def __init__(
        self, make: Callable[..., Any], *arguments: Any, is_hopeless: Callable[[], bool] = lambda: False
    ) -> None:
        self._make = make
        self._arguments = arguments
        self._is_hopeless = is_hopeless
        self._child: Child | None = None

    def call(self, method: str, *arguments: Any) -> Any:
        """Returns the result of the object's method. Raises ChildFailed; DatabaseUnavailable if the method did; and any
        error of pickling an argument, before the call."""
        request = pickled(method, arguments)
        if self._is_hopeless():
            self.close()
            raise ChildDied(f"the process of the {self._make.__name__} is waited for no longer")
        try:
            child = self._child or self._start()
            child.pipe.send_bytes(request)
            kind, value = self._answer_of(child)
            while kind == _LOGGED:
                logging.getLogger(value.name).handle(logging.makeLogRecord(value.__dict__))  # as safe as our own
                kind, value = self._answer_of(child)
        except (EOFError, OSError) as error:
            self.close()
            raise ChildDied(f"the process of the {self._make.__name__} died") from error
        if kind == _DATABASE_UNAVAILABLE:
            raise DatabaseUnavailable(value)
        if kind == _RAISED:
            raise ChildFailed(value)
        return value

    def close(self) -> None:
        """Closes the object and ends its process. A later call would start it again."""
        if self._child is None:
            return
        process = self._child.process

        def has_ended(seconds: float) -> bool:
            process.join(seconds)
            return not process.is_alive()

        self._child.pipe.close()
        self._wait(self._child, has_ended)
        self._child.close()
        self._child = None

    def _wait(self, child: Child, is_done: Callable[[float], bool]) -> None:
        """Waits until `is_done`, which waits for so many seconds itself, or the process was killed."""
        while not is_done(HOPE_S):
            if self._is_hopeless():
                child.process.kill()

    def _answer_of(self, child: Child) -> Any:
        self._wait(child, child.pipe.poll)
        return pickle.loads(child.pipe.recv_bytes())  # noqa: S301  from a process of ours

    def _start(self) -> Child:
        self._child = start_child("newscrawl-writer", _serve, os.getpid(), self._make, self._arguments, nice=NICE)
        return self._child


def pickled(method: str, arguments: tuple[Any, ...]) -> bytes:
    """Returns a request as bytes. The items of an argument that is a list are pickled one by one, because pickle holds
    the interpreter lock until it is done, and the event loop waits for it."""
    arguments = tuple(list(item) if isinstance(item, list) else item for item in arguments)  # a list may still grow
    written = BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.dump((method, [len(item) if isinstance(item, list) else None for item in arguments]))
    for argument in arguments:
        for piece in argument if isinstance(argument, list) else (argument,):
            pickler.dump(piece)
    return written.getvalue()


def unpickled(request: bytes) -> tuple[str, list[Any]]:
    """Returns the method and the arguments of a request of `pickled`."""
    pickles = pickle.Unpickler(BytesIO(request))  # noqa: S301  from the process that started us
    method, lengths = pickles.load()
    return method, [pickles.load() if size is None else [pickles.load() for _ in range(size)] for size in lengths]


class _Relay(logging.Handler):
    """Sends answers and log records to the parent process, which shows the records to the operator."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        """Sends a record with its message and traceback as text, because an error may not be picklable."""
        plain = copy(record)
        plain.msg, plain.args, plain.exc_info, plain.exc_text = self.format(record), None, None, None
        self.send(_LOGGED, plain)

    def send(self, kind: str, value: Any) -> None:
        """Sends a value of a kind. May be called from any thread."""
        with self.lock or nullcontext():
            self._pipe.send_bytes(pickle.dumps((kind, value), pickle.HIGHEST_PROTOCOL))


def _serve(pipe: Connection, main: int, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Runs the other process until the pipe is closed or the main process was killed."""
    failpoints.kill_too(main)
    relay = _Relay(pipe)
    logging.getLogger().addHandler(relay)
    served = None
    with suppress(ConnectionError):
        for method, values in requests(pipe, unpickled):
            try:
                served = served or make(*arguments)
                value = getattr(served, method)(*values)
            except Exception as error:  # noqa: BLE001  the caller decides what it means
                kind = _DATABASE_UNAVAILABLE if isinstance(error, DatabaseUnavailable) else _RAISED
                relay.send(kind, " ".join(str(error).split()) or type(error).__name__)
            else:
                relay.send(_DONE, value)
    if served is not None:
        served.close()
