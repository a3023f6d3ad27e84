"""Batches of rounds and of whole matches of Queen Anne's games, under any of their options.

* `table`: which table is played.
* `play`: whole rounds or matches between policies, as fast as they go; `policies` are plain functions.
* `batch`: the same rounds action by action, with observations and masks of what is legal.
* `texts`: what was played, as cards that the Python rules understand.

Below them, in compiled code: `dealing`, `seen`, `rounds`, `stepping`, `observing`.
"""
