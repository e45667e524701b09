"""Near-duplicates: texts of nearly the same words are joined into stories.

In here: `join` finds candidates, has `newscrawl.identity.stories.decide` decide, and stores the result.
`containment_links` has which texts are part of larger ones. `story_pages` reads the pages of a story in the order in
which they are shown. Start with `join`.
"""
