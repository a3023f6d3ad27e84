"""The rules in small print at the foot of every slip; `<b>` is bold."""

from __future__ import annotations

REMINDER = (
    "<b>Rows.</b> Hand 1 is the top row. After each hand go down and skip one unplayed row for every number just "
    "played that ends in an odd digit (0 is even); below the bottom comes the top. Hand 10 is the last, at twice "
    "its stake.",
    "<b>Made:</b> each other player pays the bidder ×1, from level n+3 ×2, n+5 ×3, n+7 ×4 and so on (n players); sixes "
    "twice that; one more if the bidder holds none.",
    "<b>Failed:</b> the bidder pays each ×1. <b>Nobody holds any:</b> each pays the bidder ×(2n−6), so with two or "
    "three players nothing.",
    "<b>Next stake:</b> what the last bid multiplies by, made or not; 2 if its bidder held none.",
)
