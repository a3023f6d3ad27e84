"""A result while it is revealed: cards turn up or hands are counted, and everything around them is still as before."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

_KEPT = ("alive", "winner")
"""What a round tells of its result outside of `result`."""


def result_key(public: Json) -> str:
    """Which result a view shows; empty if it shows none."""
    told = public["round"]
    return "" if told is None or told.get("result") is None else str(public["rounds_played"])


def is_news(public: Json, before: Json) -> bool:
    """Whether a view shows the result of a round that was seen in play, in the view `before`."""
    if result_key(public) in ("", result_key(before)) or before["round"] is None:
        return False
    told = public["round"]
    turned_up = told["result"].get("hand", ()) is not None  # in Thorin's game a round may end without a challenge
    return turned_up and told["users"] == before["round"]["users"]


def around_result(public: Json, before: Json) -> Json:
    """A view whose result is news: the result alone is new, and everything that follows from it is as it was `before`.

    Nothing is gathered for the next deal yet, since who takes part in it depends on the result, too.
    """
    units = {entry["user"]: entry["units"] for entry in before["units"]}
    return {
        **public,
        "units": before["units"],
        "sheet": [*public["sheet"][:-1], {**public["sheet"][-1], "units": {}, "lost": []}],
        "chairs": [
            chair and {**chair, "units": units.get(chair["user"], 0), "ready": False} for chair in public["chairs"]
        ],
        "gathering": None,
        "round": {**public["round"], **{key: before["round"][key] for key in _KEPT if key in before["round"]}},
    }
