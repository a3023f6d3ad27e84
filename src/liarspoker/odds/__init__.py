"""Exact chances: whole numbers and fractions inside, floats only where somebody prints or plots.

* `counts`: how many of a digit the others hold, and how the digits of one bill repeat.
* `bids`: what a bid is worth by a game's own rules, and when a raise is worth it.
* `tables`: Shackleford's tables (source 003) for any number of players, as text and as JSON.
* `bid_report`: one bid as somebody types it, in figures and in words.
* `pools`: whether a named hand of the pooled card games is there.
* `draws`: what a hand of Thorin's game becomes by drawing, and the cards it may draw.
* `card_report`: a question about cards, answered in figures and in words.
* `questions`, `answers`: one JSON question a line in, one answer a line out; `questions` reads cards and claims.
* `figures`: chances as people read them, and as JSON has them.
* `chart`: drawings; the only module that needs matplotlib, and only when it draws.
"""
