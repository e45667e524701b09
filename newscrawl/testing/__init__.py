"""Servers, sites and projects for tests of a crawler, all on this machine. Everything here listens on loopback only.

In here:

    news_server      a news site whose pages a test writes
    site_crawl       one crawl of a project's spider against such a site, in a process of its own
    project          a newscrawl project in a folder, with the spiders that a test gives it
    politeness       checks of a server log: repeated requests, the shortest time between two requests
    services/        a PostgreSQL server, a search server, a receiver of webhooks

Start with `news_server` and `site_crawl`: docs/how-to/test-your-spiders.md. The test HTTP server that the demo site
needs as well is `newscrawl.demo.keep_alive`. Not in here: what only newscrawl's own tests and benchmarks need, such as
a server that misbehaves and fleets of sites, which is in tests/support, and measurements, which are in benchmarks/.

 Only tests and benchmarks import this package (import contract in pyproject.toml). The PostgreSQL server and the search
server come with the extra `testing`; they are imported when they are started.
"""
