"""The rules in small print at the foot of every slip; `<b>` is bold."""

from __future__ import annotations

REMINDER = (
    "<b>Rows.</b> Hand 1 is the top row. Then go down, skip one unplayed row for every player’s number that ended in an "
    "odd digit (0 is even), and play the next; from the bottom go on at the top. Ten rows are played, hand 10 at ×2.",
    "<b>Bid made:</b> n players, each of the others pays the stake ×1; from n+3 ×2, n+5 ×3, n+7 ×4, n+9 ×5; sixes twice "
    "that; bidder holds none, one more. <b>Nobody holds any:</b> bidder wins ×(2n−6), nothing if n is 2 or 3. "
    "<b>Failed:</b> bidder pays each ×1.",
    "<b>Next stake:</b> ×1, ×2 … as the last bid would have paid, made or not; 2 if the bidder held none of the digit.",
)
