"""Static checks of what the server's code must not do."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import argon2
import pytest

from liarspoker.server.accounts import passphrases

SOURCE = Path(__file__).resolve().parents[3] / "src" / "liarspoker"
SERVED = ("server", "web", "protocol", "tables", "records")
BETWEEN_OUR_OWN_PROCESSES = {("server/bots/worker.py", "pickle"), ("server/bots/workers.py", "pickle")}
COMPILED_HERE = {("web/templating.py", "marshal")}
"""Code of templates, in a folder that only the server's user can write to."""
WEAK = {"md5", "sha1", "md4", "DES", "TripleDES", "ARC4", "ECB", "CBC"}


def names() -> Iterator[tuple[str, str]]:
    """Yield every imported module and every used name in the served packages, with its file."""
    for path in (path for package in SERVED for path in sorted((SOURCE / package).rglob("*.py"))):
        place = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Import():
                    yield from ((place, alias.name.partition(".")[0]) for alias in node.names)
                case ast.ImportFrom(module=str(module)):
                    yield place, module.partition(".")[0]
                    yield from ((place, alias.name) for alias in node.names)
                case ast.Call(func=ast.Name(id=name)):
                    yield place, name
                case ast.Attribute(attr=name):
                    yield place, name


def users_of(*forbidden: str) -> set[tuple[str, str]]:
    found = set(names())
    assert len(found) > 1_000
    return {(place, name) for place, name in found if name in forbidden}


def test_the_server_never_executes_data() -> None:
    running = (
        "eval",
        "exec",
        "__import__",
        "pickle",
        "marshal",
        "shelve",
        "create_subprocess_shell",
        "system",
        "popen",
    )
    assert users_of(*running) <= BETWEEN_OUR_OWN_PROCESSES | COMPILED_HERE


def test_the_server_uses_no_weak_hash() -> None:
    assert users_of(*WEAK) == set()


def test_secrets_come_from_a_secure_generator() -> None:
    drawing = {place for place, _ in users_of("random", "Random", "uuid1", "uuid4")}
    assert not [place for place in drawing if place.startswith(("server/accounts", "server/storage", "tables/fair"))]
    assert {place for place, _ in users_of("token_urlsafe")} >= {"server/accounts/credentials.py"}


def test_passphrase_hashes_use_the_recommended_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        passphrases, "PasswordHasher", argon2.PasswordHasher
    )  # the servers of other tests use a fast hash

    async def stored() -> str:
        with closing(passphrases.Passphrases()) as hashing:
            return await hashing.hash("a cold and frosty morning")

    work = argon2.extract_parameters(asyncio.run(stored()))
    assert work.type is argon2.Type.ID
    assert work.memory_cost >= 19 * 1024
    assert work.memory_cost * work.time_cost >= 3 * 64 * 1024  # the second recommended option of RFC 9106
    assert (work.salt_len, work.hash_len) >= (16, 32)
