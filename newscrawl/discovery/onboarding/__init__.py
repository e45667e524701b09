"""Adds sites: makes the requests and writes the files for the decisions in `newscrawl.discovery`.

In here: `survey` makes a proposed declaration from a URL under all rules of a crawl, and names the ways in which that
ends without a site; `search` finds the sources; `survey_report` is what a survey answers to another program, such as
`newscrawl web`; `files` writes the site's file; `lists` reads CSV and OPML; `selftest` and `live` check a site later;
`project` writes a new project, and what it needs on a server. Not in here: the decisions
(`newscrawl.discovery.proposals`). Start with `survey`.

`newscrawl.web` and everything above it may import this package.
"""
