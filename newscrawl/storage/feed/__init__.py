"""The change feed's tables: what changed (`changes`), how far each consumer has read (`cursors`), and what a consumer's
receiver refused for good (`refused_changes`). The sinks are in `newscrawl.feed`.

In here: `announce` says what a batch has to tell, `changes`, `cursors` and `refused_changes` are one table each. Start
with `changes`.
"""
