"""Queen Anne's games: Liars' Poker, Indian and Stud are one set of rules and three presets.

Reading order: `options`, `presets`, `ladder`, `pool`, `dealing` (pure functions on ints), then `deal`, `round`,
`result`, `session` and `view`, which hold them together for people.
"""
