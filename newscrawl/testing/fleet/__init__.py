"""Hundreds of small news sites in one server process, `newscrawl run` over them, and the checks of the server log.

In here:

    stories            what the sites publish, and when, from a seed
    world, serving     the server, and the process that it runs in, with its log
    process            the project that declares the sites, and `newscrawl run` in it
    manners, coverage, announced_edits
                       what the log shows, each pure
    lost_pleas         which pauses only a killed process knew
    judgement          all of it together with the database, held against what must hold

Start with `serving.served` and `process.make_project`. tests/fleet and benchmarks/fleet import this package.
"""
