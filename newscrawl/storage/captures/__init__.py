"""The index of the raw archive in the database.

In here: `locations` is the place of each page in the archive, `ingests` the progress of ingested archives,
`reextractions` the results of another extraction of captures. Start with `locations`.
"""
