"""Training of the neural networks by self-play; it needs the extra `train`.

`liarspoker train` is the command. The networks themselves are evaluated by `liarspoker.engine.network`, and in plain
Python by `liarspoker.bots.network`, neither of which needs this package.
"""
