"""Near-duplicates: texts of nearly the same words are joined into stories.

In here: `lsh_index` finds candidates. `story_members` has `newscrawl.identity.stories.decide` decide, and
`decision_rows` stores that. `containment_links` stores which texts are part of larger ones. `first_pages` chooses the
page of a story that is shown first. `pending` lists the texts that are to be decided again. Start with
`story_members`.
"""
