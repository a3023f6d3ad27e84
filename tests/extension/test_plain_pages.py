"""The default pages of a family without pages of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from liarspoker.protocol.views import PrivateView, PublicView
from liarspoker.tables.view import private, public
from liarspoker.web.app import mount_pages
from liarspoker.web.view_models.plain import PlainViewModel, view_model
from tests.extension.package import DICE
from tests.server.inprocess import running
from tests.tables.play import Played, new_table
from tests.web.pages.reading import Reader

pytestmark = pytest.mark.usefixtures("_installed")


def parts(played: Played, user: str | None) -> tuple[PublicView, PrivateView | None]:
    return public(played.table), None if user is None else private(played.table, user)


def seen(played: Played, user: str | None) -> PlainViewModel:
    return view_model(*parts(played, user), {})


def test_only_a_player_sees_their_hand_and_legal_actions() -> None:
    played = new_table(DICE, 2, 3)
    played.make_ready()
    mover = played.table.to_act
    assert mover is not None
    first = seen(played, mover)
    hand = parts(played, mover)[1]
    assert hand is not None
    assert [fact.text for fact in first.own] == [getattr(hand.hand, "hand", "")]
    assert (first.typed, first.example, first.buttons) == (True, "1x1", ())
    assert seen(played, None).own == ()
    played.do(mover, "act", turn=played.table.turn, action="1x2")
    other = played.table.to_act
    assert other is not None
    later = seen(played, other)
    assert later.buttons == ("challenge",)
    assert later.said.endswith("plays 1x2.")
    assert seen(played, mover).buttons == ()


def test_the_end_of_a_round_shows_payoffs_and_all_hands() -> None:
    played = new_table(DICE, 2, 3)
    played.make_ready()
    for action in ("6x6", "challenge"):
        played.do(str(played.table.to_act), "act", turn=played.table.turn, action=action)
    after = seen(played, None)
    assert after.over
    (outcome,) = after.outcome
    assert re.fullmatch(r"The bid is 6x6, the count is \d; User-[01] pays a unit\.?", outcome)
    hands = next(fact.text for fact in after.facts if fact.label == "Shown")
    assert all(name in hands for name in ("User-0", "User-1"))


def test_a_hand_is_played_replayed_and_explained_without_javascript(tmp_path: Path) -> None:
    with running(tmp_path, mount_pages) as site:
        ann, bob = Reader(site.person("Ann")), Reader(site.person("Bob"))
        table = site.table(ann.person, bob.person, game=DICE, seats=2)
        for reader in (ann, bob):
            reader.person.ask(table, do="start" if reader is ann else "ready")
        opener, other = (ann, bob) if ann.person.view(table)["public"]["to_act"] == ann.person.user else (bob, ann)
        assert opener.read(f"/t/{table}").send("Play", action="nonsense").status == 409
        opener.read(f"/t/{table}").send("Play", action="2x5")
        other.read(f"/t/{table}").send("challenge")
        assert "pays a unit" in other.page.text
        replay = ann.read(f"/t/{table}/replay").page.text
        assert ann.status == 200
        assert "2x5" in replay
        rules = ann.read(f"/rules/{DICE}").page.text
        assert "Bid on how many dice" in rules
        assert "each player rolls" in rules
        assert ann.read(f"/new?game={DICE}").status == 200
