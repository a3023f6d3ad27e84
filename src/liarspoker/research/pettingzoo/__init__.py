"""The games as PettingZoo environments; needs the extra `research`.

* :func:`~liarspoker.research.pettingzoo.parallel.env`: the AEC environment with PettingZoo's usual wrappers.
* :func:`~liarspoker.research.pettingzoo.sequential.raw_env`: the same without wrappers; an illegal action raises an
  error.
* :func:`~liarspoker.research.pettingzoo.parallel.parallel_env`: the parallel environment, in which every seat submits
  an action in every cycle.
"""

from liarspoker.research.pettingzoo.parallel import ParallelEnvironment, env, parallel_env
from liarspoker.research.pettingzoo.sequential import SequentialEnvironment, raw_env

__all__ = ["ParallelEnvironment", "SequentialEnvironment", "env", "parallel_env", "raw_env"]
