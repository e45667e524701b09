"""What makes the generated pages of the documentation: `python -m docs._scripts` writes them all.

In here: `commands` (the command line), `tables` (the database), `codes` (reason codes and counters), `web_api` (the
JSON of `newscrawl web`), `architecture` (the picture of the packages) and `demo_picture`; `pages` names the files.
`columns.toml` and `codes.toml` hold the
sentences that the code does not have. Tests compare each committed page with what these modules make.
"""
