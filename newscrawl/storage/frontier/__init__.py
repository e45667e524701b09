"""What is to be fetched and when: pages, sources, hosts, sites, and the leases of crawls.

In here: `pages` (candidates and failed requests), `sources` and `source_state` (feeds, sitemaps, sections), `hosts`
(pace and robots.txt), `sites` (what the fleet asks), `leases`. Not in here: what pages came to (`storage.articles`).
Start with `pages`.
"""
