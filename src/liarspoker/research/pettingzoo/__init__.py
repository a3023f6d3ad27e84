"""The games as PettingZoo environments; needs the extra `research`.

* `env`: the AEC environment, wrapped as PettingZoo wraps its own.
* `raw_env`: the same without wrappers; an illegal action is an error then.
* `parallel_env`: every seat hands in an action in every cycle.
"""

from liarspoker.research.pettingzoo.parallel import ParallelTable, env, parallel_env
from liarspoker.research.pettingzoo.sequential import SequentialTable, raw_env

__all__ = ["ParallelTable", "SequentialTable", "env", "parallel_env", "raw_env"]
