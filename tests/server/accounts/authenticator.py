"""An authenticator in software, which can also misbehave."""

from __future__ import annotations

import hashlib
import json
import os
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 1, 4, 64
"""Flags of the authenticator's data."""

ORIGIN, HOST = "https://play.example", "play.example"


def text(data: bytes) -> str:
    """Encode bytes as base64url."""
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Authenticator:
    """One passkey on a device.

    Attributes:
        count: the signature counter.
    """

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    credential_id: bytes = field(default_factory=lambda: os.urandom(16))
    count: int = 0

    def create(self, options: str, **wrong: Any) -> dict[str, Any]:
        """Answer the options to create a passkey; `wrong` overrides what an honest answer contains."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.credential_id).to_bytes(2, "big") + self.credential_id + cbor2.dumps(public)
        data = self._data(ATTESTED, **wrong) + attested
        document = {"fmt": "none", "attStmt": {}, "authData": data}
        return self._answer(options, "webauthn.create", {"attestationObject": text(cbor2.dumps(document))}, **wrong)

    def use(self, options: str, **wrong: Any) -> dict[str, Any]:
        """Answer the options to log in; `wrong` overrides what an honest answer contains."""
        self.count += 1
        data = self._data(0, **wrong)
        answer = self._answer(options, "webauthn.get", {"authenticatorData": text(data)}, **wrong)
        signed = data + hashlib.sha256(_client_data(options, "webauthn.get", **wrong)).digest()
        signer = wrong.get("signer", self.key)
        answer["response"]["signature"] = text(signer.sign(signed, ec.ECDSA(hashes.SHA256())))
        return answer

    def _data(self, flags: int, **wrong: Any) -> bytes:
        host, verified = wrong.get("host", HOST), wrong.get("verified", True)
        flags |= PRESENT | (VERIFIED if verified else 0)
        count = wrong.get("count", self.count)
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + int(count).to_bytes(4, "big")

    def _answer(self, options: str, kind: str, more: dict[str, str], **wrong: Any) -> dict[str, Any]:
        client_data = text(_client_data(options, kind, **wrong))
        name = text(self.credential_id)
        response = {"clientDataJSON": client_data, **more}
        return {"id": name, "rawId": name, "type": "public-key", "response": response}


def _client_data(options: str, kind: str, **wrong: Any) -> bytes:
    challenge = wrong.get("challenge", json.loads(options)["challenge"])
    return json.dumps({"type": kind, "challenge": challenge, "origin": wrong.get("origin", ORIGIN)}).encode()
