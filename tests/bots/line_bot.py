"""A bot as a program of its own, for tests: `python line_bot.py HABIT` with one of the habits below."""

import json
import random
import sys

habit = sys.argv[1]
for line in sys.stdin:
    asked = json.loads(line)
    hand = asked["hand"]
    legal = hand["legal"]
    claims = legal.get("claims", ())
    if habit == "honest":  # plays any of the legal actions that the request lists
        texts = [*legal.get("answers", ()), legal.get("challenge"), legal.get("count"), legal.get("take"), *claims]
        if legal.get("claim"):
            texts.append(f"claim {legal['min_claim']}")
        if legal.get("declare"):
            texts.append(f"declare {legal['min_claim']}")
        if legal.get("discard"):
            texts.append("discard -")
        print(random.Random(asked["seed"]).choice([text for text in texts if text]), flush=True)
    elif habit == "cautious":  # as `sample_bots.watcher`
        print(legal["challenge"] or legal["count"] or claims[0], flush=True)
    elif habit == "chatty":
        print("let me think", flush=True)
    elif habit == "slow":
        sys.stdin.read()  # until the end of its input
    else:  # quits
        break
