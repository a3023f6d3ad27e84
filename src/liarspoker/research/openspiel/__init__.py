"""The games as OpenSpiel games; needs the extra `openspiel`.

Importing this module registers one OpenSpiel game for every game of the catalogue, `liarspoker_dollar_bill` to
`liarspoker_queen_annes_stud`. Their parameters are the number of players and the game's options:

>>> game = load("dollar-bill", options={"hand_size": 1, "symbols": 2, "rebid": True})
>>> game.num_players(), game.num_distinct_actions(), game.utility_sum()
(2, 6, 0.0)
"""

from liarspoker.research.openspiel.games import LiarsPokerGame, LiarsPokerState, load, name_of

__all__ = ["LiarsPokerGame", "LiarsPokerState", "load", "name_of"]
