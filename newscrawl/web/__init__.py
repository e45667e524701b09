"""The operator's pages in a browser, and the same values as JSON: `newscrawl web`.

In here:

    application             has the routes and makes the ASGI application
    server, settings        listen; what the command decides
    gate, sessions          decide who may ask what; log in and out
    screens, screen_list    a function for each screen, which returns a frozen value; all screens
    answers, rendering      read an address's parameters, write a value as a page or as JSON; what the templates use
    recent                  shares values between views
    schemas                 writes the JSON schema of each screen
    captures                reads archived pages in worker processes
    feeds                   serves Atom and JSON Feed
    actions, background     what the pages may do; the commands that they start

Not in here: the queries in SQL (`newscrawl.storage`, `newscrawl.reports`). Start with `application`.

Starlette, Jinja2 and uvicorn come with the extra `newscrawl[web]`. Only the command and `newscrawl.mcp` import this
package.
"""
