"""The checks of `newscrawl doctor`: settings, machine, database, archive, receivers of alarms, sites.

In here: `checks` has the findings, the order of the checks, and those that need no Scrapy; `project` has those of
settings, declarations and sites, and reads settings when it is imported. Start with `checks`.
"""
