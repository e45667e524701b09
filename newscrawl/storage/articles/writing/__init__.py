"""Writes what was decided for a batch, one module for each group of tables. Only `storage.articles.apply` calls it, in
the order of its function `_write`.

In here: `page_rows` writes pages, their addresses and the effects of visits, `text_rows` articles, versions, headlines
and the results of captures. Nothing is decided in here. Start with `page_rows`; `deciding.known.ItemBatch` is the value
that they share.
"""
