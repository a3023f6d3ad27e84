"""The coach: what every decision of a recorded hand was worth, and why.

* :mod:`~liarspoker.coach.models`: how the coach assumes that everybody plays.
* :mod:`~liarspoker.coach.decisions`: the value of each sensible action, and a verdict on the one that was chosen.
* :mod:`~liarspoker.coach.review`: the review of a record, hand by hand.
* :mod:`~liarspoker.coach.cards`: the same for the card games.
* :mod:`~liarspoker.coach.words`: reviews in sentences.
* :mod:`~liarspoker.coach.arrays`: the same as NumPy arrays.
* :mod:`~liarspoker.coach.statistics`: statistics of many hands, between bots or from records.

Reviews use only what the record says: a seat whose number is hidden isn't reviewed, and what
others may have believed about a hand follows from the bids alone.
"""
