"""The exact best response to a strategy, and so what the strategy can be exploited for.

* `payments`: what every count pays, asked of the rules.
* `walking`: the walk through all public positions, in compiled code, for one seat at a time.
* `responses`: what each seat could gain, and what it would do.

Nothing here knows how a strategy was made: it checks solutions, and shares no code with what solves.
"""
