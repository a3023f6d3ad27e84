"""The rules of a game for people: who plays, every option, what differs from its relatives, worked examples."""

from __future__ import annotations

from dataclasses import dataclass

from liarspoker.core import catalogue
from liarspoker.games.digits.presets import presets as digits_presets
from liarspoker.games.queen_annes.presets import presets as pooled_presets
from liarspoker.web.view_models.family import template_folder
from liarspoker.web.view_models.rules_examples import Example, examples_of
from liarspoker.web.view_models.rules_tables import (
    Bonus,
    Category,
    Named,
    Turns,
    bonuses,
    categories,
    named_hands,
    skunk,
    turns,
)
from liarspoker.web.words import sentence

PLAYERS = 5
"""For so many players the bonus table stands, unless somebody asks for another number."""

_CHOICES_LISTED = 6


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    Attributes:
        name: as records and commands write it.
        title: the name in plain words.
        meaning: what it decides, a sentence.
        default: its value here, in words.
        others: the other values it takes.
        source: where the rule stands.
    """

    name: str
    title: str
    meaning: str
    default: str
    others: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Something in which relatives differ: what it is, and how it is in each of them."""

    title: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RulesScene:
    """The page of one game.

    Attributes:
        game: the catalogue's row.
        family: which prose and tables stand on the page.
        players: from how many to how many, in words.
        options: every option.
        relatives: the games of the same family, this one among them; none where it has no relatives.
        differences: in what they differ.
        examples: sample rounds.
        at: for how many players the bonus table stands.
        counts: how many players it can stand for.
        bonuses: what levels pay; none where they all pay the same.
        skunk: how many stakes a skunk pays each among so many.
        categories: of Thorin's game.
        named: of Queen Anne's ladder.
        turns: of Stud.
    """

    game: catalogue.GameRow
    family: str
    players: str
    options: tuple[Option, ...]
    relatives: tuple[catalogue.GameRow, ...]
    differences: tuple[Difference, ...]
    examples: tuple[Example, ...]
    at: int
    counts: range
    bonuses: tuple[Bonus, ...]
    skunk: int
    categories: tuple[Category, ...]
    named: tuple[Named, ...]
    turns: tuple[Turns, ...]


def scene(game_id: str, players: int | None = None) -> RulesScene:
    """The page of a game.

    Args:
        game_id: the catalogue id.
        players: for how many players the bonus table stands.

    Raises:
        UnknownGame: the catalogue has no such id.
    """
    row = catalogue.row(game_id)
    fewest, most = row.seats
    at = PLAYERS if players is None else min(max(players, fewest), most)
    paid = bonuses(game_id, at) if row.family == "digits" else ()
    return RulesScene(
        game=row,
        family=template_folder(row),
        players=f"{fewest} to {most} players",
        options=options_of(game_id),
        relatives=_relatives(row),
        differences=_differences(row),
        examples=examples_of(game_id),
        at=at,
        counts=range(fewest, most + 1),
        bonuses=paid if len({(one.plain, one.sixes) for one in paid}) > 1 else (),
        skunk=skunk(at),
        categories=categories() if row.family == "thorin" else (),
        named=named_hands(game_id) if row.family == "queen_annes" else (),
        turns=turns(game_id) if row.family == "queen_annes" and pooled_presets()[game_id].dealing.faces else (),
    )


def options_of(game_id: str) -> tuple[Option, ...]:
    """Every option of a game, in the order of the catalogue."""
    game = catalogue.load(game_id)
    preset = game.options()
    options = []
    for info in game.option_infos:
        value = getattr(preset, info.name)
        many = isinstance(info.choices, range) or len(info.choices) > _CHOICES_LISTED
        others = (info.values_text(),) if many else tuple(in_words(one) for one in info.choices if one != value)
        meaning = sentence(info.meaning)
        options.append(Option(info.name, _title(info.name), meaning, in_words(value), others, info.source))
    return tuple(options)


def in_words(value: object) -> str:
    """A value of an option as a person reads it.

    >>> in_words(True), in_words("zero_high"), in_words(""), in_words(8)
    ('on', 'zero high', 'none', '8')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value).replace("_", " ") or "none"


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _relatives(row: catalogue.GameRow) -> tuple[catalogue.GameRow, ...]:
    same = tuple(one for one in catalogue.games() if one.family == row.family)
    return same if len(same) > 1 else ()


def _differences(row: catalogue.GameRow) -> tuple[Difference, ...]:
    relatives = _relatives(row)
    if not relatives:
        return ()
    dealt = _DEALT[row.family](relatives) if row.family in _DEALT else []
    columns = [{option.name: option for option in options_of(one.id)} for one in relatives]
    names = list(dict.fromkeys(name for column in columns for name in column))
    chosen = [
        Difference(
            _title(name), tuple(column[name].default if name in column else "does not apply" for column in columns)
        )
        for name in names
    ]
    return tuple(one for one in (*dealt, *chosen) if len(set(one.values)) > 1)


def _dealt_digits(relatives: tuple[catalogue.GameRow, ...]) -> list[Difference]:
    presets = [digits_presets()[one.id] for one in relatives]
    return [
        Difference("Dealt from", tuple("slips" if one.deals_slips else "bills" for one in presets)),
        Difference("Slips", tuple("yes" if one.slips else "no" for one in presets)),
        Difference("First opener", tuple("lowest letters" if one.letters else "drawn by lot" for one in presets)),
    ]


def _dealt_cards(relatives: tuple[catalogue.GameRow, ...]) -> list[Difference]:
    dealings = [pooled_presets()[one.id].dealing for one in relatives]
    blind = ("all cards but your own" if one.blind else "your own cards, and what lies open" for one in dealings)
    cost = ("one card less to begin with" if one.loss_costs_card else "one further card less" for one in dealings)
    return [
        Difference("Cards at once", tuple(str(one.hand_cards) for one in dealings)),
        Difference("Further cards", tuple(str(len(one.faces)) if one.faces else "none" for one in dealings)),
        Difference("You see", tuple(blind)),
        Difference("A loss costs", tuple(cost)),
    ]


_DEALT = {"digits": _dealt_digits, "queen_annes": _dealt_cards}
"""How the games of a family may be dealt; where none is named, they are all dealt alike."""


def shelf() -> tuple[tuple[catalogue.GameRow, str, str], ...]:
    """All games for the page that lists them: the row, its family, and who can play."""
    return tuple((row, template_folder(row), f"{row.seats[0]} to {row.seats[1]} players") for row in catalogue.games())
