"""Queen Anne's games: Liars' Poker, Indian and Stud are one set of rules and three presets.

Reading order: `options`, `presets`, `ladder`, `state` (pure functions on ints), then `round`, `result` and `session`,
which hold them together for people.
"""
