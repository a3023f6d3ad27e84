"""Thorin's game: one hand of five cards is passed around; players declare ever better hands, or challenge.

Reading order: `options`, `ladder`, `actions` and `state` (pure functions on ints), then `deal`, `round`, `result` and
`session`, the immutable objects built on them.
"""
