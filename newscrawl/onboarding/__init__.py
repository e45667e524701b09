"""Adding a site: what asks the network and writes files, around the decisions in `newscrawl.discovery`."""
