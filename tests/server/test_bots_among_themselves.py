import time

from tests.server.inprocess import PATIENCE, Running


def test_a_match_in_which_only_bots_are_left_is_played_to_its_end(server: Running) -> None:
    """Whoever is out is asked for the next round, since bots do not ask; he declares too much, and is out at once."""
    ann = server.person("Ann")
    table = server.table(ann, bots=("beginner", "beginner"), game="thorin", seats=3, rounds=1)
    assert ann.ask(table, do="start")["ok"]
    end = time.monotonic() + PATIENCE
    while (seen := ann.view(table))["public"]["stage"] != "ended":
        assert time.monotonic() < end, seen["public"]["gathering"]
        you, public = seen["you"], seen["public"]
        if you.get("gathering", {}).get("wanted"):
            ann.ask(table, do="ready")
        elif (legal := you.get("hand", {}).get("legal")) and public["to_act"] == ann.user:
            ann.ask(table, do="act", turn=public["turn"], action=_worst(legal))


def _worst(legal: dict[str, object]) -> str:
    if legal["declare"]:
        return "declare color-straight-flush ace"
    return "discard -" if legal["discard"] else str(legal["take"] or legal["challenge"])
