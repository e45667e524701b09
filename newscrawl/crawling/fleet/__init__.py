"""`newscrawl run`: one process that crawls many sites, each when something of it is due, until it is stopped.

In here: `main` opens what the process shares, answers signals and closes it all; `opening` waits for the database;
`fleet` is the loop, which asks the pure `newscrawl.scheduling.site_selection` which crawls to begin and to end; `crawl`
is one crawl of one site with its lease; `declarations` holds the sites, read again when their files change; `problems`
names the sites that cannot be used; `board` counts what came of each site; `table` shows it on a terminal and `health`
over HTTP. Start with `fleet`.
"""
