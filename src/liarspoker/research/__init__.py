"""The games as environments for research: every game of the catalogue, under any of its options that are finite.

* `pettingzoo`: AEC and parallel environments, with masks of what is legal and observations as documented arrays.
* `openspiel`: games of OpenSpiel, with explicit chance, information states and observers.

Both stand on `course`, which knows of a game only the protocol of the rules; what depends on a family of games is
numbering actions, telling chance apart and writing observations, and each family has a module for that here. The two
need the extras `research` and `openspiel`, and neither imports the other's.
"""
