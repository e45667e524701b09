"""Local sites with the publishing habits of docs/reference/publishing-habits.md, for tests of `newscrawl add-site`.

In here:

    server             `Replicas`: all of them on one server, each under a name of its own (`wordpress.localhost`)
    site               `Replica`: the pages that one of them serves
    stories, sources   articles, and feeds and sitemaps that list them
    systems, habits    functions that fill a replica as a habit wants it

Start with `server.Replicas.site`. tests/onboarding, tests/support and benchmarks/onboarding import this package.
"""
