"""`newscrawl run`: one process that crawls many sites, each when something of it is due, until it is told to stop.

fleet.py          the loop: rows and `now` -> scheduling.fleet.decide -> crawls begun and asked to end
crawl.py          one crawl of one site: its lease, Scrapy's crawler, what is noted after it
declarations.py   the sites, their timetables and budgets; read again when their files change
board.py          what came of each site, for people, health checks and metrics
table.py          the live table; health.py answers GET /health and GET /metrics
main.py           opens what the process shares, answers signals, closes it all
"""
