"""A result while it is revealed: cards turn up or hands are counted, and everything around them is still as before."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from liarspoker.protocol.views import PublicView, RoundView

_KEPT = ("alive", "winner")
"""What a round tells of its result outside of `result`."""


def result_key(public: PublicView) -> str:
    """Which result a view shows; empty if it shows none."""
    return "" if _result(public.round) is None else str(public.rounds_played)


def _result(shown: RoundView | None) -> Any:
    """The result of a round, as its family tells it; `None` before, and in a family that has no class for it."""
    result = getattr(shown, "result", None)
    return result if isinstance(result, Struct) else None


def is_news(public: PublicView, before: PublicView) -> bool:
    """Whether a view shows the result of a round that was seen in play, in the view `before`."""
    shown, earlier = public.round, before.round
    if result_key(public) in ("", result_key(before)) or shown is None or earlier is None:
        return False
    turned_up = getattr(_result(shown), "hand", ()) is not None  # in Thorin's game a round may end without a challenge
    return turned_up and shown.users == earlier.users


def around_result(public: PublicView, before: PublicView) -> PublicView:
    """A view whose result is news: the result alone is new, and everything that follows from it is as it was `before`.

    Nothing is gathered for the next deal yet, since who takes part in it depends on the result, too.
    """
    units = {entry.user: entry.units for entry in before.units}
    shown, earlier = public.round, before.round
    assert shown is not None
    return replace(
        public,
        units=before.units,
        sheet=(*public.sheet[:-1], replace(public.sheet[-1], units={}, lost=())),
        chairs=tuple(chair and replace(chair, units=units.get(chair.user, 0), ready=False) for chair in public.chairs),
        gathering=None,
        round=replace(shown, **{key: getattr(earlier, key) for key in _KEPT if hasattr(earlier, key)}),
    )
