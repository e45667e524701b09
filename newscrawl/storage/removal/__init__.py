"""Deletes data that is too old, or that the law or a publisher asks to remove.

In here: `retention` deletes by age, `forget` deletes pages and sites on request, `blocklist` keeps them from being
stored again, `register` says what was forgotten and why, and copies both from a former database. Texts that no page
shows any longer are deleted in `storage.duplicates.join`. Start with `forget`.
"""
