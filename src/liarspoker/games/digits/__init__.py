"""The digit games: dollar bills, Salomon's rules of 1986 and SLIPS are one set of rules and three presets.

Reading order: `options`, `presets`, `ladder`, `auction`, `settlement`, `carry`, `slips` (pure functions on ints), then
`round`, `result`, `session` and `view`, which hold them together for people.
"""
