"""The changes that consumers get: as docs/reference/change-feed.md and the schema say, in every sink."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from json_schema import problems
from patience import PATIENCE
from source_items import record_page_failure

from newscrawl.cli.feed import filter_of
from newscrawl.errors import FeedError, UsageError
from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Failure, Metadata, ProcessedPage, RawPage
from newscrawl.publishing.feed.jsonl import JsonLines
from newscrawl.publishing.feed.reader import FeedFilter, FeedReader
from newscrawl.publishing.feed.search_mapping import StoryDocument, document, template
from newscrawl.publishing.feed.sink import Delivery, Entry, SinkPosition, as_json, change_schema, plain
from newscrawl.reports.views import EXPORT_KEYS
from newscrawl.storage.feed import changes, consumers
from newscrawl.storage.feed.changes import STRENGTH, Cause, Reason, combined
from newscrawl.storage.removal import forget, retention
from newscrawl.storage.store import Store, open_store

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
URL = "https://harbour.example/ferry"
OTHER = "https://valley.example/ferry"
FERRY = "The ferry left the harbour at nine in the morning, and many people stood on the quay to see it go. " * 6
COUNCIL = "The council of the valley decided to build a bridge, which all of its members but two had asked for. " * 6
SCHEMA = json.loads(change_schema())
REFERENCE = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "change-feed.md").read_text(encoding="utf-8")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    with open_store(database, upgrade=False, max_wait=0.01) as opened:
        yield opened


def save(store: Store, text: str, hours: int = 0, url: str = URL, title: str = "Ferry", language: str = "en") -> int:
    site = url.split("/")[2].partition(".")[0]
    raw = RawPage(url, url, 200, {}, None, NOW + hours * HOUR, site, None)
    article = Article(url, site, Metadata(title=title, language=language), text, "classic", "article")
    saved = store.save(fingerprint(ProcessedPage(raw, article))).result(timeout=PATIENCE)
    assert saved.article_id is not None
    return saved.article_id


class Lines:
    """A sink that keeps what it gets as JSON, and stops on request after it took the changes."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.taken: list[dict[str, Any]] = []
        self.broken = False

    def position(self) -> SinkPosition:
        return SinkPosition("lines")

    def send(self, entries: Sequence[Entry]) -> Delivery:
        self.entries += entries
        self.taken += [json.loads(json.dumps(as_json(entry), default=plain)) for entry in entries]
        if self.broken:
            raise FeedError("not now")
        return Delivery(frozenset(entry.article_id for entry in entries))

    def close(self) -> None:
        pass

    def told(self) -> list[tuple[str, int | None, str]]:
        told = [(one["op"], one["article_id"], one["reason"]) for one in self.taken]
        self.taken = []
        return told


def read(store: Store, sink: Any, consumer: str = "test", **options: Any) -> FeedReader:
    reader = FeedReader(store, sink, consumer, lambda: NOW, **options)
    while reader.step():
        pass
    return reader


def without_article(change: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in change.items() if name != "article"}


def test_the_examples_of_the_reference_are_what_a_consumer_gets(store: Store) -> None:
    shown = [
        json.loads(line)
        for block in re.findall(r"```json\n(.*?)```", REFERENCE, re.DOTALL)
        for line in block.splitlines()
    ]
    sink = Lines()
    for hours, text in enumerate((FERRY, FERRY.replace("nine", "ten", 1), COUNCIL)):
        save(store, text, hours)
        read(store, sink)
    assert [without_article(change) for change in sink.taken] == shown
    texts = [change["article"]["text"] if change["article"] else None for change in sink.taken]
    assert texts[0] == FERRY.strip() or texts[0] == FERRY
    assert [text is None for text in texts] == [False, False, True, False, True, True]


def test_the_reference_has_every_field_and_the_order_of_the_reasons() -> None:
    table = re.findall(r"^\| `(\w+)` \| \w+", REFERENCE.partition("## Operations")[0], re.MULTILINE)
    assert table == SCHEMA["required"] == list(SCHEMA["properties"])
    listed = re.findall(r"^\| `([\w-]+)` \| (?:remove|upsert) ", REFERENCE, re.MULTILINE)
    assert tuple(listed) == tuple(STRENGTH)
    assert set(STRENGTH) == set(get_args(Reason))
    assert [name for name in SCHEMA["properties"]["reason"]["enum"] if name] == list(STRENGTH)


def test_the_schema_has_every_field_of_an_article() -> None:
    names = [name for name, _ in EXPORT_KEYS]
    article = SCHEMA["properties"]["article"]
    assert sorted(article["properties"]) == sorted(names)
    assert sorted([*article["required"], "structure"]) == sorted(names)  # which is sent if it is asked for


@pytest.mark.parametrize(("strong", "weak"), list(pairwise(STRENGTH)))
def test_of_causes_the_strongest_reason_stays_in_any_order(strong: Reason, weak: Reason) -> None:
    first, second = Cause(strong, "addition", (1,)), Cause(weak, None, (2,))
    for causes, replaced in (((first, second), (1, 2)), ((second, first), (2, 1))):
        whole = combined(causes)
        assert (whole.reason, whole.change_class, tuple(whole.replaces)) == (strong, "addition", replaced)


def test_changes_that_are_read_together_are_one_with_the_strongest_reason(store: Store) -> None:
    sink = Lines()
    number = save(store, FERRY)
    save(store, FERRY, 1, title="Ferry leaves")
    read(store, sink)
    assert sink.told() == [("upsert", number, "new")]
    save(store, FERRY, 2, title="Ferry left")
    save(store, FERRY, 3, OTHER)
    read(store, sink)
    assert sink.told() == [("upsert", number, "headline")]
    other = Lines()
    needless = store.run(consumers.needless_changes, 99).result(timeout=PATIENCE)
    assert store.run(changes.drop, needless).result(timeout=PATIENCE) == 3
    read(store, other, "late")
    assert other.told() == [("upsert", number, "new")]


def test_each_way_to_go_and_to_come_has_its_reason(store: Store) -> None:
    sink = Lines()
    number = save(store, FERRY)
    read(store, sink)
    failed = Failure("http/gone", "")
    store.run(record_page_failure, URL, "harbour", failed, 404, NOW + HOUR).result(timeout=PATIENCE)
    read(store, sink)
    assert [page["page_id"] for page in sink.taken[-1]["pages"]] == [1]
    save(store, FERRY, 2)
    read(store, sink)
    save(store, FERRY, 3, OTHER)
    read(store, sink)
    assert [page["url"] for page in sink.taken[-1]["pages"]] == [URL, OTHER]
    store.run(forget.forget_url, OTHER, NOW).result(timeout=PATIENCE)
    read(store, sink)
    expired = retention.RetentionLimits(retention.RetentionTimes(articles=timedelta(days=1)))
    store.run(retention.expire, 0, expired, NOW + 100 * HOUR).result(timeout=PATIENCE)
    read(store, sink)
    save(store, COUNCIL, 101, OTHER)
    read(store, sink)
    store.run(forget.forget_url, OTHER, NOW).result(timeout=PATIENCE)
    read(store, sink)
    assert sink.taken[-1]["pages"] == []
    assert sink.told() == [
        ("upsert", number, "new"),
        ("remove", number, "gone"),
        ("upsert", number, "new"),
        ("upsert", number, "joined"),
        ("upsert", number, "metadata"),
        ("remove", number, "expired"),
        ("upsert", number + 1, "new"),
        ("remove", number + 1, "forgotten"),
    ]


def test_an_article_that_no_longer_matches_is_removed_and_one_that_never_did_is_not_sent(store: Store) -> None:
    sink, wanted = Lines(), filter_of((), (), (), "ferry")
    number = save(store, COUNCIL, title="Ferry")
    save(store, COUNCIL.replace("valley", "moor"), url=OTHER, title="Bridge")
    read(store, sink, wanted=wanted)
    assert sink.told() == [("upsert", number, "new")]
    save(store, COUNCIL, 1, title="Bridge")
    read(store, sink, wanted=wanted)
    assert sink.told() == [("remove", number, "headline")]
    save(store, COUNCIL, 2, title="Council")
    read(store, sink, wanted=wanted)
    assert sink.told() == []


def test_what_a_consumer_took_before_it_was_killed_is_removed_as_well(store: Store) -> None:
    sink, wanted = Lines(), filter_of((), (), (), "ferry")
    number = save(store, COUNCIL, title="Ferry")
    sink.broken = True
    with pytest.raises(FeedError):
        read(store, sink, wanted=wanted)
    sink.broken = False
    save(store, COUNCIL, 1, title="Bridge")
    sink.told()
    read(store, sink, wanted=wanted)
    assert sink.told() == [("remove", number, "new")]


def test_another_filter_needs_a_start_from_the_beginning_which_removes_what_does_not_match(store: Store) -> None:
    sink = Lines()
    ferry, council = save(store, FERRY), save(store, COUNCIL, url=OTHER, title="Bridge")
    read(store, sink)
    sink.told()
    wanted = FeedFilter(sites=("valley",))
    with pytest.raises(FeedError, match="'test' was fed with no filter, not with --site valley: give the same options"):
        read(store, sink, wanted=wanted)
    reader = FeedReader(store, sink, "test", lambda: NOW, wanted=wanted)
    reader.restart()
    reader.step()
    assert sink.told() == [("remove", ferry, "new"), ("upsert", council, "new")]
    reader = FeedReader(store, sink, "test", lambda: NOW)
    reader.restart()
    reader.step()
    assert sink.told() == [("upsert", ferry, "new"), ("upsert", council, "new")]


def test_equal_filters_have_equal_texts() -> None:
    assert filter_of(("b", "a"), (), (), None).text == filter_of(("a", "b", "a"), (), (), None).text
    assert filter_of((), ("de",), ("live",), "two words").text == "--lang de --verdict live --query 'two words'"
    assert filter_of((), (), (), None, 0.9).text == "--min-confidence 0.9"
    with pytest.raises(UsageError, match="no word that an article must contain"):
        filter_of((), (), (), "-ferry")


def test_a_filter_by_language_includes_its_regions(store: Store) -> None:
    fill(store)
    sink = Lines()
    read(store, sink)
    shown = next(one.document for one in sink.entries if one.document is not None)
    wanted = filter_of((), ("de", "pt-BR"), (), None)
    for language, is_sent in {"de": True, "de_AT": True, "PT-br": True, "pt": False, "den": False, None: False}.items():
        stated = replace(shown, metadata=replace(shown.metadata, language=language))
        assert wanted.has(stated) is is_sent, language


def test_a_filter_by_confidence_leaves_out_lower_ones_and_articles_without_one(store: Store) -> None:
    fill(store)
    sink = Lines()
    read(store, sink)
    shown = next(one.document for one in sink.entries if one.document is not None)
    wanted = filter_of((), (), (), None, 0.9)
    assert [wanted.has(replace(shown, confidence=value)) for value in (None, 0.89, 0.9)] == [False, False, True]
    assert document(StoryDocument(shown.cluster, 1, replace(shown, confidence=0.9), [shown.id]))["confidence"] == 0.9


def fill(store: Store) -> None:
    """Makes changes of every operation."""
    save(store, FERRY)
    save(store, FERRY.replace("nine", "ten", 1), 1)
    save(store, COUNCIL, 2)


def test_every_line_of_a_file_follows_the_schema(store: Store, tmp_path: Path) -> None:
    fill(store)
    file = tmp_path / "changes.jsonl"
    sink = JsonLines.to_file(file)
    read(store, sink)
    sink.close()
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {one["op"] for one in told} == {"upsert", "remove", "merge"}
    assert [found for one in told for found in problems(one, SCHEMA)] == []


def test_the_schema_refuses_a_change_that_is_none() -> None:
    assert problems({"version": 1}, SCHEMA)
    assert problems(dict.fromkeys(SCHEMA["required"]), SCHEMA)


def test_a_search_document_has_the_fields_of_the_reference(store: Store) -> None:
    fill(store)
    told = REFERENCE.partition("## Documents of search servers")[2]
    names = {name for row in re.findall(r"^\| (`.*?) \|", told, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert names == {"feed_version", "seq", "story_id", "reason", "change_class", "replaces", "page_ids"}
    assert names <= set(template("news")["template"]["mappings"]["properties"])
    sink = Lines()
    read(store, sink)
    shown = next(one.document for one in sink.entries if one.document is not None)
    assert names <= set(document(StoryDocument(shown.cluster, 1, shown, [shown.id])))
