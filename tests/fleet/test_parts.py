"""The fleet's parts: plans from declarations, the board, metrics, the table, leases of the dead, notes in groups."""

from __future__ import annotations

import asyncio
import socket
import sys
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import warm
from patience import PATIENCE
from source_items import hourly, record_answer

from newscrawl.config.catalogue import Config, RunSettings, SchedulingSettings
from newscrawl.config.derived.intervals import edit_follower, faster_next_due, faster_sources
from newscrawl.crawling.downloader.throttle import RESTING, STOPPED, UNWRITTEN, HostThrottle
from newscrawl.crawling.fleet.board import Board, LastHour, answer_bytes, check_port, health, metrics, respond
from newscrawl.crawling.fleet.declarations import plan_of
from newscrawl.crawling.fleet.fleet import ONCE_PATIENCE, Fleet
from newscrawl.crawling.fleet.table import ranked, until
from newscrawl.crawling.runtime.crawl_services import RequestCounts
from newscrawl.crawling.runtime.site_session import DAILY_BUDGET_REACHED, FleetCrawl, SiteSession
from newscrawl.crawling.scheduling import revisit, sources
from newscrawl.crawling.scheduling.announced_edits import ListedEntry, SourceReading
from newscrawl.crawling.scheduling.host import HostPolicy
from newscrawl.crawling.scheduling.site_selection import Start
from newscrawl.crawling.spider.crawl_plan import sources_now
from newscrawl.crawling.spider.site_declaration import Source
from newscrawl.errors import DatabaseUnavailable, SiteLeased, StorageError, UsageError
from newscrawl.model import SourcePlan, SourceVisit
from newscrawl.storage.frontier import leases, sites
from newscrawl.storage.frontier import sources as source_rows
from newscrawl.storage.frontier.crawls import UNREAD, leave_unread
from newscrawl.storage.frontier.sites import probe
from newscrawl.storage.records import SourceAnswer
from newscrawl.storage.store import Store, open_store
from newscrawl.workers.processes.process_names import is_dead, this_process

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def store(database: str) -> Any:
    with open_store(database, upgrade=False) as opened:
        yield opened


def test_a_plan_says_what_the_declaration_says() -> None:
    plan = plan_of("a", {"interval": 900, "quiet_hours": "23:00-06:00", "daily_requests": 5}, Config())
    assert plan.timetable.interval == timedelta(seconds=900)
    assert plan.timetable.is_quiet(NOW.replace(hour=2))
    assert (plan.budget, plan.paused) == (5, False)


def test_the_last_hour_forgets_what_is_older() -> None:
    hour = LastHour()
    for minute in range(0, 240, 5):
        hour.add(1, NOW + minute * MINUTE)
    assert 11 <= hour.total(NOW + 236 * MINUTE) <= 13
    assert hour.total(NOW + timedelta(days=1)) == 0


def test_the_board_sums_what_crawls_counted_and_metrics_tell_it() -> None:
    board = Board()
    for _ in range(2):
        notes = dict.fromkeys(("robots/fetched", "robots/delay_capped", "politeness/sent_again", "redirect/home"), 1)
        board.finished(
            'odd"name', notes | {"outcome/inserted": 3, "robots/forbidden": 2, "downloader/response_count": 9}, NOW
        )
    board.last_tick = NOW
    lines = list(metrics(board, 1, NOW))
    assert 'newscrawl_articles_total{site="odd\\"name"} 6' in lines
    assert 'newscrawl_refused_total{site="odd\\"name",kind="robots/forbidden"} 4' in lines
    assert len([line for line in lines if line.startswith("newscrawl_refused_total{")]) == 1
    assert "newscrawl_up 1" in lines
    assert health(board, 1, NOW)["articles_last_hour"] == 6
    board.begun("long", NOW)
    for stored in (1, 4, 4):
        board.count_articles("long", {"outcome/inserted": stored}, NOW)
    assert health(board, 1, NOW)["articles_last_hour"] == 10
    board.finished("long", {"outcome/inserted": 5}, NOW)
    assert health(board, 1, NOW)["articles_last_hour"] == 11
    board.keep_only([])
    assert board.records == {}


def test_a_fleet_that_does_not_look_or_has_no_database_is_not_healthy() -> None:
    board = Board()
    assert not health(board, 0, NOW)["healthy"]
    board.last_tick = NOW
    assert health(board, 0, NOW + MINUTE / 2)["healthy"]
    assert not health(board, 0, NOW + 2 * MINUTE)["healthy"]
    board.problem = "the database is away"
    assert health(board, 0, NOW)["problem"] == "the database is away"


@pytest.mark.parametrize("path", ["/health", "/metrics", "/elsewhere"])
def test_head_is_answered_with_the_head_of_get(path: str) -> None:
    board = Board()
    board.last_tick = NOW
    heads = {}
    for method in ("GET", "HEAD"):
        asked = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        head, _, body = answer_bytes(asked, *respond(asked, board, 0, NOW)).partition(b"\r\n\r\n")
        heads[method] = head
        assert bool(body) == (method == "GET")
    assert heads["GET"] == heads["HEAD"]


def test_other_methods_are_told_which_ones_there_are() -> None:
    asked = b"POST /health HTTP/1.1\r\n\r\n"
    answer = answer_bytes(asked, *respond(asked, Board(), 0, NOW))
    assert answer.startswith(b"HTTP/1.1 405 ")
    assert b"\r\nAllow: GET, HEAD\r\n" in answer


def test_the_table_shows_those_being_crawled_first_and_then_those_due_next() -> None:
    board = Board()
    for name, state, wait in (
        ("later", "idle", 90),
        ("soon", "idle", 5),
        ("now", "crawling", 50),
        ("bad", "broken", 70),
    ):
        record = board.record(name)
        record.state, record.next_due = state, NOW + wait * MINUTE
    assert [record.site for record in ranked(list(board.records.values()), NOW)] == ["now", "bad", "soon", "later"]
    assert [until(NOW + wait, NOW) for wait in (MINUTE, 50 * MINUTE, 300 * MINUTE, -MINUTE)] == [
        "60 s",
        "50 min",
        "5 h",
        "now",
    ]


def test_the_lease_of_a_dead_process_of_this_machine_need_not_be_waited_for(store: Store) -> None:
    code = "from newscrawl.workers.processes.process_names import this_process; print(this_process())"
    dead = warm.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert is_dead(dead)
    assert is_dead(f"{dead}#1")
    assert not is_dead(this_process())
    assert not is_dead(f"{this_process()}#1")
    for owner in ("elsewhere/1/x.1", dead.rpartition(".")[0].replace("/", "/9") + ".5", "", "a/b/c/d"):
        assert not is_dead(owner)
    hour = timedelta(hours=1)
    store.run(leases.take, "a", dead, NOW, hour, is_dead).result()
    store.run(leases.take, "b", "elsewhere/1/x.1", NOW, hour, is_dead).result()
    store.run(leases.take, "c", dead, NOW, hour, is_dead).result()
    assert store.run(leases.take, "a", this_process(), NOW, hour, is_dead).result().token == 2
    assert store.run(leases.release_dead, NOW, is_dead).result() == ["c"]
    with pytest.raises(SiteLeased, match="crawled by elsewhere/1"):
        store.run(leases.take, "b", this_process(), NOW, hour, is_dead).result()


def test_requests_made_together_are_counted_together(store: Store) -> None:
    async def story() -> None:
        counts = RequestCounts(store, lambda: NOW)
        for _ in range(50):
            counts.note("paper")
        await asyncio.gather(*(counts.written() for _ in range(10)))
        counts.note("paper")
        await counts.close()
        await counts.written()

    asyncio.run(story())
    (row,) = store.run(sites.history, ["paper"], NOW).result()
    assert row.requests_today == 51


def test_who_waits_for_a_count_is_told_when_the_store_is_closed(database: str) -> None:
    async def story() -> None:
        store = open_store(database, upgrade=False)
        counts = RequestCounts(store, lambda: NOW)
        counts.note("paper")
        store.close()
        with pytest.raises(StorageError, match="the store is closed"):
            async with asyncio.timeout(PATIENCE):
                await counts.written()

    asyncio.run(story())


def test_hosts_that_nobody_waits_for_are_forgotten_beyond_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawl.crawling.downloader.throttle.MAX_HOSTS", 5)

    async def story() -> int:
        gate = HostThrottle(HostPolicy(delay=0))
        for number in range(50):
            async with gate.slot(f"{number}.example") as answer:
                answer.status = 200
        return len(gate)

    assert asyncio.run(story()) <= 6


def answered(store: Store, url: str, due: datetime | None, **told: Any) -> None:
    answer = SourceAnswer("paper", url, "feed", 200, NOW - timedelta(hours=3), **told)
    plan = lambda _memory, _visit: SourcePlan(due)  # noqa: E731
    store.run(record_answer, answer, [], NOW - timedelta(hours=3), plan=plan).result()


def test_a_round_reads_sources_that_are_due_and_never_asked_ones(store: Store) -> None:
    answered(store, "https://a.example/due", NOW)
    answered(store, "https://a.example/later", NOW + MINUTE)
    answered(store, "https://a.example/asked-for-rest", NOW + MINUTE, not_before=NOW + MINUTE)
    rows = store.run(source_rows.load_site, "paper").result()
    declared = [Source(f"https://a.example/{name}", "feed") for name in ("due", "later", "asked-for-rest", "new")]

    def read(*, everything: bool) -> list[str]:
        return [source.url.rpartition("/")[2] for source in sources_now(declared, rows, NOW, everything=everything)]

    assert read(everything=False) == ["due", "new"]
    assert read(everything=True) == ["due", "later", "new"]


def test_a_source_that_nobody_reads_any_more_does_not_keep_its_site_due(store: Store) -> None:
    answered(store, "https://a.example/gone-from-the-declaration", NOW - MINUTE)
    answered(store, "https://a.example/feed", NOW + MINUTE)
    store.run(leave_unread, "paper", "https://a.example/", NOW, NOW, hourly).result()
    assert store.run(source_rows.due, NOW).result() == []
    rows = {row.url.rpartition("/")[2]: row for row in store.run(source_rows.load_site, "paper").result()}
    assert rows["gone-from-the-declaration"].failure_kind == UNREAD
    assert rows["feed"].failures == 0


@pytest.mark.parametrize("refusal", [RESTING, STOPPED, DAILY_BUDGET_REACHED, UNWRITTEN])
def test_a_source_that_was_not_asked_has_not_failed(store: Store, refusal: str) -> None:
    answered(store, "https://a.example/feed", NOW - MINUTE)
    stats = SimpleNamespace(get_stats=lambda: {"finish_reason": "finished", refusal: 1})
    spider: Any = SimpleNamespace(domains=("a.example",))
    crawler = SimpleNamespace(_stats=stats, signals=SimpleNamespace(connect=lambda *_, **__: None))

    async def crawled(_crawler: Any) -> None:
        """It has ended."""

    async def crawl() -> None:
        services: Any = SimpleNamespace(store=store, counts=RequestCounts(store), lease=MINUTE)
        process: Any = SimpleNamespace(create_crawler=lambda _spider: crawler, crawl=crawled)
        by_fleet = FleetCrawl(Start("paper", "sources"), spider, hourly)
        await SiteSession(services, "paper", NOW, by_fleet).crawl(process)

    asyncio.run(crawl())
    (row,) = store.run(source_rows.load_site, "paper").result()
    assert row.failures == 0


def test_a_site_that_is_declared_while_the_database_is_away_is_crawled_when_it_is_back() -> None:
    declarations: Any = SimpleNamespace(
        sites={"new": None}, problems={}, is_complete=False, changed=lambda: False, reload=lambda: ["new"]
    )
    services: Any = SimpleNamespace(store=None, config=Config())
    fleet = Fleet(declarations, services, services, Board(), now=lambda: NOW)
    fleet.reload()

    async def look(never_crawled: Any) -> set[str]:
        fleet.due.never_crawled = never_crawled  # type: ignore[method-assign]
        fleet._note_declarations = noted  # type: ignore[method-assign]
        await fleet._check_files()
        return set(fleet.due.new)

    async def noted() -> None:
        """Nothing: who is declared is noted elsewhere."""

    def away(_names: list[str]) -> list[str]:
        raise DatabaseUnavailable("cannot read database")

    with pytest.raises(DatabaseUnavailable):
        asyncio.run(look(away))
    assert asyncio.run(look(lambda names: names)) == {"new"}


@pytest.mark.parametrize("once", [True, False], ids=["once", "for-ever"])
@pytest.mark.parametrize("where", ["tick", "crawl"])
def test_run_once_ends_when_the_database_goes_on_refusing(
    once: bool, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where each tick succeeds and each crawl is refused: a full disk lets us read."""
    error = StorageError("cannot write to database")

    async def fails(*_: Any) -> int:
        clock[0] += 0.4 * ONCE_PATIENCE
        tried.append(1)
        if len(tried) == 9:
            fleet.stop()
        raise error

    async def begins() -> int:
        session: Any = SimpleNamespace(site="paper", crawl=fails, stop=lambda _reason: None)
        fleet.running["paper"] = session
        session.task = asyncio.create_task(fleet._crawl(session))
        return 1

    async def run() -> None:
        fleet._tick = fails if where == "tick" else begins  # type: ignore[method-assign]
        await fleet.run()

    tried: list[int] = []
    done: Future[Any] = Future()
    done.set_result([])
    refused: Future[Any] = Future()
    refused.set_exception(error)
    services: Any = SimpleNamespace(
        store=SimpleNamespace(run=lambda what, *_, **__: refused if what is probe else done, is_away=False, refused=""),
        archive=None,
        config=Config(run=RunSettings(poll_interval=0.001)),
    )
    declarations: Any = SimpleNamespace(sites={}, problems={}, is_complete=False, republishing={})
    clock, fleet = [100.0], Fleet(declarations, services, services, Board(), once=once, now=lambda: NOW)
    fleet.due.never_crawled = lambda _names: []  # type: ignore[method-assign]
    time = SimpleNamespace(monotonic=lambda: clock[0], process_time=lambda: 0.0)
    monkeypatch.setattr("newscrawl.crawling.fleet.fleet.time", time)
    if once:
        with pytest.raises(StorageError) as raised:
            asyncio.run(run())
        assert raised.value is error
        assert len(tried) in {4, 5}
    else:
        asyncio.run(run())
        assert len(tried) >= 9


def test_a_broken_declaration_that_could_not_be_noted_is_noted_at_the_next_look() -> None:
    noted: list[Future[None]] = []

    def run(*_: Any) -> Future[None]:
        noted.append(Future())
        return noted[-1]

    declarations: Any = SimpleNamespace(problems={"x": "broken"}, is_complete=True)
    services: Any = SimpleNamespace(store=SimpleNamespace(run=run), config=Config())
    fleet = Fleet(declarations, services, services, Board(), now=lambda: NOW)
    fleet._report_problems()
    fleet._retry_report()
    assert len(noted) == 1
    noted[0].set_exception(StorageError("disk I/O error"))
    fleet._retry_report()
    assert len(noted) == 2
    noted[1].set_result(None)
    fleet._retry_report()
    assert len(noted) == 2


def test_a_site_without_any_source_is_looked_at_again(store: Store) -> None:
    store.run(leave_unread, "bare", "https://bare.example/", NOW, NOW, hourly).result()
    (row,) = store.run(source_rows.load_site, "bare").result()
    assert row.kind == "start"
    assert row.next_due is not None
    assert row.next_due > NOW


def test_a_faster_clock_shortens_what_scheduling_says() -> None:
    visit = SourceVisit("https://a.example/feed", NOW, NOW - MINUTE, 200, (), None)
    fast = faster_sources(sources.plan, 60.0)(None, visit)
    assert fast.next_due is not None
    assert timedelta(0) < fast.next_due - NOW <= sources.MAX_INTERVAL / 60
    due = faster_next_due(revisit.next_due, 60.0)(NOW, None, None, NOW, 1, 0)
    assert due is not None
    assert abs((due - NOW) - revisit.MIN_PAUSE / 60) < timedelta(seconds=1)


@pytest.mark.parametrize(("scale", "gap"), [(1, 15 * MINUTE), (60, MINUTE / 4)], ids=["usual", "sixty times as fast"])
def test_a_faster_clock_shortens_the_least_time_between_two_fetches(scale: int, gap: timedelta) -> None:
    edited = ListedEntry("a", NOW - MINUTE, "Whale", title_before="Ferry", was_listed=True)
    reading = SourceReading(NOW, NOW - 1.5 * MINUTE, 1, [edited])
    (visit,) = edit_follower(Config(scheduling=SchedulingSettings(time_scale=scale)))(reading)
    assert visit.due == max(NOW, NOW - MINUTE + gap)


def test_a_port_that_is_taken_is_told_before_anything_is_opened() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"option --health: port {port} cannot be used: address already in use"):
            check_port(port)
    check_port(port)
