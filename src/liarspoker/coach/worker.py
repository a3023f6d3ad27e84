"""A process that reviews hands for a server: requests and answers are lines of JSON.

A request has a `record`, the number of a `hand` in it, a `language` and the number of `playouts`. Its answer is the
report of that hand, or an object with `refused` and the reason, `why`. The decisions of every seat whose number the
record has are reviewed.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

from liarspoker.coach.document import Refusal, ReviewDocument
from liarspoker.coach.report import report
from liarspoker.coach.review import review
from liarspoker.core.errors import LiarsPokerError
from liarspoker.language import speaking
from liarspoker.records import replay

NICENESS = 5
"""The process yields to the tables, which get three times as much of a busy processor."""


def answer(request: dict[str, Any]) -> ReviewDocument | Refusal:
    """Return the answer to a request."""
    with speaking(request["language"]):
        try:
            found = review(replay(request["record"]), hand=request["hand"], playouts=request["playouts"])
            return report(found)
        except LiarsPokerError as error:
            return {"refused": "review-refused", "why": str(error)}
        except Exception:
            traceback.print_exc()  # one bad record must not stop the reviews of others
            return {"refused": "review-failed", "why": ""}


def main() -> None:
    """Answer requests until standard input ends."""
    os.nice(NICENESS)
    for line in sys.stdin.buffer:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
