"""The operator's pages in a browser, and the same values as JSON: `newscrawl web`.

In here: `application` lists the routes and makes the ASGI application; `screen_list` has all screens; `server`
listens; `access` decides who may ask what; `screens` has one function for each screen, which returns a frozen value;
`answers` writes such a value as a page or as JSON; `queries` reads the parameters of an address; `recent` shares
values between views; `rendering` and `wording` are what the templates use, `charts` draws small diagrams as SVG;
`schemas` writes the JSON schema of each screen from `values`; `captures` reads archived pages in worker processes;
`feeds` serves Atom and JSON Feed; `actions` are what the pages may do; `settings` is what the command decides. Not in
here: the queries (`newscrawl.storage`). Start with `application`.

Starlette, Jinja2 and uvicorn come with the extra `newscrawl[web]`. Only the command imports this package.
"""
