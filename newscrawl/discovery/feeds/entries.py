"""Turns the entries of a feed of any format into candidates: one for each address, with the data of its duplicates."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Final

from newscrawl.discovery.links.article_urls import is_file
from newscrawl.discovery.links.resolve import key_of, resolve, unwrapped
from newscrawl.discovery.reading import MAX_TITLE
from newscrawl.model import Candidate, Discovery

_TAG: Final = re.compile(r"<[^<>]*>")
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


class Entries:
    """The entries of one feed that were read so far, in the feed's order."""

    def __init__(self, feed_url: str) -> None:
        self.feed_url = feed_url
        self.found: dict[str, Candidate] = {}

    def add(
        self,
        base: str,
        links: Iterable[str],
        title: str | None,
        published: datetime | None,
        modified: datetime | None = None,
    ) -> None:
        """Adds an entry under the first of `links` that is the address of a page. An entry without one is left out.

        `modified` is the date of the last change, if the feed states one beside or instead of the publication date.
        """
        url = next((u for link in links if (u := resolve(base, link)) and not is_file(u)), None)
        url = unwrapped(url) if url else None
        key = key_of(url) if url else None
        if url is None or key is None:
            return
        entry = Discovery("feed", self.feed_url, plain(title), published, modified)
        known = self.found.get(key)
        if known is not None:
            was = known.discovery
            entry = replace(
                was,
                title=was.title or entry.title,
                published=was.published or entry.published,
                modified=was.modified or entry.modified,
            )
        self.found[key] = Candidate(known.url if known else url, entry)

    def candidates(self) -> tuple[Candidate, ...]:
        """Returns the entries as candidates."""
        return tuple(self.found.values())


def plain(title: str | None) -> str | None:
    """Returns a title without mark-up. Entities that were escaped twice are decoded, too."""
    if not title:
        return None
    text = html.unescape(_TAG.sub(" ", html.unescape(title[: 4 * MAX_TITLE])))
    return " ".join(_CONTROLS.sub(" ", text).split())[:MAX_TITLE].strip() or None
