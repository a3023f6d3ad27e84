"""The hall of bots: the arena's results on the page of the bots."""

from __future__ import annotations

from itertools import islice

from liarspoker.bots.arena import shipped_results
from liarspoker.bots.catalogue import bots
from liarspoker.language import speaking
from liarspoker.web.view_models.hall import halls
from tests.server.inprocess import Running
from tests.web.pages.reading import Reader


def test_the_page_shows_every_bot_with_its_style_and_all_results(site: Running) -> None:
    arenas = shipped_results()
    section = Reader(site.person("Ann")).read("/bots").page.one("section", id="hall")
    for row in bots():
        if row.name in {bot for results in arenas for bot in results.bots}:
            assert row.title in section.text
            assert row.summary.replace("'", "’") in section.text
    tables = iter(section.all("table", cls="ledger"))
    for results in arenas:
        overall = next(tables)
        for rated in results.ratings[0].ratings:
            assert f"{abs(rated.rating.mean):.3f}" in overall.text
        games = {table.game for table in results.tables}
        assert len(list(islice(tables, len(games) + len(results.tables)))) == len(games) + len(results.tables)
    assert not list(tables)


def test_the_results_of_two_players_are_read_in_both_directions() -> None:
    digits, _cards = halls()
    table = next(one for one in shipped_results()[0].tables if one.players == 2)
    (pairs,) = (one.pairs[0] for one in digits.games if one.game == table.game)
    size = len(pairs.lines)
    for row in range(size):
        assert pairs.lines[row].figures[row] is None
        for column in range(row):
            one, other = pairs.lines[row].figures[column], pairs.lines[column].figures[row]
            assert one is not None
            assert other is not None
            assert one.mean.lstrip("+−") == other.mean.lstrip("+−")
            assert {one.mean[0], other.mean[0]} == {"+", "−"}


def test_figures_are_written_in_the_language_of_the_page() -> None:
    with speaking("de"):
        assert "," in halls()[0].overall[0].lines[0].figures[0].mean  # type: ignore[union-attr]
    assert "." in halls()[0].overall[0].lines[0].figures[0].mean  # type: ignore[union-attr]
