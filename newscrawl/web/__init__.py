"""The operator's pages in a browser, and the same values as JSON: `newscrawl web`.

In here: `application` has the routes and makes the ASGI application; `server` listens; `settings` is what the command
decides; `gate` decides who may ask what; `sessions` logs in and out; `screen_list` has all screens, of which `screens`
has one function for each, which returns a frozen value; `answers` reads the parameters of an address, and writes a
value as a page or as JSON, `rendering` is what the templates use; `recent` shares values between views; `schemas`
writes the JSON schema of each screen from `values`; `captures` reads archived pages in worker processes; `feeds` serves
Atom and JSON Feed; `actions` are what the pages may do, `background` the commands that they start. Not in here: the
queries in SQL (`newscrawl.storage`, `newscrawl.reports`). Start with `application`.

Starlette, Jinja2 and uvicorn come with the extra `newscrawl[web]`. Only the command imports this package.
"""
