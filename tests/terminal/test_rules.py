"""The command `rules` at the prompt of a game."""

from __future__ import annotations

import pytest

from liarspoker.core import catalogue
from liarspoker.core.catalogue import rules_page
from tests.terminal.sitting import ALL_GAMES, flowing, play, scripted


def told(game: str, *lines: str, options: tuple[str, ...] = (), columns: int = 80) -> str:
    """Return what is printed after the first turn when these lines are typed."""
    words = [word for option in options for word in ("--option", option)]
    text = play(game, *words, "--seed", "1", player=scripted(*lines), columns=columns).text
    return text.partition("> ")[2]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_game_tells_its_rules_in_short_by_section_and_in_full(game: str) -> None:
    page = rules_page(game)
    titles = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]
    short, full, last = (told(game, line) for line in ("rules", "rules all", f"rules {titles[-1].upper()[:6]}"))
    assert catalogue.preset(game).title in short
    assert "This table plays by these rules." in short
    assert f"and a heading: {'; '.join(titles)}." in flowing(short)
    assert titles[0] not in short.replace("; ".join(titles), "").partition("To read on")[0]
    plain = [line.removeprefix("## ").removeprefix("# ") for line in page.splitlines()]
    assert flowing("\n".join(plain)) in flowing(full)
    assert f"\n{titles[-1]}\n\n" in last
    assert f"\n{titles[0]}\n" not in last


def test_the_rules_of_a_table_name_what_differs() -> None:
    text = flowing(told("salomon-1986", "rules", options=("rebid=false", "row_letters=A_to_P", "order=zero_high")))
    assert "This table differs from these rules: rebid=false, usually true: a bidder challenged" in text
    assert "row_letters=A_to_P, usually skip_IO: " in text
    assert "order=" not in text
    assert 'wild_ranks=J, usually "": ' in told("queen-annes", "rules", options=("wild_ranks=J",))


def test_the_options_of_a_round_are_in_force() -> None:
    words = ("thorin", "--option", "dealers_choice=true", "--players", "2", "--seed")
    played = (play(*words, str(seed), player=scripted("passes=1", "rules")).text for seed in range(20))
    text = flowing(next(text for text in played if "Everybody agrees." in text))
    assert "passes=1, usually 0: " in text.rpartition("This table differs from these rules:")[2]


def test_an_unknown_section_is_answered_with_the_list() -> None:
    text = flowing(told("dollar-bill", "rules nonsense"))
    assert "'nonsense': type rules, rules all, or rules and a heading: Setup; " in text


def test_rules_fit_a_narrow_window() -> None:
    prose = told("salomon-1986", "rules setup", columns=40)
    assert all(len(line) <= 40 for line in prose.splitlines())
    assert "Two to sixteen players, ideally three to" in prose


def test_the_help_lists_the_command() -> None:
    assert "  rules        show the rules of this table in short\n" in told("dollar-bill", "help")
