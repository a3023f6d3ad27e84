"""A push service on this machine, and browsers that are subscribed there."""

from __future__ import annotations

import base64
import datetime
import json
import os
import queue
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02

from tests.server.inprocess import PATIENCE, Person

CONTACT = "mailto:operator@example.org"


@dataclass(frozen=True)
class Received:
    """A request that the push service received: its path, headers by lower-case name, and body."""

    path: str
    headers: dict[str, str]
    body: bytes

    def claims(self) -> dict[str, Any]:
        """Return what the sender signed, after checking the signature."""
        assert Vapid02.verify(self.headers["authorization"])
        token = self.headers["authorization"].split("t=")[1].split(".")[1]
        claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(token + "==="))
        return claims


@dataclass
class PushService:
    """A push service.

    Attributes:
        url: its address.
        answers: the statuses and headers of the next responses; 201 once there are none.
    """

    url: str
    answers: queue.SimpleQueue[tuple[int, dict[str, str]]] = field(default_factory=queue.SimpleQueue)
    received: queue.SimpleQueue[Received] = field(default_factory=queue.SimpleQueue)

    def next(self) -> Received:
        """Wait for the next request."""
        return self.received.get(timeout=PATIENCE)

    @property
    def is_quiet(self) -> bool:
        """Whether all requests so far were taken."""
        return self.received.empty()


class Browser:
    """A browser that is subscribed at a push service."""

    def __init__(self, service: PushService, path: str) -> None:
        self.endpoint = f"{service.url}/{path}"
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    @property
    def subscription(self) -> dict[str, Any]:
        """The subscription as browsers encode it."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _text(point), "auth": _text(self._auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def subscribe(self, person: Person) -> None:
        """Subscribe in a user's session."""
        agent = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"}
        response = person.post("/push/subscribe", self.subscription, headers=agent)
        assert response.status_code == 204, response.text

    def read(self, received: Received) -> dict[str, str]:
        """Decrypt a notice."""
        content = http_ece.decrypt(received.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        told: dict[str, str] = json.loads(content)
        return told


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def certificate(folder: Path) -> Path:
    """Create a certificate for this machine, which is its own authority, with its key; return the file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "push")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "push.pem"
    content = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + made.public_bytes(Encoding.PEM)
    file.write_bytes(content)
    return file


@contextmanager
def push_service(authority: Path) -> Iterator[PushService]:
    """Run a push service with a certificate from `certificate`."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                status, more = service.answers.get_nowait()
            except queue.Empty:
                status, more = 201, {}
            self.send_response(status)
            for name, value in {"Content-Length": "0", **more}.items():
                self.send_header(name, value)
            self.end_headers()
            service.received.put(Received(self.path, headers, body))

        def log_message(self, *given: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    service = PushService(f"https://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield service
    server.shutdown()
    server.server_close()
    thread.join(PATIENCE)
