"""The watchdog of a running crawl: it asks storage to check, logs what alarms say, and posts them to the webhook.

In here: `watchdog` runs the checks (newscrawl.storage.monitoring.checks), `review_gate` keeps pages that are not to be
believed from the store, `weekly_coverage` compares a site's front page with its sources, `webhook` sends alarms. Not in
here: what is decided (newscrawl.monitoring). Start with `watchdog`.
"""
