"""The games themselves: pure rules on the standard library, without clocks, chance or input.

Start with `liarspoker.core.catalogue`: it lists every game and loads the one you ask for.
"""
