"""Measures the memory of `newscrawl run` over many visits of a few small sites.

    nice -n 10 python -m benchmarks.fleet.memory --minutes 45 --plot docs/measurements/fleet-memory.svg

The sites publish nothing new, so what grows is what a visit leaves behind. Prints visits and memory of the main process
at the start, in the middle and at the end.
"""

from __future__ import annotations

import re
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

import click
from databases import new_database
from fleet_process import FleetProcess, fresh_folder, make_project, served
from fleet_stories import WorldOptions

from benchmarks.support.plot import lines
from newscrawl.testing.services.local import free_port

SETTINGS: Final[dict[str, Any]] = {
    "NEWSCRAWL_DELAY": "0",
    "NEWSCRAWL_TIME_SCALE": "1000",
    "NEWSCRAWL_RUN_MIN_SITE_INTERVAL": "0.5",
    "NEWSCRAWL_RUN_POLL_INTERVAL": "0.5",
    "NEWSCRAWL_RUN_CONCURRENT_SITES": "16",
}
"""Sites are visited again and again: a feed may be read as soon as its last visit has ended."""
EVERY: Final = 15.0
"""Seconds between two looks at visits and memory."""
WARM: Final = 0.1
"""Part of the run until the start of the figures: modules are still loaded, and caches filled."""

_CRAWLS: Final = re.compile(r"^newscrawl_crawls_total\{[^}]*\} (\d+)$", re.MULTILINE)


def visits(port: int) -> int:
    """Returns the crawls of all sites that have ended so far."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        return sum(map(int, _CRAWLS.findall(answer.read().decode())))


def measured(fleet: FleetProcess, port: int, seconds: float) -> list[tuple[int, float]]:
    """Returns visits and MB of the main process, one after the other."""
    found: list[tuple[int, float]] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(EVERY)
        fleet.look()
        try:
            found.append((visits(port), fleet.memory[-1][1]))
        except OSError:  # it has not begun, or is busy
            if fleet.process is None or fleet.process.poll() is not None:
                raise click.ClickException(f"the fleet ended by itself, see {fleet.folder / 'run.log'}") from None
    return found


@click.command(help=__doc__)
@click.option("--minutes", default=45.0, show_default=True)
@click.option("--sites", default=40, show_default=True)
@click.option("--postgresql", is_flag=True)
@click.option("--plot", type=click.Path(path_type=Path), help="Write an SVG file: memory by visits.")
def main(*, minutes: float, sites: int, postgresql: bool, plot: Path | None) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        log = str(folder / "requests.jsonl")
        options = WorldOptions(sites, 1, log, 60 * minutes, delay=0.0, mean_gap=1e9, initial=1, edited=0.0, pleas=0.0)
        with new_database(folder, on_postgresql=postgresql) as url, served(options) as (sites_port, _):
            fleet = make_project(fresh_folder(folder, 0), sites_port, sites, url, **SETTINGS)
            try:
                fleet.start("--health", str(port))
                found = measured(fleet, port, 60 * minutes)
                fleet.stop()
            finally:
                fleet.kill()
    total = found[-1][0]
    for part in (WARM, 0.5, 1.0):
        count, memory = next(one for one in found if one[0] >= part * total)
        click.echo(f"{count:,} visits: {memory:.1f} MB")
    if plot is not None:
        points = [(count / 1000, memory) for count, memory in found]
        plot.write_text(lines({"main process": points}, "thousand visits", "MB"), encoding="utf-8")


if __name__ == "__main__":
    main()
