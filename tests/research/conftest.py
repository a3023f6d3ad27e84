"""Where an extra of research is not installed, its tests are not looked at."""

from importlib.util import find_spec

NEEDS = {
    "test_pettingzoo.py": ("pettingzoo", "gymnasium", "numpy"),
    "test_openspiel.py": ("pyspiel", "numpy"),
    "test_cluster.py": ("ray", "numba"),
    "test_evaluation.py": ("numba", "numpy"),
    "test_with_the_engine.py": ("numba", "numpy"),
    "test_imports.py": ("pettingzoo", "pyspiel"),
    "test_[!ceopiw]*.py": ("numpy",),
    "test_course.py": ("numpy",),
}
collect_ignore_glob = [name for name, modules in NEEDS.items() if not all(map(find_spec, modules))]
