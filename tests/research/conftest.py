"""Skip the collection of tests whose extra is not installed."""

from importlib.util import find_spec

NEEDS = {
    "test_information_states.py": ("numpy",),
    "test_cluster.py": ("ray", "numba"),
    "test_game_state.py": ("numpy",),
    "test_evaluation.py": ("numba",),
    "test_imports.py": ("pettingzoo", "pyspiel"),
    "test_openspiel.py": ("pyspiel",),
    "test_pettingzoo.py": ("pettingzoo",),
    "test_with_the_engine.py": ("numba",),
}
collect_ignore = [name for name, modules in NEEDS.items() if not all(map(find_spec, modules))]
