"""Writing what was decided for a batch: a module a group of tables, called by `storage.articles.apply` alone.

In here: `page_rows` (pages and their addresses), `text_rows` (articles, versions, headlines), `capture_rows` (what
captures of the archive came to), `visit_effects` (announcements, review queue, first visits). Not in here: any
decision. Start with `part`, the value that they share.
"""
