"""The digit games: one set of rules with three presets (dollar bills, Salomon's rules of 1986, SLIPS).

The rules are pure functions on ints in `options`, `ladder`, `auction`, `hands` and `settlement`. `round`, `result` and
`session` build the Python API on them.
"""
