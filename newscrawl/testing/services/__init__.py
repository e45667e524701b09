"""Services to which newscrawl writes, started on this machine for a test or a measurement.

In here: `postgresql` is a PostgreSQL server of its own and databases on it; `search_server` is a search server and a
proxy before it that fails on purpose; `webhook` receives changes, alarms and hits of searches; `local` has what such
servers need to start. Not in here: sites to crawl (`testing.news_server`). Start with `postgresql`.
"""
