"""Duplicate events: several tables play the same deals, and their results are compared.

An event has one secret seed, to which the server commits before anyone joins. Starting it is one transaction, which
fixes the players, their shares of the key, and their seats. The owner of a table's shard then makes it, when the event
starts or when somebody opens the table. Each table plays on its own, and stores the event's key with its seeds.
When a table has ended, its score is stored; when all have, the event is over and its deals are revealed.
"""
