"""What the watchdog stores (samples of pages, baselines, alarms), the queue of pages that wait for review, and numbers
of each site.

In here: `samples`, `site_models` (baselines, and the boilerplate of sites) and `alarms` are one table each; `checks`
are the watchdog's transactions; `review_queue` and `release` are pages that wait for review; `hours` is what crawls did
in each hour. Not in here: the decisions (newscrawl.monitoring) and when checks run (newscrawl.crawling.monitoring).
Start with `checks`.
"""
