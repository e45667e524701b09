"""The upkeep of the database: what crawls postpone, and the removal of what is older than the settings allow.

In here: `database_upkeep` has the steps, and does them at intervals beside the crawls of `newscrawl run`. Not in here:
which rows are too old or unfinished (`newscrawl.storage.removal` and the packages of each table). Start with
`database_upkeep`.
"""
