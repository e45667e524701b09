"""A pipe to another process as the event loop sees it: whole messages in both directions, without a thread."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Final

_HEAD: Final = struct.Struct("!i")
"""The length before each message, as multiprocessing.connection writes it: the other end is a plain Connection."""
_READ: Final = 1 << 16


class PipeTransport:
    """Our end of a duplex pipe, which it takes over. `received` gets each message, `lost` is called once, when the
    other end is closed; both in the event loop."""

    def __init__(self, pipe: Connection, received: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self._socket = socket.socket(fileno=os.dup(pipe.fileno()))
        self._socket.setblocking(False)
        pipe.close()
        self._received = received
        self._lost = lost
        self._arrived = bytearray()
        self._read_into = memoryview(bytearray(_READ))
        self._unsent: list[memoryview] = []
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._socket, self._read)

    def send(self, message: bytes) -> None:
        """Sends the message; what the other end does not take at once goes when it does."""
        is_behind = bool(self._unsent)
        self._unsent += [memoryview(_HEAD.pack(len(message))), memoryview(message)]
        if not is_behind and not self._write():
            self._loop.add_writer(self._socket, self._write_on)

    def close(self) -> None:
        """Gives the pipe up: nothing is called any more. The second call does nothing."""
        if self._socket.fileno() >= 0 and not self._loop.is_closed():
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
        self._unsent.clear()
        self._arrived.clear()
        self._socket.close()

    def _write_on(self) -> None:
        if self._write():
            self._loop.remove_writer(self._socket)

    def _write(self) -> bool:
        """Writes what the pipe takes; whether that was all."""
        try:
            sent = self._socket.sendmsg(self._unsent)
        except BlockingIOError:
            return False
        except OSError:  # nobody is there: reading finds that out, after what was said before
            self._unsent.clear()
            return True
        while self._unsent and sent >= len(self._unsent[0]):
            sent -= len(self._unsent.pop(0))
        if self._unsent:
            self._unsent[0] = self._unsent[0][sent:]
        return not self._unsent

    def _read(self) -> None:
        try:
            size = self._socket.recv_into(self._read_into)
        except BlockingIOError:
            return
        except OSError:
            size = 0
        if not size:
            self.close()
            self._lost()
            return
        self._arrived += self._read_into[:size]
        while len(self._arrived) >= _HEAD.size:
            end = _HEAD.size + _HEAD.unpack_from(self._arrived)[0]
            if len(self._arrived) < end:
                break
            message = bytes(self._arrived[_HEAD.size : end])
            del self._arrived[:end]
            self._received(message)
