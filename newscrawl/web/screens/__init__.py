"""The screens: each is a function from the parameters of its address to one frozen value, for the page and for JSON.

In here: `screen` describes a screen and what it is given. `now`, `sites` and `site` are a screen each, `articles` has
those of what is stored, and `operate` those of work that waits and of what operators decided. Not in here: the list of
all screens (`newscrawl.web.screen_list`) and the templates. Start with `screen`.
"""
