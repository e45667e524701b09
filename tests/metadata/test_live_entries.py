"""Entries of live reports, as JSON-LD states them and as pages show them."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from newscrawl import extract
from newscrawl.extraction.metadata.live_entries import MAX_ENTRIES

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


SHORT = (
    ("16:58", "That is it for today."),
    ("16:41", "The ferry company will decide in the morning."),
    ("15:32", "The bridge is open again, for cars only."),
    ("14:49", "All pupils are at home, says the school board."),
    ("14:31", "Two families spend the night in the gymnasium, where the red cross has beds and soup."),
    ("14:10", "The first trees have fallen on the coast road."),
)
DAY = '<meta property="article:published_time" content="2026-11-20T13:00:00+01:00">'


def as_clocks(form: str, around: str = "{}", shown: tuple[tuple[str, str], ...] = SHORT, head: str = DAY) -> str:
    entries = "".join(form.format(clock, text) for clock, text in shown)
    return page(f"<main>{LEAD}<div class=feed>{around.format(entries)}</div></main>", head)


@pytest.mark.parametrize("chain", ["classic", "best"])
@pytest.mark.parametrize(
    ("form", "around"),
    [
        pytest.param("<div class=e><div class=t>{}</div><div class=x><p>{}</p></div></div>", "{}", id="elements"),
        pytest.param("<li><span class=t>{} Uhr</span><p>{}</p></li>", "<ul>{}</ul>", id="items"),
        pytest.param("<p><strong>{} Uhr:</strong> {}</p>", "{}", id="paragraphs"),
        pytest.param("<h4>{}</h4><p>{}</p>", "{}", id="headings"),
        pytest.param("<b>+++ {} Uhr +++</b><br>{}<br><br>", "{}", id="lines"),
    ],
)
def test_entries_with_a_time_of_day_have_the_day_of_the_article(form, around, chain):
    found = read(as_clocks(form, around), chain)
    assert found.verdict == "live"
    assert [(entry.at, entry.offset, entry.text) for entry in found.live_entries] == [
        (datetime(2026, 11, 20, int(clock[:2]) - 1, int(clock[3:]), tzinfo=UTC), 60, text) for clock, text in SHORT
    ]


@pytest.mark.parametrize("shown", [SHORT, SHORT[::-1]])
def test_times_after_midnight_are_of_the_next_day(shown):
    night = tuple((f"{(int(clock[:2]) + 8) % 24:02}{clock[2:]}", text) for clock, text in shown)  # 22:10 to 00:58
    day = '<meta property="article:published_time" content="2026-11-19T13:00:00+01:00">'
    entries = read(as_clocks("<p><b>{}</b> {}</p>", shown=night, head=day)).live_entries
    assert sorted(entry.at.isoformat() for entry in entries) == [
        f"2026-11-19T{clock}:00+00:00" for clock in ("21:10", "21:31", "21:49", "22:32", "23:41", "23:58")
    ]


def test_entries_of_a_page_without_a_date_have_no_time():
    entries = read(as_clocks("<p><b>{}</b> {}</p>", head="")).live_entries
    assert [(entry.at, entry.text) for entry in entries] == [(None, text) for _, text in SHORT]


def test_a_programme_with_times_is_no_live_report():
    body = "".join(f"<p>{text}</p>" for _, _, text in ENTRIES)
    programme = "".join(f"<li>{clock} {text}</li>" for clock, text in SHORT)
    html = page(f"<article>{LEAD}{body}<ul>{programme}</ul></article>").replace("Storm live: ferries", "Storm: ferries")
    found = read(html)
    assert (found.verdict, found.live_entries) == ("article", ())
