"""An object that lives in a process of its own, so that its work takes no time from the process that needs it done.

A crawl's process has an event loop to serve, and Python runs one thread at a time: what a thread computes, the loop
waits for. One request follows the other; who asks waits for the answer, in a thread of its own.
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
"""Pages after which a crawl gets such processes: a shorter one is over before they have started."""

NICE: Final = 10
"""It leaves the core to the process that needs it done, and goes before extraction workers, who fill what is left."""

_LOGGED: Final = "logged"
_RAISED: Final = "raised"
_AWAY: Final = "away"
"""As `_RAISED`, for a database that may take the same later: who asked tries again."""
_DONE: Final = "done"


class ChildFailed(NewscrawlError):
    """What was asked for failed there; says what the error there said."""


class ChildDied(ChildFailed):
    """The process died, and perhaps had done what was asked."""


class ChildProcess:
    """The object that `make(*arguments)` makes in the other process, which starts with the first call and again after
    it died. `make` and all arguments are pickled. To be used by one thread."""

    def __init__(self, make: Callable[..., Any], *arguments: Any) -> None:
        self._make = make
        self._arguments = arguments
        self._child: Child | None = None

    def call(self, method: str, *arguments: Any) -> Any:
        """What the object's method returns. Raises ChildFailed, DatabaseUnavailable where the method did, and whatever
        pickle raises for an argument, before anything is done."""
        request = pickled(method, arguments)
        try:
            pipe = (self._child or self._start()).pipe
            pipe.send_bytes(request)
            kind, value = pickle.loads(pipe.recv_bytes())  # noqa: S301  from a process of ours
            while kind == _LOGGED:
                logging.getLogger(value.name).handle(logging.makeLogRecord(value.__dict__))  # as safe as our own
                kind, value = pickle.loads(pipe.recv_bytes())  # noqa: S301
        except (EOFError, OSError) as error:
            self.close()
            raise ChildDied(f"the process of the {self._make.__name__} died") from error
        if kind == _AWAY:
            raise DatabaseUnavailable(value)
        if kind == _RAISED:
            raise ChildFailed(value)
        return value

    def close(self) -> None:
        """Has the object closed and its process ended; another call would start it again."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _start(self) -> Child:
        self._child = start_child("newscrawl-aside", _serve, os.getpid(), self._make, self._arguments, nice=NICE)
        return self._child


def pickled(method: str, arguments: tuple[Any, ...]) -> bytes:
    """A request as bytes. What an argument that is a list holds is pickled one by one: pickle does not give the
    interpreter back before it is done, and the event loop waits for it."""
    arguments = tuple(list(one) if isinstance(one, list) else one for one in arguments)  # should a list still grow
    written = BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.dump((method, [len(one) if isinstance(one, list) else None for one in arguments]))
    for argument in arguments:
        for piece in argument if isinstance(argument, list) else (argument,):
            pickler.dump(piece)
    return written.getvalue()


def unpickled(request: bytes) -> tuple[str, list[Any]]:
    """The method and the arguments that `pickled` was given."""
    pickles = pickle.Unpickler(BytesIO(request))  # noqa: S301  from the process that started us
    method, lengths = pickles.load()
    return method, [pickles.load() if size is None else [pickles.load() for _ in range(size)] for size in lengths]


class _Relay(logging.Handler):
    """Sends answers, and what is logged along the way, to be said by the process that the operator sees."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        """A message with its traceback as text: no error need survive being pickled."""
        plain = copy(record)
        plain.msg, plain.args, plain.exc_info, plain.exc_text = self.format(record), None, None, None
        self.send(_LOGGED, plain)

    def send(self, kind: str, value: Any) -> None:
        """What is said, and of which kind; from any thread."""
        with self.lock or nullcontext():
            self._pipe.send_bytes(pickle.dumps((kind, value), pickle.HIGHEST_PROTOCOL))


def _serve(pipe: Connection, main: int, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """The other process, until the pipe is closed or the main process was killed."""
    failpoints.kill_too(main)
    relay = _Relay(pipe)
    logging.getLogger().addHandler(relay)
    made = None
    with suppress(ConnectionError):
        for method, values in requests(pipe, unpickled):
            try:
                made = made or make(*arguments)
                value = getattr(made, method)(*values)
            except Exception as error:  # noqa: BLE001  who asked decides what it means
                kind = _AWAY if isinstance(error, DatabaseUnavailable) else _RAISED
                relay.send(kind, " ".join(str(error).split()) or type(error).__name__)
            else:
                relay.send(_DONE, value)
    if made is not None:
        made.close()
