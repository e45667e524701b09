"""Compares the server log and the database of a run of a fleet with the requirements.

What the log shows alone is decided by pure functions: `check` (politeness), `coverage` (articles and edits that were
fetched), `announced_edits` (how soon). `ignored_back_offs` are pleas for rest that only a killed process had read.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final

from fleet_process import SCALE, Request, read_log
from fleet_stories import FORBIDDEN, LISTED, FleetArticle, WorldOptions, announces, stories_of
from rich.table import Table
from sqlalchemy import select

from newscrawl.config.logs.console import SafeConsole
from newscrawl.crawling.scheduling.announced_edits import GAP
from newscrawl.model.identity import registrable_domain
from newscrawl.reports import articles
from newscrawl.storage.engine.database import make_reader, parse_url
from newscrawl.storage.engine.transactions import begin_read
from newscrawl.storage.tables.frontier import hosts
from newscrawl.testing.politeness import doubled

Plea = tuple[str, float]
"""An answer with Retry-After: its host, and when it ended (seconds since 1970)."""

TO_COMMIT: Final = 5.0
"""Seconds after which a living process has stored the Retry-After of an answer. An older one was lost by an error."""


def ignored_back_offs(
    log: Iterable[Request], known_rests: Mapping[str, datetime | None], agent: str, killed_at: float
) -> dict[Plea, float]:
    """Returns the pleas that were never stored because the process of `agent` was killed, each with that moment.

    `known_rests` are the stored ends of the hosts' pauses after the kill. A stored pause that ends before the plea was
    answered is an earlier one. `agent` is a part of the User-Agent that no other process has.
    """
    lost = {}
    for request in log:
        ended = request.get("ended")
        if not request.get("rest") or ended is None or agent not in (request["agent"] or ""):
            continue
        is_recent = killed_at - TO_COMMIT <= ended <= killed_at
        known = known_rests.get(request["host"])
        if is_recent and (known is None or known.timestamp() <= ended):
            lost[request["host"], ended] = killed_at
    return lost


def stored_rests(database: str, log: Iterable[Request]) -> dict[str, datetime | None]:
    """Returns the stored ends of the pauses of all hosts of the log."""
    asked = {request["host"] for request in log}
    with begin_read(make_reader(parse_url(database))) as connection:
        stored = dict(connection.execute(select(hosts.c.key, hosts.c.next_at)).all())
    keys = {host: f"domain:{registrable_domain(f'http://{host}/')}" for host in asked}
    return {host: datetime.fromtimestamp(stored[key], UTC) if stored.get(key) else None for host, key in keys.items()}


NO_PLEAS: Final[Mapping[Plea, float]] = MappingProxyType({})
CLOCK: Final = 0.01
"""Seconds by which the clocks of two processes may be apart; the log has the moment before an answer leaves."""


@dataclass(slots=True)
class MannersReport:
    """The counts of the log, and examples of violations."""

    numbers: dict[str, float] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def wrong(self, name: str, example: str) -> None:
        """Counts one violation."""
        self.numbers[name] = self.numbers.get(name, 0) + 1
        self.examples.setdefault(name, example)


def check(log: Sequence[Request], delay: float, lost: Mapping[Plea, float] = NO_PLEAS) -> MannersReport:
    """Manners: overlaps, delays, pleas for rest, robots.txt, what was unchanged and downloaded all the same.

    `lost` are pleas for rest that no process knows after a moment (ignored_back_offs). Requests after it may be inside
    their pauses; requests before it may not.
    """
    found = MannersReport()
    log = answered(log)
    hosts: defaultdict[str, list[Request]] = defaultdict(list)
    for request in sorted(log, key=lambda request: request["begun"]):
        hosts[request["host"]].append(request)
    pairs = sum(len(requests) - 1 for requests in hosts.values())
    for name in ("overlapping", "too close", "before Retry-After", "forbidden", "unchanged and not 304", "doubled"):
        found.numbers[name] = 0
    for host, requests in hosts.items():
        _manners(found, host, requests, delay, lost)
        _unchanged(found, host, requests)
    for address in doubled(((f"{request['host']}{request['path']}", request["begun"]) for request in log), delay):
        found.wrong("doubled", address)
    for request in log:
        if request["path"].startswith(FORBIDDEN):
            found.wrong("forbidden", f"{request['host']}{request['path']}")
    found.numbers |= {
        "requests": len(log),
        "pairs": pairs,
        "in order %": 100 * (1 - (found.numbers["overlapping"] + found.numbers["too close"]) / max(1, pairs)),
        "pleas": sum(request["status"] == 429 for request in log),
        "pleas lost by kills": len(lost),
        "answered 304": sum(request["status"] == 304 for request in log),
    }
    return found


def answered(log: Sequence[Request]) -> list[Request]:
    """Returns the requests that were answered, without the lines that only say that one has begun (WorldOptions.hang).
    A request without an answer lasts to the end of the log."""
    ended = {(request["host"], request["path"], request["begun"]) for request in log if "ended" in request}
    no_answer = {"ended": float("inf"), "status": None, "tag": None, "asked": None, "rest": None, "agent": None}
    return [
        {**no_answer, **request}
        for request in log
        if "ended" in request or (request["host"], request["path"], request["begun"]) not in ended
    ]


def _manners(
    found: MannersReport, host: str, requests: Sequence[Request], delay: float, lost: Mapping[Plea, float]
) -> None:
    rest_until, lost_at = 0.0, float("inf")
    for before, after in pairwise(requests):
        gap = after["begun"] - before["ended"]
        if gap < -CLOCK:
            found.wrong("overlapping", f"{host}: {before['path']} and {after['path']}")
        elif gap < delay - CLOCK and before["path"] != "/robots.txt":
            # Before robots.txt is read nobody can know what it asks for.
            found.wrong("too close", f"{host}: {gap:.3f} s before {after['path']}")
        if before["rest"]:
            rest_until = before["ended"] + float(before["rest"])
            lost_at = lost.get((host, before["ended"]), float("inf"))
        if after["begun"] < min(rest_until - CLOCK, lost_at):
            found.wrong("before Retry-After", f"{host}: {rest_until - after['begun']:.3f} s early for {after['path']}")


def _unchanged(found: MannersReport, host: str, requests: Sequence[Request]) -> None:
    last: dict[str, str] = {}
    for request in requests:
        path, tag = request["path"], request["tag"]
        if tag and last.get(path) == tag and request["status"] == 200:
            found.wrong("unchanged and not 304", f"{host}{path}")
        if tag:
            last[path] = tag


def coverage(
    log: Iterable[Request], stories: Mapping[str, Sequence[FleetArticle]], began: float, until: float, patience: float
) -> MannersReport:
    """Articles that were listed for at least `patience` seconds: how many were fetched, how soon, how often, and
    which edits."""
    found = MannersReport()
    fetched: defaultdict[tuple[str, str], list[Request]] = defaultdict(list)
    for request in log:
        if request["status"] == 200:
            fetched[request["host"], request["path"]].append(request)
    waits: list[float] = []
    numbers: Counter[str] = Counter({"missed": 0, "fetched again": 0, "edits": 0, "edits missed": 0})
    for host, of_site in stories.items():
        for story in of_site:
            answers = fetched.get((host, story.path), [])
            if answers:
                waits.append(answers[0]["begun"] - began - max(story.at, 0.0))
            if story.at < until - patience:
                numbers["articles"] += 1
                if not answers:
                    numbers["missed"] += 1
                    found.examples.setdefault("missed", f"{host}{story.path}")
            tags = [answer["tag"] for answer in answers]
            numbers["fetched again"] += len(tags) - len(set(tags))
            numbers["edits"], numbers["edits missed"] = _edits(numbers, story, answers, began, until, patience)
    waits.sort()
    found.numbers = dict(numbers)
    if waits:
        found.numbers |= {"delay p50": waits[len(waits) // 2], "delay p95": waits[int(len(waits) * 0.95)]}
    return found


def _edits(
    numbers: Counter[str], story: FleetArticle, answers: Sequence[Request], began: float, until: float, patience: float
) -> tuple[int, int]:
    edits, missed = numbers["edits"], numbers["edits missed"]
    if story.edited_at is None or not answers or answers[0]["begun"] - began >= story.edited_at:
        return edits, missed
    age = story.edited_at - max(story.at, 0.0)
    if story.edited_at + 2 * age + patience > until:
        return edits, missed  # its next visit lies beyond the end
    seen = any(answer["begun"] - began > story.edited_at for answer in answers[1:])
    return edits + 1, missed + (not seen)


SOURCES: Final = {"lastmod": "/news.xml", "updated": "/feed.xml", "title": "/feed.xml"}
"""The source that announces, by how it does."""

ENOUGH: Final = 5.0
"""Seconds that a page which was fetched just before may be visited late: the host's delay, and other pages first."""


def announced_edits(
    log: Sequence[Request],
    stories: Mapping[str, Sequence[FleetArticle]],
    began: float,
    until: float,
    patience: float,
    gap: float,
) -> MannersReport:
    """The number of edits that a source announced of pages fetched before, and how many of them were not fetched
    before the next reading of that source. A page may wait until `gap` seconds have passed since its last fetch."""
    readings: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    fetched: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for request in log:
        kinds = readings if request["path"].endswith(".xml") else fetched
        if request["status"] in {200, 304}:
            kinds[request["host"], request["path"]].append(request["begun"] - began)
    numbers: Counter[str] = Counter({"edits announced": 0, "announced, fetched late": 0})
    found = MannersReport()
    waits: list[float] = []
    for host, of_site in stories.items():
        source = SOURCES.get(announces(host))
        for place, story in enumerate(of_site) if source is not None else ():
            times = _from(readings[host, source or ""], story.edited_at)
            visits = fetched[host, story.path]
            if story.edited_at is None or not times or not _is_listed(of_site, place, times[0]):
                continue
            before = [visit for visit in visits if visit < story.edited_at]
            after = _from(visits, story.edited_at)
            if not before or times[0] + patience > until:
                continue
            numbers["edits announced"] += 1
            deadline = max(times[1] if len(times) > 1 else until, before[-1] + gap + ENOUGH)
            if after and after[0] <= deadline:
                waits.append(after[0] - story.edited_at)
            else:
                numbers["announced, fetched late"] += 1
                found.examples.setdefault("announced, fetched late", f"{host}{story.path}")
    found.numbers = {**numbers, **_visits(fetched)}
    if waits:
        found.numbers["announced edit fetched after p50"] = sorted(waits)[len(waits) // 2]
    return found


def _from(times: Sequence[float], moment: float | None) -> Sequence[float]:
    """Returns the times that are not before the moment, in order."""
    ordered = sorted(times)
    return ordered[bisect_left(ordered, moment) :] if moment is not None else []


def _is_listed(stories: Sequence[FleetArticle], place: int, now: float) -> bool:
    return sum(story.at <= now for story in stories[place:]) <= LISTED


def _visits(fetched: Mapping[tuple[str, str], Sequence[float]]) -> dict[str, float]:
    """Returns the number of requests a page at sites whose sources announce false edits, and at those that announce
    none."""
    numbers_by_name: dict[str, float] = {}
    for style, name in (("lies", "fetches a page, sources lie"), ("nothing", "fetches a page, nothing announced")):
        numbers = [
            len(times) for (host, path), times in fetched.items() if announces(host) == style and ".html" in path
        ]
        if numbers:
            numbers_by_name[name] = sum(numbers) / len(numbers)
    return numbers_by_name


PATIENCE: Final = 75.0
"""Seconds for which an article must have been listed to be missed: an hour and a quarter of the compressed clock."""
TO_STOP: Final = 30.0
ORDER: Final = 99.9
LATE: Final = 0.05
"""Part of the announced edits that may be fetched late: the host asked for rest, or the site's limit was reached."""
GROWTH_MB: Final = 40.0
"""Memory that a process may have gained between the first third of a run and its end: allocators are no clocks."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one run: figures and violated requirements."""

    figures: dict[str, float]
    problems: list[str]

    def report(self) -> None:
        """Prints the result. Ends the process with 1 if a requirement is violated."""
        console = SafeConsole(highlight=False)
        table = Table("what", "number")
        for name, number in self.figures.items():
            table.add_row(name, f"{number:,.2f}".removesuffix(".00"))
        console.print(table)
        for problem in self.problems:
            console.print(problem)
        sys.exit(1 if self.problems else 0)


def judge(
    options: WorldOptions,
    database: str,
    times: tuple[float, float],
    ends: Sequence[tuple[int, float]],
    *,
    kills: int = 0,
    patience: float = PATIENCE,
    to_stop: float = TO_STOP,
    memory: Sequence[Sequence[tuple[float, float]]] = (),
    lost: Mapping[Plea, float] = NO_PLEAS,
    forgotten: Collection[str] = (),
) -> Trial:
    """The evidence of a run, from the server's log and the database. `times` are the moment in which the world began
    and the seconds until the run was told to end; `ends` are its processes' exit codes and the seconds they took for
    that. `lost` are pleas for rest that no process knows (ignored_back_offs). Articles of the sites `forgotten` need
    not be stored."""
    log = answered(read_log(Path(options.log)))
    manners = check(log, options.delay, lost)
    hosts = {f"site{n}.localhost": n for n in range(options.sites) if f"site{n}" not in forgotten}
    stories = {host: stories_of(number, options) for host, number in hosts.items()}
    of_sites = [request for request in log if request["host"] in stories]
    seen = coverage(of_sites, stories, *times, patience)
    announced = announced_edits(of_sites, stories, *times, patience, GAP.total_seconds() / SCALE)
    figures = {
        **manners.numbers,
        **seen.numbers,
        **announced.numbers,
        **_stored(database, log, stories),
        **_memory(memory),
    }
    figures["sites asked"] = len({request["host"] for request in log})
    figures["seconds to stop"] = max(seconds for _, seconds in ends)
    problems = [
        f"{name}: {example}" for found in (manners, seen, announced) for name, example in found.examples.items()
    ]
    return Trial(figures, _failed(figures, [code for code, _ in ends], problems, kills, to_stop))


def _failed(
    figures: dict[str, float], codes: Sequence[int], examples: list[str], kills: int, to_stop: float
) -> list[str]:
    """Returns the violated requirements, each with an example if there is one."""
    must = {
        f"in order at least {ORDER} %": figures["in order %"] >= ORDER,
        "Retry-After kept": not figures["before Retry-After"],
        "nothing forbidden fetched": not figures["forbidden"],
        "no request doubled": not figures["doubled"],
        "exit code 0": not any(codes),
        f"stopped within {to_stop:g} s": figures["seconds to stop"] <= to_stop,
        "no article missed": not figures["missed"],
        "no article stored twice": not figures["stored twice"],
        "all that was fetched is stored": not figures["fetched, not stored"],
        "no article fetched again unchanged": kills > 0 or not figures["fetched again"],
        "unchanged answered 304": kills > 0 or not figures["unchanged and not 304"],
        "edits picked up": figures["edits missed"] <= 0.02 * figures["edits"],
        f"announced edits fetched within one reading, but {LATE:.0%}": kills > 0
        or figures["announced, fetched late"] <= LATE * figures["edits announced"],
        f"memory grew by at most {GROWTH_MB:g} MB": figures.get("memory growth MB", 0) <= GROWTH_MB,
    }
    wrong = [f"not met: {name}" for name, holds in must.items() if not holds]
    return [*wrong, *(f"for example {example}" for example in examples)] if wrong else []


def _stored(database: str, log: Sequence[Request], hosts: Collection[str]) -> dict[str, float]:
    """The stored rows, beside the pages that were fetched of these hosts."""
    fetched = {
        f"http://{request['host']}{request['path']}"
        for request in log
        if request["status"] == 200 and request["path"].endswith(".html") and request["host"] in hosts
    }
    with begin_read(make_reader(parse_url(database))) as connection:  # also one of a newer schema
        urls = [_without_port(article.url) for article in articles(connection)]
    return {
        "stored": len(urls),
        "stored twice": len(urls) - len(set(urls)),
        "fetched, not stored": len(fetched - set(urls)),
    }


def _without_port(url: str) -> str:
    scheme, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    return f"{scheme}://{host.partition(':')[0]}/{path}"


def _memory(looks: Sequence[Sequence[tuple[float, float]]]) -> dict[str, float]:
    """Returns the megabytes of the largest process, and its growth after the first third of the run."""
    most, growth = 0.0, 0.0
    for of_one in looks:
        sizes = [size for _, size in of_one]
        if len(sizes) >= 6:
            third = len(sizes) // 3
            growth = max(growth, max(sizes[-third:]) - max(sizes[third : 2 * third]))
            most = max(most, *sizes)
    return {"memory MB": most, "memory growth MB": growth} if most else {}
