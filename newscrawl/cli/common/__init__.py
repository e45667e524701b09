"""The modules that several commands share: the project and its settings, options, files for results, words for people.

In here: `project` finds the project and its settings, `options` and `site_options` have options of several commands,
`show` prints rows as a table, lines, CSV or JSON, `output` writes results to a file or to standard output, `saying` and
`words` write lines for people, `work` shows progress. `controlling`, `database_copy`, `installed_names`, `known_sites`,
`operator_name` and `selecting` serve two or three commands each. Not in here: the commands. Start with `project`.
"""
