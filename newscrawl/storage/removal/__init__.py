"""Removal: what is too old (`retention`), what the law or a publisher asks to remove (`forget`, `blocklist`), and texts
that no page shows any longer (`unused_texts`).

Start with `forget`.
"""
