"""The frontier: what is to be fetched and when, as pages, sources, hosts and sites, with the leases of crawls.

In here: `pages` has candidates and failed requests. `sources` and `source_state` have feeds, sitemaps and sections,
`sightings` what they named, and the edits that they announce.
`hosts` has whose turn a host is, delays and robots.txt. `sites` has what the fleet asks for, what commands decided and
what sites declare; `leases` the leases, `crawls` the begin and the end of a crawl. Not in here: the
results of pages (`storage.articles`). Start with `pages`.
"""
