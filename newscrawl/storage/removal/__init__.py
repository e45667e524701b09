"""Deletes data that is too old, that the law or a publisher asks to remove, or that no page shows any longer.

In here: `retention` deletes by age, `forget` deletes pages and sites on request, `blocklist` keeps them from being
stored again, `register` says what was forgotten and why, and copies both from a former database, `unused_texts` deletes
texts that no page shows. Start with `forget`.
"""
