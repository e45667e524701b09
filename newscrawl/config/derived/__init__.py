"""Values that other packages need, each derived from a `Config`.

In here: `intervals` (when sources and pages are visited again), `daily_requests` (daily budgets), `retention` (how
long things are kept), `article_options` (how pages are extracted), `stores` (the database). Not in here: the settings
themselves (`config.catalogue`) and how they are read (`config.reading`). Start with `intervals`.
"""
