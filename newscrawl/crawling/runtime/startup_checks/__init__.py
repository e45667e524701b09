"""The checks before the first request of a crawl.

In here: `setting_checks` reads every setting and names the first value that cannot be used; `contact` refuses to crawl
without a contact in the user agent. Not in here: the checks of a site's declaration
(`crawling.spider.site_declaration`). Start with `setting_checks`.
"""
