"""Monitoring of a running crawl: runs the checks of storage, logs alarms and sends them.

In here: `watchdog` runs the checks (newscrawl.storage.monitoring.checks). `review_gate` holds suspect pages for review.
`weekly_coverage` compares a site's front page with its sources. `alarm_sender` sends alarms to the receivers `webhook`
and `mail`. `control_watch` ends the crawl of a paused site and applies its budget. `registration` records every 15
seconds that this process is alive, `fleet_service` decides which process does the work that is done once for all, and
`removal_watch` removes from the archive what was forgotten on another machine. Not in here: the decisions
(newscrawl.monitoring). Start with `watchdog`.
"""
