"""The items of a batch that are decided and written together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from newscrawl.storage.articles.deciding.known import Incoming, Intent, Known, Occasion
from newscrawl.storage.articles.facts import Facts
from newscrawl.storage.records import PageRow


@dataclass(frozen=True, slots=True)
class ItemBatch:
    """The items with their decisions, in order.

    `known` is the state after the last item, `before` are the pages as they are stored. `facts` are of the whole batch.
    `page_ids` has the ids of the written pages by URL key, once the new ones are written.
    """

    occasion: Occasion
    known: Known
    before: Mapping[str, PageRow]
    decided: Sequence[tuple[Incoming, Intent]]
    facts: Facts
    page_ids: dict[str, int] = field(default_factory=dict)

    @property
    def latest(self) -> datetime:
        """When the latest of the items was fetched."""
        return max(item.page.raw.fetched_at for item, _ in self.decided)

    @property
    def stored_at(self) -> datetime:
        """When the changes of the part are stored: the time of the command, or in a crawl the time at which the latest
        page of the batch was fetched."""
        return self.occasion.moment(self.latest)

    def page_key(self, intent: Intent) -> str:
        """Returns the key of the intent's page after all merges of the part."""
        key = intent.page.url_key
        return key if key in self.known.pages else self.known.aliases[key]

    def page_id(self, intent: Intent) -> int:
        """Returns the id of the intent's page. Raises KeyError before the pages are written."""
        return self.page_ids[self.page_key(intent)]

    def article_id(self, intent: Intent) -> int | None:
        """Returns the id of the article that the item stores, or else of the one its page shows; None if there is
        none."""
        stored = intent.stores.identity_key if intent.stores is not None else None
        identity = stored or intent.page.identity
        return self.known.articles.get(identity) if identity is not None else None
