"""Exact beliefs: what the hands of all seats may be, given how they play and what has been played.

All actions of a digit game are public and the hands do not depend on each other, so, given the policies of the seats,
what is known of them is one vector of chances a seat, over its hands alone. A hand is how often each digit is held:
24,310 of them for eight digits of ten, few enough to keep them all.

* `hands`: all hands, their chances before anything is known, and their numbers.
* `positions`: what is public in a hand, and the view of it that a policy is given.
* `policies`: mixed policies, which tell the chance of every action for every hand; `weighing` the light bots' kind,
  `compiled_policies` those that are compiled functions.
* `posterior`: every seat's exact chances after each public action.
* `counting`: the chance that the standing bid is made, and what counting it pays.
* `looking_ahead` and `local_response`: a player who looks a step ahead with exact beliefs, and what he wins.

It is about single hands at stake 1. A policy that reads the other rows of its slip is refused.
"""
