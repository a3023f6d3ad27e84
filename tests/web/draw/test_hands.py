import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.web.draw import raised_hands
from tests.web.draw.markup import of_class, parsed, shapes_placed


@given(st.integers(0, 40))
def test_as_many_fingers_are_raised_as_are_counted(count: int) -> None:
    hands = list(shapes_placed(raised_hands(count)))
    assert sum(len(of_class(hand, "finger")) for hand in hands) == count
    assert len(hands) == max(1, -(-count // 5))


def test_nothing_is_a_fist() -> None:
    (hand,) = shapes_placed(raised_hands(0))
    assert hand.get("id") == "hand-0"


def test_the_left_of_two_hands_is_mirrored() -> None:
    left, right = parsed(raised_hands(7)).iter("use")
    assert "scale(-1 1)" in left.get("transform", "")
    assert right.get("transform") is None


def test_fewer_than_none_is_told() -> None:
    with pytest.raises(ValueError, match="nobody raises -1"):
        raised_hands(-1)
