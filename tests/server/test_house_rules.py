"""Codes of house rules over the API."""

from tests.server.inprocess import Running


def test_rules_become_a_code_and_a_code_becomes_a_table(server: Running) -> None:
    ann = server.person("Ann")
    settings = {"game": "slips", "options": {"rebid": False}, "clock": {"turn": 30}, "title": "Friday", "seats": 3}
    made = ann.post("/api/rules", {"settings": settings}).json()
    assert made["rules"] == "slips,rebid=false,table.turn=30,1-6815f0be8067"
    assert server.person().http.get(f"/api/rules/{made['rules']}").json() == made
    table = ann.post("/api/tables", {"settings": made["settings"]}).json()["table"]
    found = ann.view(table)["public"]["settings"]
    assert {name: found[name] for name in made["settings"]} == made["settings"]
    assert (found["options"], found["title"], found["seats"]) == ({"rebid": False}, "", 6)


def test_a_damaged_code_is_not_found(server: Running) -> None:
    answer = server.person().http.get("/api/rules/slips,rebid=true,1-0d16778d5cea")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-rules")
