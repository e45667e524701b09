"""Measures `newscrawl run` while none of its sites has anything due.

    python -m benchmarks.fleet.idle --sites 5000

Exits with 1 when a tick costs 50 ms of CPU time or more, or the process 300 MB.
"""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import click
from databases import new_database
from fleet_judgement import Trial
from fleet_process import cpu_seconds, fresh_folder, make_project
from source_items import record_answer

from newscrawl.model import SourcePlan, SourceType
from newscrawl.storage.frontier import sites
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import open_store

PORT: Final = 9
"""Where nobody listens: nothing is fetched."""
TICK_MS: Final = 50
MEMORY_MB: Final = 300
_SOURCES: Final[tuple[tuple[SourceType, str], ...]] = (("feed", "feed.xml"), ("sitemap", "news.xml"))


def try_idle(number: int, folder: Path, database: str, seconds: float = 40.0) -> Trial:
    """The figures of a process whose sites have nothing due."""
    fleet = make_project(
        fresh_folder(folder, 0), PORT, number, database, NEWSCRAWL_TIME_SCALE=1, NEWSCRAWL_RUN_POLL_INTERVAL=2
    )
    with open_store(database, upgrade=False) as store:
        store.run(_all_idle, number, datetime.now(UTC)).result()
    fleet.start()
    ticks: list[float] = []
    begun, log = time.monotonic(), folder / "project0" / "run.log"
    while "at most" not in log.read_text():  # it has read all declarations
        time.sleep(0.5)
        if time.monotonic() - begun > 120:
            raise click.ClickException("the fleet did not start")
    started = time.monotonic() - begun
    time.sleep(10)
    process = fleet.process
    if process is None:
        raise click.ClickException("the fleet did not start")
    for _ in range(int(seconds / 4)):
        before = cpu_seconds(process.pid)
        time.sleep(2)
        ticks.append(cpu_seconds(process.pid) - before)
        fleet.look()
    code, _ = fleet.stop()
    figures = {
        "seconds to start": started,
        "CPU ms a check, median": 1000 * sorted(ticks)[len(ticks) // 2],
        "memory MB": max(size for _, size in fleet.memory),
    }
    problems = []
    if figures["CPU ms a check, median"] >= TICK_MS:
        problems.append("not met: a check of what is due takes less than 50 ms")
    if figures["memory MB"] >= MEMORY_MB:
        problems.append("not met: the process uses less than 300 MB")
    return Trial(figures, problems + ([f"exit code {code}"] if code else []))


def _all_idle(connection: Any, number: int, now: datetime) -> None:
    """Writes into the database (a storage operation) that every site was crawled a while ago and has nothing due for
    hours."""
    plan = SourcePlan(now + timedelta(hours=3))
    for site in range(number):
        name = f"site{site}"
        sites.note_start(connection, name, now)
        sites.note_finish(connection, name, now)
        for kind, path in _SOURCES:
            url = f"http://{name}.localhost:{PORT}/{path}"
            record_answer(connection, SourceAnswer(name, url, kind, 200, now), [], now, plan=lambda *_: plan)


@click.command(help=__doc__)
@click.option("--sites", "number", default=5000, show_default=True)
@click.option("--postgresql", is_flag=True)
def main(*, number: int, postgresql: bool) -> None:
    with tempfile.TemporaryDirectory() as temporary, new_database(Path(temporary), on_postgresql=postgresql) as url:
        trial = try_idle(number, Path(temporary), url)
    trial.report()


if __name__ == "__main__":
    main()
