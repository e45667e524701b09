"""The names of `newscrawl.archive.batch` for users' code (docs/how-to/batch.md)."""

from newscrawl.archive.batch import SpanOptions, digest_of, extract_span

__all__ = ["SpanOptions", "digest_of", "extract_span"]
