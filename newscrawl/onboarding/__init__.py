"""Adding a site: what asks the network and writes files, around the decisions in `newscrawl.discovery`.

In here: `survey` goes from an address to a proposed declaration; `search` and `complete` look for the sources, `visits`
makes the requests; `outcomes` names how adding can end without a site; `files` writes the site's file; `lists` reads
CSV and OPML; `selftest` and `live` check a site later; `project` writes a new project. Not in here: the decisions
(`newscrawl.discovery.proposals`). Start with `survey`.

The commands may import this package.
"""
