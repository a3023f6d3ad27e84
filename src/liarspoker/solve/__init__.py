"""Solve small digit games, and compute exact quantities in digit games of any size.

* :mod:`~liarspoker.solve.tree`, :mod:`~liarspoker.solve.hands`, :mod:`~liarspoker.solve.payoffs`: the public tree of a
  hand, all hands in order, and what a counted bid pays.
* :mod:`~liarspoker.solve.strategy`, :mod:`~liarspoker.solve.strategy_files`, :mod:`~liarspoker.solve.tabulate`: a
  strategy as a table of probabilities, its file format, and bots as strategies.
* :mod:`~liarspoker.solve.runner`, :mod:`~liarspoker.solve.solver`: counterfactual regret minimization, run until a
  target or a stop. They are built on `algorithms`, `layout`, `buffers`, `traversal`, `memory` and `checkpoints`.
* :mod:`~liarspoker.solve.best_response`: the exact best response to a strategy. It checks solutions, so it shares the
  tree and the payoff table with the solver, but none of its computations.
* :mod:`~liarspoker.solve.beliefs`: exact posterior probabilities of all hands at any size, and a local best response
  that uses them.
"""
