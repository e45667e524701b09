"""The event loop of a command that may end before it runs.

A loop that is neither run nor closed is closed by the garbage collector. Its sockets may be collected first: Python
then prints a traceback after the command's own error.
"""

from __future__ import annotations

import asyncio

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object


def set_event_loop(settings: BaseSettings) -> None:
    """Makes a loop of the class that ASYNCIO_EVENT_LOOP names the current one. Otherwise Scrapy creates a loop of
    asyncio, sees that it is of another class, and drops it unclosed."""
    path = settings["ASYNCIO_EVENT_LOOP"]
    if path:
        asyncio.set_event_loop(load_object(path)())


def close_event_loop() -> None:
    """Closes the current loop unless it runs. Call it before the process ends."""
    loop = asyncio.get_event_loop_policy().get_event_loop()
    if not loop.is_running():
        loop.close()
