"""The watchdog of a running crawl: it takes samples, asks `newscrawl.monitoring`, opens alarms and tells the webhook.

In here: `checks` is one round of the watchdog, `review_gate` keeps pages that are not to be believed from the store,
`weekly_coverage` compares a site's front page with its sources. Start with `watchdog`.
"""
