"""What the commands that write a file share."""

from __future__ import annotations

import argparse


def add_force(parser: argparse.ArgumentParser, default: object = False) -> None:
    """Declare the option `--force`, for `liarspoker.files.check_writable` and `new_file`."""
    parser.add_argument("--force", action="store_true", default=default, help="overwrite FILE if it exists")
