"""Services to which newscrawl writes, started on this machine for a test or a measurement.

In here: `postgresql` is a PostgreSQL server of its own and databases on it; `databases` has both kinds of database;
`search_server` is a search server and a proxy before it that fails on purpose; `webhook` takes the change feed;
`round_trips` counts how often an engine waits for a server; `ports` chooses ports; `extras` imports what comes with the
extra `testing`. Not in here: sites to crawl (`testing.news_server`). Start with `databases`.
"""
