"""Environments for research: every game of the catalogue, with any options under which it is finite.

* :mod:`~liarspoker.research.pettingzoo`: AEC and parallel environments, with action masks and documented observations.
* :mod:`~liarspoker.research.openspiel`: OpenSpiel games, with explicit chance, information states and observers.
* :mod:`~liarspoker.research.evaluation`: head-to-head results of policies.
* :mod:`~liarspoker.research.cluster`: the same work spread over a Ray cluster.

Both kinds of environment are built on :mod:`~liarspoker.research.game_state`, which uses only the protocol of the
rules. The module `environment` of a family of games numbers its actions, enumerates its chance outcomes and writes its
observations. PettingZoo needs the extra `research`, OpenSpiel the extra `openspiel`; neither imports the other.
"""
