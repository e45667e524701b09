"""A recorded run: what crawls of nine sites hand to storage in seven weeks, and what their operators do.

`Recorder` is the one place that calls storage; `record` is the run. Pages are made by recorded_pages.py, without a
network. All times are given, all outputs of a database that holds this run are the same on every machine. Operators'
steps are commands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from command_settings import give_settings
from frozen_clock import FrozenClock
from mail_server import Mailbox
from patience import PATIENCE
from recorded_pages import (
    COPIES,
    DAY,
    END,
    HOUR,
    MINUTE,
    ROUNDS,
    SECOND,
    SITES,
    Site,
    Story,
    another,
    broken,
    candidate,
    doubted,
    failed,
    live_report,
    not_modified,
    page_of,
    revisit,
    round_up,
    shop,
    site_named,
    stories,
    story_of,
    with_capture,
)
from recorded_texts import drawn, number, sentences, title
from source_items import record_answer, record_failure
from stored_rows import host_row, put_host

from newscrawl.cli.common.project import required_config
from newscrawl.cli.main import main
from newscrawl.config.catalogue import Config
from newscrawl.crawling.scheduling import announced_edits
from newscrawl.crawling.scheduling.revisit import next_due
from newscrawl.crawling.scheduling.robots import Robots
from newscrawl.extraction.site_boilerplate import SiteBoilerplate
from newscrawl.model import Candidate, Failure, ProcessedPage, Spot
from newscrawl.publishing.deliver.sender import Sender
from newscrawl.storage import machines
from newscrawl.storage.captures import locations
from newscrawl.storage.captures.ingests import InputProgress
from newscrawl.storage.deliveries import ALARMS
from newscrawl.storage.frontier import crawls, hosts, leases, pages, sites
from newscrawl.storage.frontier.pages import FailedRequest
from newscrawl.storage.frontier.sites import AppliedSetting, SiteDeclaration
from newscrawl.storage.machines import CrawlingProcess
from newscrawl.storage.monitoring import alarms, checks, site_models
from newscrawl.storage.monitoring.alarms import Alarm
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store
from newscrawl.testing.services.webhook import WebhookReceiver

FailedAs = tuple[str, str, int | None]
"""A request without a page: address, code of the failure, status of the answer."""
ROOT: Final = Path(__file__).resolve().parents[2]
LONG: Final = 3600.0
"""Seconds: no batch is committed before `flush`, however slow the machine is."""
OPERATOR: Final = "operator"
MACHINE: Final = "alpha"
CONFIRMED: Final = 1
"""The exit code of `forget`: a file of the archive is missing, and no machine has confirmed."""
ARCHIVED: Final = frozenset({"harbour", "rivage"})
"""Sites whose pages are in the archive."""
VISITS: Final = (
    *("304", "304", "304", "same", "same", "correction", "correction", "addition", "headline", "replaced"),
    *("gone", "failed"),
)
"""What becomes of a page that is visited again, each as often as it stands here."""
ENVIRONMENT: Final = {"NEWSCRAWL_GOLDEN": None, "FORCE_COLOR": None, "COLUMNS": "100"}
"""Of the commands: as in a pipe, whatever terminal runs the tests. They would say of a name that it is no setting."""
CODES: Final = ("download/timeout", "http/503", "http/429", "download/connection")
VERSION: Final = "0.1.0"
REVISION: Final = "recorded"
"""Version and revision that the processes of the run state."""


class Recorder:
    """The calls of a run into storage. Batches are what one call is given. `outcomes` counts what became of pages."""

    def __init__(self, store: Store, clock: FrozenClock) -> None:
        self._store = store
        self._clock = clock
        self._file = 0
        self._offset = 0
        self._run = 0
        self.outcomes: Counter[str] = Counter()

    def _do(self, function: Callable[..., Any], *values: Any, **named: Any) -> Any:
        return self._store.run(function, *values, **named).result(PATIENCE)

    def at(self, moment: datetime) -> datetime:
        """Sets the present time and returns it."""
        self._clock.now = moment
        return moment

    def tick(self) -> None:
        """Lets a second pass."""
        self._clock.now += SECOND

    def pages(self, given: Sequence[ProcessedPage]) -> None:
        """Stores pages of a crawl as one batch."""
        futures = [self._store.save(page) for page in given]
        self._store.flush()
        self.outcomes.update(future.result(PATIENCE).kind for future in futures)

    def ingest(self, given: Sequence[ProcessedPage], part: int, name: str) -> None:
        """Stores a part of an archive, and the mark that it is done."""
        mark = InputProgress(name, 0, part * 1000, part, broken=part % 2, file_mtime_ns=1_790_000_000 * 10**9)
        outcomes = self._store.save_parts(given, [mark], self._clock.now).result(PATIENCE)
        self.outcomes.update(f"ingest {one.kind}" for one in outcomes)

    def extract_again(self, site: str, since: datetime, until: datetime, made: Callable[..., ProcessedPage]) -> None:
        """Stores another result for each archived page of a site. `made` is given its address and the time."""
        with self._store.reading() as connection:
            chosen = locations.Selection(site=site, since=since, until=until)
            kept = locations.part(connection, chosen, locations.BEGIN, 1000)
        again = [made(one.url, one.fetched_at) for one in kept]
        pairs = zip(again, kept, strict=True)
        again = [replace(page, raw=replace(page.raw, capture=one.capture)) for page, one in pairs]
        for begin in range(0, len(again), 20):
            outcomes = self._store.save_again(again[begin : begin + 20], self._clock.now).result(PATIENCE)
            self.outcomes.update(f"again {one.kind}" for one in outcomes)

    def archive_file(self, name: str, machine: str) -> None:
        """Begins a file of the archive, in which the next captures are."""
        self._file, self._offset = self._do(locations.add_file, name, self._clock.now, machine), 0

    def archived(self, page: ProcessedPage) -> ProcessedPage:
        """Returns the page with a place in the archive."""
        self._offset += 1000
        return with_capture(page, Spot(self._file, self._offset, 900))

    def answer(self, site: Site, kind: Any, url: str, named: Iterable[Candidate], status: int = 200) -> None:
        """Stores the answer of a source with the addresses that it names."""
        now = self._clock.now
        given = SourceAnswer(site.name, url, kind, status, now, etag=f'"{now:%d%H}"' if status == 200 else None)
        self._do(record_answer, given, list(named), now, bring_forward=announced_edits.earlier_visits)

    def source_fails(self, site: str, kind: Any, url: str, code: str, status: int | None, detail: str = "") -> None:
        """Stores a failed reading of a source."""
        self._do(record_failure, site, url, kind, code, status, self._clock.now, detail=detail)

    def requests_fail(self, site: str, failures: Iterable[FailedAs], *, was_sent: bool = True) -> None:
        """Stores requests that ended without a page."""
        now, rows = self._clock.now, []
        for place, (url, code, status) in enumerate(failures):
            failure, at = Failure(code, f"recorded {code}"), now + place * SECOND
            rows.append(FailedRequest.of(url, site, failure, status, at, was_sent=was_sent))
        self._do(pages.record_failures, rows)

    def declare(self, site: Site) -> None:
        """Stores what a site declares."""
        values = (
            AppliedSetting("delay", "3.0", "the site's file"),
            AppliedSetting("user_agent", "newscrawl/0.1.0", "default"),
        )
        declared = SiteDeclaration(site.name, site.home, site.language, site.country, (r"/story/",), values)
        self._do(sites.declare, declared, self._clock.now)

    def republishes(self, names: Sequence[str]) -> None:
        """Stores which sites declare that they republish others' articles."""
        self._do(sites.note_declared, {site.name: site.name in names for site in SITES}, all_of_them=True)

    def crawl_begins(self, site: str) -> None:
        """Stores the begin of a crawl."""
        self._do(sites.note_start, site, self._clock.now)
        self._run = self._do(crawls.add_run, site, self._clock.now)

    def crawl_ends(self, site: str, counters: dict[str, int]) -> None:
        """Stores the end of the crawl that began last."""
        self._do(crawls.finish_run, self._run, self._clock.now, counters)
        self._do(sites.note_finish, site, self._clock.now)

    def requested(self, site: Site, requests: int) -> None:
        """Counts requests of a crawl, and the state of its host."""
        now = self._clock.now
        key, until = site.home.rstrip("/"), now + timedelta(seconds=3)
        row = self._do(host_row, key)
        today = requests + (row.requests_today if row is not None and row.day == now.date() else 0)
        self._do(put_host, key, until, backoff=3.0, latency=0.25, day=now.date(), requests_today=today)
        self._do(crawls.count_requests, {site.name: requests}, {site.name: requests // 2}, now)

    def host_rests(self, site: Site, rules: bytes) -> None:
        """Stores a host that asked for a pause, and its robots.txt."""
        now, key = self._clock.now, site.home.rstrip("/")
        self._do(put_host, key, now + 4 * HOUR, backoff=24.0, failures=3, crawl_delay=5.0, latency=1.5)
        self._do(hosts.save_robots, key, Robots("rules", 200, now, now + DAY, rules, good_at=now))

    def process_runs(self, name: str, machine: str, site: str | None) -> None:
        """Stores a process that crawls, and its lease of a site."""
        process = CrawlingProcess(name, machine, "run", VERSION, REVISION)
        self._do(machines.register, process, now=self._clock.now)
        if site is not None:
            self._do(leases.acquire, site, name, self._clock.now, timedelta(minutes=10))

    def alarm(self, site: str, kind: str, severity: str, message: str, details: dict[str, Any]) -> int:
        """Opens an alarm and returns its number."""
        now = self._clock.now
        opened: Alarm = self._do(alarms.begin, Alarm(site, kind, severity, now - HOUR, now, message, details))
        return opened.id or 0

    def alarm_ends(self, number: int) -> None:
        """Closes an alarm."""
        self._do(alarms.end, number, self._clock.now)

    def watch(self) -> None:
        """Learns from the samples of pages, and opens and closes alarms."""
        while self._do(checks.check, self._clock.now).more:
            pass

    def boilerplate(self, site: str, lines: dict[int, int]) -> None:
        """Stores a learned epoch of a site's boilerplate."""
        self._do(site_models.add_boilerplate, site, SiteBoilerplate.of(1, 40, lines), self._clock.now)

    def send_alarms(self, config: Config) -> None:
        """Sends what receivers of alarms lack."""
        Sender.of(self._store, config, self._clock).send([ALARMS])


@dataclass(frozen=True, slots=True)
class Commands:
    """Runs commands of an operator in this process, with a database and the receivers of a test."""

    folder: Path
    """For the files of feeds, and as the archive's."""
    mails: Mailbox
    webhook: WebhookReceiver

    @classmethod
    @contextmanager
    def of(cls, database: str, folder: Path, mails: Mailbox, webhook: WebhookReceiver) -> Iterator[Commands]:
        """Yields the commands."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(ROOT)
            patch.setenv("LOGNAME", OPERATOR)
            give_settings(
                patch,
                NEWSCRAWL_DATABASE_URL=database,
                NEWSCRAWL_ARCHIVE_URL=str(folder / "archive"),
                NEWSCRAWL_MACHINE=MACHINE,
                NEWSCRAWL_RETENTION={"kanal": {"events": 20}, "sever": {"articles": 20}, "plaza": {"versions": 10}},
                NEWSCRAWL_ALERT_WEBHOOK=webhook.address,
                NEWSCRAWL_ALERT_MAIL_HOST="127.0.0.1",
                NEWSCRAWL_ALERT_MAIL_PORT=mails.port,
                NEWSCRAWL_ALERT_MAIL_FROM="news@desk.example",
                NEWSCRAWL_ALERT_MAIL_TO=["editor@desk.example"],
                NEWSCRAWL_ALERT_MAIL_TLS="none",
            )
            yield cls(folder, mails, webhook)

    def printed(self, *words: str) -> str:
        """Returns what a command wrote to its standard output alone."""
        return self.result(*words).stdout

    def result(self, *words: str) -> Result:
        """Runs a command."""
        return CliRunner(env=ENVIRONMENT).invoke(main, words, prog_name="newscrawl")

    def run(self, *words: str, code: int = 0) -> str:
        """Returns what a command printed. Fails if it ends with another exit code."""
        done = self.result(*words)
        assert done.exit_code == code, f"newscrawl {' '.join(words)} ended with {done.exit_code}: {done.output}"
        return done.output


class Run:
    """The run: its rounds, and what happens between them. `shown` is what each address shows by now."""

    def __init__(self, recorder: Recorder, commands: Commands) -> None:
        self._to = recorder
        self._commands = commands
        self._shown: dict[str, Story] = {}
        self.printed: list[str] = []
        """What the commands of the operators said, in order."""
        self.addresses: list[str] = []
        """The secret addresses of feeds."""

    @property
    def outcomes(self) -> Counter[str]:
        """What became of the pages."""
        return self._to.outcomes

    def record(self) -> None:
        """Does all of it."""
        self._to.at(ROUNDS[0] - HOUR)
        for site in SITES:
            self._to.declare(site)
        self._to.republishes([*COPIES])
        self._to.archive_file("recorded-1.warc.gz", MACHINE)
        between = (
            *(self._after_first, self._redirects, self._weeks, self._reviews, self._archives),
            *(self._second_extraction, self._forgetting, self._live, self._live, self._last),
        )
        for round_number, after in enumerate(between):
            order = SITES if round_number % 2 == 0 else SITES[::-1]
            for place, site in enumerate(order):
                self._crawl(site, round_number, ROUNDS[round_number] + 3 * place * MINUTE)
            after(ROUNDS[round_number] + HOUR)

    def _say(self, *words: str, code: int = 0) -> str:
        """Runs a command, a second after what was done before: no two have one time."""
        self._to.tick()
        said = self._commands.run(*words, code=code)
        self.printed.append(f"$ newscrawl {' '.join(words)}\n{said}")
        return said

    def _crawl(self, site: Site, round_number: int, at: datetime) -> None:
        """One crawl: its source, its new pages as one batch, visits of older ones as another."""
        to, new = self._to, stories(site, round_number)
        to.at(at)
        to.crawl_begins(site.name)
        before = stories(site, round_number - 1) if round_number else []
        again = [story for story in before if story.url in self._shown]
        plans = {story.url: drawn(VISITS, "visit", story.url, round_number) for story in again}
        if site.name == "bergen" and round_number >= len(ROUNDS) - 3:
            to.source_fails(site.name, "feed", site.feed, "http/503", 503, "it is under repair")
            to.answer(site, "sitemap", site.sitemap, [candidate(story, "sitemap") for story in new])
        elif round_number % 3 == 2:
            to.answer(site, "feed", site.feed, [], 304)
            to.answer(site, "sitemap", site.sitemap, [candidate(story, "sitemap") for story in new])
        else:
            listed = [self._announced(story, plans, at) for story in again]
            to.answer(site, "feed", site.feed, [*map(candidate, new), *listed])
        to.requested(site, len(new) + len(again) + 1)
        to.at(at + MINUTE)
        fresh = [page_of(story, at + MINUTE + place * SECOND) for place, story in enumerate(new)]
        to.pages([to.archived(page) for page in fresh] if site.name in ARCHIVED else fresh)
        self._shown |= {story.url: story for story in new}
        to.at(at + 2 * MINUTE)
        self._visit([story.url for story in again], plans, at + 2 * MINUTE)
        to.crawl_ends(site.name, {"page/stored": len(new), "page/visited": len(again)})

    def _announced(self, story: Story, plans: dict[str, str], at: datetime) -> Candidate:
        """The entry of a feed for an article that it lists again."""
        shown = self._shown[story.url]
        if plans[story.url] == "correction":
            return candidate(shown, modified=at - 9 * MINUTE)
        if plans[story.url] == "headline":
            return candidate(shown, headline=revisit(shown, "headline", at).headline)
        return candidate(shown)

    def _visit(self, addresses: Sequence[str], plans: dict[str, str], begin: datetime) -> None:
        """Visits pages that were stored before."""
        given: list[ProcessedPage] = []
        refused: list[FailedAs] = []
        for place, url in enumerate(addresses):
            story, kind, at = self._shown[url], plans[url], begin + place * SECOND
            if kind == "304":
                given.append(not_modified(url, story.site.name, at))
            elif kind == "gone":
                status = (404, 410)[number(2, "gone", url)]
                given.append(failed(url, story.site.name, at, status, f"http/{status}", "the page is gone"))
            elif kind == "failed":
                code = drawn(CODES, "code", url)
                refused.append((url, code, int(code[5:]) if code.startswith("http/") else None))
            else:
                self._shown[url] = revisit(story, kind, at)
                given.append(page_of(self._shown[url], at, found=False))
        if given:
            archived = given[0].raw.site in ARCHIVED
            self._to.pages([self._to.archived(page) for page in given] if archived else given)
        if refused:
            self._to.requests_fail(self._shown[refused[0][0]].site.name, refused)

    def _after_first(self, at: datetime) -> None:
        """Operators save searches, make feeds and steer sites. A site's pages fail in all the ways that there are."""
        self._to.at(at)
        files, hook = self._commands.folder, self._commands.webhook.address
        self._say("search", "--save", "whales", "whale lighthouse OR faro", "--to", f"atom:{files}/whales.atom")
        self._say("search", "--save", "ferry", '"the ferry" bridge -bank', "--to", f"jsonfeed:{files}/ferry.json")
        places = ("--to", f"webhook:{hook}", "--to", "mail:a@desk.example")
        self._say("search", "--save", "money", "lang:de Haushalt Tunnel", *places)
        often = ("--to", "mail:b@desk.example", "--digest", "24")
        self._say("search", "--save", "digest", "bridge OR Brücke chapel OR Kapelle", *often)
        self._say("search", "--save", "nowhere", "title:museum")
        self._say("pause", "plaza", "--until", "12h")
        self._say("budget", "rivage", "500")
        self._say("priority", "minato", "high")
        site = site_named("kanal")
        codes = ("download/timeout", "download/dns", "http/500", "http/429", "extraction/timeout", "extraction/memory")
        self._to.requests_fail(site.name, [(f"{site.home}bad/{code[9:]}", code, None) for code in codes])
        self._to.requests_fail(site.name, [(f"{site.home}bad/robots", "robots/forbidden", None)], was_sent=False)
        self._to.pages(
            [
                failed(f"{site.home}bad/404", site.name, at, 404, "http/404", "not found"),
                failed(f"{site.home}bad/410", site.name, at, 410, "http/410", "gone"),
                failed(f"{site.home}bad/empty", site.name, at, 200, "extraction/empty", "no extractor found a text"),
                failed(f"{site.home}bad/list", site.name, at, 200, "verdict/listing", "links: 90 of 100 words"),
                shop(f"{site.home}bad/shop", site.name, at),
            ]
        )
        self._to.pages([broken(f"{site.home}bad/broken", site.name, at)])
        self._to.source_fails("minato", "sitemap", site_named("minato").sitemap, "http/404", 404)

    def _redirects(self, at: datetime) -> None:
        """Addresses that lead to other pages: to the same text, to another text, to a new address, to a notice."""
        self._to.at(at)
        site = site_named("harbour")
        first, second, third = (self._shown[story.url] for story in stories(site, 0))
        moved = f"{site.home}moved/{first.slug}"
        self._to.pages([page_of(first, at, url=moved, found=False)])
        self._to.pages([page_of(first, at + MINUTE, url=moved, asked=first.url, found=False)])
        self._to.pages([page_of(second, at + MINUTE, asked=third.url, found=False)])
        self._to.pages([page_of(third, at + 2 * MINUTE, asked=f"{site.home}?p=3&utm_source=x", found=False)])
        log_in = replace(third, slug="log-in", parts=third.parts[:2], headline="Log in", verdict="short")
        self._to.pages([page_of(log_in, at + 3 * MINUTE, asked=f"{site.home}story/closed", found=False)])
        self._to.pages([page_of(log_in, at + 4 * MINUTE, asked=f"{site.home}story/shut", found=False)])
        mine = another(first, "by-hand")
        generic = replace(mine, site=replace(site, name="generic"))
        self._to.pages([page_of(generic, at + 5 * MINUTE, url=mine.url, found=False)])
        self._to.answer(site, "sitemap", site.sitemap, [candidate(mine, "sitemap")])
        for _ in range(2):
            self._say("search", "--evaluate")

    def _weeks(self, at: datetime) -> None:
        """Round-ups hold whole articles of other days and sites; one of them is stored before a part of it."""
        self._to.at(at)
        harbour, tarn = site_named("harbour"), site_named("tarn")
        of = [self._shown[story.url] for story in (*stories(harbour, 1), *stories(tarn, 1)[2:])]
        self._to.pages([page_of(round_up(harbour, 2, of), at)])
        later = replace(another(of[0], "later"), headline=title("en", "later"))
        self._to.pages([page_of(round_up(tarn, 3, [of[1], later]), at), page_of(later, at + MINUTE)])
        self._to.watch()
        self._say("search", "--evaluate")

    def _reviews(self, at: datetime) -> None:
        """Pages wait for review: new and known ones. One is released, one read well again, one is gone."""
        self._to.at(at)
        site = site_named("valley")
        known = self._shown[stories(site, 2)[2].url]
        notice = replace(known, parts=tuple(sentences("de", "notice", size=4)), confidence=0.2)
        new = [another(story_of(site, 3, 2), f"held-{place}") for place in range(5)]
        times = [at + place * SECOND for place in range(1, 6)]
        read = (page_of(story, moment) for story, moment in zip(new, times, strict=True))
        held = [doubted(page, "text collapsed", "authors missing") for page in read]
        empty = doubted(failed(f"{site.home}story/empty", site.name, at, 200, "extraction/empty", "no text"), "no text")
        self._to.pages([doubted(page_of(notice, at, found=False), "text collapsed"), *held, empty])
        self._to.pages([page_of(new[1], at + MINUTE)])
        self._to.pages([failed(new[2].url, site.name, at + MINUTE, 404, "http/404", "gone")])
        self._to.at(at + 2 * MINUTE)
        self._say("review", "list", "--site", "valley")
        self._say("review", "release", new[0].url)
        opened = {"pages": 14, "shares": {"text collapsed": 0.8}}
        alarm = self._to.alarm("valley", "extraction", "critical", "12 of 14 pages without a text", opened)
        self._send_alarms()
        self._to.at(at + 3 * HOUR)
        self._to.alarm_ends(alarm)
        self._send_alarms()

    def _archives(self, at: datetime) -> None:
        """An archive of older captures: unknown pages, texts that pages showed before, a page of unknown age."""
        self._to.at(at)
        site = site_named("rivage")
        old = [another(story_of(site, 0, 2), f"old-{place}") for place in range(6)]
        known = [self._shown[story.url] for story in stories(site, 1)]
        before = [replace(another(story, "before"), slug=story.slug) for story in known[:2]]
        begun = ROUNDS[0] - 30 * DAY
        self._to.ingest([page_of(story, begun + HOUR * place) for place, story in enumerate(old[:4])], 1, "old.warc.gz")
        late = [page_of(story, ROUNDS[0] + HOUR * place, found=False) for place, story in enumerate(before)]
        late += [page_of(known[0], ROUNDS[0] + 5 * HOUR), page_of(old[4], at, undated=True)]
        self._to.ingest(late, 2, "old.warc.gz")
        self._to.ingest([page_of(old[0], begun + HOUR), page_of(old[5], begun - DAY)], 3, "old.warc.gz")
        self._to.ingest([], 1, "empty.warc.gz")
        self._feed("german", "--lang", "de")
        copy = replace(stories(site_named("plaza"), 0)[0], site=site, slug="copy-of-plaza")
        self._to.ingest([page_of(copy, begun - 2 * DAY)], 1, "copies.warc.gz")

    def _second_extraction(self, at: datetime) -> None:
        """Pages of the archive are extracted again: without their last sentence, one as a shop, one without a text."""
        self._to.at(at)
        begin, end = ROUNDS[1], ROUNDS[3] + 5 * HOUR

        def again(url: str, fetched: datetime) -> ProcessedPage:
            story = self._shown.get(url)
            if story is None or story.slug.endswith("21-a"):
                return shop(url, "harbour", fetched)
            if story.slug.endswith("30-a"):
                return failed(url, "harbour", fetched, 200, "extraction/empty", "no extractor found a text")
            shorter = replace(story, parts=story.parts[:-1], extractor="boilerpipe-article", confidence=0.95)
            return page_of(shorter, fetched, found=False)

        self._to.extract_again("harbour", begin, end, again)
        self._to.boilerplate("harbour", {11: 30, 12: 25, 13: 20})
        self._say("search", "--evaluate")

    def _forgetting(self, at: datetime) -> None:
        """A page and a site are forgotten and blocked; they come back and are refused. Two pages are only forgotten."""
        self._to.at(at)
        site, brief = site_named("rivage"), replace(site_named("kanal"), name="brief")
        short = [another(replace(story_of(brief, 6, 0), published=at), f"brief-{place}") for place in range(3)]
        self._to.pages([page_of(story, at) for story in short[:2]])
        blocked, lifted, gone = (story.url for story in stories(site, 2))
        self._say("forget", blocked, "--block", "--yes", "--reason", "the publisher asked", code=CONFIRMED)
        self._say("forget", lifted, "--block", "--yes", code=CONFIRMED)
        self._say("forget", lifted, "--unblock")
        self._say("forget", gone, "--yes", code=CONFIRMED)
        self._say("forget", stories(site_named("harbour"), 2)[0].url, "--yes", code=CONFIRMED)
        self._say("forget", "--site", "brief", "--block", "--yes", code=CONFIRMED)
        self._to.at(at + MINUTE)
        again = [page_of(self._shown[url], at + MINUTE) for url in (blocked, lifted)]
        self._to.pages([*again, page_of(short[2], at + MINUTE)])
        self._to.answer(site, "feed", site.feed, [candidate(self._shown[blocked]), candidate(self._shown[gone])])
        self._say("db", "prune", "--dry-run")

    def _live(self, at: datetime) -> None:
        """A live report grows; the watchdog learns."""
        site = site_named("plaza")
        for place in range(1, 4):
            self._to.at(at + 50 * place * MINUTE)
            size = place + (3 if at > ROUNDS[8] else 0)
            self._to.pages([page_of(live_report(site, size, ROUNDS[7]), at + 50 * place * MINUTE)])
        self._to.watch()
        self._say("search", "--evaluate")

    def _last(self, at: datetime) -> None:
        """The last hours: hosts rest, processes run or are gone, alarms are open, retention removes old texts."""
        self._to.at(at)
        self._to.host_rests(site_named("bergen"), b"User-agent: *\nDisallow: /private\nCrawl-delay: 5\n")
        self._say("pause", "kanal")
        self._say("pause", "sever", "--until", "3d")
        self._say("resume", "sever")
        self._to.alarm("*", "quiet", "warning", "the fleet has few articles", {"expected": 40, "found": 12})
        self._to.alarm("bergen", "unreachable", "critical", "bergen does not answer", {"since": "2026-11-20"})
        self._to.archive_file("recorded-2.warc.gz", "other")
        self._to.watch()
        self._send_alarms()
        self._say("db", "prune")
        self._say("search", "--update")
        self._say("search", "--evaluate")
        for words in ([], ["--language", "de"], ["--site", "harbour"], ["--search", "whales"]):
            self.addresses += [line for line in self._say("feed-address", "new", *words).split() if "/feed/" in line]
        self._say("feed-address", "revoke", "3")
        self._to.process_runs("beta/2/boot", "beta", None)
        self._to.at(END - MINUTE)
        self._to.process_runs("alpha/3/boot", MACHINE, "plaza")
        self._feed("german", "--lang", "de")
        self._feed("whole")

    def _feed(self, name: str, *options: str) -> None:
        """A consumer reads what it lacks of the change feed."""
        self._say("feed", f"jsonl:{self._commands.folder}/{name}.jsonl", "--name", name, *options)

    def _send_alarms(self) -> None:
        self._to.send_alarms(required_config())


@contextmanager
def recorded(database: str, commands: Commands, clock: FrozenClock) -> Iterator[Run]:
    """Stores the run into a database with the schema, and yields it."""
    with open_store(database, upgrade=False, batch_size=500, max_wait=LONG, next_due=next_due) as store:
        run = Run(Recorder(store, clock), commands)
        run.record()
    yield run
