"""`python -m liarspoker` is the command `liarspoker`."""

from liarspoker.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
