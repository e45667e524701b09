"""The process from which tests/support/warm.py forks children. It imports what all of them need.

It is `python -P -c PROGRAM FOLDER CONTROL`. A child leaves the loop and runs its command in the module `__main__`; then
the interpreter ends as it ends after any command.
"""

from __future__ import annotations

import atexit
import builtins
import ctypes
import gc
import importlib
import io
import json
import multiprocessing.process
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import threading
import warnings
from types import CodeType

import schema
import warm_workers

from newscrawl.workers.processes import failpoints

PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); import warm_template; warm_template.main()"
STATUS = struct.Struct("=i")
CLONE_NEWUTS = 0x04000000
"""sched.h; os.unshare came with Python 3.12."""
SHARED = (
    *("alembic.command", "click", "feedparser", "justext", "lxml.html", "numpy", "protego", "psycopg", "py3langid"),
    *("scrapy.cmdline", "scrapy.crawler", "scrapy.core.downloader.handlers.http11", "scrapy.extensions.telnet"),
    *("sqlalchemy.dialects.postgresql", "sqlalchemy.dialects.sqlite", "rich.console", "rich.live", "rich.table"),
    *("twisted.internet.asyncioreactor", "twisted.web.client", "multiprocessing.forkserver"),
    *("newscrawl.storage", "newscrawl.reports", "newscrawl.storage.migrations", "newscrawl.extraction.article"),
    *(
        "newscrawl.archive",
        "newscrawl.publishing.search",
        "newscrawl.publishing.feed",
        "newscrawl.extraction.explain",
        "newscrawl.extraction.article.make",
    ),
    "newscrawl.workers.preload",
    *("aiohttp.web", "email.message", "filelock", "itemadapter", "mmap", "platformdirs", "queuelib", "requests"),
    *("rich._emoji_codes", "smtplib", "statistics", "unittest.mock"),
    *("scrapy.commands.check", "scrapy.commands.crawl", "scrapy.commands.shell", "scrapy.contracts"),
    *("scrapy.downloadermiddlewares.httpcache", "scrapy.downloadermiddlewares.redirect"),
    *("scrapy.extensions.closespider", "scrapy.extensions.remote_control", "scrapy.extensions.throttle"),
    *("scrapy.spidermiddlewares.referer", "scrapy.squeues", "scrapy.statscollectors"),
    *("newscrawl.archive.writer", "newscrawl.config.catalogue", "newscrawl.config.derived.article_options"),
    *("newscrawl.crawling.downloader.download_handler", "newscrawl.crawling.downloader.middlewares.robots"),
    *("newscrawl.crawling.downloader.throttled_downloader", "newscrawl.crawling.fleet.fleet"),
    *("newscrawl.crawling.monitoring.watchdog", "newscrawl.crawling.pipelines.extract"),
    *("newscrawl.crawling.pipelines.store", "newscrawl.crawling.runtime.site_session"),
    *("newscrawl.crawling.spider.news_spider", "newscrawl.demo", "newscrawl.archive.ingest.run"),
    *("newscrawl.storage.articles.apply", "newscrawl.storage.engine.batch"),
)
"""Nothing that reads the environment when it is imported, as newscrawl.config.scrapy_defaults does, and no reactor."""
NEVER = (
    "newscrawl.config.environment",
    "newscrawl.cli",
    "twisted.internet.reactor",
    "settings",
    "spiders",
    "pipelines",
)


def preload() -> None:
    for name in SHARED:
        importlib.import_module(name)
    schema.with_tables()
    schema.install()
    too_much = sorted(name for name in NEVER if name in sys.modules)
    assert not too_much, f"a shared module imports {too_much}, which belong to each child alone"
    gc.collect()
    gc.freeze()  # a collection in a child need not copy what it shares


def serve(control: socket.socket) -> tuple[dict, list[int]]:
    """Forks a child for every order, and reports its exit status. Returns only in a child: its order and files."""
    children: dict[int, tuple[int, int]] = {}  # file of the process -> its number, where its status goes
    poll = select.poll()
    poll.register(control, select.POLLIN)
    while True:
        for file, _ in poll.poll():
            if file in children:
                pid, status_file = children.pop(file)
                poll.unregister(file)
                os.close(file)
                _, status = os.waitpid(pid, 0)
                tell(status_file, status)
                continue
            header, files, *_ = socket.recv_fds(control, 4, 4)
            if not header:
                sys.exit()  # the tests are over
            (size,) = struct.unpack("=I", header)
            order = json.loads(control.recv(size, socket.MSG_WAITALL))
            pid = os.fork()
            if pid == 0:
                if order["session"]:
                    os.setsid()
                if order["group"] != -1:
                    os.setpgid(0, order["group"])
                if order["host"] is not None:
                    set_host_name(order["host"])
                for other, (_, status_file) in children.items():
                    os.close(other)
                    os.close(status_file)
                control.close()
                os.close(files.pop())
                return order, files
            for standard in files[:3]:
                os.close(standard)
            process_file = os.pidfd_open(pid)
            children[process_file] = (pid, files[3])
            poll.register(process_file, select.POLLIN)
            control.sendall(STATUS.pack(pid))


def set_host_name(name: str) -> None:
    """Gives this process a host name of its own, as `unshare --uts` does."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUTS):
        raise OSError(ctypes.get_errno(), "no host name of its own")
    socket.sethostname(name)


def tell(file: int, status: int) -> None:
    try:
        os.write(file, STATUS.pack(status))
    except BrokenPipeError:
        pass  # nobody waits for it any more
    finally:
        os.close(file)


def become(order: dict, files: list[int]) -> list[str]:
    """Take over a child's files, folder and environment; returns the words of its command without Python's options."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    set_surroundings(order)
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = sys.__stdin__ = stream(0, "r", sys.stdin)
    sys.stdout = sys.__stdout__ = stream(1, "w", sys.stdout, unbuffered=unbuffered)
    sys.stderr = sys.__stderr__ = stream(2, "w", sys.stderr, by_line=True, unbuffered=unbuffered)
    words = list(order["words"])
    while words[0].startswith("-W"):
        option = words.pop(0)[2:] or words.pop(0)
        sys.warnoptions.append(option)
        warnings._processoptions([option])
    return words


def set_surroundings(order: dict) -> None:
    os.chdir(order["cwd"])
    multiprocessing.process.ORIGINAL_DIR = order["cwd"]  # where it is taken to have started
    os.environ.clear()
    os.environ.update(order["environment"])
    tempfile.tempdir = None  # TMPDIR may be another one
    failpoints.arm(os.environ.get("NEWSCRAWL_FAILPOINT"))  # all that a shared module of ours reads of the environment


def stream(
    file: int, mode: str, like: io.TextIOWrapper, *, by_line: bool = False, unbuffered: bool = False
) -> io.TextIOWrapper:
    """Returns a standard stream as the interpreter opens it without a terminal."""
    binary = open(file, mode + "b", buffering=0 if unbuffered else -1, closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(binary, like.encoding, like.errors, line_buffering=by_line, write_through=unbuffered)


def set_path(first: str) -> None:
    """sys.path as the interpreter makes it: where the command is, PYTHONPATH, the libraries."""
    added = [os.path.abspath(name) for name in os.environ.get("PYTHONPATH", "").split(os.pathsep) if name]  # noqa: PTH100
    sys.path[:0] = [first, *dict.fromkeys(added)]


def main() -> None:
    """Returns only in a child."""
    code = command_of_child()
    try:
        exec(code, sys.modules["__main__"].__dict__)
    except SystemExit as end:
        leave(end.code)
        raise
    leave(0)


def leave(code: object) -> None:
    """Ends as the interpreter does, without freeing shared memory, which would copy all of it."""
    if code is not None and not isinstance(code, int):
        return
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return  # the interpreter has an exit code and a line of its own for it
    os._exit((code or 0) & 0xFF)


def command_of_child() -> CodeType:
    """Returns in a child only, with what it is to run; `__main__` and sys.path are then as its command has them."""
    del sys.path[0]
    preload()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the whole group; the tests end this process
    control = socket.socket(fileno=int(sys.argv[2]))
    control.set_inheritable(False)
    kind, *words = become(*serve(control))
    if warm_workers.may_need_workers([kind, *words]) and (asked := warm_workers.sow()):
        set_surroundings(asked)
        kind, words = "-c", [asked["code"]]
    main = sys.modules["__main__"].__dict__
    main.clear()
    main |= {"__name__": "__main__", "__builtins__": builtins, "__spec__": None, "__doc__": None}
    if kind == "-m":
        set_path(os.getcwd())  # noqa: PTH109
        sys.argv = ["-m", *words[1:]]
        return compile(f"import runpy; runpy._run_module_as_main({words[0]!r})", "<template>", "exec")
    if kind == "-c":
        set_path("")
        sys.argv = ["-c", *words[1:]]
        return compile(words[0], "<string>", "exec")
    main["__file__"] = file = os.path.abspath(kind)  # noqa: PTH100
    set_path(os.path.dirname(file))  # noqa: PTH120
    sys.argv = [kind, *words]
    with open(file, "rb") as script:  # noqa: PTH123
        return compile(script.read(), file, "exec")
