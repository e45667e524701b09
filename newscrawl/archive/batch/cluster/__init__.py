"""Work on the workers of a Dask scheduler (extra `dask`).

In here: `cluster` gives tasks of any kind to the scheduler and outlives the death of workers; `worker` makes the parts
of a batch with it, extracts captures of the archive, and keeps the extraction processes of workers between tasks;
`address` says which schedulers may be used, and with which certificates. Start with `cluster`.
"""
