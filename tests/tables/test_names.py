"""Names at a table: nobody can be taken for another."""

from __future__ import annotations

import pytest

from liarspoker.protocol.commands import Join
from liarspoker.tables.decide import Asker, decide
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
    """Sit down under a name; why that is refused, or nothing."""
    try:
        events, played.table = decide(played.table, Join(), Asker(user, name, played.now, bytes(32)))
    except Refused as refused:
        return f"{refused.code}: {refused}"
    played.log.append(events)
    return ""


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_names_that_look_alike_are_known_both_ways(name: str, other: str) -> None:
    assert look_alike(name, ["Somebody else", other]) == other
    assert look_alike(other, [name]) == name


@pytest.mark.parametrize(("name", "other"), DIFFERENT)
def test_names_that_anybody_can_tell_apart_are_different(name: str, other: str) -> None:
    assert look_alike(name, [other]) is None


@pytest.mark.parametrize(("name", "other"), ALIKE)
def test_nobody_sits_down_under_a_name_that_looks_like_anothers(name: str, other: str) -> None:
    played = new_table("slips", 1, start=False, seats=6)
    assert join(played, "ann", name) == ""
    refusal = join(played, "bob", other)
    assert refusal.startswith("name-taken: ")
    assert refusal.endswith("choose another name")
    assert join(played, "bob", f"{other} 2") == ""


def test_who_has_left_keeps_their_name_on_the_score_sheet_to_themselves() -> None:
    played = new_table("slips", 1, start=False, seats=6)
    assert join(played, "ann", "Ann") == ""
    played.do("ann", "leave")
    assert join(played, "bob", "Ann").startswith("name-taken")
    assert join(played, "ann", "Ann") == ""
    played.do("ann", "leave")
    assert join(played, "ann", "Anna") == "", "they may come back under another name"


def test_no_bot_is_called_like_a_player() -> None:
    played = new_table("slips", 1, start=False, seats=6)
    assert join(played, "ann", "B\N{CYRILLIC SMALL LETTER IE}a") == ""
    played.do("user-0", "seat_bot", bot="bluffer")
    assert [chair.name for chair in played.table.seated if chair.bot] == ["Cal"]
    assert join(played, "bob", "CaI").startswith("name-taken")
