"""Drawings of probabilities. Only this module imports matplotlib, and only when it draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from liarspoker.core.errors import LiarsPokerError
from liarspoker.files import check_writable, new_file
from liarspoker.games.digits.ladder import digit_of, level_of
from liarspoker.language import _, ngettext, number
from liarspoker.odds.bid_report import BidReport
from liarspoker.odds.bids import unseen_digits
from liarspoker.odds.counts import at_least, distribution
from liarspoker.odds.figures import percent
from liarspoker.records.words import bid_in_words, count_or_no, digit_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg", ".pdf")
"""The supported file name extensions."""
_INK, _MUTED, _GRID = "#14241C", "#5C6A60", "#DAD6CA"
_WINS, _LOSES = "#1B5A42", "#C9BFA5"
_CURVES = ("#1B5A42", "#B5651D", "#1A5796", "#982B22", "#6B4C9A", "#7F7A62", "#2A9D8F")
_VISIBLE = 1e-3


class CannotDraw(LiarsPokerError):
    """The file format isn't supported."""

    code = "cannot-draw"


def draw_bid(report: BidReport, path: Path, overwrite: bool = False) -> None:
    """Draw the distribution of the bid's digit over all hands, with the counts that make the bid in green.

    Args:
        report: the odds of the bid.
        path: the file to write, ending in one of `SUFFIXES`.
        overwrite: whether an existing file may be replaced.

    Raises:
        CannotDraw: the file format isn't supported.
        ImportError: matplotlib can't be imported.
        CannotWrite: the file exists, or can't be written.
    """
    figure, axes = _sheet(path, overwrite)
    rules, own, level = report.rules, report.own, level_of(report.claim, report.rules)
    probabilities = [float(each) for each in distribution(unseen_digits(rules), rules.symbols)]
    shown = [total for total, probability in enumerate(probabilities, own) if probability >= _VISIBLE]
    last = min(own + unseen_digits(rules), max(shown[-1], level))
    totals = range(shown[0], last + 1)
    heights = [probabilities[total - own] if total >= own else 0.0 for total in totals]
    axes.bar(totals, heights, color=[_WINS if total >= level else _LOSES for total in totals], width=0.8)
    axes.axvline(level - 0.5, color=_INK, linewidth=1, linestyle=(0, (4, 3)))
    several = digit_name(digit_of(report.claim, rules), 2, rules)
    _title(axes, f"{bid_in_words(report.claim, rules)}: {percent(report.probability)}", _held(report))
    axes.set_xlabel(
        _("{digits} in all hands; {level} or more make the bid (green)", digits=several, level=level), color=_MUTED
    )
    axes.set_xticks(_ticks(totals))
    _save(figure, path, overwrite)


def draw_chances(players: int, path: Path, overwrite: bool = False) -> None:
    """Draw the probability that the other players hold at least as many of a digit as you need.

    There is a curve for each number of other players, or for seven of these numbers if there are more.

    Args:
        players: the number of players, 2 or more.
        path: the file to write, ending in one of `SUFFIXES`.
        overwrite: whether an existing file may be replaced.

    Raises:
        CannotDraw: the file format isn't supported.
        ImportError: matplotlib can't be imported.
        CannotWrite: the file exists, or can't be written.
    """
    figure, axes = _sheet(path, overwrite)
    drawn = _some(range(1, players), len(_CURVES))
    last = 1
    for others, color in zip(drawn, _CURVES, strict=False):
        probabilities = [float(at_least(8 * others, need)) for need in range(8 * others + 1)]
        needs = [need for need, probability in enumerate(probabilities) if probability >= _VISIBLE]
        last = max(last, needs[-1])
        label = ngettext("{count} other player", "{count} other players", others)
        axes.plot(needs, probabilities[: len(needs)], marker="o", markersize=4, linewidth=1.8, color=color, label=label)
    axes.set_ylim(0, 1.02)
    _title(axes, _("Probability that the others hold what you need"), _("eight random digits each"))
    axes.set_xlabel(_("number of a digit that you need"), color=_MUTED)
    axes.set_xticks(_ticks(range(last + 1)))
    axes.legend(frameon=False, labelcolor=_INK)
    _save(figure, path, overwrite)


def _sheet(path: Path, overwrite: bool) -> tuple[Figure, Axes]:
    """Check that the figure can be saved, and return an empty one."""
    if path.suffix.lower() not in SUFFIXES:
        raise CannotDraw(_("{path}: the file name must end in {endings}", path=path, endings=", ".join(SUFFIXES)))
    check_writable(path, overwrite)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(_MUTED)
    axes.grid(axis="y", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_MUTED, length=0)
    axes.yaxis.set_major_formatter(lambda height, _place: _("{number}%", number=number(f"{100 * height:.4g}")))
    return figure, axes


def _title(axes: Axes, title: str, below: str) -> None:
    axes.set_title(f"{title}\n", loc="left", color=_INK, fontsize=15, fontweight="bold")
    axes.text(0, 1.03, below, transform=axes.transAxes, color=_MUTED, fontsize=11)


def _held(report: BidReport) -> str:
    rules = report.rules
    return ngettext(
        "you hold {held}; one other player; {game}",
        "you hold {held}; {count} other players; {game}",
        rules.seats - 1,
        held=count_or_no(report.own, digit_of(report.claim, rules), rules),
        game=report.game,
    )


def _some(values: range, most: int) -> list[int]:
    """Return at most `most` of the values, evenly spaced, including the first and the last.

    >>> _some(range(1, 4), 7), _some(range(1, 16), 3)
    ([1, 2, 3], [1, 8, 15])
    """
    if len(values) <= most:
        return list(values)
    return [values[round(index * (len(values) - 1) / (most - 1))] for index in range(most)]


def _ticks(values: range) -> list[int]:
    """Return integer tick positions, thinned out if there are many."""
    return list(values[:: len(values) // 20 + 1])


def _save(figure: Figure, path: Path, overwrite: bool) -> None:
    """Write the figure reproducibly, without dates."""
    import matplotlib

    dateless = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    suffix = path.suffix.lower()
    with matplotlib.rc_context({"svg.hashsalt": "liarspoker"}), new_file(path, overwrite) as file:
        figure.savefig(file, format=suffix[1:], dpi=150, metadata=dateless[suffix])
