"""The import paths of docs/how-to/extend.md for sinks of users.

In here: `sink` is what a sink implements and gets, `document` writes its documents. Not in here: the code
(`newscrawl.publishing.feed`). Start with `sink`.
"""
