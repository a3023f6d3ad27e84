"""Liar's Poker Notation: reading, replaying, writing and formatting records of sessions.

A record is one document, in TOML for people or JSON for programs. `read_toml` and `read_json` return its replay: the
document in normalized form, the session after each round, and the first fault, if any.

>>> replay = read_toml('''
... lpn = 1
... game = "dollar-bill"
... players = ["Ann", "Bob"]
... [[rounds]]
... deal = ["06742088", "92859819"]
... actions = ["two 8s", "4x8", "challenge"]
... ''')
>>> replay.document["rounds"][0]["actions"]
['2x8', '4x8', 'challenge']
>>> report(replay)["score"]
[-1, 1]
"""

from liarspoker.records.reader import Bounds, Replay, read_json, read_record, read_toml, replay
from liarspoker.records.schema import Fault
from liarspoker.records.writer import document_of, report, to_json, to_toml

__all__ = [
    "Bounds",
    "Fault",
    "Replay",
    "document_of",
    "read_json",
    "read_record",
    "read_toml",
    "replay",
    "report",
    "to_json",
    "to_toml",
]
