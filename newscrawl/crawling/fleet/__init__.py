"""`newscrawl run`: one process that crawls many sites, each when it is due, until the process is stopped.

In here: `main` has the command's options, opens what the process shares, handles signals and closes everything.
`fleet` is the loop, which asks the pure `newscrawl.crawling.scheduling.site_selection` which crawls to start and to
end, and reports sites that cannot be used. `declarations` has the sites, read again when their files change. `board`
counts the results of each site and shows them over HTTP; `table` shows them on a terminal. Not in here: one crawl of
one site (`newscrawl.crawling.runtime.site_session`). Start with `fleet`.
"""
