"""Records of card games with a fault, and the fault that each has."""

from __future__ import annotations

from typing import Any

from tests.records.samples import Bad

Record = dict[str, Any]

ABC = ["Ann", "Bob", "Cyd"]
SEVENS = "7s 7d 4h 3c 2d 9h 8c 6s 5c Tc".split()  # noqa: SIM905  # a hand and five more, as one reads them
HANDS = [["7h", "2c"], ["7d"], ["8c", "8d", "Js"]]
LOSSES = [3, 4, 2]


def thorin(*rounds: object, **top: object) -> Record:
    """A match of Thorin's game for three."""
    return {"lpn": 1, "game": "thorin", "players": ABC, **top, "rounds": list(rounds)}


def turn(actions: str, deck: object = SEVENS, **more: object) -> Record:
    """One round of Thorin's game; the actions apart by strokes."""
    known = {} if deck is None else {"deck": deck}
    return {**more, **known, "actions": list(filter(None, actions.split(" | ")))}


def pooled(*rounds: object, game: str = "queen-annes", **top: object) -> Record:
    """A match of one of Queen Anne's games, three players with six cards among them."""
    return {"lpn": 1, "game": game, "players": ABC, "losses": LOSSES, **top, "rounds": list(rounds)}


def named(actions: str, deal: object = HANDS, **more: object) -> Record:
    """One round of Queen Anne's games; what is no challenge is a claim."""
    texts = [text if text.startswith("challenge") else f"claim {text}" for text in filter(None, actions.split(" | "))]
    return {**more, "deal": deal, "actions": texts}


def stud(*rounds: object, **top: object) -> Record:
    """A match of Liars' Stud for two, who have lost nothing."""
    return {"lpn": 1, "game": "queen-annes-stud", "players": ABC[:2], **top, "rounds": list(rounds)}


HOLE = [["7h", "2c"], ["8c", "8d"]]
LOST = turn("declare pair 7 | challenge")
FOUND = named("pair 7 | challenge")
PASSING = {"passes": 1}
CHOICE = {"dealers_choice": True}
TOP = "declare straight-flush A"

RECORDS = [
    Bad("losses in Thorin's game", "bad-record", thorin(losses=[0, 0, 0]), says="no key 'losses'"),
    Bad("slips", "bad-record", pooled(slips=[])),
    Bad("letters", "bad-record", thorin(letters=["AA", "AB", "AC"])),
    Bad("losses as text", "bad-record", pooled(losses="0, 0, 0")),
    Bad("losses of two of three", "bad-record", pooled(losses=[0, 0]), says="2 for 3 players"),
    Bad("losses below none", "bad-record", pooled(losses=[0, -1, 0]), says="0 to 5"),
    Bad("more losses than cards", "bad-record", pooled(losses=[0, 6, 0]), says="0 to 5"),
    Bad("losses beyond reading", "bad-record", pooled(losses=[0, 10**5000, 0])),
    Bad("nobody living", "bad-record", pooled(losses=[5, 5, 5]), says="nobody is living"),
    Bad("six losses, with five out", "bad-record", stud(losses=[6, 0], options={"stud_exit_losses": 5})),
    Bad("a game misspelt", "unknown-game", {**thorin(), "game": "Thorni"}, says="did you mean thorin?"),
    Bad("eleven players", "bad-record", thorin(players=["Ann"] * 11), says="2 to 10"),
    Bad("one player", "bad-record", pooled(players=["Ann"], losses=[0])),
    Bad("a digit game's option", "bad-option", thorin(options={"rebid": True}), says="no such option"),
    Bad("Stud's option elsewhere", "bad-option", pooled(options={"stud_exit_losses": 5})),
    Bad("three jokers", "bad-option", thorin(options={"jokers": 3}), says="0, 1 or 2"),
    Bad("a rank that is none", "bad-option", pooled(options={"wild_ranks": "1"})),
    Bad("a wild rank twice", "bad-option", pooled(options={"wild_ranks": "22"})),
    Bad("one for true", "bad-option", pooled(options={"wheel": 1})),
]

ROUNDS = [
    Bad("no deal", "bad-record", pooled({"actions": []}), 0, says="deal is missing"),
    Bad("a deal in Thorin's game", "bad-record", thorin({"deal": [], "actions": []}), 0),
    Bad("a deck in a pooled game", "bad-record", pooled(named("", deck=[])), 0),
    Bad("extras where there are none", "bad-record", pooled(named("", extras=["9h"])), 0),
    Bad("a stake", "bad-record", thorin(turn("", stake=1)), 0),
    Bad("counts", "bad-record", pooled(named("", counts=[0, 0, 0])), 0),
    Bad("options where nobody chooses", "bad-record", thorin(turn("", options=PASSING)), 0),
    Bad("options in a pooled game", "bad-record", pooled(named("", options={"jokers": 1})), 0),
    Bad("the choice as a choice", "bad-option", thorin(turn("", options=CHOICE), options=CHOICE), 0),
    Bad("two passes for a round", "bad-option", thorin(turn("", options={"passes": 2}), options=CHOICE), 0),
    Bad("an opener who is no seat", "bad-round", thorin(LOST, turn("", opener=3)), 1, says="0, 2"),
    Bad("an opener who is out", "bad-round", thorin(LOST, turn("", opener=1)), 1, says="0, 2"),
    Bad("an opener beyond reading", "bad-round", pooled(named("", opener=10**5000)), 0),
    Bad("a hand too few", "bad-deal", pooled(named("", HANDS[:2])), 0, says="2 hands for 3"),
    Bad("a card too many", "bad-deal", pooled(named("", [["7h"], *HANDS[1:]])), 0, says="it gets 2"),
    Bad(
        "a card too few after a loss", "bad-deal", pooled(FOUND, named("", HANDS)), 1, says="seat 1: 1 cards; it gets 0"
    ),
    Bad("cards for a seat that is out", "bad-deal", pooled(named("", HANDS), losses=[5, 4, 2]), 0),
    Bad("a card twice", "bad-deal", pooled(named("", [["7h", "2c"], ["7h"], HANDS[2]])), 0, says="7h is there twice"),
    Bad("a joker that is not in the deck", "bad-deal", pooled(named("", [["7h", "Jk"], *HANDS[1:]])), 0),
    Bad("a card not known", "bad-deal", pooled(named("", [["7h", "??"], *HANDS[1:]])), 0, says="must be known"),
    Bad("what is no card", "bad-deal", pooled(named("", [["7h", "10c"], *HANDS[1:]])), 0, says='"10c" is no card'),
    Bad("an extra card twice", "bad-deal", stud(named("", HOLE, extras=["9h", "8c"])), 0, says="8c is there twice"),
    Bad("an extra card not known", "bad-deal", stud(named("", HOLE, extras=["??"])), 0),
    Bad("extras too short", "bad-deal", stud(named("pair 7 | challenge", HOLE, extras=["9h"])), 0, says="2 were dealt"),
    Bad("no cards in the deck", "bad-deal", thorin(turn("", [])), 0, says="too short"),
    Bad("four cards in the deck", "bad-deal", thorin(turn("", SEVENS[:4])), 0),
    Bad("a card twice in the deck", "bad-deal", thorin(turn("", [*SEVENS[:5], "7s"])), 0, says="7s is there twice"),
    Bad("jokers that are not in the deck", "bad-deal", thorin(turn("", [*SEVENS, "Jk"])), 0, says="joker"),
    Bad("a second joker", "bad-deal", thorin(turn("", [*SEVENS, "Jk", "Jk"]), options={"jokers": 1}), 0),
    Bad(
        "a deck that is too short for a draw",
        "bad-deal",
        thorin(LOST, turn("declare pair 7 | take | discard 7s7d", SEVENS[:6])),
        1,
        says="card 7 is drawn",
    ),
    Bad("a deck that does not end", "bad-deal", thorin(turn("", ["??"] * 53)), 0, says="there were 52"),
    Bad("a round after one in play", "round-unfinished", thorin(turn("declare pair"), LOST), 1),
    Bad("a bad opener after one in play", "round-unfinished", pooled(named("pair 7"), named("", opener=7)), 1),
    Bad("a round of the loser's after the match", "match-over", thorin(LOST, turn("", opener=1), players=ABC[:2]), 1),
    Bad("a round after the match", "match-over", pooled(FOUND, losses=[5, 5, 2]), 0, says="seat 2 has won"),
    Bad("a round after the last loser", "match-over", thorin(LOST, LOST, players=ABC[:2]), 1, says="seat 0 has won"),
]

ACTIONS = [
    Bad("a number for an action", "bad-record", thorin({"actions": ["declare pair", 7]}), 0, 1),
    Bad("a challenge twice", "round-over", thorin(turn("declare pair 7 | challenge | challenge")), 0, 2),
    Bad("a show of a known hand", "round-over", thorin(turn("declare pair 7 | challenge | show 7s7d4h3c2d")), 0, 2),
    Bad("a claim after the challenge", "round-over", pooled(named("pair 7 | challenge | pair 8")), 0, 2),
    *[
        Bad(
            f"the action {text!r}",
            "unreadable-action",
            thorin(turn(f"declare pair 7 | {text}")),
            0,
            1,
            "take or challenge",
        )
        for text in (
            "fold",
            "claim pair 8",
            "5x7",
            "discard",
            "discard 1s",
            "challenge 2",
            "declare nothing",
            "take it",
        )
    ],
    *[
        Bad(
            f"the action {text!r}",
            "unreadable-action",
            pooled({"deal": HANDS, "actions": [text]}),
            0,
            0,
            "flush KJ752 c",
        )
        for text in ("fold", "declare pair 8", "claim", "claim nothing", "challenge 1", "show 7h", "", "count")
    ],
    Bad("a challenge of nothing", "wrong-phase", pooled(named("challenge")), 0, 0, "must name a hand"),
    Bad("a take of nothing", "wrong-phase", thorin(turn("take")), 0, 0, "declare and a hand"),
    Bad("a declaration under the gun", "wrong-phase", thorin(turn("declare pair 7 | declare pair 8")), 0, 1),
    Bad(
        "a declaration before the discard", "wrong-phase", thorin(turn("declare pair 7 | take | declare pair 8")), 0, 2
    ),
    Bad("an early impossible claim", "wrong-phase", thorin(turn("declare pair 7 | declare five aces")), 0, 1),
    Bad("a pass before the show", "wrong-phase", thorin(turn("declare pair 7 | challenge | pass", None)), 0, 2, "show"),
    *[
        Bad(
            f"a challenge by {who}",
            "wrong-phase",
            pooled(challenge, options={"who_may_challenge": "anyone"}),
            0,
            at,
            says,
        )
        for who, challenge, at, says in (
            ("him who named it", named("pair 7 | challenge 0"), 1, "named himself"),
            ("a seat before anything is named", named("challenge 1"), 0, "must name a hand"),
        )
    ],
    Bad(
        "a challenge by a seat that is out",
        "wrong-phase",
        pooled(
            named("pair 7 | challenge 1", [HANDS[0], [], HANDS[2]]),
            options={"who_may_challenge": "anyone"},
            losses=[3, 5, 2],
        ),
        0,
        1,
        "is out",
    ),
    *[
        Bad(f"declare {claim}", "no-such-claim", thorin(turn(f"declare {claim}")), 0, 0, "no hand can be that")
        for claim in ("two-pair 37", "five", "high KQJT9", "pair 7 h", "royal-flush s", "five aces", "pair 7 7")
    ],
    *[
        Bad(f"claim {claim}", "no-such-claim", pooled(named(claim)), 0, 0, "hands are named in full")
        for claim in ("two-pair 37", "straight-flush A s", "pair", "flush 98765", "pair _", "two pair", "straight 5 h")
    ],
    *[
        Bad(f"claim {claim}", "no-such-claim", pooled(named(claim), options=options), 0, 0, says)
        for claim, options, says in (
            ("flush 98765 c", {}, "are named a straight flush"),
            ("flush 5,6,7,8,9 hearts", {}, "are named a straight flush"),
            ("straight 5", {"wheel": False}, "A-2-3-4-5 is no straight at this table"),
            ("five 7", {}, "five of a kind is no hand of this game"),
            ("color flush", {}, "a color flush is no hand of this game"),
        )
    ],
    Bad(
        "threes over twos",
        "not-stronger",
        thorin(turn("declare two pair | take | discard - | declare 3s over 2s")),
        0,
        3,
    ),
    Bad("seven-five high", "not-stronger", thorin(turn("declare high 75")), 0, 0, "high 76432 would do"),
    Bad("a high card", "not-stronger", thorin(turn("declare high card")), 0, 0, "the worst hand of all"),
    Bad(
        "what was said before",
        "not-stronger",
        thorin(turn("declare high K | take | discard - | declare high K5")),
        0,
        3,
    ),
    Bad("the same hand", "not-stronger", pooled(named("pair 7 | pair of sevens")), 0, 1, "name a higher hand"),
    Bad("a lower suit", "not-stronger", pooled(named("royal-flush h | royal-flush c")), 0, 1),
    Bad(
        "a take of the top",
        "cannot-take",
        thorin(turn(f"{TOP} | take")),
        0,
        1,
        "a royal flush (A-K-Q-J-10); write challenge",
    ),
    Bad("a pass where there is none", "no-pass-left", thorin(turn("declare pair 7 | pass")), 0, 1, "take or challenge"),
    Bad(
        "a second pass",
        "no-pass-left",
        thorin(
            turn(
                "declare pair 7 | pass | take | discard - | declare pair 8 | take | discard - | declare pair 9 | pass"
            ),
            options=PASSING,
        ),
        0,
        8,
    ),
    *[
        Bad(
            f"discard {cards}",
            "cards-not-held",
            thorin(turn(f"declare pair 7 | take | discard {cards}")),
            0,
            2,
            "up to 5",
        )
        for cards in ("9h", "7s7s", "7s7d4h3c2d9h", "??", "Jk")
    ],
    *[
        Bad(
            f"show {cards}",
            "cards-not-held",
            thorin(turn(f"declare pair 7 | challenge | show {cards}", known)),
            0,
            2,
            "show all 5",
        )
        for cards, known in (
            ("7s7d4h3c", None),
            ("7s7s4h3c2d", None),
            ("7s7d4h3c??", None),
            ("7s7d4h3cJk", None),
            ("7s7d4h3c2d", ["7s", "7h", "??", "??", "??"]),
        )
    ],
]
ALL = [*RECORDS, *ROUNDS, *ACTIONS]
