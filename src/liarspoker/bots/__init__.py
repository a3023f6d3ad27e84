"""Bots: functions that play a seat from what it may see.

* :mod:`~liarspoker.bots.protocol`: what a bot is.
* :mod:`~liarspoker.bots.catalogue`: the available bots, loaded by name.
* :mod:`~liarspoker.bots.contest`: play many hands or matches between bots.
* :mod:`~liarspoker.bots.rating`: rate one bot against others.
* :mod:`~liarspoker.bots.tally`: the totals of a contest, with confidence intervals.

This package needs only the standard library and the rules. The compiled engine is separate; see
:mod:`liarspoker.engine`.
"""
