"""Settings: where they are read, their names, and the values that the rest of newscrawl makes of them.

In here: `environment` reads NEWSCRAWL_ variables in a settings module, `names` knows every setting's name,
`scrapy_defaults` holds the Scrapy settings that make a crawl safe and polite, and the other modules turn Scrapy's
settings into typed values. Not in here: the check of all settings at the start of a process, which knows the parts
that use them (`crawling.runtime.setting_checks`). Start with `environment`.

Crawling, ingest, onboarding, the commands and a project's settings modules may import this room.
"""
