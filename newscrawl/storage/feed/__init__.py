"""The tables of the change feed: what changed (`changes`), how far each consumer has read (`cursors`), and what the
receiver of a consumer refused for good (`refused_changes`). The sinks are in `newscrawl.feed`.

In here: `announce` derives the changes of a batch. `changes`, `cursors` and `refused_changes` are one table each. Start
with `changes`.
"""
