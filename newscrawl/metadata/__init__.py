"""Metadata of a page: title, authors, dates, language, section, tags, image, canonical, site name, description. Pure.

In here: `read` returns all of it in one value. `titles`, `authors`, `dates`, `languages`, `topics`, `addresses` and
`sites` read one field each. `structured` and `microdata` read the machine-readable parts of a page. `text` cleans
strings for storage, `title_parts` takes the site's name out of titles. `statements` finds where a page states each
field, for people. `live_entries` reads the entries of live reports, `clock_entries` those with a time of day only. Not
in here: what a page declares before it is interpreted (`newscrawl.page.head`). Start with `read`.

`newscrawl.monitoring` and everything above it may import this package.
"""
