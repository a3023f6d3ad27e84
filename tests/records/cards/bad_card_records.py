"""Bad records of card games, and the expected fault of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.records.samples import Bad

Record = dict[str, Any]
Play = Callable[..., Record]

ABC = ["Ann", "Bob", "Cyd"]
SEVENS = "7s 7d 4h 3c 2d 9h 8c 6s 5c Tc".split()  # noqa: SIM905  # a hand and five more, as one reads them
HANDS = [["7h", "2c"], ["7d"], ["8c", "8d", "Js"]]
LOSSES = [3, 4, 2]


def thorin(*rounds: object, **top: object) -> Record:
    """Return a match of Thorin's game for three players."""
    return {"lpn": 1, "game": "thorin", "players": ABC, **top, "rounds": list(rounds)}


def turn(actions: str, deck: object = SEVENS, **more: object) -> Record:
    """Return a round of Thorin's game; actions are separated by `|`."""
    known = {} if deck is None else {"deck": deck}
    return {**more, **known, "actions": list(filter(None, actions.split(" | ")))}


def pooled(*rounds: object, game: str = "queen-annes", **top: object) -> Record:
    """Return a match of one of Queen Anne's games for three players, who hold six cards in all."""
    return {"lpn": 1, "game": game, "players": ABC, "losses": LOSSES, **top, "rounds": list(rounds)}


def named(actions: str, deal: object = HANDS, **more: object) -> Record:
    """Return a round of one of Queen Anne's games; actions other than challenges are claims."""
    texts = [text if text.startswith("challenge") else f"claim {text}" for text in filter(None, actions.split(" | "))]
    return {**more, "deal": deal, "actions": texts}


def stud(*rounds: object, **top: object) -> Record:
    """Return a match of Liars' Stud for two players without losses."""
    return {"lpn": 1, "game": "queen-annes-stud", "players": ABC[:2], **top, "rounds": list(rounds)}


HOLE = [["7h", "2c"], ["8c", "8d"]]
LOST = turn("declare pair 7 | challenge")
FOUND = named("pair 7 | challenge")
PASSING = {"passes": 1}
CHOICE = {"dealers_choice": True}
TOP = "declare straight-flush A"

RECORDS = [
    Bad("losses in Thorin's game", "bad-record", thorin(losses=[0, 0, 0]), says="'losses' isn't a key"),
    Bad("slips", "bad-record", pooled(slips=[])),
    Bad("letters", "bad-record", thorin(letters=["AA", "AB", "AC"])),
    Bad("losses as text", "bad-record", pooled(losses="0, 0, 0")),
    Bad("losses of two of three", "bad-record", pooled(losses=[0, 0]), says="2 for 3 players"),
    Bad("losses below none", "bad-record", pooled(losses=[0, -1, 0]), says="0 to 5"),
    Bad("more losses than cards", "bad-record", pooled(losses=[0, 6, 0]), says="0 to 5"),
    Bad("losses beyond reading", "bad-record", pooled(losses=[0, 10**5000, 0])),
    Bad("all players out", "bad-record", pooled(losses=[5, 5, 5]), says="all players are out"),
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
    Bad("an opener that isn't a seat", "bad-round", thorin(LOST, turn("", opener=3)), 1, says="0, 2"),
    Bad("an opener who is out", "bad-round", thorin(LOST, turn("", opener=1)), 1, says="0, 2"),
    Bad("an opener beyond reading", "bad-round", pooled(named("", opener=10**5000)), 0),
    Bad("a hand too few", "bad-deal", pooled(named("", HANDS[:2])), 0, says="2 hands for 3"),
    Bad("a card too many", "bad-deal", pooled(named("", [["7h"], *HANDS[1:]])), 0, says="instead of 2"),
    Bad(
        "a card too few after a loss",
        "bad-deal",
        pooled(FOUND, named("", HANDS)),
        1,
        says="seat 1: 1 cards instead of 0",
    ),
    Bad("cards for a seat that is out", "bad-deal", pooled(named("", HANDS), losses=[5, 4, 2]), 0),
    Bad("a card twice", "bad-deal", pooled(named("", [["7h", "2c"], ["7h"], HANDS[2]])), 0, says="7h occurs twice"),
    Bad("a joker that is not in the deck", "bad-deal", pooled(named("", [["7h", "Jk"], *HANDS[1:]])), 0),
    Bad("a card not known", "bad-deal", pooled(named("", [["7h", "??"], *HANDS[1:]])), 0, says="must be known"),
    Bad("not a card", "bad-deal", pooled(named("", [["7h", "10c"], *HANDS[1:]])), 0, says='"10c" isn\'t a card'),
    Bad("an extra card twice", "bad-deal", stud(named("", HOLE, extras=["9h", "8c"])), 0, says="8c occurs twice"),
    Bad("an extra card not known", "bad-deal", stud(named("", HOLE, extras=["??"])), 0),
    Bad("extras too short", "bad-deal", stud(named("pair 7 | challenge", HOLE, extras=["9h"])), 0, says="2 were dealt"),
    Bad("no cards in the deck", "bad-deal", thorin(turn("", [])), 0, says="too few for a hand"),
    Bad("four cards in the deck", "bad-deal", thorin(turn("", SEVENS[:4])), 0),
    Bad("a card twice in the deck", "bad-deal", thorin(turn("", [*SEVENS[:5], "7s"])), 0, says="7s occurs twice"),
    Bad("jokers that are not in the deck", "bad-deal", thorin(turn("", [*SEVENS, "Jk"])), 0, says="joker"),
    Bad("a second joker", "bad-deal", thorin(turn("", [*SEVENS, "Jk", "Jk"]), options={"jokers": 1}), 0),
    Bad(
        "a deck that is too short for a draw",
        "bad-deal",
        thorin(LOST, turn("declare pair 7 | take | discard 7s7d", SEVENS[:6])),
        1,
        says="it has 6 cards, but more are drawn",
    ),
    Bad("a deck that does not end", "bad-deal", thorin(turn("", ["??"] * 53)), 0, says="there are only 52"),
    Bad("a round after one in play", "round-unfinished", thorin(turn("declare pair"), LOST), 1),
    Bad("a bad opener after one in play", "round-unfinished", pooled(named("pair 7"), named("", opener=7)), 1),
    Bad("a round of the loser's after the match", "match-over", thorin(LOST, turn("", opener=1), players=ABC[:2]), 1),
    Bad("a round after the match", "match-over", pooled(FOUND, losses=[5, 5, 2]), 0, says="seat 2 has won"),
    Bad("a round after the last loser", "match-over", thorin(LOST, LOST, players=ABC[:2]), 1, says="seat 0 has won"),
]


def at_last(code: str, play: Play, *texts: str, says: str = "", **top: object) -> list[Bad]:
    """Return a record for each text; the last action of its only round has the fault."""
    return [Bad(text, code, play(text, **top), 0, text.count(" | "), says) for text in texts]


def passed(actions: str, **top: object) -> Record:
    """Return a record of one round of Thorin's game."""
    return thorin(turn(actions), **top)


def unseen(actions: str, **top: object) -> Record:
    """Return a record of one round of Thorin's game with unknown cards."""
    return thorin(turn(actions, None), **top)


def claimed(actions: str, **top: Any) -> Record:
    """Return a record of one round of one of Queen Anne's games."""
    return pooled(named(actions), **top)


def as_written(action: str) -> Record:
    """Return a record of a round of one of Queen Anne's games with only this action."""
    return pooled({"deal": HANDS, "actions": [action]})


PAIR = "declare pair 7"
ANYONE: dict[str, Any] = {"who_may_challenge": "anyone"}
ACTIONS = [
    Bad("a number for an action", "bad-record", thorin({"actions": ["declare pair", 7]}), 0, 1),
    *at_last("round-over", passed, f"{PAIR} | challenge | challenge", f"{PAIR} | challenge | show 7s7d4h3c2d"),
    *at_last("round-over", claimed, "pair 7 | challenge | pair 8"),
    *at_last(
        "unreadable-action",
        passed,
        *(f"{PAIR} | {text}" for text in ("fold", "claim pair 8", "5x7", "discard", "discard 1s", "challenge 2")),
        *(f"{PAIR} | {text}" for text in ("declare nothing", "take it")),
        says="take or challenge",
    ),
    *at_last(
        "unreadable-action",
        as_written,
        *("fold", "declare pair 8", "claim", "claim nothing", "challenge 1", "show 7h", "", "count"),
        says="flush KJ752 c",
    ),
    *at_last("wrong-phase", claimed, "challenge", says="the opener must name one"),
    *at_last("wrong-phase", passed, "take", says="declare and a hand"),
    *at_last("wrong-phase", passed, f"{PAIR} | declare pair 8", f"{PAIR} | take | declare pair 8"),
    *at_last("wrong-phase", passed, f"{PAIR} | declare five aces"),
    *at_last("wrong-phase", unseen, f"{PAIR} | challenge | pass", says="show"),
    *at_last("wrong-phase", claimed, "pair 7 | challenge 0", says="named themselves", options=ANYONE),
    *at_last("wrong-phase", claimed, "challenge 1", says="the opener must name one", options=ANYONE),
    Bad(
        "a challenge by a seat that is out",
        "wrong-phase",
        pooled(named("pair 7 | challenge 1", [HANDS[0], [], HANDS[2]]), options=ANYONE, losses=[3, 5, 2]),
        0,
        1,
        "is out",
    ),
    *at_last(
        "no-such-claim",
        passed,
        *("declare two-pair 37", "declare five", "declare high KQJT9", "declare pair 7 h", "declare royal-flush s"),
        *("declare five aces", "declare pair 7 7"),
        says="no hand fits",
    ),
    *at_last(
        "no-such-claim",
        claimed,
        *("two-pair 37", "straight-flush A s", "pair", "flush 98765", "pair _", "two pair", "straight 5 h"),
        says="write the complete hand",
    ),
    *at_last("no-such-claim", claimed, "flush 98765 c", "flush 5,6,7,8,9 hearts", says="are a straight flush"),
    *at_last("no-such-claim", claimed, "straight 5", says="isn't a straight at this table", options={"wheel": False}),
    *at_last("no-such-claim", claimed, "five 7", says="five of a kind isn't a hand of this game"),
    *at_last("no-such-claim", claimed, "color flush", says="a color flush isn't a hand of this game"),
    *at_last("not-stronger", passed, "declare two pair | take | discard - | declare 3s over 2s"),
    *at_last("not-stronger", passed, "declare high 75", says="declare at least high 76432"),
    *at_last("not-stronger", passed, "declare high card", says="the weakest hand"),
    *at_last("not-stronger", passed, "declare high K | take | discard - | declare high K5"),
    *at_last("not-stronger", claimed, "pair 7 | pair of sevens", says="name a higher hand"),
    *at_last("not-stronger", claimed, "royal-flush h | royal-flush c"),
    *at_last("cannot-take", passed, f"{TOP} | take", says="a royal flush (A-K-Q-J-10); write challenge"),
    *at_last("no-pass-left", passed, f"{PAIR} | pass", says="take or challenge"),
    *at_last(
        "no-pass-left",
        passed,
        f"{PAIR} | pass | take | discard - | declare pair 8 | take | discard - | declare pair 9 | pass",
        options=PASSING,
    ),
    *at_last(
        "cards-not-held",
        passed,
        *(f"{PAIR} | take | discard {cards}" for cards in ("9h", "7s7s", "7s7d4h3c2d9h", "??", "Jk")),
        says="up to 5",
    ),
    *at_last(
        "cards-not-held",
        unseen,
        *(f"{PAIR} | challenge | show {cards}" for cards in ("7s7d4h3c", "7s7s4h3c2d", "7s7d4h3c??", "7s7d4h3cJk")),
        says="show all 5",
    ),
    Bad(
        "a show of other cards than are known",
        "cards-not-held",
        thorin(turn(f"{PAIR} | challenge | show 7s7d4h3c2d", ["7s", "7h", "??", "??", "??"])),
        0,
        2,
        "show all 5",
    ),
]
ALL = [*RECORDS, *ROUNDS, *ACTIONS]
