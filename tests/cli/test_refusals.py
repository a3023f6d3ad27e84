"""What every command refuses: wrong input in one line with exit code 1, wrong usage with exit code 2."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import Run

NEEDED = {"solve": "numba", "exploit": "numba"}
"""The package without which a command does nothing."""
TINY = "--hand-size 1 --symbols 2"
SMALL = "--hand-size 2 --symbols 2"
BID = "odds bid 5x7 --players 4"
POOLED = "odds pooled 'full-house AT' --known 'As Kd' --unknown 12"
THORIN = "odds thorin three --hand 'As Ad Kc 7h 2s'"
UNSOUND = (
    '{"lpn": 1, "game": "dollar-bill", "players": ["A", "B"], "rounds": '
    '[{"deal": ["12345678", "12345678"], "actions": ["2x5", "1x5"]}]}'
)

WRONG_INPUT = [
    ("games salomon", 'there is no game "salomon"; the catalogue has dollar-bill, '),
    ("games salomon", "; did you mean salomon-1986?"),
    ("games SLIP", "; did you mean slips?"),
    ("play thorni", "; did you mean thorin?"),
    ("play poker", 'there is no game "poker"; the catalogue has dollar-bill, salomon-1986, slips'),
    ("play slips --players 0", "players: 0; slips seats 2 to 16"),
    ("play slips --players -2", "players: -2; slips seats 2 to 16"),
    ("play slips --players 17", "players: 17; slips seats 2 to 16"),
    ("play slips --bots nobody", "there is no bot 'nobody'; the catalogue has uniform, beginner, binomial"),
    *((f"play slips --bots '{bots}'", "there is no bot ''") for bots in ("", "beginner,", ",uniform", " ")),
    ("play slips --option rebids=true", "rebids: the digit games have no such option; there are order, "),
    ("play slips --option rebid=yes", 'rebid = "yes": it takes true or false'),
    ("play slips --option hand_size=16", "hand_size = 16: it takes 1 to 15"),
    ("play slips --option order=random", 'order = "random": it takes "zero_low", "zero_high" or "ace_high"'),
    ("play dollar-bill --slips", "slips: dollar-bill is played with bills"),
    ("play thorin --bots uniform --slips", "neither from slips nor with bills"),
    ("play thorin --bots uniform --bills", "neither from slips nor with bills"),
    ("simulate bridge", 'there is no game "bridge"'),
    ("simulate slips --bots deep-thought", "there is no bot 'deep-thought'"),
    ("simulate slips --bots no_such_module:bot", "no_such_module:bot: "),
    ("simulate slips --option sizes=true", "sizes: the digit games have no such option"),
    ("simulate slips --option hand_size=many", 'hand_size = "many": it takes 1 to 15'),
    ("simulate slips --option sixes=true --option sixes=false", "--option sixes: it is there twice"),
    ("simulate slips --players 17", "slips seats 2 to 16"),
    ("simulate dollar-bill --slips", "dollar-bill is played with bills"),
    ("solve bridge", 'there is no game "bridge"'),
    ("solve thorin", "thorin"),
    ("solve", "takes 4.2e+53 bytes of memory"),
    (f"solve {SMALL} --memory 1e-6", "room for nothing"),
    ("solve --hand-size 16", "hand_size = 16: it takes 1 to 15"),
    (f"solve {SMALL} --option sizes=true", "sizes: the digit games have no such option"),
    (f"solve {SMALL} --option hand_size=1", "--option hand_size: --hand-size says it already; leave one out"),
    (f"solve {SMALL} --option loose_order=true", "loose_order"),
    (f"solve {SMALL} --option cap_level=false", "cap_level"),
    (f"solve {SMALL} --players 17", "dollar-bill seats 2 to 16"),
    (f"solve {SMALL} --algorithm magic", "there is no algorithm 'magic'"),
    (f"solve {SMALL} --target 1e-9", "tell nothing below"),
    (f"solve {SMALL} --policy /dev/null", "/dev/null: no file can be written there"),
    (f"solve {SMALL} --policy nowhere/a.strategy", "nowhere/a.strategy: no file can be written there"),
    ("exploit uniform", "bytes of memory, and"),
    ("exploit uniform slips --players 16", "bytes of memory, and"),
    ("exploit nobody", "no such file, and no such bot; the bots are uniform"),
    ("exploit uniform thorin", "no digit game"),
    ("exploit uniform poker", 'no game "poker"'),
    (f"exploit uniform --option cap_level=false {TINY}", "cap_level"),
    (f"exploit uniform --option jokers=1 {TINY}", "jokers"),
    ("exploit uniform --symbols 11", "symbols = 11"),
    (f"exploit uniform --players 17 {TINY}", "players: 17"),
    (f"exploit uniform {TINY} --stake 0", "stake: 0"),
    (f"exploit uniform {TINY} --threads 0", "threads: 0"),
    (f"exploit uniform {TINY} --after '1x1 1x0'", "1x0 is not legal as move 2; legal are challenge, 2x0, 2x1"),
    (f"exploit uniform {TINY} --after up", "--after: up is not legal as move 1; legal are 1x0, 1x1"),
    (f"exploit uniform {TINY} --after '1x1 challenge'", "the auction is over"),
    (f"exploit uniform {TINY} --save no/such/folder", "no file can be written there"),
    (f"exploit random:Random {TINY}", "does not tell its chances"),
    ("exploit .", "Is a directory"),
    ("exploit nobody --local", "nobody: a local best response knows how strategies in files play, and uniform, beg"),
    ("exploit uniform --local --option cap_level=false", "cap_level = false: the ladder has no top"),
    ("exploit uniform --local --rounds 1", "rounds: 1; it is 2 or more"),
    (f"{BID} --hand 0674208", "8 digits"),
    (f"{BID} --own 9", "9 of a digit in a hand of 8"),
    (f"{BID} --own 1 --game poker", 'there is no game "poker"'),
    (f"{BID} --own 1 --over 6x1", "does not beat"),
    (f"{BID} --own 1 --plot bid.gif", ".svg"),
    ("odds bid 33x7 --players 4 --own 1", "levels go from 1 to 32"),
    ("odds bid sevens --players 4 --own 1", "is no bid"),
    ("odds --plot tables.gif", ".svg"),
    (f"{POOLED} --known 'As As'", "As is there twice"),
    (f"{POOLED} --known Ax", "no card"),
    (f"{POOLED} --known Jk", "jokers"),
    (f"{POOLED} --wild-ranks 1", "wild_ranks"),
    ("odds pooled 'full house' --unknown 3", "names no hand"),
    ("odds pooled --unknown 53", "unknown: 53 cards"),
    (f"{THORIN} --hand 'As Ad'", "a hand has five"),
    (f"{THORIN} --discard 3s", "does not hold 3s"),
    ("odds thorin five", "is no hand"),
    ("replay missing.toml", "missing.toml: No such file or directory"),
    ("replay --json .", ".: Is a directory"),
    ("replay --write json unsound.json", "round 1, action 2: 1 five does not beat 2 fives"),
    ("play --record broken.toml", "broken.toml, the record: this is not TOML: "),
    ("play --record broken.json", "broken.json, the record: this is not JSON: "),
    ("play --record list.json", "list.json, the record: record: it should be a table"),
    ("play --record new.toml", "new.toml, the record: lpn: version 2"),
    ("play --record unsound.json", "unsound.json, round 1, action 2: 1 five does not beat 2 fives"),
    ("play slips --record no/such/folder/game.toml", "no/such/folder/game.toml: "),
    ("play slips --record .", ".: "),
    ("verify missing.json", "missing.json: No such file"),
    ("verify broken.json", "this is no audit document"),
    ("slips -o nowhere/slips.pdf", "nowhere/slips.pdf"),
    ("backup new.zip --data nowhere", "nowhere/liarspoker.sqlite3 cannot be opened: unable to open database file; say"),
    ("backup new.zip --database mysql://x", "the database's address must begin with postgresql:// or"),
    ("restore new.zip --data new", "new.zip: No such file or directory"),
]

WRONG_USAGE = [
    ("", "COMMAND"),
    ("cheat", "argument COMMAND: invalid choice: 'cheat'"),
    *((f"play slips {words}", "error: ") for words in ("--hands 0", "--hands x", "--players two", "--seed x")),
    *((f"play slips {words}", "error: ") for words in ("--slips --bills", "--nothing", "--name ''", "--name '  '")),
    ("play slips --option rebid", "write NAME=VALUE"),
    ("play --server http://127.0.0.1:1 --players 3", "--players: for a new table; name its game too"),
    ("play --server http://127.0.0.1:1 --seed 3", "--seed: not at a live table"),
    ("simulate slips --players 2 --bots uniform,uniform,uniform", "--bots names 3 bots for 2 players"),
    ("simulate slips --option sixes", "write NAME=VALUE"),
    ("simulate slips --rounds 0", "'0' is not a whole number from 1 to 1,000,000,000,000"),
    ("simulate slips --jobs two", "'two' is not a whole number from 1 to 1,000,000,000,000"),
    ("simulate slips --slips --bills", "not allowed with"),
    ("simulate", "GAME"),
    *((f"solve {words}", "is not a") for words in ("--target 0", "--players none", "--threads 0", "--memory inf")),
    (f"exploit uniform {TINY} --rounds 9", "--rounds is of --local"),
    (f"exploit uniform {TINY} --jobs 2", "--jobs is of --local"),
    ("exploit uniform --local --stake 2", "--local plays for a stake of 1"),
    ("exploit uniform --local --after 1x1", "--after is of exact best responses"),
    ("exploit uniform --local --rounds 0", "'0' is not a whole number of 1 or more"),
    *((f"odds {words}", "usage: liarspoker odds") for words in ("raise", "bid", "bid 5x7 --own 1", "--json --jsonl")),
    *((f"odds --players {text}", "usage: liarspoker odds") for text in ("1", "101", "²", "9" * 5000)),
    *((f"{BID} {words}", "usage: liarspoker odds") for words in ("", "--own 1 --hand 06742088")),
    ("odds --jsonl --plot a.png", "usage: liarspoker odds"),
    ("odds --jsonl bid 5x7 --players 4 --own 1", "usage: liarspoker odds"),
    *((f"odds pooled {words}", "usage: liarspoker odds") for words in ("", "'pair 7'", "--unknown -1", "--unknown ²")),
    (f"{POOLED} --jokers 3", "usage: liarspoker odds"),
    *((f"odds {words}", "usage: liarspoker odds") for words in ("thorin", "thorin three --discard As")),
    *((f"odds {words} thorin three", "usage: liarspoker odds") for words in ("--jsonl", "--plot a.svg")),
    *((f"replay {words}", "usage: liarspoker") for words in ("", "--json", "--write toml", "--write xml broken.toml")),
    *((f"replay {words} a.toml", "usage: liarspoker") for words in ("one.toml", "--jsonl", "--json --write json")),
    ("replay --json --jsonl", "usage: liarspoker"),
    *((f"slips --count={count}", "is not a number from 1 to 1000") for count in ("0", "-3", "four", "1001", "1.5")),
]


@pytest.fixture(autouse=True)
def _files() -> None:
    """Files in the folder in which the commands run, each with a fault."""
    for name, content in {
        "broken.toml": "x =",
        "broken.json": "{",
        "list.json": "[1]",
        "new.toml": "lpn = 2\ngame = 'slips'",
        "unsound.json": UNSOUND,
    }.items():
        Path(name).write_text(content)


def skip_without_its_package(line: str) -> None:
    needed = NEEDED.get(line.partition(" ")[0])
    if needed and not find_spec(needed):
        pytest.skip(f"{needed} is not installed")


@pytest.mark.parametrize(("line", "said"), WRONG_INPUT, ids=[line[:60] for line, _ in WRONG_INPUT])
def test_wrong_input_is_refused_in_one_line(line: str, said: str, run: Run) -> None:
    skip_without_its_package(line)
    before = {path: path.read_bytes() for path in Path().iterdir()}
    out, err = run(line, code=1)
    assert out == "" if not line.startswith("play") else "Hand 1" not in out
    assert err.startswith("liarspoker: ")
    assert said in err
    assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize(("line", "said"), WRONG_USAGE, ids=[line[:60] for line, _ in WRONG_USAGE])
def test_wrong_usage_is_explained(line: str, said: str, run: Run) -> None:
    skip_without_its_package(line)
    out, err = run(line, code=2)
    assert out == ""
    assert said in err
    assert "liarspoker" in err


def test_a_game_like_no_other_is_refused_without_a_guess(run: Run) -> None:
    assert "did you mean" not in run("games xyzzy", code=1).err


@pytest.mark.parametrize("words", ["--players 7", "--option sixes=false", "--bots uniform", "--name Joe", "--bills"])
def test_what_a_record_decides_cannot_be_asked_for_otherwise(words: str, run: Run) -> None:
    Path("game.json").write_text(UNSOUND.replace(', "1x5"', ""))
    assert words.split()[0] in run(f"play --record game.json {words}", code=2).err
    assert "holds a game of dollar-bill, not of slips\n" in run("play slips --record game.json", code=1).err
