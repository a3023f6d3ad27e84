"""The distribution of a count as bars, and the bars as text."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from liarspoker.language import LANGUAGES, speaking
from liarspoker.odds.bars import FAILS, MAKES, CountBar, bars_as_text, count_bars
from liarspoker.odds.counts import at_least, distribution

digits_unseen = st.integers(1, 130)
symbols_in_play = st.integers(2, 10)


@given(data=st.data(), digits=digits_unseen, symbols=symbols_in_play)
def test_bars_are_the_whole_distribution_and_cut_it_at_the_bid(data: st.DataObject, digits: int, symbols: int) -> None:
    need = data.draw(st.integers(1, digits))
    bars = count_bars(need, digits, symbols)[0]
    assert sum(bar.probability for bar in bars) == 1
    assert sum(bar.probability for bar in bars if bar.makes) == at_least(digits, need, symbols)
    assert len({bar.label for bar in bars}) == len(bars) <= 14
    exact = distribution(digits, symbols)
    covered = [counts_of(bar.label, digits) for bar in bars]
    assert [count for counts in covered for count in counts] == list(range(digits + 1))
    for bar, counts in zip(bars, covered, strict=True):
        assert bar.probability == sum(exact[count] for count in counts)
        assert {count >= need for count in counts} == {bar.makes}


def counts_of(label: str, digits: int) -> range:
    """Return the counts that the label of a bar means."""
    if label.startswith("≤"):
        return range(int(label[1:]) + 1)
    if label.endswith("+"):
        return range(int(label[:-1]), digits + 1)
    first, _dash, last = label.partition("–")
    return range(int(first), int(last or first) + 1)


@given(data=st.data(), digits=digits_unseen, symbols=symbols_in_play, width=st.integers(20, 120))
def test_lines_of_text_fit_and_their_bars_are_in_proportion(
    data: st.DataObject, digits: int, symbols: int, width: int
) -> None:
    bars = count_bars(data.draw(st.integers(1, digits)), digits, symbols)[0]
    for code in LANGUAGES:
        with speaking(code):
            lines = bars_as_text(bars, width)
        assert max(map(len, lines)) == width, "the longest bar fills the line"
        lengths = [len(line) - len(line.rstrip(MAKES + FAILS)) for line in lines]
        for bar, length in zip(bars, lengths, strict=True):
            assert abs(length - max(lengths) * bar.probability / max(one.probability for one in bars)) <= Fraction(1, 2)
        for bar, line in zip(bars, lines, strict=True):
            assert line.split()[0] == bar.label
            assert (FAILS if bar.makes else MAKES) not in line


def test_text_of_bars_without_a_length_has_no_space_at_its_end() -> None:
    bars = [CountBar("0", Fraction(999, 1000), False), CountBar("1+", Fraction(1, 1000), True)]
    assert bars_as_text(bars, 30) == ["   0  99.90%  ----------------", "  1+   0.10%"]
