"""The raw archive in the database: where it has each page (`locations`), how far each archive has been ingested
(`ingests`), and the results of another extraction of captures (`reextractions`).

Start with `locations`.
"""
