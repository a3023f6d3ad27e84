"""Where the extra `engine` is not installed, nothing of these tests is looked at."""

from liarspoker.engine import available

collect_ignore_glob = [] if available() else ["*"]
