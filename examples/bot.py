"""A bot for live tables, with the standard library alone: `python bot.py http://127.0.0.1:8000 TOKEN [TABLE ...]`."""

import json
import random
import sys
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SERVER, TOKEN, *TABLES = sys.argv[1:]


def ask(path, body=None):
    """Return the server's response: one JSON object, or a stream with one object per line."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    return urlopen(Request(f"{SERVER}/api{path}", None if body is None else json.dumps(body).encode(), headers))


def messages(path):
    """Yield every message of a stream; empty lines only keep the connection open."""
    return (json.loads(line) for line in ask(path) if line.strip())


def choice(legal):
    """Choose a response or one of the weakest claims. Put a better strategy here."""
    answers = [legal[word] for word in ("challenge", "count", "take", "pass") if legal.get(word)]
    if legal.get("discard"):
        return "discard -"
    if legal.get("min_claim"):  # card games
        answers.append(f"{'declare' if legal.get('declare') else 'claim'} {legal['min_claim']}")
    return random.choice(answers + legal.get("claims", [])[:3])


def play(table):
    """Play until the table ends. A command id takes effect once, so each id is derived from the command's purpose."""
    for message in messages(f"/tables/{table}/stream"):
        if message["kind"] != "state" or message["public"]["stage"] == "ended":
            continue
        public, you = message["public"], message["you"]
        if you.get("gathering") and you["gathering"]["pick"]:
            command = {"do": "pick", "choice": random.choice(public["gathering"]["choosing"]["free"])}
            ask(f"/tables/{table}/commands", {"id": f"pick-{public['version']}", "command": command})
        elif you.get("gathering") and not you["gathering"]["ready"]:
            command = {"id": f"ready-{public['gathering']['commitment'][:32]}", "command": {"do": "ready"}}
            ask(f"/tables/{table}/commands", command)
        elif public["to_act"] == you["user"]:
            try:
                ask(f"/tables/{table}/act", {"turn": public["turn"], "action": choice(you["hand"]["legal"])})
            except HTTPError as error:
                print(error.read().decode(), file=sys.stderr)


for table in TABLES:
    ask(f"/tables/{table}/commands", {"id": "join", "command": {"do": "join"}})
playing = set()
for event in messages("/stream"):
    if event["stage"] != "ended" and event["table"] not in playing:
        playing.add(event["table"])
        Thread(target=play, args=[event["table"]], daemon=True).start()
