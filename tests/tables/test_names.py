"""Names at a table must be distinguishable."""

from __future__ import annotations

import pytest

from liarspoker.protocol.commands import Join
from liarspoker.tables.decide import CommandContext, decide
from liarspoker.tables.names import look_alike
from liarspoker.tables.refused import Refused
from tests.tables.play import Played, new_table

ALIKE = [
    ("Ann", "\N{CYRILLIC CAPITAL LETTER A}nn"),
    ("Ann", "ann"),
    ("Ann", "\N{LISU LETTER A}nn"),
    ("ann", "\N{CYRILLIC CAPITAL LETTER A}NN"),
    ("Jon", "J\N{GREEK SMALL LETTER OMICRON}n"),
    ("Al", "AI"),
    ("Ian", "lan"),
    ("Bob", "B0b"),
    ("Max", "\N{CYRILLIC CAPITAL LETTER EM}\N{CYRILLIC SMALL LETTER A}\N{CYRILLIC SMALL LETTER HA}"),
    ("Tom", "Torn"),
    ("Bob", "\N{FULLWIDTH LATIN CAPITAL LETTER B}ob"),
    ("Bob", "\N{MATHEMATICAL BOLD CAPITAL B}ob"),
    ("Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}", "Zoe\N{COMBINING DIAERESIS}"),
]
DIFFERENT = [("Ann", "Anna"), ("Ann", "Ann 2"), ("Zoe", "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"), ("Bo", "Bob")]


def join(played: Played, user: str, name: str) -> str:
    """Join under a name; return the reason of a refusal, or nothing."""
    try:
        events, played.table = decide(played.table, Join(), CommandContext(user, name, played.now, bytes(32)))
    except Refused as refused:
        return f"{refused.code}: {refused}"
    played.log.append(events)
    return ""


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_look_alike_names_are_detected_in_both_directions(name: str, other: str) -> None:
    assert look_alike(name, ["Somebody else", other]) == other
    assert look_alike(other, [name]) == name


@pytest.mark.parametrize(("name", "other"), DIFFERENT)
def test_distinct_names_are_not_confused(name: str, other: str) -> None:
    assert look_alike(name, [other]) is None


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_joining_with_a_look_alike_name_is_refused(name: str, other: str) -> None:
    played = new_table("slips", 1, start=False, seats=6)
    assert join(played, "ann", name) == ""
    refusal = join(played, "bob", other)
    assert refusal.startswith("name-taken: ")
    assert refusal.endswith("choose another name")
    assert join(played, "bob", f"{other} 2") == ""


def test_names_of_former_players_stay_reserved() -> None:
    played = new_table("slips", 1, start=False, seats=6)
    assert join(played, "ann", "Ann") == ""
    played.do("ann", "leave")
    assert join(played, "bob", "Ann").startswith("name-taken")
    assert join(played, "ann", "Ann") == ""
    played.do("ann", "leave")
    assert join(played, "ann", "Anna") == "", "they can come back under another name"


def test_bots_avoid_the_names_of_players() -> None:
    played = new_table("slips", 1, start=False, seats=6)
    assert join(played, "ann", "B\N{CYRILLIC SMALL LETTER IE}a") == ""
    played.do("user-0", "seat_bot", bot="bluffer")
    assert [chair.name for chair in played.table.seated if chair.bot] == ["Cal"]
    assert join(played, "bob", "CaI").startswith("name-taken")
