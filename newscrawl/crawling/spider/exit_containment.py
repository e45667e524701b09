"""Turns `sys.exit()` in a site's code into an error of that site, so that the crawls of other sites continue."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final

from newscrawl.errors import SpiderExit

OURS: Final = "newscrawl."
"""Modules whose methods are not wrapped, because they do not exit."""


def contain_methods(cls: type) -> None:
    """Wraps every method that an operator's class adds, so that it raises SpiderExit instead of exiting. The error is
    also stored as `exited`.

    Scrapy catches errors of a spider's methods, but not SystemExit: the crawl would wait for that method endlessly.
    """
    if cls.__module__.startswith(OURS):
        return
    for name, value in list(vars(cls).items()):
        if inspect.isfunction(value) and name not in {
            "__init__",
            "__new__",
        }:  # a wrong one is reported when it is created
            setattr(cls, name, _contained(value))


def contain_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """Makes tasks of the loop that raise SystemExit fail with SpiderExit: tasks of an operator's pipelines, middlewares
    and signal handlers. asyncio would end the loop. KeyboardInterrupt is not changed."""

    def make(
        loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, Any] | Generator[Any, None, Any], **options: Any
    ) -> asyncio.Task[Any]:
        return asyncio.Task(_without_exit(coroutine), loop=loop, **options)

    loop.set_task_factory(make)


async def _without_exit(coroutine: Any) -> Any:
    try:
        return await coroutine
    except SystemExit as error:
        raise SpiderExit(error.code) from error


def _contained(function: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                async for value in function(self, *args, **kwargs):
                    yield value
            except SystemExit as error:
                raise _noted(self, error) from error

        return wrapped
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return await function(self, *args, **kwargs)
            except SystemExit as error:
                raise _noted(self, error) from error

        return awaited
    if inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def iterated(self: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                return (yield from function(self, *args, **kwargs))
            except SystemExit as error:
                raise _noted(self, error) from error

        return iterated

    @functools.wraps(function)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return function(self, *args, **kwargs)
        except SystemExit as error:
            raise _noted(self, error) from error

    return called


def _noted(spider: Any, error: SystemExit) -> SpiderExit:
    spider.exited = SpiderExit(error.code)
    return SpiderExit(error.code)
