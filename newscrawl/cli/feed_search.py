"""The arguments of `newscrawl feed` that name search servers, and how sinks are shown."""

from __future__ import annotations

from functools import partial

from newscrawl.config.catalogue import Config
from newscrawl.config.derived.stores import reader_of
from newscrawl.feed.exchange import web_address
from newscrawl.feed.opensearch import OpenSearch, address
from newscrawl.feed.search_server import SearchServer
from newscrawl.feed.webhook import shown
from newscrawl.identity.masking import masked

_KINDS = ("opensearch:", "elasticsearch:")


def is_search_server(sink: str) -> bool:
    """Whether the argument names a search server."""
    return sink.startswith(_KINDS)


def search_sink(sink: str, config: Config, *, reindex: bool) -> OpenSearch:
    """Opens the sink that the argument names. Raises UsageError, or FeedError if a new index cannot be created."""
    server, alias = address(sink.partition(":")[2])
    return OpenSearch(SearchServer(server), alias, partial(reader_of, config), reindex=reindex)


def sink_shown(sink: str) -> str:
    """The argument without secrets. Of a webhook only scheme and host are shown, because its path may be secret."""
    kind, _, place = sink.partition(":")
    if kind == "webhook":
        return f"webhook:{shown(place)}" if web_address(place) else "webhook"
    return masked(sink)
