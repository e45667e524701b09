"""What operators do with a stored site, page or feed: each action stands once, for the command and for the pages.

In here: `choices` has what an action is asked for and its classes; `site` pauses, resumes and accepts a site, releases
and extracts again what waits for review, and surveys a new site; `pages` forgets a page, makes and revokes addresses of
feeds, and has the list `ACTIONS`. Not in here: the words of a command (`newscrawl.cli`), the pages that ask first
(`newscrawl.web.actions`), and what a single statement does (`newscrawl.storage`). Start with `choices`.

 Only `newscrawl.web` and `newscrawl.cli` import this package.
"""
