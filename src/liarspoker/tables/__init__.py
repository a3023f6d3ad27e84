"""Live tables, pure: a command is judged against a state and becomes events; events make the next state.

Nothing here reads a clock, draws a number or does I/O: time and fresh chance come in with each command.

* `settings`, `state`: what a table is.
* `decide`: what may be asked of it, and what follows; `seating`, `rounds` and `agreements` have parts of it.
* `fold`: the state after what has happened.
* `view`: what anybody may know of it.
* `fair`: deals that follow from everybody's share, and what lets everybody check them afterwards.
"""
