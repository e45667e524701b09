"""Sends the notices of alarms and standing searches to their destinations, at least once and in order.

In here: `sender` takes what is due from the outbox and sends it, for both streams. `places` are the kinds of
destinations (files of feeds, webhooks, mails) and what they get; `mail` is the SMTP server of the settings, `feeds`
makes Atom and JSON Feed, also for `newscrawl web`. `http` is one HTTP request, for the sinks of the change feed, too.
Not in here: the outbox (`newscrawl.storage.deliveries`), what finds hits (`newscrawl.publishing.standing_searches`) and
opens alarms (`newscrawl.monitoring`), and which process of a fleet sends (`newscrawl.crawling.monitoring.watchdog`).
Start with `sender`.

`newscrawl.publishing.standing_searches` and everything above it may import this package.
"""
