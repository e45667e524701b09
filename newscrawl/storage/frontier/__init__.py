"""The frontier: what is to be fetched and when, as pages, sources, hosts and sites, with the leases of crawls.

In here: `pages` has candidates and failed requests. `sources` and `source_state` have feeds, sitemaps and sections.
`hosts` has delays and robots.txt, `leases` the leases, `sites` what the fleet asks for, what commands decided and what
sites declare. Not in here: the results of
pages (`storage.articles`). Start with `pages`.
"""
