"""Extraction: chooses the runs of a page that are the article's text, reads its metadata, and says what the page is.

In here:

    chain, registry            try extractors in order; the chains and the extractors by name, with those of users
    boilerpipe, justext        extractors
    learned, literature        further extractors: with learned weights, published ones for comparison
    treefilter                 keeps the group of paragraphs that belongs together
    article_group, cleanup     improve the choice of an extractor
    per_site                   applies what is known of one site
    site_hints                 what an operator says of a site's pages
    site_boilerplate           the lines that a site repeats
    render                     writes the text
    stated                     replaces a missing text by that which the page states, and knows the page's topic
    limits, size, language     judge whether a text is long enough, and its language
    confidence                 estimates the F1 of a text
    metadata                   reads title, authors and dates
    article                    joins all of it, and has the verdict
    explain                    shows every decision

Not in here: parsing (`newscrawl.page`), and what an archive or a crawl does with articles. Start with `article.make`
for the way of a page, with `chain` for its text.

`newscrawl.monitoring` and everything above it may import this package. `article` and `explain` stand higher: their
docstrings say who may import them.
"""
