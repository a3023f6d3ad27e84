"""Strategies of small digit games as tables of chances, and the files that keep them.

* `hands`: the hands of a game in their order, and how likely each is.
* `tree`: the public positions of an auction in their order, and where each one's rows lie.
* `strategy`: a whole strategy: one number for every action of every position and every hand.
* `files`: a strategy as one file, with a checksum and without pickle.
"""
