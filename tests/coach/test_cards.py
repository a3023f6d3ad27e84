"""Reviews of card games: deals that agree with what a seat knows, exact odds, playouts, and secrets."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import liarspoker
from liarspoker.bots import catalogue as bots
from liarspoker.coach.cards.positions import LEAST, CardPosition, chance_of, weighed
from liarspoker.coach.cards.review import BLUFF, CardReview, decided, table_at
from liarspoker.coach.cards.review import CardEffort as Effort
from liarspoker.coach.decisions import Appraisal, Value
from liarspoker.coach.report import report
from liarspoker.coach.verdicts import VERDICTS
from liarspoker.coach.words import hand_in_words, summary, wording_of
from liarspoker.core.cards.deck import JOKER, full_deck, mask_of
from liarspoker.engine.errors import CannotPlay
from liarspoker.engine.finish import Finisher
from liarspoker.games.queen_annes.ladder import named_hand
from liarspoker.games.queen_annes.review import PoolPosition
from liarspoker.games.queen_annes.state import sees_extra, sees_hand
from liarspoker.games.thorin.known_discards import discards_known_in
from liarspoker.games.thorin.review import LIES, HandPosition
from liarspoker.games.thorin.table import recorded
from liarspoker.language import LANGUAGES, speaking
from liarspoker.odds.pools import partial_pool
from liarspoker.records import replay
from liarspoker.records.family import record_format, sessions_of_round

GOLDEN = Path(__file__).parents[1] / "records" / "golden"
POOLS = ("queen-annes", "queen-annes-indian", "queen-annes-stud")
DEAL = [["7h", "2c", "9d", "4s", "Js"], ["8h", "3c", "9s", "4d", "Jd"], ["Kh", "Qc", "9c", "5s", "Ts"]]
POSITIONS = {"thorin": HandPosition} | dict.fromkeys(POOLS, PoolPosition)


def positions(game: str, seats: int, seed: int, options: dict[str, object] | None = None) -> list[CardPosition]:
    """Return the positions of a round in which everybody plays at random, but seldom challenges early."""
    chance = Random(seed)
    session: Any = liarspoker.load(game).session(seats, liarspoker.load(game).options(options or {}))
    sessions = [session.deal(session.chance_spec().draw(chance.randrange))]
    found, table = [], table_at(game, session)
    while sessions[-1].in_play and len(sessions) < 14:
        legal = sessions[-1].legal()
        claims = legal.claims[: 1 + len(legal.claims) // 8]
        answers = [answer for answer in legal.answers if answer != -1] or list(legal.answers)
        found.append(POSITIONS[game](table, tuple(sessions)))
        action = (
            chance.choice(claims) if claims and (not legal.answers or chance.random() < 0.8) else chance.choice(answers)
        )
        sessions.append(sessions[-1].apply(action))
    return cast(list[CardPosition], found)


def cards_in(mask: int) -> list[int]:
    return [*(card for card in range(JOKER) if mask >> card & 1), *[JOKER] * (mask >> JOKER)]


@settings(deadline=None, max_examples=25)
@given(game=st.sampled_from(POOLS), seats=st.integers(2, 5), seed=st.integers(0, 10**6), jokers=st.integers(0, 2))
def test_pools_agree_with_what_a_seat_sees(game: str, seats: int, seed: int, jokers: int) -> None:
    for position in positions(game, seats, seed, {"jokers": jokers}):
        assert isinstance(position, PoolPosition)
        lines = position.deals(20, np.random.default_rng(seed)).lines
        dealt = position.sessions[-1].round
        assert dealt is not None
        owners: list[tuple[int, bool | None]] = [(owner, None) for owner, hand in enumerate(dealt.hands) for _ in hand]
        owners += [(extra.seat, extra.face_up) for extra in dealt.extras]
        blind = game == "queen-annes-indian"
        for line in lines:
            deck = line.deck[: 52 + jokers].tolist()
            assert Counter(deck) == Counter(full_deck(jokers))
            for seat in dealt.terms.alive:
                seen = [
                    deck[place]
                    for place, (owner, up) in enumerate(owners)
                    if (sees_hand(seat, owner, blind) if up is None else sees_extra(seat, owner, up))
                ]
                assert line.known[seat] == mask_of(seen)
                if seat == position.seat:
                    assert sorted(seen) == sorted(position.sessions[-1].view(seat).known)
            assert line.dealt == len(owners)


@settings(deadline=None, max_examples=25)
@given(seats=st.integers(2, 5), seed=st.integers(0, 10**6), jokers=st.integers(0, 2))
def test_hands_that_are_passed_on_agree_with_what_a_seat_sees(seats: int, seed: int, jokers: int) -> None:
    for position in positions("thorin", seats, seed, {"jokers": jokers}):
        assert isinstance(position, HandPosition)
        deals = position.deals(20, np.random.default_rng(seed))
        view, dealt = position.sessions[-1].view(position.seat), position.sessions[-1].round
        assert dealt is not None
        assert (deals.weights > 0).all()
        for line in deals.lines:
            stock, pile = line.stock[: view.stock_left].tolist(), line.pile[: view.discards].tolist()
            hand = cards_in(int(line.hand))
            assert Counter((*stock, *pile, *hand)) == Counter(full_deck(jokers))
            if view.hand is not None:
                assert hand == sorted(view.hand)
            assert not Counter(discards_known_in(view)) - Counter(pile), "discards that the seat knows are in the pile"


@pytest.mark.parametrize("game", POOLS)
def test_the_odds_are_exact_and_deals_without_anything_heard_have_them(game: str) -> None:
    checked = 0
    for seed in range(6):
        for position in positions(game, 3, seed):
            if position.standing < 0:
                continue
            chance = np.random.default_rng(seed)
            session = position.sessions[-1]
            view, rules = session.view(position.seat), session.setup.rules
            exact = partial_pool(view.known, view.hidden, rules).probability(named_hand(position.standing, rules))
            assert position.odds(chance) == pytest.approx(float(exact), abs=1e-12)
            unheard = chance_of(position.standing, position, position.deals(10_000, chance, hears=False))
            assert unheard == pytest.approx(float(exact), abs=0.025)
            checked += 1
    assert checked > 10


def test_a_claim_makes_the_cards_that_it_names_likelier() -> None:
    text = (GOLDEN / "queen-annes.toml").read_text()
    found = reviewed(liarspoker.read_toml(text), hand=1)
    bob, cyd, ann = (decision for decision in found.hands[0].decisions[1:4])
    for decision in (bob, cyd, ann):
        assert decision is not None
        assert decision.truth is not None
        assert decision.odds is not None
        assert decision.truth >= decision.odds
    assert cyd is not None
    assert cyd.truth is not None
    assert cyd.odds is not None
    assert cyd.truth - cyd.odds > 0.2


def reviewed(replay: liarspoker.Replay, **named: Any) -> CardReview:
    found = liarspoker.review(replay, **{"playouts": 400, **named})
    assert isinstance(found, CardReview)
    return found


@pytest.mark.parametrize("game", ["queen-annes", "queen-annes-indian"])
def test_rounds_are_finished_as_sessions_are(game: str) -> None:
    """The Beginner doesn't play at random, and these games deal nothing after the start: the loser must be the same."""
    table, bot = table_at(game, liarspoker.load(game).session(3)), bots.load("beginner", "queen_annes")
    finish = Finisher(table, ["uniform", "beginner"])
    lineup, compared = np.ones(3, np.int64), 0
    for seed in range(12):
        for position in positions(game, 3, seed):
            assert isinstance(position, PoolPosition)
            deals = position.deals(1, np.random.default_rng(seed))
            before = position.sessions[-1]
            dealt = before.round
            assert dealt is not None
            deals.lines["deck"][0, : len(dealt.pool)] = dealt.pool
            for seat in range(3):
                deals.lines["known"][0, seat] = mask_of(before.view(seat).known)
            for action in (*before.legal().claims[:2], *(a for a in before.legal().answers if a == -1)):
                session, lines = before.apply(action), deals.lines.copy()
                while session.in_play:
                    assert session.to_act is not None
                    session = session.apply(bot(session.view(session.to_act), Random(0)))
                finish(lines, position.moves, np.array([action]), 1, lineup)
                assert session.round_result is not None
                assert lines[0].loser == session.round_result.loser
                compared += 1
    assert compared > 50


@pytest.mark.parametrize("game", ["queen-annes", "thorin"])
def test_a_challenge_is_worth_what_the_probability_says(game: str) -> None:
    for position in positions(game, 4, 5):
        if position.standing < 0:
            continue
        decision, _hands = decided(position, "bluffer+binomial", -1, Effort(4000, 1, 1), 1)
        assert decision.appraisal is not None
        assert decision.truth is not None
        value = next(value for value in decision.appraisal.values if value.action == -1)
        assert value.mean == pytest.approx((1 - decision.truth) / 3 - decision.truth, abs=value.half_width + 0.03)


@pytest.mark.parametrize("game", ["queen-annes", "queen-annes-indian", "thorin"])
def test_a_review_does_not_depend_on_cards_that_a_seat_can_not_see(game: str) -> None:
    position = next(one for one in positions(game, 3, 8) if one.standing >= 0)
    session = position.sessions[-1]
    if game == "thorin":
        hidden = tuple(reversed(session.round.stock.deck[5:]))
        other = replace(session.round, hand=hidden[:5], stock=replace(session.round.stock, deck=hidden))
        stints = tuple(stint._replace(taken=hidden[:5]) for stint in other.stints if stint.seat != position.seat)
        other = replace(other, stints=stints)
    else:
        seen = set(session.view(position.seat).known)
        unseen = iter(sorted(set(range(52)) - seen, reverse=True))
        hands = tuple(tuple(card if card in seen else next(unseen) for card in hand) for hand in session.round.hands)
        other = replace(session.round, hands=hands)
        assert hands != session.round.hands
    changed = [
        replace(one, round=replace(other, state=one.round.state, moves=one.round.moves)) for one in position.sessions
    ]
    again = type(position)(position.table, tuple(changed))
    effort = Effort(300, 3, 1)
    action = -1
    assert decided(position, "bluffer+binomial", action, effort, 1) == decided(
        again, "bluffer+binomial", action, effort, 1
    )


RECORDS = ("queen-annes", "queen-annes-indian", "queen-annes-stud", "thorin-annie", "thorin-variants", "thorin-unknown")


@pytest.mark.parametrize("name", RECORDS)
def test_the_golden_records_are_reviewed_in_every_language(name: str) -> None:
    replay = liarspoker.read_toml((GOLDEN / f"{name}.toml").read_text())
    found = reviewed(replay, playouts=60)
    assert json.loads(json.dumps(report(found)))["hands"]
    arrays = found.arrays()
    rows = 0
    for hand in found.hands:
        for place, (claimed, decision) in enumerate(zip(hand.heard, hand.decisions, strict=True)):
            if decision is not None:
                assert decision.appraisal is not None
                assert decision.appraisal.verdict in VERDICTS
                assert arrays.loss[rows] == decision.appraisal.loss
                assert {value.action for value in decision.appraisal.values} >= {claimed.action}
                assert all(-1 <= value.mean <= 1 for value in decision.appraisal.values)
            if claimed.hands is not None:
                assert sum(share for _word, share in claimed.hands) == pytest.approx(1)
            assert (claimed.bluff is not None) == (claimed.chance is not None and claimed.chance < BLUFF)
            assert arrays.action[rows] == claimed.action, place
            rows += 1
    assert rows == len(arrays.seat)
    for language in LANGUAGES:
        with speaking(language):
            text = "\n".join(line for hand in found.hands for line in hand_in_words(found, hand))
            text += "\n" + "\n".join(summary(found))
        assert "{" not in text
        assert language != "en" or max(map(len, text.splitlines())) <= 80


def test_a_review_repeats_itself_whatever_the_number_of_processes() -> None:
    replay = liarspoker.read_toml((GOLDEN / "queen-annes.toml").read_text())
    once, again = (report(reviewed(replay, playouts=200, jobs=jobs)) for jobs in (1, 2))
    assert once == again
    assert once != report(reviewed(replay, playouts=200, seed=2))


def test_only_the_seat_that_is_asked_for_is_reviewed() -> None:
    replay = liarspoker.read_toml((GOLDEN / "thorin-annie.toml").read_text())
    found = reviewed(replay, seat=1, hand=1)
    assert {one.seat for one in found.hands[0].decisions if one is not None} == {1}
    assert [claimed.chance is not None for claimed in found.hands[0].heard].count(True) == 1


def test_models_are_bots_of_the_game() -> None:
    replay = liarspoker.read_toml((GOLDEN / "queen-annes.toml").read_text())
    assert reviewed(replay, hand=2, model="beginner").model == "beginner"
    for wrong in ("bluffer+nobody", "", "bluffer+bluffer", "bluffer+binomial+beginner"):
        with pytest.raises(
            CannotPlay, match=r"it must be a bot, or two with \+ between; the bots are uniform, beginner"
        ):
            reviewed(replay, model=wrong)


@settings(deadline=None, max_examples=40)
@given(spread=st.floats(0, 2_000), size=st.integers(LEAST, 20_000), seed=st.integers(0, 2**32 - 1), only=st.booleans())
def test_no_deal_outweighs_all_others(spread: float, size: int, seed: int, only: bool) -> None:
    logarithms = spread * np.random.default_rng(seed).random(size)
    logarithms[0] = 3 * spread if only else logarithms[0]
    weights = weighed(logarithms)
    assert np.isfinite(weights).all()
    assert weights.sum() ** 2 / (weights**2).sum() >= 0.99 * min(LEAST, size / 10)
    assert (np.diff(weights[np.argsort(logarithms)]) >= 0).all(), "likelier deals don't count less"


def test_a_long_round_of_unlikely_claims_is_reviewed_alike_with_every_seed() -> None:
    claims = [f"claim flush {ranks} {suit}" for ranks in ("97532", "98532", "T8532", "J8532") for suit in "cdhs"]
    record = {"lpn": 1, "game": "queen-annes", "players": ["Ann", "Ben", "Cy"], "rounds": [{"deal": DEAL}]}
    record["rounds"][0]["actions"] = [*claims, *(f"claim straight-flush {top} h" for top in "56789TJQ"), "challenge"]  # type: ignore[index]
    replay = liarspoker.replay(record)
    assert replay.fault is None
    last = [reviewed(replay, seat=0, seed=seed, playouts=60).hands[0].decisions[-1] for seed in (1, 2, 3)]
    truths = [one.truth for one in last if one is not None and one.truth is not None]
    assert len(truths) == 3
    assert max(truths) - min(truths) < 0.05
    assert {one.appraisal.verdict for one in last if one is not None and one.appraisal is not None} == {"best"}


def test_who_believed_a_claim() -> None:
    out_of_turn = {
        "lpn": 1,
        "game": "queen-annes",
        "players": ["Ann", "Ben", "Cy"],
        "options": {"who_may_challenge": "anyone"},
        "rounds": [
            {
                "deal": [
                    ["7h", "2c", "9d", "4s", "Js"],
                    ["8h", "3c", "9s", "4d", "Jd"],
                    ["Kh", "Qc", "9c", "5s", "Ts"],
                ],
                "actions": ["claim pair 7", "claim royal-flush s", "challenge 0"],
            }
        ],
    }
    found = reviewed(liarspoker.replay(out_of_turn), playouts=60)
    assert [claimed.was_believed for claimed in found.hands[0].heard] == [True, None, None]
    assert found.hands[0].decisions[2] is None
    assert "believed" not in wording_of(found.hands[0]).about_bluff(1)
    passed = {
        "lpn": 1,
        "game": "thorin",
        "players": ["Ann", "Ben", "Cy"],
        "options": {"passes": 1},
        "rounds": [
            {"deck": ["7s", "3d", "7d", "9h", "3c"], "actions": ["declare pair A", "pass", "take", "discard -"]},
        ],
    }
    passed["rounds"][0]["actions"] += ["declare three A", "challenge"]  # type: ignore[index]
    heard = reviewed(liarspoker.replay(passed), playouts=60).hands[0].heard
    assert [claimed.was_believed for claimed in heard] == [None, None, None, None, False, None]


def test_a_better_declaration_is_called_a_lie_if_it_is_one() -> None:
    record = {
        "lpn": 1,
        "game": "thorin",
        "players": ["Ann", "Ben"],
        "rounds": [{"deck": ["7s", "3d", "7d", "9h", "3c"]}],
    }
    record["rounds"][0]["actions"] = ["declare pair 7", "challenge"]  # type: ignore[index]
    [hand] = reviewed(liarspoker.replay(record), seat=0, playouts=60).hands
    decision = hand.decisions[0]
    assert decision is not None
    assert decision.appraisal is not None
    true, lie = (hand.sessions[0].read(f"declare {text}") for text in ("two-pair 73", "four A"))

    def said(best: int) -> str:
        appraisal = Appraisal("bluffer", tuple(Value(one, 0.0, 0.0) for one in (best, decision.action)), 0.5, 0.0)
        one = replace(decision, appraisal=appraisal, chances={true: 1.0, lie: 0.0, decision.action: 1.0})
        return wording_of(replace(hand, decisions=(one, None))).reasons(0)[0]

    assert said(true).startswith("It was true, but declaring two pair, sevens over threes was worth")
    assert said(lie) == "It was true, but declaring four aces, a lie, was worth 0.50 more."


def test_unknown_cards_are_not_judged() -> None:
    replay = liarspoker.read_toml((GOLDEN / "thorin-unknown.toml").read_text())
    found = reviewed(replay, hand=1)
    names = [found.players[claimed.seat] for claimed in found.hands[0].heard]
    judged = [decision is not None for decision in found.hands[0].decisions]
    assert dict(zip(names, judged, strict=True))["Cyd"] is False
    assert any(judged)


def own_record(seats: int, seed: int, seat: int) -> tuple[Any, liarspoker.Replay]:
    """Return a match of one round in Thorin's game between two kinds of bots, and its record as one seat has it."""
    game, chance = liarspoker.load("thorin"), Random(seed)
    players = [bots.load(chance.choice(("bluffer", "beginner")), "thorin") for _ in range(seats)]
    session: Any = game.session(seats, game.options({"passes": 1}))
    session = session.deal(session.chance_spec().draw(chance.randrange))
    while session.in_play:
        session = session.apply(players[session.to_act](session.view(session.to_act), chance))
    head = {"lpn": 1, "game": "thorin", "players": list("ABCDE"[:seats]), "x-seat": seat}
    return session, replay({**head, "options": session.option_changes(), **recorded(session, seat, frozenset())})


@settings(deadline=None, max_examples=40)
@given(seats=st.integers(2, 4), seed=st.integers(0, 10**6), data=st.data())
def test_a_seat_has_all_cards_that_it_has_seen_in_its_own_record(seats: int, seed: int, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, seats - 1))
    session, own = own_record(seats, seed, seat)
    assert own.start is not None
    assert own.fault is None
    before = liarspoker.load("thorin").session(seats, session.setup.options)
    true = sessions_of_round(before, session)
    found = sessions_of_round(own.start, own.rounds[0])
    seen = own.document["rounds"][0].get("x-seen")
    if seen is not None:
        found = record_format(liarspoker.load("thorin")).as_seen(found, seat, seen)
    table = table_at("thorin", own.start)
    for place, (one, other) in enumerate(zip(found[:-1], true, strict=False)):
        if other.to_act != seat:
            continue
        views: list[Any] = [one.view(seat), other.view(seat)]
        seen, true_view = ((view.hand, view.stints, view.legal) for view in views)
        assert seen == true_view
        assert HandPosition(table, tuple(found[: place + 1])).is_known


def test_every_decision_of_an_own_record_is_judged() -> None:
    judged = 0
    for seed in range(4):
        for seat in range(2):
            _, own = own_record(2, seed, seat)
            [hand] = reviewed(own, seat=seat, playouts=20).hands
            mine = [
                one is not None for one, heard in zip(hand.decisions, hand.heard, strict=True) if heard.seat == seat
            ]
            assert all(mine)
            judged += len(mine)
            words = wording_of(hand)
            said = [words.said(place, heard.action) for place, heard in enumerate(hand.heard) if heard.seat == seat]
            assert not any("?" in one for one in said), said
    assert judged > 20


@pytest.mark.parametrize(
    "seen",
    ["AcKd", [["Ac"]], [{"seat": 0, "taken": ["Ac"]}], [{"seat": 0, "taken": ["Ac"], "discarded": [], "drawn": []}], 1],
)
def test_cards_that_a_seat_can_not_have_seen_are_refused(seen: object) -> None:
    _, own = own_record(2, 0, 0)
    assert "x-seen" in own.document["rounds"][0]
    own.document["rounds"][0]["x-seen"] = seen
    with pytest.raises(CannotPlay, match="round 1, x-seen"):
        liarspoker.review(own, seat=0)


@pytest.mark.parametrize(("stint", "card"), [(0, "Kc"), (0, "8c"), (3, "3d")])
def test_no_card_is_seen_in_two_places(stint: int, card: str) -> None:
    """The last one was discarded three exchanges earlier."""
    _, own = own_record(2, 0, 1)
    seen = own.document["rounds"][0]["x-seen"]
    assert len(seen) == 5
    assert "3d" in seen[0]["discarded"]
    seen[stint]["drawn"][0] = card
    with pytest.raises(CannotPlay, match=f"x-seen: the cards seen: {card} occurs twice"):
        liarspoker.review(own, seat=1)


def test_a_declaration_makes_it_likelier_that_the_hand_keeps_it() -> None:
    position = positions("thorin", 3, 8)[1]
    chance = np.random.default_rng(1)
    heard, unheard = (
        chance_of(position.standing, position, position.deals(10_000, chance, hears=on)) for on in (True, False)
    )
    # A lie is five times less likely than a declaration that is true.
    assert heard == pytest.approx(unheard / (unheard + LIES * (1 - unheard)), abs=0.03)


def test_a_model_of_two_bots_is_half_of_each() -> None:
    position = positions("queen-annes", 3, 2)[0]
    bold = liarspoker.load("queen-annes").session(3).deal(position.sessions[-1].history(-1)[0].deal)
    claim = bold.read("claim full-house AK")

    def value(model: str) -> float:
        appraisal = decided(position, model, claim, Effort(6_000, 1, 1), 1)[0].appraisal
        assert appraisal is not None
        return next(one.mean for one in appraisal.values if one.action == claim)

    believer, doubter, both = value("bluffer"), value("binomial"), value("bluffer+binomial")
    assert believer - doubter > 0.2
    assert both == pytest.approx((believer + doubter) / 2, abs=0.06)
