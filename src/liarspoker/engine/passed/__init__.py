"""Batches of rounds and of whole matches of Thorin's game, under any of its options.

* `table`: which table is played.
* `play`: whole rounds or matches between policies, as fast as they go; `policies` are plain functions.
* `batch`: the same rounds action by action, with observations and masks of what is legal.

Below them, in compiled code: `worth`, `dealing`, `seen`, `choices`, `rounds`, `stepping`, `observing`.
"""
