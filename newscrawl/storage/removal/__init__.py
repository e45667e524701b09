"""Taking things away: what is too old (`retention`), what the law or a publisher asks (`forget`, `blocklist`), and
texts that no page shows any more (`unused_texts`).

In here: `retention`, `forget`, `blocklist` and `unused_texts`. Start with `forget`.
"""
