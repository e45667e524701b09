"""The process from which benchmarks.faults forks commands. It has imported everything, so a command starts quickly.

It reads orders from standard input, one line of JSON each, and answers with one line: exit code, seconds, statements,
writes and commits counted. A command that takes too long is killed with everything it has started.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import mmap
import multiprocessing.forkserver as forkserver
import multiprocessing.resource_tracker as resource_tracker
import os
import select
import signal
import sys
import threading
import time
import traceback
from typing import Any, Final

from benchmarks.faults.inject import COUNT, Fault, arm

LIBRARIES: Final = (
    *("alembic.command", "click", "feedparser", "justext", "lxml.html", "protego", "py3langid"),
    *("scrapy.cmdline", "scrapy.crawler", "scrapy.core.downloader.handlers.http11", "scrapy.extensions.telnet"),
    *(
        "sqlalchemy.dialects.sqlite",
        "sqlalchemy.dialects.postgresql.psycopg",
        "psycopg",
        "rich.console",
        "rich.live",
        "rich.table",
        "rich.progress",
        "twisted.web.client",
    ),
    *("twisted.internet.asyncioreactor", "multiprocessing.forkserver"),
    *(
        "newscrawl.storage",
        "newscrawl.reports",
        "newscrawl.storage.migrations",
        "newscrawl.storage.engine.batch",
    ),
    *("newscrawl.archive", "newscrawl.search", "newscrawl.feed"),
    *(
        "newscrawl.crawling.runtime.site_session",
        "newscrawl.crawling.spider.news_spider",
        "newscrawl.crawling.commands.crawl",
    ),
    *("newscrawl.crawling.fleet.main", "newscrawl.crawling.runtime.run_log", "newscrawl.crawling.runtime.progress"),
    *(
        "newscrawl.crawling.downloader.download_handler",
        "newscrawl.crawling.downloader.throttled_downloader",
        "newscrawl.crawling.spider.loader",
    ),
    *(
        "newscrawl.crawling.runtime.interrupt",
        "newscrawl.crawling.monitoring.watchdog",
        "newscrawl.crawling.runtime.site_client",
    ),
    *("newscrawl.cli.main", "newscrawl.cli.feed", "newscrawl.cli.ingest", "newscrawl.cli.ingest_files"),
    *("newscrawl.cli.run", "newscrawl.cli.db", "newscrawl.cli.forget"),
)
WORKERS: Final = ("newscrawl.workers.preload", "newscrawl.ingest.worker", "newscrawl.article.preload")
NEVER: Final = ("twisted.internet.reactor", "settings", "spiders", "pipelines")
COUNTED: Final = ("statements", "writes", "commits")
TIMED_OUT: Final = -1


def main() -> None:
    """Serves until standard input ends."""
    for name in (*LIBRARIES, *WORKERS):
        importlib.import_module(name)
    early = [name for name in NEVER if name in sys.modules]
    if early:
        raise SystemExit(f"{early} belong to each command alone")
    resource_tracker.ensure_running()
    gc.collect()
    gc.freeze()
    shared = mmap.mmap(-1, mmap.PAGESIZE)
    counts = {name: COUNT.from_buffer(shared, 64 * place) for place, name in enumerate(COUNTED)}
    for line in sys.stdin:
        order = json.loads(line)
        for count in counts.values():
            count.value = 0
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            _run(order, counts)
        code = _wait(child, order["seconds"])
        counted = {name: count.value for name, count in counts.items()}
        print(json.dumps({"code": code, "seconds": time.monotonic() - begun, **counted}), flush=True)


def _wait(child: int, seconds: float) -> int:
    """The child's exit code, TIMED_OUT when it was killed here; nothing of its session is left. Standard input says
    something before the answer only when it ends: then nobody waits."""
    file = os.pidfd_open(child)
    in_time = file in select.select([file, sys.stdin], [], [], seconds)[0]
    os.close(file)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if in_time else TIMED_OUT


def _run(order: dict[str, Any], counts: dict[str, Any]) -> None:
    """Runs the child."""
    code = 1
    try:
        os.setsid()
        _take_files(order["log"])
        os.chdir(order["cwd"])
        sys.path[0] = order["cwd"]  # where `-m` has put the folder of the benchmarks
        os.environ.update(order["environment"])
        sys.modules.pop("newscrawl.config.scrapy_defaults", None)  # it reads the environment when it is imported
        own = sys.modules["__main__"]  # a worker need not import it
        own.__spec__ = None
        del own.__file__
        arm(Fault(*order["fault"]), order["folder"], **counts)
        _start_forkserver()
        sys.argv = order["words"]
        _command(order["words"])
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if code == 1 and end.code != 1:
            print(end.code, file=sys.stderr)
    except BaseException:  # noqa: BLE001  what the interpreter does with it
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001
            atexit._run_exitfuncs()  # noqa: SLF001
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code & 0xFF)


def _command(words: list[str]) -> None:
    if words[0] == "scrapy":
        from scrapy.cmdline import execute

        execute(words)
    else:
        from newscrawl.cli.main import main

        main(words[1:])


def _take_files(log: str) -> None:
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for standard, number in enumerate((nothing, file, file)):
        os.dup2(number, standard)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, closefd=False)  # type: ignore[misc]  # noqa: SIM115


def _start_forkserver() -> None:
    """Forks the process from which extraction workers are forked, while this process has one thread."""

    def fork(_path: object, _arguments: object, passed: list[int]) -> int:
        child = os.fork()
        if child:
            return child
        try:
            forkserver.main(passed[0], passed[1], [])
        finally:
            os._exit(0)

    spawn = forkserver.util.spawnv_passfds  # type: ignore[attr-defined]
    forkserver.util.spawnv_passfds = fork  # type: ignore[attr-defined]
    try:
        forkserver.ensure_running()
    finally:
        forkserver.util.spawnv_passfds = spawn  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
