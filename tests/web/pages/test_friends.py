"""The friends page, pages of other users, and invitations in the lobby, without JavaScript."""

from __future__ import annotations

from tests.server.inprocess import Running
from tests.web.pages.reading import Node, Reader


def panel(page: Node, title: str) -> Node:
    """The section with this heading."""
    return next(one for one in page.all("section") if [head.text for head in one.all("h2")] == [title])


def titles(page: Node) -> list[str]:
    return [one.text for one in page.all("h2")]


def friends(site: Running) -> tuple[Reader, Reader]:
    ann, bob = Reader(site.person("Ann")), Reader(site.person("Bob"))
    bob.read(f"/people/{ann.person.user}").send("Add friend")
    ann.read("/friends").send("Accept")
    return ann, bob


def test_a_stranger_follows_a_friend_link_and_the_request_is_accepted(site: Running, bob: Reader) -> None:
    ann = Reader(site.person("Ann"))
    link = panel(ann.read("/friends").page, "Your friend link").one("input").at["value"]
    assert bob.read(link).page.one("h1").text == "Ann"
    assert "1 to 24 characters" in bob.send("Add friend", name="x" * 30).mistake("name")
    bob.send("Add friend", name="Bob")
    assert "You have asked Ann" in bob.page.text
    assert "1 friend request" in ann.read("/").page.text
    ann.read("/friends").send("Accept")
    assert "Bob online" in panel(ann.page, "Your friends").text
    assert "Friend requests" not in titles(ann.page)
    assert "You are friends, and Ann is online" in bob.read(link).page.text
    bob.send("Remove friend")
    assert "none yet" in panel(ann.read("/friends").page, "Your friends").text


def test_a_friend_is_challenged_to_the_game_played_last_and_joins_from_the_lobby(site: Running) -> None:
    ann, bob = friends(site)
    site.table(ann.person, bob.person, game="thorin")
    chosen = [one.at["value"] for one in ann.read("/friends").page.all("option") if "selected" in one.at]
    assert chosen == ["game:thorin"]
    ann.send("Challenge Bob", to="game:slips")
    table = ann.table
    assert (ann.view()["public"]["settings"]["game"], ann.view()["public"]["settings"]["visibility"]) == (
        "slips",
        "private",
    )
    row = bob.read("/").page.one("li", id=f"table-{table}")
    assert "Ann invites you" in row.text
    bob.send("Join", within=row)
    assert bob.table == table
    assert bob.view()["you"]["chair"] == 1
    assert "invites you" not in bob.read("/").page.text


def test_a_repeated_challenge_opens_one_table(site: Running) -> None:
    ann, _ = friends(site)
    form = ann.read("/friends").page.one("form", cls="challenge")
    fields = {one.at["name"]: one.at["value"] for one in form.all("input")} | {"to": "game:slips"}
    tables = {ann.post(form.at["action"], **fields).table for _ in range(3)}
    assert len(tables) == 1


def test_an_invitation_to_an_open_table_is_declined_or_withdrawn(site: Running) -> None:
    ann, bob = friends(site)
    table = site.table(ann.person, title="The long one")
    for answer in ("Decline", "Withdraw"):
        ann.read(f"/t/{table}")
        [link] = [one.at["href"] for one in ann.page.all("a") if one.text == "Invite friends"]
        ann.read(link).send("Challenge Bob", to=f"table:{table}")
        if answer == "Withdraw":
            assert "Bob declined The long one" in panel(ann.page, "Invitations").text
            break
        assert "Bob invited to The long one" in panel(ann.page, "Invitations").text
        assert "Ann invites you to The long one" in panel(bob.read("/friends").page, "Invitations").text
        bob.send("Decline")
        assert "invites you" not in bob.page.text
    other = site.table(ann.person, title="Another one")
    ann.read(f"/friends?table={other}").send("Challenge Bob", to=f"table:{other}")
    assert "Another one" in bob.read("/friends/invitations").page.text
    ann.send("Withdraw the invitation of Bob")
    assert "Another one" not in bob.read("/friends/invitations").page.text


def test_a_blocked_player_is_listed_and_unblocked_and_sees_the_same_page_as_before(site: Running) -> None:
    ann, bob = Reader(site.person("Ann")), Reader(site.person("Bob"))
    table = site.table(ann.person, bob.person)
    before = str(bob.read(f"/people/{ann.person.user}").page)
    assert "Bob" in panel(ann.read("/friends").page, "Recent players").text
    ann.read(f"/people/{bob.person.user}").send("Block")
    assert "You have blocked Bob" in ann.page.text
    assert str(bob.read(f"/people/{ann.person.user}").page) == before
    bob.send("Add friend")
    assert bob.person.ask(table, do="say", text="Look here!")["ok"]
    assert "Friend requests" not in titles(ann.read("/friends").page)
    assert "none yet" in panel(ann.page, "Your friends").text
    assert "Look here!" not in ann.read(f"/t/{table}").page.text
    assert "Look here!" in bob.read(f"/t/{table}").page.text
    ann.read("/friends").send("Unblock", within=panel(ann.page, "Blocked"))
    assert "Friend requests" in titles(ann.page)
    assert "Look here!" in ann.read(f"/t/{table}").page.text


def test_only_friends_are_challenged_and_unknown_users_get_an_error_page(site: Running) -> None:
    ann, bob = Reader(site.person("Ann")), Reader(site.person("Bob"))
    assert ann.post(f"/people/{bob.person.user}/challenge", to="game:slips").status == 409
    assert "You can only challenge your friends" in ann.page.text
    assert ann.read("/people/nobody").status == 404
    assert ann.post(f"/people/{bob.person.user}", do="admire").status == 422
    assert "Choose a name first" in Reader(site.person()).read("/friends").page.text
