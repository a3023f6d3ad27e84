"""Exact odds: probabilities and expected values as fractions, converted to floats only for display.

- `counts`: the number of a digit among unseen digits, and the patterns of one bill.
- `bids`: the probability of making a bid, its expected value, and when to raise.
- `tables`: Shackleford's tables (source 003) for any number of players, as text and JSON.
- `bid_report`: one bid, in figures and in words.
- `pools`: the probability that a named hand exists in Queen Anne's games.
- `draws`: the possible hands after a draw in Thorin's game.
- `card_report`: one question about cards, in figures and in words.
- `questions`, `answers`: questions in JSON, one per line.
- `figures`: formatting of probabilities.
- `chart`: drawings; the only module that needs matplotlib.
"""
