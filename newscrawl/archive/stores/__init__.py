"""The places of the closed files of the archive: in a folder of the machine that wrote them, or in an object store.

In here: `closed_files` is the interface, and its implementation for a folder; `object_files` is the one for an object
store; `object_address` reads s3:// addresses; `object_errors` states the errors of a store without keys and endpoints;
`object_reader` reads an object as a file, in ranges; `spool` moves closed files into the store; `upload_thread` does so
beside a crawl; `leases` keeps other processes away from a file. Start with `closed_files`.

A file belongs to a holder (`archive_files.machine`): the name of a machine, or the address of an object store.
"""
