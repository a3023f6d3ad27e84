"""Batches of rounds of the digit games, under any of their options.

* `table`: which table is played.
* `play`: whole rounds or sessions between policies, as fast as they go; `policies` are plain functions.
* `batch`: the same rounds action by action, with observations and masks of what is legal.
* `texts`: what was played, as numbers and actions that the Python rules understand.

Below them, in compiled code: `dealing`, `seen`, `choices`, `hands`, `sessions`, `observing`.
"""
