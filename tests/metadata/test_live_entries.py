"""Entries of live reports, as JSON-LD states them and as pages show them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from newscrawl import extract
from newscrawl.metadata.live_entries import MAX_ENTRIES

URL = "https://harbour.example/2026/11/storm-live-updates"
NOW = datetime(2026, 11, 20, 16, tzinfo=UTC)
BRIDGE = """The harbour office has closed the bridge after a lorry was pushed against the barrier. Nobody was hurt, the
police say, and the road will be checked before it opens again."""
SCHOOLS = """All eleven schools on the coast send their pupils home at noon. Buses leave an hour earlier than usual, and
parents who cannot be at home in time are asked to call."""
FERRIES = """The last ferry of the day has left. The company expects that no ship will sail before Sunday morning, and
passengers can change their tickets without paying for it."""
ENTRIES = (
    ("14:52", "Bridge to the island is closed", " ".join(BRIDGE.split())),
    ("14:31", "Schools send pupils home", " ".join(SCHOOLS.split())),
    ("14:10", "Ferries stop", " ".join(FERRIES.split())),
)
TIMES = [datetime(2026, 11, 20, 13, minute, tzinfo=UTC) for minute in (52, 31, 10)]
LEAD = "<h1>Storm live: ferries stop</h1><p>A storm has reached the coast, and we report what happens here.</p>"


def page(body: str, head: str = "") -> str:
    menu = "<nav><a href=/>Home</a> <a href=/news>News</a></nav>"
    end = "<footer><p>Harbour News. All rights reserved.</p></footer>"
    return (
        f"<html lang=en><head><title>Storm live: ferries stop</title>{head}</head><body>{menu}{body}{end}</body></html>"
    )


def time(clock: str) -> str:
    return f'<time datetime="2026-11-20T{clock}:00+01:00">{clock}</time>'


def as_articles() -> str:
    entries = (f"<article id=a{n}><header>{time(c)}<h2>{t}</h2></header><p>{b}</p></article>" for n, (c, t, b) in ORDER)
    return page(f"<main>{LEAD}<div class=posts>{''.join(entries)}</div></main>")


def as_list() -> str:
    advert = "<li class=ad><span>Advertisement</span></li>"
    entries = (f"<li><div><span>{time(c)}</span></div><h3>{t}</h3><p>{b}</p></li>{advert}" for c, t, b in ENTRIES)
    return page(f"<article>{LEAD}<ol>{''.join(entries)}</ol></article>")


def as_headings() -> str:
    entries = (f"<h3>{time(c)} {t}</h3><p>{b}</p>" for c, t, b in ENTRIES)
    return page(f"<article>{LEAD}{''.join(entries)}</article>")


ORDER = tuple(enumerate(ENTRIES))


def read(html: str, chain: str = "classic"):
    return extract(html, URL, chain=chain, fetched_at=NOW)


def stated(updates: object, kind: str = "LiveBlogPosting") -> str:
    thing = {"@type": kind, "headline": "Storm live: ferries stop", "liveBlogUpdate": updates}
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


@pytest.mark.parametrize("chain", ["classic", "best"])
@pytest.mark.parametrize("make", [as_articles, as_list, as_headings])
def test_entries_that_a_page_shows_are_parts_of_one_article(make, chain):
    found = read(make(), chain)
    assert found.verdict == "live"
    assert [(entry.at, entry.offset, entry.title, entry.text) for entry in found.live_entries] == [
        (at, 60, title, body) for at, (_, title, body) in zip(TIMES, ENTRIES, strict=True)
    ]
    assert all(entry.text in found.text for entry in found.live_entries)


def test_the_name_that_a_page_gives_an_entry_is_kept():
    assert [entry.id for entry in read(as_articles()).live_entries] == ["a0", "a1", "a2"]


def test_entries_that_json_ld_states_go_before_those_shown():
    updates = [
        {"@type": "BlogPosting", "@id": f"{URL}#{n}", "headline": t, "articleBody": b, "datePublished": str(at)}
        for n, (at, (_, t, b)) in enumerate(zip(TIMES, ENTRIES, strict=True))
    ]
    found = read(page(f"<article>{LEAD}{'<p>Shown.</p>' * 3}</article>", stated(updates)))
    assert [(entry.at, entry.title, entry.text) for entry in found.live_entries] == [
        (at, title, body) for at, (_, title, body) in zip(TIMES, ENTRIES, strict=True)
    ]
    assert found.live_entries[0].id == f"{URL}#0"


@pytest.mark.parametrize(
    "updates",
    [None, [], "text", [None, 3, []], [{"headline": {"a": 1}, "datePublished": "2031-01-01T10:00:00Z"}], {"@id": "#a"}],
)
def test_updates_of_any_shape_are_no_error(updates):
    assert read(page(f"<article>{LEAD}</article>", stated(updates))).live_entries == ()


def test_an_article_with_times_of_other_articles_has_no_entries():
    teasers = "".join(f"<li>{time(clock)} <a href=/{clock}>{title}</a></li>" for clock, title, _ in ENTRIES)
    body = "".join(f"<p>{text}</p>" for _, _, text in ENTRIES)
    found = read(page(f"<article>{LEAD}{body}</article><ul>{teasers}</ul>"))
    assert (found.verdict, found.live_entries) == ("article", ())


def test_the_number_of_entries_is_limited():
    updates = [{"headline": f"Entry {n}", "datePublished": "2026-11-20T10:00:00Z"} for n in range(2 * MAX_ENTRIES)]
    assert len(read(page(LEAD, stated(updates))).live_entries) == MAX_ENTRIES
