"""Adds sites: makes the requests and writes the files for the decisions in `newscrawl.discovery`.

In here: `survey` makes a proposed declaration from a URL; `search` and `complete` find the sources, `visits` makes the
requests; `outcomes` names the ways in which adding ends without a site; `survey_report` is what a survey answers to
another program, such as `newscrawl web`; `files` writes the site's file; `lists` reads CSV and OPML; `selftest` and
`live` check a site later; `project` writes a new project, and what it needs on a server. Not in here: the decisions
(`newscrawl.discovery.proposals`). Start with `survey`.

`newscrawl.web` and everything above it may import this package.
"""
