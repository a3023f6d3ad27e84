"""Queen Anne's games: Liars' Poker, Indian and Stud, one set of rules with three presets.

Reading order: `options`, `presets`, `ladder` and `state` (pure functions on ints), then `round`, `result` and
`session`, the immutable objects built on them.
"""
