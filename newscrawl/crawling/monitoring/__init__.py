"""Monitoring beside a running crawl: runs the watchdog, sends alarms and the events of standing searches.

In here: `watchdog` says when the checks run (newscrawl.monitoring.watchdog). `alarm_sender` sends alarms to the
receivers `webhook` and `mail`. `standing_search_service` evaluates standing searches and sends their events.
`removal_watch` removes from the archive what was forgotten on another machine. Not in here: checks, baselines and the
review gate (newscrawl.monitoring), and the weekly comparison of a site's front page with its sources
(newscrawl.crawling.spider.sources.front_page). Start with `watchdog`.
"""
