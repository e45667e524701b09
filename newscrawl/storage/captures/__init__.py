"""Where the raw archive has each page (`locations`), and how far each archive has been ingested (`ingests`)."""
