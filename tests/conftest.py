"""Fixtures that several folders of tests use."""

from __future__ import annotations

import gc
import signal
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from multiprocessing import forkserver
from pathlib import Path
from typing import Final

# Before the rest: it looks through all loaded modules, for every frame of the stack, for each of three old names.
import scrapy.core.downloader.contextfactory  # noqa: F401  # isort: skip

import crash_recovery
import effort
import fleet_process
import processes
import pytest
import schema
import warm
from doubling import doubling, grows_evenly
from kinds_of_databases import BOTH_KINDS
from leaks import leaks_after

from newscrawl.storage import migrations
from newscrawl.storage.store import Store, open_store
from newscrawl.testing import site_crawl
from newscrawl.testing.services.postgresql import drop_database, new_database, server
from newscrawl.workers.processes.forkserver import FOR_CRAWLS, FOR_INGESTS

gc.disable()
"""Until the first test runs: what is imported and collected is no garbage."""

effort.register_profiles()

# A shell that starts the tests in the background has Ctrl-C ignored, and what tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


TESTS: Final = Path(__file__).parent
LONGEST_ID: Final = 60
"""A longer text becomes the name of its parameter: nobody reads it in a list of tests."""


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Ids are words: bytes, functions without a name and texts that pytest would escape get the parameter's name.

    pytest numbers equal ids. Bytes of a compressor hold the time, and xdist refuses to run workers whose ids differ.
    """
    if isinstance(val, str):
        return None if len(val) <= LONGEST_ID and val.isascii() and val.isprintable() else argname
    if isinstance(val, (bytes, bytearray)):
        return argname
    return argname if getattr(val, "__name__", "") == "<lambda>" else None


processes.watch()
schema.install()
# The one fork server of this process imports what workers need, whichever test starts it: 0.5 s of CPU a worker.
forkserver.set_forkserver_preload([*FOR_CRAWLS, *FOR_INGESTS])
forkserver.set_forkserver_preload = lambda _modules: None


SLOWEST: Final = (
    *("fleet", "test_kill.py", "benchmarks", "crawling/test_host_turns.py", "pipelines", "web/test_browser.py"),
    *("feed/test_opensearch.py", "storage/test_crashes.py", "archive", "batch", "ingest", "onboarding", "workers"),
    *("processes", "hostile", "spiders", "demo", "docs", "storage", "cli", "crawling", "web"),
)
"""Files and folders that take long; the longest first."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first, in whatever order the rest is: no process is left alone with it in the end."""

    @cache
    def place(path: Path) -> int:
        name = path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""
        return next((place for place, slow in enumerate(SLOWEST) if name.startswith(slow)), len(SLOWEST))

    items.sort(key=lambda item: place(item.path))


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    if processes.starts_processes(item):
        item.add_marker(processes.MARK)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Modules and tests stay until the end: the collector does not look through them again and again, and rarely
    through the rest: 5 % less CPU for tests with databases and syntax trees, in the same 350 MB."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


STARTED_BEFORE: Final = pytest.StashKey[int]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[STARTED_BEFORE] = len(processes.started)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """After the test itself: what starts processes is marked, or `make quick` would run it."""
    processes.check(item, item.stash[STARTED_BEFORE])


@pytest.fixture(scope="session", autouse=True)
def nothing_leaks() -> Iterator[None]:
    """After the last test no thread of ours runs, no database is open and no process is left."""
    yield
    warm.close()
    found = leaks_after()
    assert not found, f"the tests left behind: {'; '.join(found)}"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a real PostgreSQL server, started for this session and without fsync."""
    with server(durable=False) as address:
        yield address


@pytest.fixture(scope="session")
def migrated(postgresql: str) -> str:
    """The name of a database with the schema, to be copied."""
    address = new_database(postgresql)
    migrations.upgrade(address)
    return address.partition("?")[0].rpartition("/")[2]


@pytest.fixture(scope="session", autouse=True)
def from_template() -> Iterator[None]:
    """The crawls and servers of newscrawl.testing and tests/support are forked from the template as well (warm.py)."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (fleet_process, crash_recovery, site_crawl):
            patch.setattr(module, "subprocess", warm.AS_SUBPROCESS)
        yield


@pytest.fixture
def real_upgrade() -> Iterator[None]:
    """New SQLite databases are built by the revisions, as an operator's are, and are no copies (schema.py)."""
    with schema.uninstalled():
        yield


@pytest.fixture
def empty_postgresql(postgresql: str) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    address = new_database(postgresql)
    yield address
    drop_database(postgresql, address)


@pytest.fixture(params=BOTH_KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database with the schema: a test that asks for it runs on both kinds (kinds_of_databases.py)."""
    yield from _database(request, tmp_path)


@pytest.fixture(scope="module", params=BOTH_KINDS)
def shared_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """As `database`, for a fixture that fills it once for all tests of a module that only read."""
    yield from _database(request, tmp_path_factory.mktemp("shared"))


def _database(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    if request.param == "sqlite":
        migrations.upgrade(address := f"sqlite:///{folder / 'newscrawl.db'}")
        yield address
        return
    running = request.getfixturevalue("postgresql")
    address = new_database(running, request.getfixturevalue("migrated"))
    yield address
    drop_database(running, address)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An open store of an empty SQLite database."""
    with open_store(f"sqlite:///{tmp_path}/news.db", upgrade=True, max_wait=0.01) as opened:
        yield opened


@pytest.fixture
def temporary() -> Iterator[Path]:
    """A folder for TMPDIR. The path of `tmp_path` may be too long for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-") as folder:
        yield Path(folder)


@pytest.fixture(name="doubling")
def _doubling() -> Callable[..., None]:
    """Fails unless a function's time about doubles with its input: `doubling(function, make_input, n)`."""
    return doubling


@pytest.fixture(name="grows_evenly")
def _grows_evenly() -> Callable[..., None]:
    """As `doubling`, at most 2.5 times, for many inputs that are nearly all harmless."""
    return grows_evenly
