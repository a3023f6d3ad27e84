"""Statistics of many rounds of a card game as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

LEGEND = """\
bluffs: claims more likely false than true, given what the claimant sees; false:
claims that were false when they were answered; stood: of those challenged;
loses: how often the claimant, or the player in a position, loses the round"""

_OUTCOMES = {
    "failed": "claim false",
    "stood": "claim true",
    "thrown_in": "thrown in",
    "took_top": "took the top",
}

_MOST_COLUMNS = 7
"""The most positions side by side, which fit 80 columns; the others follow below."""


def lines(table: Mapping[str, Any], actions: Sequence[str], heading: Callable[[str], str]) -> Iterator[str]:
    """Yield the figures of a table of `liarspoker report`, without its title; nothing if there are no rounds.

    Args:
        table: the figures, as in `liarspoker report --json`.
        actions: the names of the kinds of actions.
        heading: returns a heading as the terminal shows it.
    """
    if not table["rounds"]:
        return
    if table["matches"]:
        yield from ("", heading("position  units per game  95% interval"))
        for one in table["units_per_match"]:
            half = "-" if one["half_width"] is None else f"± {one['half_width']:.4f}"
            yield f"{one['position']:8}  {one['mean']:+14.4f}  {half:>12}"
    yield from ("", *_kinds(table, heading))
    for part in table["by_players"]:
        yield from ("", *_players(part, actions, heading))


def _kinds(table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
    """Yield the claims of each kind."""
    yield heading("claims of            a round  bluffs   false  challenged   stood           loses")
    for one in table["kinds"]:
        yield (
            f"{one['kind']:20} {one['claims'] / table['rounds']:7.4f}  {_share(one['bluffs'], one['known']):>6}  "
            f"{_share(one['false'], one['judged']):>6}  {_share(one['challenged'], one['claims']):>10}  "
            f"{_share(one['stood'], one['challenged']):>6}  {_losses(one['losses']):>14}"
        )


def _players(part: Mapping[str, Any], actions: Sequence[str], heading: Callable[[str], str]) -> Iterator[str]:
    """Yield the rounds with a number of players still in: how they end, and what each position does."""
    rounds, positions = part["rounds"], part["positions"]
    yield heading(f"{part['players']} players in: {rounds:,} {'round' if rounds == 1 else 'rounds'}")
    lengths = [int(length) for length in part["lengths"]]
    yield f"actions per round: {part['actions'] / rounds:.2f}, from {min(lengths)} to {max(lengths)}"
    outcomes = ", ".join(f"{_OUTCOMES[name]} {count / rounds:.1%}" for name, count in part["outcomes"].items() if count)
    yield f"outcomes: {outcomes}"
    yield from ("", heading("position           loses" + "".join(f"{name:>11}" for name in actions)))
    for one in positions:
        made = "".join(f"{one[name] / rounds:11.3f}" for name in actions)
        yield f"{one['position']:8}  {_losses(one['losses_per_round']):>14}{made}"
    for name, of, whole in (
        ("claims", "claims", ""),
        ("bluffs", "bluffs", "known"),
        ("challenged", "challenged", "claims"),
    ):
        yield from ("", *_by_position(part, name, of, whole, heading))


def _by_position(
    part: Mapping[str, Any], name: str, of: str, whole: str, heading: Callable[[str], str]
) -> Iterator[str]:
    """Yield a figure of each kind of claims by position: a share of `whole`, or the number a round."""
    found = [(one["position"], {kind["kind"]: kind for kind in one["kinds"]}) for one in part["positions"]]
    for begun in range(0, len(found), _MOST_COLUMNS):
        columns = found[begun : begun + _MOST_COLUMNS]
        yield heading(f"{name + ' of':20}" + "".join(f"{f'from {position}':>8}" for position, _kinds in columns))
        for kind in (one["kind"] for one in part["kinds"]):
            rows = [kinds.get(kind) for _position, kinds in columns]
            if whole:
                cells = ["-" if row is None else _share(row[of], row[whole]) for row in rows]
            else:
                cells = ["-" if row is None else f"{row[of] / part['rounds']:.3f}" for row in rows]
            yield f"{kind:20}" + "".join(f"{cell:>8}" for cell in cells)


def _losses(one: Mapping[str, float | None]) -> str:
    """Return how often rounds were lost, with its interval."""
    half = "" if one["half_width"] is None else f" ± {one['half_width']:.1%}"
    return f"{one['mean']:.1%}{half}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"
