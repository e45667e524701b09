"""The actions of the pages, which need the option --actions of the command.

In here: `routes` shows what an action of `newscrawl.actions` would do, and does it; `surveys` looks at new sites in the
background, `reextractions` extracts pages in review again, each in a process that `child_process` ends. Start with
`routes`.
"""
