"""Live tables, pure: a command is judged against a state and becomes events; events make the next state.

Nothing here reads a clock, draws a number or does I/O: time and fresh chance come in with each command.

* `settings`, `state`: what a table is.
* `commands`, `decide`: what may be asked of it, and what follows.
* `events`, `fold`: what has happened, and the state after it.
* `view`: what anybody may know of it.
* `games`: what a table must know of each family of games.
* `fair`: deals that follow from everybody's share, and what lets everybody check them afterwards.
"""
