"""The coach in card games.

* :mod:`~liarspoker.coach.cards.positions`: what the coach asks a family about a decision, in its module `review`.
* :mod:`~liarspoker.coach.cards.review`: the review of a record, round by round.
* :mod:`~liarspoker.coach.cards.words`: the same in sentences.
* :mod:`~liarspoker.coach.cards.arrays`: the same as NumPy arrays.
"""
