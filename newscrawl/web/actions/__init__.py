"""The actions of the pages, which need the option --actions of the command.

In here: `routes` shows what an action of `newscrawl.actions` would do, and does it. Not in here: the commands that run
in the background (`newscrawl.web.background`). Start with `routes`.
"""
