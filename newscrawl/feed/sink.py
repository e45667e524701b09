"""What a sink of a user implements."""

from newscrawl.publishing.feed.sink import Delivery, Entry, Sink, SinkFactory, SinkPosition

__all__ = ["Delivery", "Entry", "Sink", "SinkFactory", "SinkPosition"]
