"""The stored articles for language models: `newscrawl mcp`, a server of the Model Context Protocol (MCP).

In here: `tools` has one function for each tool, which returns a value of bounded size and keeps texts of publishers
apart from ours; `server` offers the tools over stdio. Not in here: the queries, which are those of the screens
(`newscrawl.web.screens`). Start with `tools`.

The official SDK (`mcp`) comes with the extra `newscrawl[mcp]`. Only the command imports this package.
"""
