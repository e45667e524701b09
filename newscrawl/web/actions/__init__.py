"""The actions of the pages, which need the option --actions of the command.

In here: `action` says what an action consists of; `listed` has all actions, `feed_addresses` those on feeds; `routes`
shows what one would do, and does it. Not in here: the commands that run in the background
(`newscrawl.web.background`). Start with `action`.
"""
