"""The access to the pages: nothing is answered before the gate has let the request through.

In here: `gate` is the middleware around the application; `rules` are its decisions; `logins` knows the log-in address,
the sessions and the token; `session_pages` logs browsers in and out; `headers` has the security headers of every
answer; `health` answers monitoring without a log-in. Start with `gate`.
"""
