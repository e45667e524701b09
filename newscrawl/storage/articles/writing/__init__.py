"""Writes what was decided for a batch, one module for each group of tables. Only `storage.articles.apply` calls it.

In here: `write_part` is the order in which everything is written; `page_rows` writes pages and their addresses,
`text_rows` articles, versions and headlines, `capture_rows` the results of captures, `visit_effects` announcements, the
review queue and first visits. Nothing is decided in here. Start with `part`, the value that they share.
"""
