"""Monitoring of a running crawl: runs the checks of storage, logs alarms and sends them.

In here: `watchdog` runs the checks (newscrawl.storage.monitoring.checks). `review_gate` holds suspect pages for review.
`alarm_sender` sends alarms to the receivers `webhook` and `mail`. `removal_watch` removes from the archive what was
forgotten on another machine. Not in here: the decisions (newscrawl.monitoring), and the weekly comparison of a site's
front page with its sources (newscrawl.crawling.spider.sources.front_page). Start with `watchdog`.
"""
