"""Thorin's game: one hand of five cards goes around, and each player declares better than the last or challenges.

Reading order: `options`, `ladder`, `actions`, `course`, `piles` (pure functions on ints), then `stock`, `deal`,
`round`, `result`, `session` and `view`, which hold them together for people.
"""
