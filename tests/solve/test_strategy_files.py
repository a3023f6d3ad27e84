"""Strategy files are read back exactly as written, and anything else is rejected."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liarspoker.engine.errors import BadStrategy, CannotPlay
from liarspoker.solve import strategy_files as files
from liarspoker.solve.strategy import Strategy
from tests.solve.tables import Small, random_strategy, small_games

SMALL = Small("dollar-bill", 2, {"hand_size": 1, "symbols": 2})
TRAINING = {"algorithm": "CFR+", "iterations": 7, "curve": [[1, 0.5, 0.25]], "value": -0.125}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    strategy = random_strategy(SMALL, seed=1)
    path = tmp_path_factory.mktemp("files") / "strategy"
    Strategy.of(SMALL.game, 2, SMALL.options, strategy.probabilities, TRAINING).save(path)
    return path.read_bytes()


def again(
    path: Path, changes: Callable[[dict[str, Any]], Any], table: Callable[[Any], Any] = lambda table: table
) -> Path:
    """Return the file with another header and table, and matching lengths and checksum."""
    raw = path.read_bytes()
    _, _, header_length, _ = struct.unpack_from("<8sIIQ", raw)
    header = json.loads(raw[24 : 24 + header_length])
    header = changes(header) or header
    numbers = table(np.frombuffer(raw[(24 + header_length + 63) // 64 * 64 : -32], np.float32).copy())
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    start = (24 + len(text) + 63) // 64 * 64
    body = struct.pack("<8sIIQ", raw[:8], 1, len(text), start + numbers.nbytes + 32) + text
    body = body.ljust(start, b"\0") + numbers.tobytes()
    path.write_bytes(body + sha256(body).digest())
    return path


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(small_games(), st.integers(0, 99))
def test_a_strategy_is_read_back_as_it_was_written(tmp_path: Path, small: Small, seed: int) -> None:
    path, strategy = tmp_path / "strategy", random_strategy(small, seed)
    strategy.save(path)
    loaded = Strategy.load(path)
    assert loaded.probabilities.tobytes() == strategy.probabilities.tobytes()
    assert (loaded.game, loaded.options, loaded.seats) == (strategy.game, strategy.options, strategy.seats)
    loaded.save(path)
    assert Strategy.load(path).probabilities.tobytes() == strategy.probabilities.tobytes()
    assert [child.name for child in tmp_path.iterdir()] == ["strategy"]


def test_the_same_strategy_gives_the_same_file_with_its_training_record(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "one").write_bytes(written)
    strategy = Strategy.load(tmp_path / "one")
    assert strategy.training == TRAINING
    strategy.save(tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == written


def test_a_large_table_is_memory_mapped_with_the_same_numbers(
    tmp_path: Path, written: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "strategy").write_bytes(written)
    read = Strategy.load(tmp_path / "strategy")
    monkeypatch.setattr(files, "MAPPED", 1)
    mapped = Strategy.load(tmp_path / "strategy")
    assert not mapped.probabilities.flags.owndata
    assert mapped.probabilities.tobytes() == read.probabilities.tobytes()
    for strategy in (read, mapped):
        with pytest.raises(ValueError, match="read-only"):
            strategy.probabilities[0, 0] = 1


def test_a_change_of_any_byte_is_detected(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "strategy"
    for place in range(len(written)):
        path.write_bytes(written[:place] + bytes([written[place] ^ 1 << place % 8]) + written[place + 1 :])
        with pytest.raises(BadStrategy, match="strategy: "):
            Strategy.load(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_truncated_or_extended_file_is_detected(tmp_path: Path, written: bytes, data: st.DataObject) -> None:
    path, end = tmp_path / "strategy", data.draw(st.integers(0, len(written) - 1))
    for content in (written[:end], written + written[: end + 1], written[end:] if end else b""):
        path.write_bytes(content)
        with pytest.raises(BadStrategy, match=r"isn't a strategy file|should have [0-9,]+ bytes"):
            Strategy.load(path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (lambda header: header.update(game="poker"), "there is no game"),
        (lambda header: header.update(game="thorin"), "isn't a digit game"),
        (lambda header: header.update(game=None), "there is no game"),
        (lambda header: header.update(seats=3), "shape"),
        (lambda header: header.update(seats=1), "players: 1"),
        (lambda header: header.update(seats="two"), "header"),
        (lambda header: header["options"].update(symbols=3), "shape"),
        (lambda header: header["options"].update(symbols=11), "symbols = 11"),
        (lambda header: header["options"].update(jokers=1), "jokers"),
        (lambda header: header["options"].update(loose_order=True), "loose_order"),
        (lambda header: header.update(rules_version=2), "version 2 of the rules"),
        (lambda header: header.update(shape=[22, 3]), "shape"),
        (lambda header: header.update(shape=7), "header"),
        (lambda header: header.__delitem__("training"), "training"),
        (lambda header: header.update(options=[1]), "header"),
        (lambda header: b"[]]", "JSON"),
        (lambda header: b"7", "JSON"),
        (lambda header: b"[" * 100_000, "JSON"),
        (lambda header: b"\xff", "JSON"),
    ],
)
def test_a_wrong_header_is_rejected_despite_its_correct_checksum(
    tmp_path: Path, written: bytes, changes: Callable[[dict[str, Any]], Any], message: str
) -> None:
    (tmp_path / "strategy").write_bytes(written)
    with pytest.raises(BadStrategy, match=f"strategy: .*{message}"):
        Strategy.load(again(tmp_path / "strategy", changes))


@pytest.mark.parametrize("number", [np.nan, np.inf, -0.5, 0.9])
@pytest.mark.parametrize("place", [0, 21, -1])
def test_numbers_that_are_not_probabilities_are_rejected(
    tmp_path: Path, written: bytes, number: float, place: int
) -> None:
    (tmp_path / "strategy").write_bytes(written)

    def damaged(table: Any) -> Any:
        table[place] += number
        return table

    with pytest.raises(BadStrategy, match=r"row [0-9]+, hand [0-9]+"):
        Strategy.load(again(tmp_path / "strategy", lambda header: None, damaged))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda written: written[:8] + struct.pack("<I", 2) + written[12:], "format is 2"),
        (lambda written: b"", "isn't a strategy file"),
        (lambda written: b"\x89PNG\r\n\x1a\n" * 9, "isn't a strategy file"),
    ],
)
def test_the_error_says_whether_a_file_is_not_a_strategy_or_newer(
    tmp_path: Path, written: bytes, content: Callable[[bytes], bytes], message: str
) -> None:
    (tmp_path / "strategy").write_bytes(content(written))
    with pytest.raises(BadStrategy, match=message):
        Strategy.load(tmp_path / "strategy")
    for path, said in ((tmp_path / "nothing", "nothing: No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(BadStrategy, match=said):
            Strategy.load(path)


def test_a_failed_write_leaves_the_existing_file_unchanged(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "strategy"
    path.write_bytes(written)
    strategy = Strategy.load(path)
    unwritable = Strategy.of(SMALL.game, 2, SMALL.options, strategy.probabilities, {"value": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        unwritable.save(path)
    assert path.read_bytes() == written
    assert [child.name for child in tmp_path.iterdir()] == ["strategy"]


@pytest.mark.parametrize(
    ("game", "seats", "options", "message"),
    [
        ("salomon-1986", 2, SMALL.options, "game"),
        ("dollar-bill", 3, SMALL.options, "players: the strategy is for 2, not for 3"),
        ("dollar-bill", 2, {**SMALL.options, "rebid": True}, "rebid: the strategy is for false, not for true"),
        ("dollar-bill", 2, {**SMALL.options, "hand_size": 2}, "hand_size"),
    ],
)
def test_a_strategy_is_rejected_at_another_table(
    game: str, seats: int, options: dict[str, object], message: str
) -> None:
    strategy = random_strategy(SMALL, seed=1)
    strategy.require("dollar-bill", 2, SMALL.options)
    with pytest.raises(BadStrategy, match=message):
        strategy.require(game, seats, options)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.zeros((21, 2), np.float32), "shape"),
        (np.zeros((22, 3), np.float32), "shape"),
        (np.zeros((22, 2), np.float64), "float64"),
        (np.zeros((2, 22), np.float32).T, "C order"),
        (np.zeros((22, 2), np.float32), "row 0, hand 0"),
    ],
)
def test_a_table_of_another_shape_or_dtype_is_rejected(table: Any, message: str) -> None:
    with pytest.raises(BadStrategy, match=message):
        Strategy.of(SMALL.game, 2, SMALL.options, table)


def test_a_ladder_without_a_top_has_no_strategy() -> None:
    with pytest.raises(CannotPlay, match="cap_level"):
        Strategy.of(SMALL.game, 2, {"cap_level": False}, np.zeros((1, 1), np.float32))
