"""Exact beliefs: the probabilities of all hands of all seats, given their policies and the public actions.

All actions of a digit game are public, and hands are dealt independently. So, given the seats' policies, everything
that is known is one vector of probabilities for each seat, over its own hands. A hand is how many of each digit it
holds: with eight digits of ten, there are 24,310 hands, few enough to store all of them.

* :mod:`~liarspoker.solve.beliefs.positions`: public positions, and the view of them that a policy gets.
* :mod:`~liarspoker.solve.beliefs.policies`: mixed policies, which return the probability of every action for every
  hand; `bot_policy` has those of the bots, `function_policy` those of compiled functions.
* :mod:`~liarspoker.solve.beliefs.posterior`: every seat's exact posterior after each public action.
* :mod:`~liarspoker.solve.beliefs.lookahead`, :mod:`~liarspoker.solve.beliefs.local_response`: a player who looks one
  step ahead with exact beliefs, and what they win.

Everything here is about single hands at stake 1. A policy that reads the other rows of its slip is rejected.
"""
