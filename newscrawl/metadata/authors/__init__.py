"""Who wrote an article: stated authors and bylines, and what looks like a name. Start with `select`."""
