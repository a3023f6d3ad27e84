"""Liar's Poker: bluffing games, with their rules, records, odds and players.

Importing this package loads none of its rooms; each is imported by name, as in `from liarspoker import odds`.
"""

__version__ = "0.1.0"
