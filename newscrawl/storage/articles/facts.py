"""The stored facts about a batch before its pages are looked up, in one statement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from newscrawl.storage.articles.deciding.known import Facts, Incoming
from newscrawl.storage.engine.sql import read_rows
from newscrawl.storage.frontier.leases import Lease
from newscrawl.storage.removal import blocklist

_ASK: Final = """
SELECT 'token', site, token FROM sites WHERE site {sites}
UNION ALL SELECT 'barred', key, 0 FROM blocklist WHERE key {barred}
UNION ALL SELECT 'article', identity_key, id FROM articles WHERE identity_key {identities}
UNION ALL SELECT 'file', '', id FROM archive_files WHERE id {files} AND deleted IS NULL
UNION ALL SELECT 'review', url_key, 0 FROM review_queue WHERE url_key {keys}
UNION ALL SELECT 'review', final_key, 0 FROM review_queue WHERE final_key {keys}
UNION ALL SELECT 'review', pages.url_key, 0 FROM urls JOIN pages ON pages.id = urls.page_id
JOIN review_queue ON review_queue.url_key = pages.url_key WHERE urls.url_key {keys}
UNION ALL SELECT 'review', pages.url_key, 0 FROM urls JOIN pages ON pages.id = urls.page_id
JOIN review_queue ON review_queue.final_key = pages.url_key WHERE urls.url_key {keys}
"""
_LISTS: Final = ("sites", "barred", "identities", "files", "keys")
_IN_LIST: Final = {name: f"IN (SELECT value FROM json_each(:{name}))" for name in _LISTS}  # noqa: S608  constants
_ON_SQLITE: Final = _ASK.format(**_IN_LIST)
_ON_POSTGRESQL: Final = _ASK.format(**{name: f"= ANY(%({name})s)" for name in _LISTS})


def load(connection: Connection, batch: Sequence[Incoming], leases: Collection[Lease] = ()) -> Facts:
    """Returns the facts about a batch that was fetched under these leases."""
    lists: dict[str, list[Any]] = {
        "sites": sorted({lease.site for lease in leases}),
        "barred": sorted({key for item in batch for key in barring(item)}),
        "identities": sorted(_identities(batch)),
        "files": sorted(_files(batch)),
        "keys": sorted({key for item in batch for key in item.keys}),
    }
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for kind, name, number in read_rows(connection, _ON_SQLITE, _ON_POSTGRESQL, lists):
        found[kind].append((name, number))
    return Facts(
        tokens=dict(found["token"]),
        barred=frozenset(name for name, _ in found["barred"]),
        articles=dict(found["article"]),
        files={number for _, number in found["file"]},
        in_review={name for name, _ in found["review"]},
    )


def barring(item: Incoming) -> set[str]:
    """Returns the entries of the blocklist that would bar the page."""
    return {
        blocklist.key_of_site(str(item.page.raw.site)),
        blocklist.key_of_url(item.key),
        blocklist.key_of_url(item.asked_key),
    }


def _identities(batch: Sequence[Incoming]) -> set[str]:
    identities = {item.page.article.identity_key for item in batch if item.page.article is not None}
    return {identity for identity in identities if identity is not None}


def _files(batch: Sequence[Incoming]) -> set[int]:
    captures = [item.page.raw.capture for item in batch if item.page.raw.capture is not None]
    spots = [spot for capture in captures for spot in (capture.spot, capture.body) if spot is not None]
    return {spot.file for spot in spots}
