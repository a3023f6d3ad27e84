"""Exact beliefs: what the hands of all seats may be, given how they play and what has been played.

All actions of a digit game are public and the hands don't depend on each other. So, given the policies of the seats,
what is known is one vector of probabilities for each seat, over its own hands. A hand is how many of each digit it
holds: 24,310 of them for eight digits of ten, few enough to store them all.

* `positions`: what is public in a hand, and the view of it that a policy is given.
* `policies`: mixed policies, which return the probability of every action for every hand; `bot_policy` for the light
  bots, `function_policy` for compiled functions.
* `posterior`: every seat's exact probabilities after each public action.
* `looking_ahead`, `local_response`: a player who looks a step ahead with exact beliefs, and what it wins.

All of it is about single hands at stake 1. A policy that reads the other rows of its slip is rejected.
"""
