"""Kill a crawl with SIGKILL, at each named failpoint and at random moments, start it again, and look for losses.

    python -m benchmarks.kill --random 50                   # SQLite
    python -m benchmarks.kill --random 50 --postgresql      # the PostgreSQL server that comes as a wheel

A local site has articles and a feed that answers 304 from its second request on. After every series of kills and a last
undisturbed crawl, each article must be stored once and the database must be intact.
"""

from __future__ import annotations

import sys
import time

import click
from crash_recovery import FAILPOINTS, CrashSite, Crawls, kill_at_failpoint, kill_at_random
from databases import postgresql_databases, sqlite_databases
from rich.progress import track

from newscrawl.testing.politeness import doubled


@click.command()
@click.option("--random", "kills", default=50, show_default=True, help="Number of kills at random moments.")
@click.option("--per-series", default=5, show_default=True, help="Random kills before an undisturbed crawl.")
@click.option("--postgresql", is_flag=True, help="PostgreSQL instead of SQLite.")
@click.option("--seed", default=1, show_default=True)
def main(kills: int, per_series: int, postgresql: bool, seed: int) -> None:
    """Kill crawls and count what is lost or doubled.

    Example: python -m benchmarks.kill --random 50 --postgresql
    """
    problems: list[str] = []
    with postgresql_databases() if postgresql else sqlite_databases() as databases, CrashSite() as site:
        started = time.monotonic()
        problems += (Crawls(site, next(databases)).run() and ["the first crawl failed"]) or []
        longest = time.monotonic() - started
        for failpoint in track(FAILPOINTS, "failpoints"):
            problems += [f"{failpoint}: {problem}" for problem in kill_at_failpoint(site, next(databases), failpoint)]
        for series in track(range(-(-kills // per_series)), "random moments"):
            size = min(per_series, kills - series * per_series)
            found = kill_at_random(site, next(databases), size, seed + series, longest)
            problems += [f"series {series}: {problem}" for problem in found]
    kind = "PostgreSQL" if postgresql else "SQLite"
    click.echo(f"{kind}: killed at {len(FAILPOINTS)} failpoints and {kills} random moments within {longest:.1f} s")
    repeated = doubled(site.log)
    click.echo(f"{len(site.log)} requests, {len(repeated)} doubled")
    problems += [f"requested twice at once: {path}" for path in repeated]
    click.echo("\n".join(problems) or "every article once, nothing lost, the database intact")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
