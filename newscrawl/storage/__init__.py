"""The database: all stored data of pages and articles, and every function that changes or reads it.

In here:

    store                 the writer of a crawl, also under a site's lease
    reader                the interface of the database for other packages, and the database of reading commands
    records               parameters and results of storage
    engine                opens databases and keeps them available
    tables, migrations    the schema
    frontier              what must be fetched, and how a crawl begins and ends
    articles              texts and their versions
    duplicates            stories
    captures              the archive's index
    feed                  the change feed and its consumers
    deliveries            the outbox of alarms and hits of searches
    monitoring            alarms, the review queue and what was learned of sites
    machines              the processes that share a database
    removal               deletes data
    backup                copies the database
    events                records what happened to pages

Not in here: when something is due (`newscrawl.crawling.scheduling`), what people read of the database
(`newscrawl.reports`). Start with `store`, then `articles`.

`newscrawl.reports` and everything above it may import this package. No other part of newscrawl uses SQL, except
`newscrawl.reports` and the full-text index of `newscrawl.publishing.search`, which has its own tables.
"""
