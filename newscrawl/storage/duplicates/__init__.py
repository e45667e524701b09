"""Near-duplicates: texts of nearly the same words are joined into stories.

In here: `join` finds candidates, has `newscrawl.model.identity.stories.decide` decide, and stores the result; it also
removes texts that no page shows. `story_pages` reads the pages of a story in the order in which they are shown, and
which texts are part of larger ones. Start with `join`.
"""
