"""What all tests share: how hard hypothesis looks, chosen by HYPOTHESIS_PROFILE."""

import os

from hypothesis import settings

settings.register_profile("default", max_examples=100, deadline=None)
# The same examples in every run, so that a failure is about the change under test; `soak` explores.
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True, print_blob=True)
# For the run that only measures which lines the tests reach.
settings.register_profile("quick", max_examples=10, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("soak", max_examples=20_000, deadline=None, print_blob=True)

settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))
