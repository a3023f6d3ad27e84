import pytest
from hypothesis import given
from hypothesis import strategies as st

from liarspoker.core.cards.deck import RANKS, SUITS, card_text, full_deck
from liarspoker.web.draw import any_suit, card, card_name, raised_hands
from tests.web.draw.markup import of_class, parsed, shapes, shapes_placed
from tools.ornaments.faces import CARD_VIEW, pip_places

NUMBERS = [(rank, RANKS.index(rank) + 2) for rank in RANKS[:9]]
TEXTS = [card_text(number) for number in full_deck(1)]


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize(("rank", "count"), NUMBERS)
def test_a_card_has_as_many_pips_of_its_suit_as_it_says(rank: str, count: int, suit: str) -> None:
    (face,) = shapes_placed(card(rank + suit))
    pips = of_class(face, "pip")
    assert len(pips) == count
    assert {pip.get("href") for pip in pips} == {f"#pip-{suit}"}


@pytest.mark.parametrize("count", range(2, 11))
def test_pips_do_not_touch(count: int) -> None:
    places = pip_places(count)
    for k, (x, y) in enumerate(places):
        assert 20 < x < CARD_VIEW[0] - 20
        assert 15 < y < CARD_VIEW[1] - 15
        assert all(abs(x - a) >= 15 or abs(y - b) >= 17 for a, b in places[:k])


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 8, 9, 10])
def test_pips_look_the_same_upside_down(count: int) -> None:
    width, height = CARD_VIEW
    places = {(round(x), round(y)) for x, y in pip_places(count)}
    assert places == {(width - x, height - y) for x, y in places}


@pytest.mark.parametrize("text", TEXTS)
def test_every_card_of_the_deck_has_a_face_and_a_name(text: str) -> None:
    drawing = card(text)
    (face,) = shapes_placed(drawing)
    assert face.get("id") == f"card-{text}"
    assert parsed(drawing).get("aria-label") == card_name(text)


def test_names_of_cards_differ() -> None:
    assert len({card_name(text) for text in TEXTS}) == len(TEXTS)


def test_a_card_that_is_not_known_shows_its_back() -> None:
    drawing = card("??", small=True)
    assert shapes()["card-back"] in list(shapes_placed(drawing))
    assert parsed(drawing).get("aria-label") == "a card face down"


def test_the_caller_may_name_a_card_or_leave_that_to_the_words_beside_it() -> None:
    assert (
        parsed(card("As", label="ace of spades, part of the hand")).get("aria-label")
        == "ace of spades, part of the hand"
    )
    assert parsed(card("As", label=None)).get("aria-hidden") == "true"


def test_a_lit_card_has_a_tick_and_a_plain_one_has_none() -> None:
    assert of_class(parsed(card("9s", lit=True)), "card-tick")
    assert not of_class(parsed(card("9s")), "card-tick")


def test_a_card_leans_either_way() -> None:
    assert "tilt-left-3" in card("9s", tilt=-3)
    assert "tilt-right-3" in card("9s", tilt=3)
    assert "tilt" not in card("9s")


def test_a_small_card_shows_its_rank_and_suit() -> None:
    drawing = card("Td", small=True)
    assert [element.text for element in parsed(drawing).iter("text")] == ["10"]
    assert {shape.get("id") for shape in shapes_placed(drawing)} == {"pip-d"}


@pytest.mark.parametrize(
    ("rank", "name"), [("3", "a 3"), ("8", "an 8"), ("T", "a 10"), ("A", "an ace"), ("Q", "a queen")]
)
def test_a_rank_in_any_suit_is_named(rank: str, name: str) -> None:
    assert parsed(any_suit(rank)).get("aria-label") == f"{name} of any suit"


@pytest.mark.parametrize("text", ["", "1s", "10d", "Tx", "as"])
def test_what_is_no_card_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        card(text)


def test_what_is_no_rank_or_no_lean_is_told() -> None:
    with pytest.raises(ValueError, match="is no rank"):
        any_suit("1")
    with pytest.raises(ValueError, match="leans by"):
        card("As", tilt=6)


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
