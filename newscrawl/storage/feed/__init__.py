"""The change feed's tables: what changed (`changes`), how far each consumer has read (`cursors`), and what a consumer's
receiver refused for good (`refused_changes`). The sinks are in `newscrawl.feed`.
"""
