"""Reports of unfinished hands that the golden records don't cover."""

from __future__ import annotations

from typing import Any

import pytest

from liarspoker.records import replay, report
from tests.records.samples import BILLS, Record, bid_by_bid, hand, record

LOOSE = {"loose_order": True}
OPEN_END = {"cap_level": False}


def in_play(actions: str, **options: object) -> Any:
    """Return the report of the unfinished hand after these actions."""
    return report(bid_by_bid(actions, **options))["rounds"][0]


def report_of(document: Record) -> Any:
    """Return the report of a valid record."""
    answer = report(replay(document))
    assert "error" not in answer
    return answer


def test_before_the_first_bid_there_is_no_claim_and_the_opener_must_bid() -> None:
    assert in_play("") == {
        "opener": 0,
        "stake": 1,
        "claim": None,
        "bidder": None,
        "is_rebid": False,
        "challenges": 0,
        "to_act": 0,
        "phase": "open",
        "legal": {"min_claim": "1x1", "challenge": False, "count": False},
    }


def test_after_a_bid_the_next_seat_responds() -> None:
    seen = in_play("23x9, challenge")
    assert (seen["claim"], seen["bidder"], seen["challenges"], seen["to_act"]) == ("23x9", 0, 1, 2)
    assert seen["phase"] == "respond"
    bids = ["23x0", *(f"24x{digit}" for digit in "1234567890")]
    assert seen["legal"] == {"min_claim": "23x0", "challenge": True, "count": False, "actions": [*bids, "challenge"]}


def test_challenged_all_around_the_bidder_decides() -> None:
    seen = in_play("2x5, 24x9, around")
    assert (seen["to_act"], seen["phase"], seen["challenges"], seen["is_rebid"]) == (1, "decide", 2, False)
    assert seen["legal"] == {"min_claim": "24x0", "challenge": False, "count": True, "actions": ["24x0", "count"]}


def test_after_the_highest_bid_no_bid_is_legal() -> None:
    assert in_play("24x0")["legal"]["min_claim"] is None
    assert in_play("24x0, around")["legal"] == {
        "min_claim": None,
        "challenge": False,
        "count": True,
        "actions": ["count"],
    }


@pytest.mark.parametrize(("bid", "listed"), [("4x0", None), ("5x1", 200), ("5x2", 199)])
def test_at_most_two_hundred_actions_are_listed(bid: str, listed: int | None) -> None:
    actions = in_play(bid)["legal"].get("actions")
    assert (None if actions is None else len(actions)) == listed


def test_without_a_cap_no_actions_are_listed_and_a_bid_is_always_legal() -> None:
    assert in_play("24x0", **OPEN_END)["legal"] == {"min_claim": "25x1", "challenge": True, "count": False}
    assert in_play(f"{10**30}x0", **OPEN_END)["legal"]["min_claim"] == f"{10**30 + 1}x1"


@pytest.mark.parametrize("options", [LOOSE, {**LOOSE, **OPEN_END}])
def test_the_weakest_bid_of_a_loose_order_has_the_lowest_level_then_the_lowest_digit(options: dict[str, bool]) -> None:
    assert in_play("5x8", **options)["legal"]["min_claim"] == "1x9"
    assert in_play("5x0", **options)["legal"]["min_claim"] == "6x1"
    assert in_play("2x9, 1x0, 2x1, 1x9, 2x3", **options)["legal"]["min_claim"] == "1x4"


def test_bids_made_before_are_not_listed_in_a_loose_order() -> None:
    actions = in_play("23x8, 1x9, 22x0, 23x5", **LOOSE)["legal"]["actions"]
    assert "23x9" in actions
    assert not {"23x8", "1x9", "22x0", "23x4"} & set(actions)


def test_an_agreed_stake_is_not_doubled_in_a_tenth_hand() -> None:
    plain, agreed = hand("1x5, around, count"), hand("1x5, around, count", stake=3)
    assert [table["stake"] for table in report_of(record(*[plain] * 9, agreed))["rounds"][8:]] == [2, 3]
    assert report_of(record(*[plain] * 10))["rounds"][9]["stake"] == 4


def test_an_empty_session_has_a_score_of_zero() -> None:
    assert report_of(record(players=["Ann", "Bob"])) == {"game": "salomon-1986", "score": [0, 0], "rounds": []}


def test_a_report_does_not_contain_the_numbers() -> None:
    assert not any(number in str(report_of(record(hand("2x5, around, count"), hand("2x5")))) for number in BILLS)
