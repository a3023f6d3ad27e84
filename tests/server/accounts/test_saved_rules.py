import pytest

from liarspoker.server.accounts.credentials import BadName
from liarspoker.server.accounts.saved_rules import MAX_SAVED, Saved, SavedRules, TooManyRules
from liarspoker.server.storage.storage import Storage

SLIPS, THORIN = "slips,1-0d16778d5cea", "thorin,1-5cf121c0e261"


@pytest.fixture
def saved_rules(storage: Storage) -> SavedRules:
    times = iter(range(1000))
    return SavedRules(storage, lambda: float(next(times)))


async def test_house_rules_are_saved_by_name_until_deleted(saved_rules: SavedRules) -> None:
    await saved_rules.save("ann", "  On   Fridays ", SLIPS)
    await saved_rules.save("ann", "At work", THORIN)
    await saved_rules.save("bob", "On Fridays", THORIN)
    assert await saved_rules.of("ann") == [Saved("At work", THORIN, 1.0), Saved("On Fridays", SLIPS, 0.0)]
    await saved_rules.save("ann", "On Fridays", THORIN)
    assert [(one.name, one.rules) for one in await saved_rules.of("ann")] == [
        ("At work", THORIN),
        ("On Fridays", THORIN),
    ]
    assert await saved_rules.delete("ann", "On Fridays")
    assert not await saved_rules.delete("ann", "On Fridays")
    assert [one.name for one in await saved_rules.of("ann")] == ["At work"]
    assert [one.name for one in await saved_rules.of("bob")] == ["On Fridays"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "On\u202eFridays"])
async def test_a_name_must_be_visible_and_short(saved_rules: SavedRules, name: str) -> None:
    with pytest.raises(BadName, match="a name"):
        await saved_rules.save("ann", name, SLIPS)
    assert await saved_rules.of("ann") == []


async def test_the_number_per_user_is_limited(saved_rules: SavedRules) -> None:
    for number in range(MAX_SAVED):
        await saved_rules.save("ann", str(number), SLIPS)
    with pytest.raises(TooManyRules, match="delete some first"):
        await saved_rules.save("ann", "one more", SLIPS)
    await saved_rules.save("ann", "7", THORIN)
    await saved_rules.save("bob", "one more", SLIPS)
