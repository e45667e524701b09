"""The index of the raw archive in the database.

In here: `locations` is the place of each page in the archive, `archive_files` what happens to a file as a whole and
what each machine has to remove from its files, `ingests` the progress of ingested archives, `reextractions` the results
of another extraction of captures, and which machines have made one. Start with `locations`.
"""
