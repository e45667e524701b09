"""The answers to 285 queries on both databases: which stories, in which order, with which scores and snippets."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime
from functools import partial
from typing import Any

from golden import check
from patience import PATIENCE
from search_corpus import NOW, PAGES, QUERIES

from newscrawl.errors import UsageError
from newscrawl.extraction.article.make import fingerprint
from newscrawl.model import Article, Metadata, ProcessedPage, RawPage
from newscrawl.publishing.search import Filters, SearchHit, find_stories, open_index, parse_query, update_index
from newscrawl.storage.reader import open_reader
from newscrawl.storage.store import open_store


def test_answers_stay_the_same(database: str) -> None:
    with open_store(database, upgrade=False, max_wait=0.01) as store:
        names = {store.save(page(*row)).result(PATIENCE).article_id: row[0] for row in PAGES}
    reading = partial(open_reader, database)
    with closing(open_index(database)) as index:
        update_index(index, reading)
        with reading() as connection:

            def answered(typed: str, chosen: Mapping[str, Any]) -> str:
                filters = {name: value for name, value in chosen.items() if name != "limit"}
                try:
                    query = parse_query(typed, NOW)
                    hits = find_stories(index, connection, query, Filters(**filters), chosen.get("limit", 12))
                except UsageError as error:
                    return str(error)
                return "; ".join(shown(names[hit.article_id], hit) for hit in hits)

            lines = [f"{asked(typed, chosen)}\n    {answered(typed, chosen)}" for typed, chosen in QUERIES]
    assert len(QUERIES) == len({asked(typed, chosen) for typed, chosen in QUERIES}) >= 200
    check(f"search_answers_{database.partition(':')[0].partition('+')[0]}.txt", "\n".join(lines) + "\n")


def page(name: str, text: str, fields: Mapping[str, Any]) -> ProcessedPage:
    """The page of an article, as a crawl stores it."""
    stated = {key: value for key, value in fields.items() if key not in {"site", "fetched_at"}}
    url = f"https://{fields['site']}.example/{name}"
    raw = RawPage(url, url, 200, {}, None, fields["fetched_at"], fields["site"], None)
    return fingerprint(ProcessedPage(raw, Article(url, fields["site"], Metadata(**stated), text, "classic", "article")))


def asked(typed: str, chosen: Mapping[str, Any]) -> str:
    """A query on one line, as what is typed and the other options."""
    options = (
        f"{name}={value.isoformat() if isinstance(value, datetime) else value}" for name, value in chosen.items()
    )
    return " | ".join((typed, *options))


def shown(name: str, hit: SearchHit) -> str:
    """A hit: the article, the site of its page, the score, copies and round-ups if there are any, a hash of the
    snippet with its marks."""
    part = hashlib.blake2b(repr(hit.snippet).encode(), digest_size=3).hexdigest()
    others = f" {hit.copies}+{hit.round_ups}" if hit.copies or hit.round_ups else ""
    return f"{name}/{hit.site} {hit.score:.4f}{others} {part}"
