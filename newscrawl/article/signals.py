"""What a verdict rule of a user gets."""

from newscrawl.extraction.article.signals import Signals

__all__ = ["Signals"]
