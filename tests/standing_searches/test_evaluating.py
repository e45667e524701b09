"""Standing searches: which stories are hits, and what is sent of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from patience import PATIENCE
from search_questions import ARTICLES, QUESTIONS
from source_items import record_page_failure

from newscrawl.errors import UsageError
from newscrawl.model import Failure
from newscrawl.publishing.search.matching import ArticleWords
from newscrawl.publishing.search.query import Query, parse_query
from newscrawl.publishing.standing_searches import Dispatcher, Evaluator, Found, decide, evaluate_all
from newscrawl.storage.feed import consumers, standing_searches
from newscrawl.storage.feed.standing_searches import StoryHit
from newscrawl.storage.removal.forget import forget_url
from newscrawl.storage.store import Store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
FERRY = "The council of the harbour town met on Tuesday evening and spoke for hours about the new ferries."
STORY = " ".join(f"Sentence number {number} tells of the ferry at pier {number * 7}." for number in range(40))
URL = "https://paper.example/1"
Save = Callable[..., int]
Keep = Callable[..., None]
Events = Callable[..., list[tuple[str, int, str | None]]]


def test_a_story_is_a_hit_once(save: Save, keep: Keep, events: Events) -> None:
    keep("ferries", "ferry")
    first = save(URL, f"{STORY} Editor one.")
    assert events("ferries") == [("hit", first, "new")]
    for number in range(2, 5):
        save(f"https://copy{number}.example/1", f"{STORY} Editor {number}.", site=f"copy{number}")
    assert events("ferries") == []


def test_corrections_and_withdrawals_are_told(store: Store, save: Save, keep: Keep, events: Events) -> None:
    keep("ferries", "ferry -whale")
    first = save(URL, STORY)
    assert events("ferries") == [("hit", first, "new")]
    second = save(URL, STORY.replace("pier 14", "pier 15"), at=NOW + timedelta(hours=2))
    assert events("ferries") == [("corrected", second, "corrected")]
    save(URL, f"{STORY} A whale came.", at=NOW + timedelta(hours=4))
    assert [event[0] for event in events("ferries")] == ["withdrawn"]
    fourth = save(URL, f"{STORY} Nothing came.", at=NOW + timedelta(hours=6))
    assert events("ferries") == [("corrected", fourth, "corrected")]
    for hours in (7, 40, 70, 100):
        failure = Failure("http/gone", "410")
        store.run(record_page_failure, URL, "harbour", failure, 410, NOW + timedelta(hours=hours)).result(PATIENCE)
    assert events("ferries") == [("withdrawn", fourth, "gone")]


def test_another_article_of_a_story_takes_the_place_of_one_that_is_gone(
    store: Store, save: Save, keep: Keep, events: Events
) -> None:
    keep("ferries", "ferry")
    save(URL, f"{STORY} Editor one.")
    copy = save("https://copy.example/1", f"{STORY} Editor two.", site="copy")
    events("ferries")
    for hours in (1, 30, 60, 90):
        failure = Failure("http/gone", "410")
        store.run(record_page_failure, URL, "harbour", failure, 410, NOW + timedelta(hours=hours)).result(PATIENCE)
    assert events("ferries") == []
    with store.reading() as connection:
        assert [hit.article_id for hit in standing_searches.newest(connection, "ferries", 9)] == [copy]


def test_the_time_of_a_feed_stays_when_its_newest_story_becomes_a_part_of_another() -> None:
    earlier, later = NOW, NOW + timedelta(hours=3)
    hits = [StoryHit("ferries", story, story, str(story), earlier, at) for story, at in ((1, earlier), (2, later))]
    merged = decide(Found((), [(2, 1)], hits, {}, {}), {}, 0, 1, later + timedelta(hours=1))
    assert merged.gone == {("ferries", 2)}
    assert [(hit.story_id, hit.updated_at) for hit in merged.changed] == [(1, later)]


def test_a_query_that_cannot_be_read_any_longer_stops_no_other_search(
    save: Save, keep: Keep, events: Events, break_query: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    keep("old", "ferry")
    keep("ferries", "ferry")
    first = save(URL, STORY)
    assert events("old") == [("hit", first, "new")]
    break_query("old")
    second = save(URL, STORY.replace("pier 14", "pier 15"), at=NOW + timedelta(hours=2))
    assert events("ferries")[1:] == [("corrected", second, "corrected")]
    assert events("old") == []  # and it is not withdrawn
    assert "the standing search 'old' is not evaluated: query: NOT is not part" in caplog.text


def test_a_forgotten_page_is_withdrawn(store: Store, save: Save, keep: Keep, events: Events) -> None:
    keep("ferries", "ferry")
    found = save(URL, FERRY)
    assert len(events("ferries")) == 1
    store.run(forget_url, URL, NOW).result(PATIENCE)
    assert events("ferries") == [("withdrawn", found, "forgotten")]


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_neither_loses_nor_repeats_a_hit(
    store: Store, save: Save, keep: Keep, events: Events, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    keep("ferries", "ferry")
    ids = [save(f"https://paper.example/{number}", f"A ferry left on day {number}.") for number in range(7)]

    def kill(*_: object) -> None:
        raise Killed

    evaluator = Evaluator(store, lambda: NOW, batch=3)
    assert evaluator.step() == 3
    with monkeypatch.context() as patched:
        if moment == "before":
            patched.setattr("newscrawl.publishing.standing_searches.failpoints.hit", kill)
            with pytest.raises(Killed):
                evaluator.step()
        else:
            Evaluator(store, lambda: NOW, batch=3).step()  # stored, and the process ends before it knows
    assert [event[1] for event in events("ferries")] == ids
    assert evaluate_all(store, lambda: NOW) == 0


def test_a_batch_that_another_process_has_evaluated_is_not_stored_again(
    store: Store, save: Save, keep: Keep, events: Events, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep("ferries", "ferry")
    found = save(URL, FERRY)

    def overtaken(_name: str) -> None:
        monkeypatch.undo()
        Evaluator(store, lambda: NOW).step()

    monkeypatch.setattr("newscrawl.publishing.standing_searches.failpoints.hit", overtaken)
    Evaluator(store, lambda: NOW).step()
    assert events("ferries") == [("hit", found, "new")]


def test_changes_are_kept_until_they_are_evaluated_and_no_longer(store: Store, save: Save, keep: Keep) -> None:
    keep("ferries", "ferry")
    with store.reading() as connection:
        assert consumers.load(connection, standing_searches.CONSUMER) is not None
    assert store.run(standing_searches.remove, "ferries", NOW).result()
    assert not store.run(standing_searches.remove, "ferries", NOW).result()
    save(URL, FERRY)
    with store.reading() as connection:
        assert consumers.load(connection, standing_searches.CONSUMER) is None
    assert Evaluator(store, lambda: NOW).step() == 0


def test_searches_go_on_when_their_consumer_was_dropped(store: Store, save: Save, keep: Keep, events: Events) -> None:
    save("https://paper.example/before", "A ferry of the past.")
    keep("ferries", "ferry")
    first = save(URL, FERRY)
    assert events("ferries") == [("hit", first, "new")]
    assert store.run(consumers.drop, standing_searches.CONSUMER).result()
    second = save("https://paper.example/2", STORY)
    assert events("ferries") == [("hit", second, "new")]


NOT_SAVED = (
    ("a", "-ferry", "mail:a@b.example", "nothing to search for"),
    ("a", "ferry since:3d", "mail:a@b.example", "leave out since:"),
    ("a", "ferry", "mail:nobody", "is no mail address"),
    ("a", "ferry", "atom:feed.xml", "give the whole path"),
    ("a", "ferry", "atom:/nowhere/feed.xml", "/nowhere is no folder that can be written to"),
    ("a", "ferry", "jsonfeed:/tmp", "it is a folder; name a file in it"),
    ("a", "ferry", "webhook:ftp://x:secret@y/", "is no usable http"),
    ("a", "ferry", "webhook:https://x:secret@y:99999/", "a port from 1 to 65535"),
    ("a", "ferry", "webhook:https://x:secret@y:0/", "a port from 1 to 65535"),
    ("a", "ferry", "webhook:https:///secret", "is no usable http"),
    ("a", "ferry", "webhook:http://169.254.169.254/secret", "no receiver can be at 169.254.169.254"),
    ("a", "ferry", "webhook:http://[::ffff:169.254.169.254]/secret", "no receiver can be at 169.254.169.254"),
    ("a", "ferry", "webhook:http://0.0.0.0:8000/secret", "no receiver can be at 0.0.0.0"),
    ("a", "ferry", "webhook:http://[ff02::1]/secret", "no receiver can be at ff02::1"),
    ("a", "ferry", "webhook:http://[fe80::1%25eth0]/secret", "no receiver can be at fe80::1"),
    ("a", "ferry", "mail:a@b.example,c@d.example", "is no mail address"),
    ("a", "ferry", "mail:Desk<a@b.example>", "is no mail address"),
    ("a", "ferry", "pigeon:home", "give atom:FILE"),
    ("\n", "ferry", "mail:a@b.example", "printable"),
    ("--to", "mail:x ferry", "mail:a@b.example", "write --save NAME QUERY"),
    ("used", "ferry", "mail:a@b.example", "is in use"),
)
"""Name, query and place of a search that cannot be saved, and what is said of it."""


def test_what_cannot_be_saved_is_said(keep: Keep) -> None:
    keep("used", "ferry")
    for name, query, place, message in NOT_SAVED:
        with pytest.raises(UsageError, match=message) as error:
            keep(name, query, place)
        assert "secret" not in str(error.value)


@pytest.mark.parametrize("name", ARTICLES)
def test_every_question_that_an_article_answers_is_found(name: str) -> None:
    dispatcher = Dispatcher((typed, parse_query(typed)) for typed, _ in QUESTIONS)
    language, title, text = ARTICLES[name]
    found = dispatcher.matching((title,), text, language, ("paper",))
    assert found == {typed for typed, expected in QUESTIONS if name in expected.split()}


def test_few_searches_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Query] = []
    usual = ArticleWords.match

    def match(self: ArticleWords, query: Query) -> bool:
        asked.append(query)
        return usual(self, query)

    monkeypatch.setattr(ArticleWords, "match", match)
    queries = [(str(number), parse_query(f"the village{number}")) for number in range(1_000)]
    found = Dispatcher(queries).matching((), "the fire in village7 of the hills", "en", ())
    assert found == {"7"}
    assert len(asked) == 1
