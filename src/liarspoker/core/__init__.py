"""The interfaces that all games share: sessions, the catalogue, options, cards and errors.

This package uses only the standard library and has no clocks, randomness or input of its own. Start with
`liarspoker.core.catalogue`, which lists the games and loads them.
"""
