"""The database of a server: the logs of tables, the lobby's listings, encrypted seeds, and accounts.

`storage.Storage` is the entry point: an asynchronous interface to a writer thread, which commits the entries of many
tables in one transaction, and a reader thread. It works with SQLite and PostgreSQL, and knows nothing about games: the
body of an entry is opaque text.

`schema` describes the tables, `migrate.migrate` creates and upgrades them, and `archive` backs them up and restores
them.
"""
