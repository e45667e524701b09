"""What a sink of a user makes a document with."""

from newscrawl.publishing.feed.sink import as_json, plain

__all__ = ["as_json", "plain"]
