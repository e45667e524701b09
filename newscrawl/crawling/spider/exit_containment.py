"""Turns `sys.exit()` in a site's code into an error of that site, so that the other sites go on being crawled."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final

from newscrawl.errors import SpiderExit

OURS: Final = "newscrawl."
"""Modules whose methods are not wrapped: they do not exit."""


def contain_methods(cls: type) -> None:
    """Makes every method that an operator's class adds raise SpiderExit, and note it as `exited`, instead of exiting.

    Scrapy catches errors of a spider's methods, but not SystemExit: the crawl would wait for that method for ever.
    """
    if cls.__module__.startswith(OURS):
        return
    for name, value in list(vars(cls).items()):
        if inspect.isfunction(value) and name not in {"__init__", "__new__"}:  # a wrong one is told when it is made
            setattr(cls, name, _contained(value))


def contain_tasks(loop: asyncio.AbstractEventLoop) -> None:
    """From now on a task of the loop that is left by SystemExit fails with SpiderExit: what pipelines, middlewares and
    signals of an operator raise. asyncio would end the loop. KeyboardInterrupt goes on as ever."""

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
