"""Thorin's game: one hand of five cards goes around, and each player declares better than the last or challenges.

Reading order: `options`, `ladder`, `actions`, `state` (pure functions on ints), then `deal`, `round`, `result` and
`session`, which hold them together for people.
"""
