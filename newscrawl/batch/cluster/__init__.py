"""Parts made by the workers of a Dask scheduler (extra `dask`).

In here: `engine` gives spans to the scheduler; `worker` is what its workers run; `address` says which schedulers may be
used, and with which certificates. Start with `engine`.
"""
