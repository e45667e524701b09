"""What is wrong is said where an operator looks: on the first screen, in the list of sites, and on the page of one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote_plus

import pytest
from patience import PATIENCE
from source_items import record_failure
from starlette.testclient import TestClient
from stored_rows import add_failures, add_numbers
from web_client import client_of
from web_database import FEED, GONE, NOW, TOKEN

from newscrawl.storage.frontier import sites
from newscrawl.storage.monitoring import alarms
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store
from newscrawl.web.screens import now
from newscrawl.web.screens import sites as sites_screen
from newscrawl.web.settings import WebSettings


def of(client: TestClient, path: str, **parameters: str) -> Any:
    return client.get(path, params=parameters).json()


def test_the_first_screen_says_when_nothing_crawls(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        failed = ("harbour", FEED, "feed", "http/503", 503, NOW)
        store.run(record_failure, *failed).result(PATIENCE)
    clock = [NOW]
    client = client_of(url, lambda: clock[0])
    page = client.get("/").text
    assert ("No crawler runs" in page, '<p class="good">No alarm is open.' in page) == (False, True)
    assert of(client, "/now.json")["crawler"]["state"] == "idle"
    clock[0] += timedelta(hours=1)
    page = client.get("/").text
    assert "<strong>No crawler runs</strong>; 1 due, the oldest since" in page
    assert page.index("No crawler runs") < page.index("Open alarms")
    assert 'class="good"' not in page
    assert of(client, "/now.json")["crawler"]["state"] == "stopped"


def test_a_count_of_sites_is_what_its_filter_shows(client: TestClient) -> None:
    for state, count in of(client, "/sites.json")["counts"].items():
        found = of(client, "/sites.json", state=state)
        assert (found["total"], found["matching"], len(found["sites"])) == (2, count, count)
    assert [one["site"] for one in of(client, "/sites.json", state="review")["sites"]] == ["valley"]
    assert '<span class="count">1 of 2</span>' in client.get("/sites?state=review").text
    assert '<h1>Sites <span class="count">2</span>' in client.get("/sites").text


def test_the_number_of_open_alarms_counts_those_that_are_not_shown(own: str) -> None:
    with open_store(own, upgrade=False, max_wait=0.01) as store:
        messages = {f"site{number}": "no article for a day" for number in range(now.ALARMS + 7)}
        store.run(alarms.replace_open, "volume", "warning", messages, NOW).result(PATIENCE)
    client = client_of(own)
    found, page = of(client, "/now.json"), client.get("/").text
    with open_reader(own) as connection:
        number = len(alarms.open_alarms(connection))
    assert number > len(found["alarms"]) == now.ALARMS
    assert found["open_alarms"] == number
    assert f'Open alarms <span class="count">{number}</span>' in page
    assert '<a href="/sites?state=alarm">all sites with an alarm</a>' in page


def test_a_paused_site_does_not_pretend_to_be_due(client: TestClient) -> None:
    paused = '<td class="nowrap" data-label="next due">paused</td>'
    assert paused in client.get("/site?name=harbour").text
    assert paused not in client.get("/site?name=valley").text


def test_a_paused_site_that_nobody_crawls_is_paused_in_the_list(own: str) -> None:
    with open_store(own, upgrade=False, max_wait=0.01) as store:
        store.run(sites.pause, "valley", None, NOW).result(PATIENCE)
    client = client_of(own)
    assert '<td class="nowrap" data-label="next">paused</td>' in client.get("/sites?name=valley").text


def test_a_listed_site_without_pages_has_a_page_and_can_be_resumed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/news.db"
    opened = partial(open_store, url, upgrade=True, max_wait=0.01)
    with opened() as store:
        store.run(sites.pause, "sleepy", None, NOW).result(PATIENCE)
    settings = WebSettings(url, token=TOKEN, actions=True, open_store=opened)
    client = client_of(settings)
    assert [one["site"] for one in of(client, "/sites.json")["sites"]] == ["sleepy"]
    assert of(client, "/site.json", name="sleepy")["is_paused"] is True
    assert client.post("/act/resume", data={"site": "sleepy"}, headers={"accept": "application/json"}).json() == {
        "done": ["sleepy is crawled again."]
    }


def test_the_failures_of_a_site_add_up(own: str) -> None:
    kinds = ["content/not_html", "http/500", "http/500", "http/502", "http/503", "http/504", "http/404", "http/410"]
    kinds += ["robots/forbidden", "verdict/listing", "review/looks_broken"]
    with open_store(own, upgrade=False, max_wait=0.01) as store:
        store.run(add_failures, [("valley", kind) for kind in kinds], NOW).result(PATIENCE)
    client = client_of(own)
    line = next(one for one in of(client, "/sites.json")["sites"] if one["site"] == "valley")
    for one in (line, of(client, "/site.json", name="valley")["day"]):
        assert one["failed"] == sum(one["failures"].values())
        assert next(iter(one["failures"])) == "http/500"
        others = {kind: number for kind, number in one["other_results"].items() if not kind.startswith("review/")}
        assert sum(others.values()) == one["gone"] + one["refused"] + one["no_article"]
    for path in ("/sites", "/site?name=valley"):
        page = client.get(path).text
        assert "<summary>+2 more</summary>" in page
        assert "http/504 1" in page.partition("<summary>+2 more</summary>")[2]
        assert "besides: gone 2, refused 1, no article 1" in page


def test_a_site_has_the_addresses_that_failed(client: TestClient) -> None:
    (line,) = of(client, "/site.json", name="harbour")["failing"]
    assert (line["url"], line["failure"], line["failures"]) == (GONE, "http/404", 1)
    assert datetime.fromisoformat(line["failed_at"]) == NOW
    page = client.get("/site?name=harbour").text
    assert 'id="failing"' in page
    assert f'href="/why?url={quote_plus(GONE)}"' in page
    assert 'id="failing"' not in client.get("/site?name=valley").text


def test_a_site_says_at_its_top_what_is_wrong(client: TestClient, settings: WebSettings) -> None:
    found = of(client, "/site.json", name="valley")
    (alarm,) = found["open_alarms"]
    assert (found["state"], found["reasons"]) == ("alarm", ["1 of 1 sources fail", "1 in review"])
    assert alarm["command"] == "newscrawl review list --site valley"
    page = client.get("/site?name=valley").text
    top, _, _ = page.partition("<h2")
    assert '<span class="chip alarm">alarm</span></h1>' in top
    assert all(said in top for said in (alarm["message"], alarm["command"], *found["reasons"]))
    assert "Accept as normal" not in top
    acting = client_of(replace(settings, actions=True))
    top, _, _ = acting.get("/site?name=valley").text.partition("<h2")
    assert 'href="/act/accept?site=valley"' in top
    harbour = of(client, "/site.json", name="harbour")
    assert (harbour["state"], harbour["open_alarms"]) == ("paused", [])
    assert harbour["reasons"] == ["https://harbour.example rests until 2026-11-21 13:00 UTC"]


def test_writes_on_the_disk_alone_are_no_new_answer(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    free = [51_777_000_000, 51_776_999_000, 51_700_000_000, 51_699_999_999]
    tags = []
    for number in free:
        monkeypatch.setattr(
            now.shutil, "disk_usage", lambda _folder, number=number: SimpleNamespace(total=10**12, free=number)
        )
        tags.append(client.get("/now.json").headers["etag"])
    assert of(client, "/now.json")["disk"]["free"] == 51_600_000_000
    assert tags[0] == tags[1] == tags[2] != tags[3]


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """A program over seven sites with different numbers; two of each have the same."""
    url = f"sqlite:///{tmp_path_factory.mktemp('fleet')}/news.db"
    with open_store(url, upgrade=True, max_wait=0.01) as store:
        for place, name in enumerate("abcdefg"):
            at = NOW - timedelta(hours=place // 2 * 20)
            newest = at if name != "g" else None
            store.run(add_numbers, name, at, newest=newest, fetched=1, stored=place // 2).result(PATIENCE)
            failed = [(name, "http/500")] * (place % 3)
            store.run(add_failures, failed, NOW).result(PATIENCE)
        for minutes, name in enumerate("gfedc"):
            due = NOW - timedelta(minutes=minutes)
            failure = (name, f"https://{name}.example/feed", "feed", "http/503", 503, due)
            store.run(record_failure, *failure).result(PATIENCE)
        store.run(sites.pause, "f", None, NOW).result(PATIENCE)
    return client_of(url)


@pytest.mark.parametrize(
    ("sort", "order"),
    [("failed", "cfebdga"), ("stored", "cdabefg"), ("newest", "abcdefg"), ("due", "cdegabf"), ("", "cdegfab")],
)
@pytest.mark.parametrize("size", [1, 2, 200])
def test_sites_are_sorted_and_continued(
    fleet: TestClient, monkeypatch: pytest.MonkeyPatch, sort: str, order: str, size: int
) -> None:
    monkeypatch.setattr(sites_screen, "SIZE", size)
    found, after, parts = "", "", 0
    while after is not None:
        part = of(fleet, "/sites.json", sort=sort, after=after)
        found += "".join(one["site"] for one in part["sites"])
        after, parts = part["next"], parts + 1
    assert (found, parts) == (order, -(-7 // size))


def test_columns_of_sites_are_links_that_sort(fleet: TestClient) -> None:
    page = fleet.get("/sites?state=failing&sort=failed").text
    assert 'aria-sort="descending"><a href="/sites?state=failing&amp;sort=failed">Failed</a>' in page
    assert page.count("aria-sort") == 1
    assert '<a href="/sites?state=failing">State</a>' in page
    assert '<input type="hidden" name="sort" value="failed">' in page
    for wrong in ("sort=failed&after=alarm:c", "after=-3:c", "sort=failed&after=x"):
        assert "the `next` of the part before, with the same sort" in fleet.get(f"/sites.json?{wrong}").json()["error"]
    assert (
        fleet.get("/sites.json?sort=name").json()["error"].startswith("sort='name': give one of failed, stored, newest")
    )


def test_the_first_screen_leads_to_what_it_counts(client: TestClient) -> None:
    assert of(client, "/now.json")["sites"] == of(client, "/sites.json")["counts"]
    page = client.get("/").text
    for link in ("/sites?state=alarm", "/sites?state=review", "/sites?state=paused", "/review", "/queue"):
        assert f'<a href="{link}">' in page
    assert '"/sites?state=new"' not in page
