"""Decides what to write for a processed page. Everything in here is pure: no SQL, no clock.

In here: `decide` takes the stored state (`known`), the incoming page, and why it is stored, and returns an `Intent`:
page row, article, version, events, next visit, claim and change. `text_at_page` decides how a text is stored at its
page, and updates the page's row; `revision_class` and `differences` classify changes. Not in here: reading and writing
the database (`storage.articles`). Start with `decide`.
"""
