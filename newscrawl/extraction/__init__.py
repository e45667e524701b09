"""Extraction: chooses the runs of a page that are the article's text.

In here: `chain` tries extractors until one yields enough text, `chains` puts them in order, `registry` has them by
name, with those of users. `boilerpipe`, `justext`, `learned` and `literature` are extractors. `treefilter`,
`article_group` and `cleanup` improve their choice. `per_site` applies what is known of one site. `render` writes the
text. `stated` replaces a missing one by that which the page states, and knows the page's topic. `limits`, `size` and
`language` judge it, `confidence` estimates its F1. Not in here: parsing (`newscrawl.page`), metadata
(`newscrawl.extraction.metadata`) and the kind of the page (`newscrawl.extraction.article.verdict`). Start with `chain`.

`newscrawl.monitoring` and everything above it may import this package.
"""
