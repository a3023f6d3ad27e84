"""Exit codes: wrong input is reported in one line with exit code 1, wrong usage with exit code 2."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import Run

NEEDED = {"solve": "numba", "exploit": "numba"}
"""The package that a command needs."""
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
    ("simulate bridge", 'there is no game "bridge"'),
    ("arena slips bridge", 'there is no game "bridge"'),
    ("arena slips --rounds 4 -o no/such/folder/results.json", "no/such/folder/results.json"),
    ("solve bridge", 'there is no game "bridge"'),
    ("solve thorin", "thorin"),
    ("solve", "bytes of memory"),
    (f"solve {SMALL} --memory 1e-6", ""),
    (f"solve {SMALL} --option loose_order=true", "loose_order"),
    (f"solve {SMALL} --option cap_level=false", "cap_level"),
    (f"solve {SMALL} -o /dev/null", "/dev/null: this file can't be written"),
    (f"solve {SMALL} --policy nowhere/a.strategy", "nowhere/a.strategy: No such file or directory"),
    ("exploit uniform", "bytes of memory, but only"),
    ("exploit uniform slips --players 16", "bytes of memory, but only"),
    ("exploit nobody", "no such file and no such bot; the bots are uniform"),
    ("exploit uniform thorin", ""),
    ("exploit uniform poker", 'no game "poker"'),
    (f"exploit uniform --option cap_level=false {TINY}", "cap_level"),
    (f"exploit uniform {TINY} --save no/such/folder", "no/such/folder: No such file or directory"),
    (f"exploit random:Random {TINY}", "has no probabilities"),
    ("exploit .", "Is a directory"),
    ("exploit nobody --local", "nobody: --local needs a file with a strategy, or one of these bots: uniform, beg"),
    ("exploit uniform --local --option cap_level=false", "cap_level = false"),
    ("odds bid 33x7 --players 4 --own 1", "the level must be between 1 and 32"),
    ("odds bid sevens --players 4 --own 1", "bid"),
    ("odds pooled 'full house' --unknown 3", ""),
    ("odds thorin five", ""),
    ("replay missing.toml", "missing.toml: No such file or directory"),
    ("replay --json .", ".: Is a directory"),
    ("replay --write json unsound.json", "liarspoker: unsound.json, round 1, action 2: 1 five does not beat 2 fives"),
    ("play --record broken.toml", "broken.toml, the record: this isn't TOML: "),
    ("play --record broken.json", "broken.json, the record: this isn't JSON: "),
    ("play --record list.json", "list.json, the record: it must be a table of keys and values"),
    ("play --record new.toml", "new.toml, the record: lpn: version 2"),
    ("play --record unsound.json", "unsound.json, round 1, action 2: 1 five does not beat 2 fives"),
    ("play slips --record no/such/folder/game.toml", "no/such/folder/game.toml: "),
    ("play slips --record .", ".: "),
    ("verify missing.json", "missing.json: No such file"),
    ("verify broken.json", "this isn't an audit document"),
    ("slips -o nowhere/slips.pdf", "nowhere/slips.pdf"),
    ("backup new.zip --data nowhere", "nowhere/liarspoker.sqlite3 can't be opened: unable to open database file; "),
    ("restore new.zip --data new", "new.zip: No such file or directory"),
]

WRONG_USAGE = [
    ("play slips --token a", "liarspoker play: error: --token is for live tables; add --server URL"),
    ("play slips --ask-ready", "--ask-ready is for live tables; add --server URL"),
    ("play slips --players 2 --bots pip,hal", "--bots: 2 bots and you are more than 2 players"),
    ("replay a.toml b.toml", "liarspoker replay: error: unrecognized arguments: b.toml"),
    ("", "COMMAND"),
    ("cheat", "argument COMMAND: invalid choice: 'cheat'"),
    ("completion tcsh", "invalid choice: 'tcsh'"),
    *((f"play slips {words}", "error: ") for words in ("--rounds 0", "--hands x", "--players two", "--seed x")),
    *((f"play slips {words}", "error: ") for words in ("--slips --bills", "--nothing", "--name ''", "--name '  '")),
    ("play slips --option rebid", "write NAME=VALUE"),
    ("play slips --players 0", "'0' isn't an integer of 1 or more"),
    ("play slips --players -2", "--players"),
    ("play slips --players 17", "players: 17; slips needs 2 to 16"),
    ("play slips --bots nobody", "there is no bot 'nobody'; the catalogue has uniform, pip, beginner"),
    ("play slips --bots no_such_module:bot", "no_such_module:bot: "),
    *((f"play slips --bots '{bots}'", "there is no bot ''") for bots in ("", "beginner,", ",uniform", " ")),
    ("play slips --option rebids=true", "rebids: the digit games have no such option; the options are order, "),
    ("play slips --option rebid=yes", 'rebid = "yes": '),
    ("play slips --option hand_size=16", "hand_size = 16: "),
    ("play slips --option order=random", 'order = "random": '),
    ("play dollar-bill --slips", "slips: dollar-bill is played with bills"),
    ("play thorin --bots uniform --slips", "leave out --slips and --bills"),
    ("play thorin --bots uniform --bills", "leave out --slips and --bills"),
    ("play --server nonsense", "write a server's address as http://127.0.0.1:8000, or paste a table's link"),
    ("play slips --server http://127.0.0.1:1/tables/Hk3v", "this is a table's link; to create a table, give only the"),
    ("play --server http://127.0.0.1:1 --players 3", "--players: it sets up a new table, so name a GAME too"),
    ("play --server http://127.0.0.1:1 --seed 3", "--seed: not available at a live table"),
    ("play slips --server http://127.0.0.1:1 --bots my:bot", "--bots my:bot: a live table has the server's bots only"),
    ("simulate slips --players 2 --bots uniform,uniform,uniform", "--bots names 3 bots for 2 players"),
    ("simulate slips --option sixes", "write NAME=VALUE"),
    ("simulate slips --rounds 0", "'0' isn't an integer from 1 to 1,000,000,000,000"),
    ("simulate slips --jobs two", "'two' isn't an integer from 1 to 1,024"),
    ("simulate slips --slips --bills", "not allowed with"),
    ("simulate", "GAME"),
    ("simulate slips --bots deep-thought", "there is no bot 'deep-thought'"),
    ("simulate slips --bots no_such_module:bot", "no_such_module:bot: "),
    ("simulate slips --option sizes=true", "sizes: the digit games have no such option"),
    ("simulate slips --option hand_size=many", 'hand_size = "many": '),
    ("simulate slips --option sixes=true --option sixes=false", "--option sixes: given twice"),
    ("simulate slips --players 17", "slips needs 2 to 16"),
    ("simulate dollar-bill --slips", "dollar-bill is played with bills"),
    ("arena", "GAME"),
    ("arena slips --bots bluffer", "--bots: bluffer is one bot; name two or more, separated by commas"),
    ("arena slips --bots bluffer,uniform,bluffer", "--bots names bluffer twice"),
    ("arena slips --bots bluffer,deep-thought", "there is no bot 'deep-thought'"),
    ("arena slips --players 2,17", "slips needs 2 to 16"),
    ("arena slips --players 1", "'1' isn't an integer of 2 or more"),
    ("arena slips --players 2,x", "'x' isn't an integer of 2 or more"),
    ("arena slips thorin --option sixes=true", "sixes"),
    ("arena slips --rounds 0", "'0' isn't an integer from 1 to 1,000,000,000,000"),
    ("arena slips --engine fast", "invalid choice: 'fast'"),
    *((f"arena slips --sprt {text}", "isn't two numbers, the lower one first") for text in ("0.1", "0.1,0", "a,b")),
    *((f"arena slips --alpha {text}", "isn't a probability above 0 and below 0.5") for text in ("0", "0.5", "nan")),
    *((f"solve {words}", "isn't a") for words in ("--target 0", "--players none", "--threads 0", "--memory inf")),
    ("solve --hand-size 16", "hand_size = 16: "),
    (f"solve {SMALL} --option sizes=true", "sizes: the digit games have no such option"),
    (f"solve {SMALL} --option hand_size=1", "--option hand_size: --hand-size sets it too; leave one out"),
    (f"solve {SMALL} --players 17", "dollar-bill needs 2 to 16"),
    (f"solve {SMALL} --algorithm magic", "invalid choice: 'magic'"),
    (f"solve {SMALL} --target 1e-9", "--target 1e-09: it can't be below"),
    (f"exploit uniform --option jokers=1 {TINY}", "jokers"),
    ("exploit uniform --symbols 11", "symbols = 11"),
    (f"exploit uniform --players 17 {TINY}", "players: 17"),
    (f"exploit uniform {TINY} --stake 0", "--stake: '0' isn't an integer of 1 or more"),
    (f"exploit uniform {TINY} --threads 0", "--threads: '0' isn't an integer from 1 to 1,024"),
    (f"exploit uniform {TINY} --after '1x1 1x0'", "1x0 isn't legal as move 2; legal moves: challenge, 2x0, 2x1"),
    (f"exploit uniform {TINY} --after up", "--after: up isn't legal as move 1; legal moves: 1x0, 1x1"),
    (f"exploit uniform {TINY} --after '1x1 challenge'", "auction"),
    (f"exploit uniform {TINY} --rounds 9", "--rounds needs --local"),
    ("exploit uniform --local --stake 2", "--local plays at stake 1"),
    ("exploit uniform --local --after 1x1", "--after needs an exact best response"),
    ("exploit uniform --local --save best", "--output needs an exact best response"),
    ("exploit uniform --local --rounds 0", "'0' isn't an integer of 1 or more"),
    (f"exploit uniform --local --rounds {'9' * 23}", f"'{'9' * 23}' isn't an integer from 1 to 999,999,999"),
    (f"exploit uniform --local --rounds {'9' * 5000}", "isn't an integer from 1 to 999,999,999"),
    ("exploit uniform --local --rounds 1e9", "'1e9' isn't an integer of 1 or more"),
    ("exploit uniform --local --rounds 0000000000001", "--rounds 1: --local needs 2 or more"),
    *((f"{command} --seed abc", "--seed: 'abc' isn't an integer\n") for command in ("play slips", "simulate slips")),
    ("exploit uniform --local --rounds 1", "--rounds 1: --local needs 2 or more"),
    *((f"odds {words}", "usage: liarspoker odds") for words in ("raise", "bid", "bid 5x7 --own 1", "--json --jsonl")),
    *((f"odds --players {text}", "usage: liarspoker odds") for text in ("1", "101", "²", "9" * 5000)),
    *((f"{BID} {words}", "usage: liarspoker odds") for words in ("", "--own 1 --hand 06742088")),
    (f"{BID} --hand 0674208", "8 digits"),
    (f"{BID} --own 9", "own: 9; it must be between 0 and 8"),
    (f"{BID} --own 1 --game poker", 'there is no game "poker"'),
    (f"{BID} --own 1 --over 6x1", "does not beat"),
    (f"{BID} --own 1 --plot bid.gif", ".svg"),
    ("odds --plot tables.gif", ".svg"),
    ("odds -o tables.gif", ".svg"),
    ("odds --jsonl --plot a.png", "usage: liarspoker odds"),
    ("odds --jsonl bid 5x7 --players 4 --own 1", "usage: liarspoker odds"),
    *((f"odds pooled {words}", "usage: liarspoker odds") for words in ("", "'pair 7'", "--unknown -1", "--unknown ²")),
    (f"{POOLED} --jokers 3", "usage: liarspoker odds"),
    (f"{POOLED} --known 'As As'", "As"),
    (f"{POOLED} --known Ax", "Ax"),
    (f"{POOLED} --known Jk", "jokers"),
    (f"{POOLED} --wild-ranks 1", "wild_ranks"),
    ("odds pooled --unknown 53", "unknown: 53 cards"),
    (f"{THORIN} --hand 'As Ad'", "five"),
    (f"{THORIN} --discard 3s", "3s"),
    *((f"odds {words}", "usage: liarspoker odds") for words in ("thorin", "thorin three --discard As")),
    *((f"odds {words} thorin three", "usage: liarspoker odds") for words in ("--jsonl", "--plot a.svg")),
    *((f"replay {words}", "usage: liarspoker") for words in ("", "--json", "--write toml", "--write xml broken.toml")),
    *((f"replay {words} a.toml", "usage: liarspoker") for words in ("one.toml", "--jsonl", "--json --write json")),
    *((f"replay {words}", "usage: liarspoker") for words in ("--json --jsonl", "a.toml -o b.toml")),
    *((f"slips --count={count}", "isn't an integer from 1 to 1,000") for count in ("0", "-3", "four", "1001", "1.5")),
    ("slips -o - --json", "--json: "),
    ("backup", "name one FILE"),
    ("backup a.zip -o b.zip", "name one FILE"),
    ("backup new.zip --database mysql://x", "postgresql:// or"),
    ("backup new.zip --data ''", "argument --data: the value is empty"),
    ("restore new.zip --data ''", "argument --data: the value is empty"),
    ("admin tables --data ' '", "argument --data: the value is empty"),
]


@pytest.fixture(autouse=True)
def _files() -> None:
    """Invalid files in the folder in which the commands run."""
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


@pytest.mark.parametrize(("line", "message"), WRONG_INPUT, ids=[line[:60] for line, _ in WRONG_INPUT])
def test_wrong_input_is_reported_in_one_line(line: str, message: str, run: Run) -> None:
    skip_without_its_package(line)
    before = {path: path.read_bytes() for path in Path().iterdir()}
    out, err = run(line, code=1)
    assert out == "" if not line.startswith("play") else "Hand 1" not in out
    assert err.startswith("liarspoker: ")
    assert message in err
    assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize(("line", "message"), WRONG_USAGE, ids=[line[:60] for line, _ in WRONG_USAGE])
def test_wrong_usage_is_explained(line: str, message: str, run: Run) -> None:
    skip_without_its_package(line)
    out, err = run(line, code=2)
    assert out == ""
    assert message in err
    assert err.startswith("usage: liarspoker")
    assert " --help' for help.\n" in err


def test_a_game_like_no_other_gets_no_suggestion(run: Run) -> None:
    assert "did you mean" not in run("games xyzzy", code=1).err


@pytest.mark.parametrize("words", ["--players 7", "--option sixes=false", "--bots uniform", "--name Joe", "--bills"])
def test_options_that_a_saved_game_sets_are_refused(words: str, run: Run) -> None:
    Path("game.json").write_text(UNSOUND.replace(', "1x5"', ""))
    assert words.split()[0] in run(f"play --record game.json {words}", code=2).err
    assert "holds a game of dollar-bill, not of slips\n" in run("play slips --record game.json", code=1).err


def test_bots_of_your_own_in_a_saved_game_run_only_if_you_name_them(run: Run) -> None:
    record = UNSOUND.replace(', "1x5"', "")[:-1] + ', "x-play": {"seat": 0, "bots": ["", "os:getcwd"]}}'
    Path("game.json").write_text(record)
    assert "to run their code, add --bots os:getcwd" in run("play --record game.json", code=2).err
    assert "to run their code, add --bots os:getcwd" in run("play --record game.json --bots uniform", code=2).err
