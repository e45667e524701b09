"""What to write for a processed page. Everything in here is pure: no SQL, no clock.

In here: `decide` takes what is known of a page (`known`), what came in, and why it is stored (`occasions`), and returns
an `Intent`: page row, article, version, events, next visit, claim and what the change feed is told. `text_at_page`
says what a text means at its page, `revision_class` and `differences` what kind of change it is, `visits` what a visit
leaves in the page's row. Not in here: reading and writing the database (`storage.articles`). Start with `decide`.
"""
