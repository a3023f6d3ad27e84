"""Live tables as pure functions: a command and the current state give events, and events give the next state.

Nothing here reads a clock, draws random numbers or does I/O. The time and fresh random bytes come with each command.

* `settings`, `state`: settings and state of a table.
* `decide`: validates a command and returns its events; `seating`, `rounds` and `agreements` handle some commands.
* `reducers`: apply events to a state.
* `view`: the public and private views of a state.
* `export`: records and the audit document of a table.
* `fair`: deals derived from everyone's contributions, and their verification.
"""
