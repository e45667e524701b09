"""From RawPage to Article: the code that worker processes and `newscrawl.extract` run.

In here: `make` has the options and the work on a page by name, without loading what it needs; `from_page` joins
parsing, extraction and metadata; `extracted` is `newscrawl.extract`, `record` its values for JSON and other processes;
`verdict` says what a page is, from the `signals` and from `interstitials` and `kinds`, by the phrases in phrases/*.txt;
`verdict_rules` loads the user's own rules; `usage_rights` reads what a page states about its use; `preload` loads
shared data in the process that workers are forked from. Not in here: the extractors (`newscrawl.extraction`) and the
metadata (`newscrawl.metadata`). Start with `make`.

`newscrawl.explain` and all packages above it may import this package.
"""
