"""The modules that several commands share: the project and its settings, options, files for results, words for people.

In here: `project` finds the project and its settings, `options` has options of several commands, `sites` checks the
sites that they name. `show` prints rows as a table, lines, CSV or JSON, `output` writes results to a file or to
standard output, `words` writes lines for people, `work` shows progress. Not in here: the commands. Start with
`project`.
"""
