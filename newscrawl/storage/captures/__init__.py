"""Where the raw archive has each page (`locations`), and how far each archive has been ingested (`ingests`).

In here: `locations`, `ingests`, and `reextractions` (another extraction of a capture, stored in place of the old one).
Start with `locations`.
"""
