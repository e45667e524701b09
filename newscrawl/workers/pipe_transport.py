"""A transport for messages between the event loop and another process, in both directions and without threads."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Final

_HEAD: Final = struct.Struct("!i")
"""The length before each message, as in multiprocessing.connection: the other end is an ordinary Connection."""
_READ: Final = 1 << 18
"""Bytes read at once: all that a pipe holds."""


class PipeTransport:
    """Our end of a duplex pipe, of which it takes ownership. `received` is called with each message, `lost` once, when
    the other end is closed; both in the event loop."""

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
        self.resume()

    def pause(self) -> None:
        """Reads nothing until `resume`, so that the sender waits once the pipe is full. What has arrived is still
        handed over."""
        self._loop.remove_reader(self._socket)

    def resume(self) -> None:
        """Reads what arrives."""
        self._loop.add_reader(self._socket, self._read)

    def send(self, message: bytes) -> None:
        """Sends the message. What the pipe does not accept at once is sent later."""
        is_behind = bool(self._unsent)
        self._unsent += [memoryview(_HEAD.pack(len(message))), memoryview(message)]
        if not is_behind and not self._write():
            self._loop.add_writer(self._socket, self._write_on)

    def close(self) -> None:
        """Closes the pipe. No callback is called any more. A second call does nothing."""
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
        """Writes what the pipe accepts. Returns whether that was everything."""
        try:
            sent = self._socket.sendmsg(self._unsent)
        except BlockingIOError:
            return False
        except OSError:  # the other end is closed: _read notices that, after the messages that were sent before
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
