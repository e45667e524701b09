"""The boilerplate that sites repeat: `site_boilerplate` has its epochs. Not in here: the begin and the end of a crawl
(newscrawl.storage.frontier.crawls).
"""
