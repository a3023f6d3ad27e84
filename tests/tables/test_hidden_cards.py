"""No card that somebody may not see is told to him, in whatever part of what he is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from liarspoker.core.cards.deck import card_text
from liarspoker.tables import view
from liarspoker.tables.export import records_of
from liarspoker.tables.state import Table
from tests.inside import inside
from tests.tables.play import Played, as_json, new_table, with_more

CARD = re.compile(r"[2-9TJQKA][cdhs]")
USERS = tuple(f"user-{number}" for number in range(4))


def texts(told: Any) -> Iterator[str]:
    """Every text in what was told, but for promises and roots."""
    if isinstance(told, dict):
        for key, value in told.items():
            if key not in ("commitment", "root", "nonces", "nonce_commitments"):
                yield from texts(value)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from texts(value)
    elif isinstance(told, str):
        yield told


def cards_told(table: Table, user: str | None) -> set[str]:
    told: list[Any] = [view.public(table), [] if user is None else view.private(table, user), records_of(table, user)]
    found = {card for text in texts(as_json(told)) for card in CARD.findall(text)}
    return found | {card for text in texts(as_json(told)) for card in CARD.findall(text[::-1])}


def hidden_cards(table: Table, user: str | None) -> set[str]:
    """The cards in play that `user` has not seen in this round."""
    assert table.sitting is not None
    dealt, seat = inside(table.sitting.session).round, table.sitting.seat_of(user)
    seen = inside(table.sitting.session).view(seat)
    if table.settings.game == "thorin":
        own = {card for stint in dealt.stints if stint.seat == seat for card in (*stint.taken, *stint.drawn)}
        return set(map(card_text, {*dealt.stock.deck} - own))
    everything = {card for hand in dealt.hands for card in hand} | set(dealt.deck)
    return set(map(card_text, everything - set(seen.known)))


def dealt_once(game: str, seed: int) -> Played:
    played = new_table(game, 4, seed)
    played.make_ready()
    return played


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", ["thorin", "queen-annes", "queen-annes-indian", "queen-annes-stud"])
def test_no_card_is_told_to_who_has_not_seen_it(game: str, seed: int) -> None:
    played = dealt_once(game, seed)
    while played.table.stage == "round":
        for user in (*USERS, None):
            assert not cards_told(played.table, user) & hidden_cards(played.table, user)
        played.act()


LEAKS: dict[str, Callable[[tuple[int, ...]], Any]] = {
    "as a list": lambda cards: list(map(card_text, cards)),
    "in one word": lambda cards: "".join(map(card_text, cards)),
    "in a sentence": lambda cards: f"it may well be {card_text(cards[0])}",
    "backwards": lambda cards: "".join(map(card_text, cards))[::-1],
}


@pytest.mark.parametrize("form", LEAKS)
def test_a_card_that_is_told_all_the_same_is_found(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    played = dealt_once("thorin", 3)
    honest = view.public

    def leaking(table: Table, behind: bool = False) -> Any:
        assert table.sitting is not None
        return with_more(honest(table, behind), hint=LEAKS[form](inside(table.sitting.session).round.hand))

    monkeypatch.setattr(view, "public", leaking)
    assert cards_told(played.table, None) & hidden_cards(played.table, None)
