"""Monitoring beside a running crawl: runs the watchdog, sends alarms and what standing searches find.

In here: `watchdog` says when the checks run (newscrawl.monitoring.watchdog). `delivering` evaluates standing searches
and sends what is due (newscrawl.publishing.deliver). `removal_watch` removes from the archive what was forgotten on
another machine.
Not in here: checks, baselines and the review gate (newscrawl.monitoring), and the weekly comparison of a site's front
page with its sources (newscrawl.crawling.spider.sources.front_page). Start with `watchdog`.
"""
