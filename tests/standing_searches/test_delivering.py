"""What destinations are sent: files, requests of webhooks and mails, at least once and in order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import feedparser
import pytest
from feed_rules import atom_problems, json_feed_problems
from mail_server import mailbox

from newscrawl.publishing.deliver.feeds import Feed, FeedEntry, atom, json_feed
from newscrawl.publishing.deliver.http import Problem
from newscrawl.publishing.deliver.mail import AlarmMail
from newscrawl.publishing.deliver.places import Notification, SearchSender, senders
from newscrawl.publishing.deliver.sender import Delivered, Sender
from newscrawl.publishing.standing_searches import evaluate_all
from newscrawl.storage import deliveries
from newscrawl.storage.deliveries import SEARCHES, Delivery
from newscrawl.storage.store import Store
from newscrawl.testing.services.webhook import WebhookReceiver, serving

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
Save = Callable[..., int]
Keep = Callable[..., None]


def deliver_due(store: Store, places: Mapping[str, SearchSender], now: Callable[[], datetime]) -> Delivered:
    """One round of a sender."""
    return Sender(store, {}, places, now).send()


def destinations(store: Store) -> list[Delivery]:
    """All destinations of searches, by search."""
    with store.reading() as connection:
        return deliveries.of_stream(connection, SEARCHES)


class Clock:
    """A time that tests move."""

    def __init__(self) -> None:
        self.time = NOW

    def __call__(self) -> datetime:
        return self.time


def test_feeds_are_valid_and_follow_corrections(store: Store, save: Save, keep: Keep, tmp_path: Path) -> None:
    xml, js = tmp_path / "ferries.xml", tmp_path / "ferries.json"
    keep("ferries", "ferry", f"atom:{xml}", f"jsonfeed:{js}")
    clock = Clock()
    text = "The ferries left. " + "Much was said about it & <b>more</b>. " * 60
    save("https://paper.example/1?a=1&b=2", text, title="A <new> ferry & \x0b crew", authors=("Ada", "Bo"))
    evaluate_all(store, clock)
    assert deliver_due(store, senders(None), clock).events == 2
    first = feedparser.parse(xml.read_bytes())
    assert not first.bozo
    assert (atom_problems(xml.read_bytes()), json_feed_problems(js.read_bytes())) == ([], [])
    (entry,) = first.entries
    assert entry.link == "https://paper.example/1?a=1&b=2"
    assert len(entry.summary) < 300 < len(text)
    clock.time += timedelta(hours=2)
    save("https://paper.example/1?a=1&b=2", text.replace("Much", "Little"), title="A ferry", at=clock.time)
    evaluate_all(store, clock)
    assert deliver_due(store, senders(None), clock).events == 2
    (second,) = feedparser.parse(xml.read_bytes()).entries
    assert (second.id, second.title) == (entry.id, "A ferry")
    assert second.updated > entry.updated
    (item,) = json.loads(js.read_bytes())["items"]
    assert (item["id"], item["date_modified"]) == (second.id, second.updated)


def test_the_file_of_a_feed_exists_before_its_first_event(store: Store, keep: Keep, tmp_path: Path) -> None:
    xml, js, later = tmp_path / "ferries.xml", tmp_path / "ferries.json", tmp_path / "later" / "ferries.xml"
    keep("ferries", "ferry", f"atom:{xml}")
    later.parent.mkdir()
    keep("weekly", "ferry", f"jsonfeed:{js}", f"atom:{later}", digest=24 * 7)
    later.parent.rmdir()
    clock = Clock()
    assert numbers_of(deliver_due(store, senders(None), clock)) == (0, 1)
    assert (atom_problems(xml.read_bytes()), json_feed_problems(js.read_bytes())) == ([], [])
    assert feedparser.parse(xml.read_bytes()).entries == json.loads(js.read_bytes())["items"] == []
    xml.write_text("somebody's")  # a file that exists is not written again without an event
    assert numbers_of(deliver_due(store, senders(None), clock)) == (0, 0)
    later.parent.mkdir()
    assert numbers_of(deliver_due(store, senders(None), clock)) == (0, 0)  # not before the pause
    clock.time += timedelta(minutes=1)
    assert numbers_of(deliver_due(store, senders(None), clock)) == (0, 0)
    assert (xml.read_text(), later.exists()) == ("somebody's", True)
    assert [(one.attempts, one.last_error) for one in destinations(store)] == [(0, None)] * 3


def numbers_of(done: Delivered) -> tuple[int, int]:
    return done.events, done.failures


def test_a_feed_of_naughty_text_is_valid() -> None:
    naughty = "]]> <script>\x00\x1b\ufffe\ud800 \u202e \U0001f600 &nbsp; "
    entry = FeedEntry("0" * 36, "https://x.example/\x01", naughty, naughty, (naughty,), "ar", NOW, NOW)
    feed = Feed("1" * 36, naughty, NOW, [entry])
    assert not feedparser.parse(atom(feed)).bozo
    assert (atom_problems(atom(feed)), json_feed_problems(json_feed(feed))) == ([], [])


def test_no_text_of_a_feed_changes_the_direction_of_what_stands_beside_it() -> None:
    marked = "gpj.exe \u202egpj.exe\u2066 \x1b[31m"
    feed = Feed(
        "1" * 36,
        marked,
        NOW,
        [FeedEntry("0" * 36, "https://x.example/", *[marked] * 2, (marked,), "en", NOW, NOW, marked)],
    )
    shown = marked.translate(dict.fromkeys(map(ord, "\u202e\u2066\x1b"), "\ufffd"))
    read = feedparser.parse(atom(feed))
    (entry,) = read.entries
    texts = [read.feed.title, entry.title, entry.summary, entry.author, entry.tags[0].term]
    value = json.loads(json_feed(feed))
    (item,) = value["items"]
    texts += [value["title"], item["title"], item["content_text"], item["authors"][0]["name"], item["tags"][0]]
    assert texts == [shown] * len(texts)


def test_a_webhook_gets_events_in_order_and_again_until_it_accepts(
    store: Store, save: Save, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver = WebhookReceiver(503)
    with serving(receiver) as address:
        keep("ferries", "ferry", f"webhook:{address}")
        clock = Clock()
        ids = [save(f"https://paper.example/{number}", f"Ferry {number} left.") for number in range(3)]
        evaluate_all(store, clock)
        assert deliver_due(store, senders(None), clock).failures == 1
        (destination,) = destinations(store)
        assert (destination.attempts, destination.last_error) == (1, "it answered 503")
        assert deliver_due(store, senders(None), clock).events == 0  # not before the pause
        clock.time += timedelta(minutes=1)

        class Killed(BaseException):
            pass

        def kill(_name: str) -> None:
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr("newscrawl.publishing.deliver.sender.hit", kill)
            with pytest.raises(Killed):
                deliver_due(store, senders(None), clock)
        assert deliver_due(store, senders(None), clock).events == 3
        assert deliver_due(store, senders(None), clock).events == 0
    bodies = receiver.posted
    assert [[event["article_id"] for event in body["events"]] for body in bodies] == [ids] * 3
    assert bodies[1] == bodies[2]  # the kill: the same events with the same ids
    assert receiver.headers[1]["Idempotency-Key"] == receiver.headers[2]["Idempotency-Key"]
    assert (bodies[0]["search"], bodies[0]["events"][0]["event"]) == ("ferries", "hit")
    assert bodies[0]["events"][0]["article"]["url"] == "https://paper.example/0"


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # its SQL is that of the others
@pytest.mark.parametrize(("asked", "minutes"), [("600", 10), ("99999999", 60), ("5", 0.5), ("soon", 0.5), ("-5", 0.5)])
def test_a_webhook_is_left_alone_as_long_as_it_asks(
    store: Store, save: Save, keep: Keep, asked: str, minutes: float
) -> None:
    receiver = WebhookReceiver()
    receiver.every, receiver.retry_after = 429, asked
    with serving(receiver) as address:
        keep("ferries", "ferry", f"webhook:{address}")
        save("https://paper.example/1", "A ferry left.")
        evaluate_all(store, lambda: NOW)
        assert deliver_due(store, senders(None), lambda: NOW).failures == 1
    (destination,) = destinations(store)
    assert destination.next_at == NOW + timedelta(minutes=minutes)


def test_a_receiver_that_hangs_keeps_no_other_waiting(
    store: Store, save: Save, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        keep(f"dead {number}", "ferry", f"webhook:https://dead.example/{number}")
    keep("alive", "ferry", "webhook:https://alive.example/hook")
    save("https://paper.example/1", "A ferry left.")
    evaluate_all(store, lambda: NOW)
    asked: list[str] = []
    seconds = iter(range(0, 10_000, 10))

    def send(place: str, _: Notification) -> Problem | None:
        asked.append(place)
        return None if "alive" in place else Problem("timed out")

    clock = SimpleNamespace(monotonic=lambda: next(seconds))  # the driver of PostgreSQL looks at its own
    monkeypatch.setattr("newscrawl.publishing.deliver.sender.time", clock)
    done = deliver_due(store, {"webhook": send}, lambda: NOW)
    assert (done.events, done.failures) == (1, 20)
    assert asked == ["https://dead.example/0", "https://alive.example/hook"]
    problems = [one.last_error for one in destinations(store)]
    assert problems == [None, *["timed out"] * 20]


def test_a_clock_that_was_ahead_delays_nothing(store: Store, save: Save, keep: Keep) -> None:
    keep("now", "ferry", "webhook:https://now.example/")
    keep("daily", "ferry", "webhook:https://daily.example/", digest=24)
    ahead = NOW + timedelta(days=400)
    sent: list[str] = []

    def send(place: str, _: Notification) -> Problem | None:
        sent.append(place)
        return None

    save("https://paper.example/1", "A ferry left.")
    evaluate_all(store, lambda: ahead)
    assert deliver_due(store, {"webhook": send}, lambda: ahead).events == 2
    save("https://paper.example/2", "Another ferry left, later.")
    evaluate_all(store, lambda: NOW)
    assert deliver_due(store, {"webhook": send}, lambda: NOW).events == 2
    assert sorted(sent) == ["https://daily.example/"] * 2 + ["https://now.example/"] * 2


def test_mail_comes_at_once_or_as_a_digest(store: Store, save: Save, keep: Keep) -> None:
    with mailbox() as box:
        mail = AlarmMail("127.0.0.1", box.port, "none", "crawler@paper.example", ("ops@paper.example",))
        sending = senders(mail.send, mail.sender)
        keep("now", "ferry", "mail:desk@paper.example")
        keep("daily", "ferry", "mail:week@paper.example", digest=24)
        clock = Clock()
        for number in range(2):
            save(f"https://paper.example/{number}", f"Ferry {number} left.", title=f"Ferry\r\nBcc: x{number}")
            evaluate_all(store, clock)
            assert deliver_due(store, sending, clock).failures == 0
        assert box.recipients == [["desk@paper.example"]] * 2
        clock.time += timedelta(hours=25)
        assert deliver_due(store, sending, clock).events == 2
        assert box.recipients[2:] == [["week@paper.example"]]
    at_once, _, digest = box.mails
    assert (at_once["Subject"], digest["Subject"]) == ("now: 1 new", "daily: 2 new")
    assert at_once["Bcc"] is None
    assert "https://paper.example/1" in digest.get_content()
    assert at_once["Message-ID"] != digest["Message-ID"]


def test_a_query_that_cannot_be_read_any_longer_stops_no_other_delivery(
    store: Store, save: Save, keep: Keep, break_query: Callable[[str], None], tmp_path: Path
) -> None:
    keep("old", "ferry")
    keep("whales", "ferry", f"atom:{tmp_path}/feed.xml")
    save("https://paper.example/1", "A ferry left.")
    evaluate_all(store, lambda: NOW)
    break_query("old")
    done = deliver_due(store, senders(None), lambda: NOW)
    assert (done.failures, done.events) == (1, 1)
    problems = {one.subject: one.last_error for one in destinations(store)}
    assert problems["whales"] is None
    assert "remove the search, and save it again" in str(problems["old"])
