"""Solving small digit games, and exact answers about games of any size.

* `tree`, `hands`, `payoffs`: the public tree of a hand, the hands in their order, and what a counted bid pays.
* `strategy`, `strategy_files`, `tabulate`: a strategy as a table of probabilities, its file, and a bot as one.
* `solver`, `runner`: counterfactual regret minimization, and running it until a target or a stop; below them
  `algorithms`, `layout`, `buffers`, `traversal`, `memory` and `checkpoints`.
* `best_response`: the exact best response to a strategy. It checks solutions, so it shares the tree and the payoff
  table with the solver, but no computation.
* `beliefs`: exact probabilities of all hands at any size, and a local best response that uses them.
"""
