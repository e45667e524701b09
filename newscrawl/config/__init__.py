"""Settings: where they are read, their names, and the values that the rest of newscrawl derives from them.

In here: `catalogue` describes every setting and holds their values as a frozen `Config`, `setting` is one description
and converts values, `scrapy_cfg` and `project` find the project's settings, `reading` reads them, `reference` prints
the page about them, `environment` reads NEWSCRAWL_ variables in a settings module, `names` refuses unknown names,
`per_site` checks the settings of a single site, `scrapy_defaults` has the Scrapy settings that make a crawl safe and
polite, `derived` computes from a `Config` the values that other packages need. `extensions` finds what users add,
`logs` writes log lines and guards terminals, `version` is the installed version. Not in here: the check of all settings
at the start of a process, which knows the parts that use them (`crawling.runtime.setting_checks`). Start with
`catalogue`.

Crawling, ingest, onboarding, the commands and a project's settings modules may import this package. Every package may
import `logs`, `extensions` and `version`, which know nothing of the rest.
"""
