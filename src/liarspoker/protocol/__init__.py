"""Messages of live tables: typed classes for everything that is stored, sent or received, and one validating codec.

Clients send commands and frames, which are validated while they are decoded. Events are written to the log and read
back. Views, answers, chat and presence are sent to clients. Inside the process messages are passed as objects and
encoded only when they leave it. `tools/protocol.py` generates the JSON Schema and the browser's TypeScript types from
these classes.

There are two kinds of seats, both numbered from 0. A *table seat* is where a person or bot sits down; it is `chair` in
the JSON and in identifiers. A *seat* is a position in one round, counted among the players who were dealt in.
"""
