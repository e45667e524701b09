"""From RawPage to Article: the code that worker processes and `newscrawl.extract` run.

In here: `make` has the options and the work on a page by name, without loading what it needs; `from_page` joins
parsing, extraction and metadata; `extracted` is `newscrawl.extract` with its values for JSON and other processes;
`verdict` says what a page is, from the `signals`, by its own rules, by those of `interstitials` and by the model of
`page_kinds`, with the phrases in phrases/*.txt; `partial` finds pages that have a part of an article; `verdict_rules`
loads the user's own rules; `preload` loads shared data in the process that workers are forked from. Not in here: the
extractors (`newscrawl.extraction`) and the metadata (`newscrawl.extraction.metadata`). Start with `make`.

`newscrawl.extraction.explain` and everything above it may import this package.
"""
