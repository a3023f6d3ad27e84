"""What a server keeps: the log of every table, the lobby's listings, sealed seeds, accounts.

`storage.Storage` is the way in: an asynchronous face over one writer thread, which commits what many tables append
in one transaction, and one reader thread. It works on SQLite and on PostgreSQL, and knows nothing of games: the body
of an entry is a text.

The tables are described in `schema` and made by `migrate.migrate`; `archive` backs them up and restores them.
"""
