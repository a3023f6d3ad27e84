"""The digit games: dollar bills, Salomon's rules of 1986 and SLIPS are one set of rules and three presets.

Reading order: `options`, `presets`, `ladder`, `auction`, `hands`, `settlement` (pure functions on ints), then `round`,
`result` and `session`, which hold them together for people.
"""
