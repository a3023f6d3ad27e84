"""Statistics of many hands of a digit game, and their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from liarspoker.coach.statistics import Statistics, digit_blocks, digit_record_statistics
from liarspoker.engine.lineup import Policy
from liarspoker.engine.table import Table
from liarspoker.records import Replay

LEGEND = """\
above: levels above the expectation; held: how many of the digit the bidder
holds; units: what the bidder wins in the hand; from 1: units, position 1 only"""


class DigitStatistics:
    """How the hands of the digit games are counted; see `liarspoker.coach.statistics.FamilyStatistics`."""

    legend = LEGEND

    def blocks(
        self, table: Table, number: int, seed: int, policies: Sequence[Policy | str], *, threads: int = 1
    ) -> Iterator[Statistics]:
        """Yield the statistics of each block of hands."""
        return digit_blocks(table, number, seed, policies, threads=threads)

    def of_record(self, replay: Replay) -> Statistics:
        """Return the statistics of the counted hands of a record."""
        return digit_record_statistics(replay)

    def lines(self, table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
        """Yield the figures as text, without a title; nothing if there are no hands."""
        if not table["hands"]:
            return
        parts = (_positions, _bids, _final_bids, _bids_by_position)
        yield from (line for part in parts for line in ("", *part(table, heading)))
        shares = (f"{name} {count / table['hands']:.1%}" for name, count in table["outcomes"].items() if count)
        lengths = [int(length) for length in table["lengths"]]
        yield from ("", f"final bids: {', '.join(shares)}")
        yield f"actions per hand: {table['actions'] / table['hands']:.2f}, from {min(lengths)} to {max(lengths)}"


STATISTICS = DigitStatistics()


def _positions(table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
    """Yield what each position wins, and how many actions of each kind it makes per hand."""
    yield heading("position  units per hand  95% interval    bids  challenges  rebids  counts")
    for one in table["positions"]:
        bids, challenges, rebids, counts = (
            f"{one[kind] / table['hands']:.3f}" for kind in ("bids", "challenges", "rebids", "counts")
        )
        units = _units(one["units_per_hand"], 14)
        yield f"{one['position']:8}  {units}  {bids:>6}  {challenges:>10}  {rebids:>6}  {counts:>6}"


def _bids(table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
    """Yield the bids of each level."""
    yield heading("bids of  above  per hand  bluffs  held  challenged     units  95% interval")
    for one in table["levels"]:
        held = "-" if one["held"] is None else f"{one['held']:.2f}"
        yield (
            f"{_level(one)}  {one['bids'] / table['hands']:8.4f}  {_share(one['bluffs'], one['known']):>6}  {held:>4}  "
            f"{_share(one['challenged'], one['bids']):>10}  {_units(one['units'], 8)}"
        )


def _final_bids(table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
    """Yield the bids of each level that were counted."""
    yield heading("counted  above  of hands   stood     units  95% interval")
    for one in table["levels"]:
        if one["counted"]:
            yield (
                f"{_level(one)}  {_share(one['counted'], table['hands']):>8}  "
                f"{_share(one['stood'], one['counted']):>6}  {_units(one['counted_units'], 8)}"
            )


def _bids_by_position(table: Mapping[str, Any], heading: Callable[[str], str]) -> Iterator[str]:
    """Yield the units of the bids of each level, by position."""
    found = [{one["level"]: one["units"]["mean"] for one in position["levels"]} for position in table["positions"]]
    names = (f"from {position}" for position in range(len(found)))
    yield heading("bids of  above" + "".join(f"{name:>9}" for name in names))
    for one in table["levels"]:
        cells = (units.get(one["level"]) for units in found)
        yield _level(one) + "".join(f"{'-':>9}" if mean is None else f"{mean:+9.3f}" for mean in cells)


def _level(one: dict[str, Any]) -> str:
    return f"{one['level']:7}  {one['above_expectation']:+5.1f}"


def _units(one: dict[str, float | None], width: int) -> str:
    """Return the columns of a mean and its interval."""
    half = "-" if one["half_width"] is None else f"± {one['half_width']:.4f}"
    return f"{one['mean']:+{width}.4f}  {half:>12}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"
