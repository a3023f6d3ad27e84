"""A check of an action judges; it must not tell what the hand that is judged holds."""

import httpx2

from liarspoker.core.cards.deck import card_text, full_deck
from tests.server.inprocess import Person, Running

DECK = tuple(map(card_text, full_deck(0)))


def at_the_discard(server: Running) -> tuple[str, Person, Person]:
    """Thorin's game, where the one who acts is about to discard; who acts, and who does not."""
    ann, bob = server.person("Ann"), server.person("Bob")
    table = server.table(ann, bob, game="thorin")
    assert ann.ask(table, do="start")["ok"]
    assert bob.ask(table, do="ready")["ok"]
    for action in ("declare high 76432", "take"):
        acting = next(one for one in (ann, bob) if one.user == ann.view(table)["public"]["to_act"])
        assert acting.ask(table, do="act", turn=ann.view(table)["public"]["turn"], action=action)["ok"], action
    acting = next(one for one in (ann, bob) if one.user == ann.view(table)["public"]["to_act"])
    return table, acting, next(one for one in (ann, bob) if one is not acting)


def test_who_does_not_hold_the_hand_learns_nothing_of_it_by_checking_discards(server: Running) -> None:
    table, acting, other = at_the_discard(server)
    eve = server.person("Eve")

    def check(person: Person, card: str) -> httpx2.Response:
        return person.post(f"/api/tables/{table}/check", {"action": f"discard {card}"})

    held = {card for card in DECK if check(acting, card).json()["legal"]}
    assert held == set(acting.view(table)["you"]["hand"]["hand"])
    for person, code in ((other, "not-your-turn"), (eve, "not-seated")):
        answers = {check(person, card).text for card in DECK}
        assert len(answers) == 1
        assert f'"{code}"' in answers.pop()
    with server.person().socket(table) as socket:
        told = []
        for card in DECK:
            socket.send({"kind": "check", "id": "k", "action": f"discard {card}"})
            told.append(socket.until("checked")["code"])
        assert set(told) == {"not-seated"}
