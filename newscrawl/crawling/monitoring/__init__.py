"""Monitoring beside a running crawl: runs the watchdog, sends alarms and what standing searches find.

In here: `watchdog` says when the checks run (newscrawl.monitoring.watchdog), evaluates standing searches and sends what
is due (newscrawl.publishing.deliver).
Not in here: checks, baselines and the review gate (newscrawl.monitoring), and the weekly comparison of a site's front
page with its sources (newscrawl.crawling.spider.sources.front_page). Start with `watchdog`.
"""
