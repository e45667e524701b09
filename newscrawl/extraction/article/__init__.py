"""From RawPage to Article: the code that worker processes and `newscrawl.extract` run.

In here:

    make             the options, and the work on a page by name; it loads no extractor
    from_page        joins parsing, extraction and metadata
    extracted        `newscrawl.extract`, with its values for JSON and other processes
    verdict          says what a page is, walls, consent pages and missing pages among them
    signals          what verdicts are decided from
    page_kinds       the model for listings, products, forums and so on
    verdict_rules    loads the user's own rules
    partial          finds pages that have a part of an article
    preload          loads shared data in the process that workers are forked from

The phrases of the rules are in phrases/*.txt. Not in here: the extractors (`newscrawl.extraction`) and the metadata
(`newscrawl.extraction.metadata`). Start with `make`.

`newscrawl.extraction.explain` and everything above it may import this package.
"""
