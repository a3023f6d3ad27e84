"""The distribution of a digit's count among unseen digits as a few bars, for charts of pages and of terminals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from liarspoker.odds.counts import distribution
from liarspoker.odds.figures import percent

MAKES, FAILS = "#", "-"
"""What a bar of text is made of: counts that make the bid, and counts that don't."""

_BARS = 12
_RARE = Fraction(1, 2000)


@dataclass(frozen=True, slots=True)
class CountBar:
    """Neighbouring counts that share a bar.

    Attributes:
        label: the counts: `3`, `2–3`, or with all lower or higher ones `≤3` or `9+`.
        probability: their probability, 0 to 1.
        makes: whether they make the bid.
    """

    label: str
    probability: Fraction
    makes: bool


def count_bars(need: int, digits: int, symbols: int = 10) -> tuple[tuple[CountBar, ...], bool]:
    """Return the bars of the distribution of a digit's count, and whether a bar covers several counts.

    The probabilities sum to 1: the first and the last bar include all rarer counts.

    Args:
        need: how many of the digit the others must hold, 1 or more; bars from here on make the bid.
        digits: how many digits the others hold.
        symbols: the number of digits in play.

    >>> bars, grouped = count_bars(2, 8)
    >>> [(bar.label, float(round(bar.probability, 3)), bar.makes) for bar in bars[:3]], grouped
    ([('0', 0.43, False), ('1', 0.383, False), ('2', 0.149, True)], False)
    """
    probabilities = distribution(digits, symbols)
    likely = [count for count, probability in enumerate(probabilities) if probability >= _RARE]
    low, high = likely[0], likely[-1]
    step = -(-(high - low + 1) // _BARS)
    start = low - (low - need) % step
    starts = [*range(start, high + 1, step), *([need] if high < need <= digits else ())]
    if 0 < need <= start:  # the rare counts below the bid don't make it, so they have a bar of their own
        starts = [0, need, *starts[1:]]
    bars = []
    for begin, stop in pairwise([*starts, digits + 1]):
        first = 0 if begin == starts[0] else begin
        probability = sum(probabilities[first:stop], Fraction(0))
        bars.append(CountBar(_label(first, stop - 1, digits, low > 0), probability, begin >= need))
    return tuple(bars), step > 1


def _label(first: int, last: int, digits: int, is_cut: bool) -> str:
    """Return the label of the counts from `first` to `last`; `is_cut` if the lowest counts are rare."""
    if first == last:
        return str(first)
    if last == digits:
        return f"{first}+"
    return f"≤{last}" if first == 0 and is_cut else f"{first}–{last}"


def bars_as_text(bars: Sequence[CountBar], width: int = 78) -> list[str]:
    """Return a line of text for each bar: its counts, their probability in percent, and the bar itself.

    The longest bar fills the line. Bars that make the bid consist of `MAKES`, others of `FAILS`.

    Args:
        bars: the bars, at least one of them with a probability above 0.
        width: the maximum length of a line, in characters; 20 or more.

    >>> print(*bars_as_text(count_bars(2, 8)[0][:3], width=40), sep=chr(10))
      0  43.05%  ---------------------------
      1  38.26%  ------------------------
      2  14.88%  #########
    """
    figures = [percent(bar.probability) for bar in bars]
    left, right = max(len(bar.label) for bar in bars), max(map(len, figures))
    room, highest = width - left - right - 6, max(bar.probability for bar in bars)
    return [
        f"  {bar.label:>{left}}  {figure:>{right}}  "
        f"{(MAKES if bar.makes else FAILS) * round(room * bar.probability / highest)}".rstrip()
        for bar, figure in zip(bars, figures, strict=True)
    ]
