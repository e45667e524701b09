"""Metadata of a page: title, authors, dates, language, section, tags, image, canonical, site name, description. Pure.

In here: `read` returns all of it in one value, the fields that hints of the site name among them. `titles`, `authors`,
`dates` and `media` read one field each, `fields` the others. `author_names` extracts names from bylines, `date_labels`
reads what a line says about its date, and `newscrawl.model.written_dates` reads one date. `structured` reads the
machine-readable parts of a page. `nearby` finds the lines around the headline, `text` cleans strings for storage.
`live_entries` reads the entries of live reports. `statements` finds where a page states each field, for people. Not in
here: what a page declares before it is interpreted (`newscrawl.page.head`). Start with `read`.

`newscrawl.monitoring` and everything above it may import this package.
"""
