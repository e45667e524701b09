"""Extraction: chooses the runs of a page that are the article's text, reads its metadata, and says what the page is.

In here: `chain` tries extractors until one yields enough text, `chains` puts them in order, `registry` has them by
name, with those of users. `boilerpipe`, `justext`, `learned` and `literature` are extractors. `treefilter`,
`article_group` and `cleanup` improve their choice. `per_site` applies what is known of one site. `render` writes the
text. `stated` replaces a missing one by that which the page states, and knows the page's topic. `limits`, `size` and
`language` judge it, `confidence` estimates its F1. `metadata` reads title, authors and dates. `article` joins all of it
and has the verdict. `site_hints` and `site_boilerplate` are what is known of one site; `explain` shows every decision.
Not in here: parsing (`newscrawl.page`), and what an archive or a crawl does with articles. Start with
`article.make` for the way of a page, with `chain` for its text.

`newscrawl.monitoring` and everything above it may import this package. `article` and `explain` stand higher: their
docstrings say who may import them.
"""
