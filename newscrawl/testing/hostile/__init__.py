"""A web server that misbehaves on purpose: answers that hang, are slow, endless, broken or too large, and redirect
loops.

In here:

    server        `HostileServer`: starts, stops, and notes every request
    endpoints     the kinds of misbehaviour, by path
    connection    what an endpoint answers with

Start with `server.HostileServer`. tests/hostile imports this package.
"""
