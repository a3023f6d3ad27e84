"""nginx and Caddy, configured by the files in `deploy/`, as proxies for two nodes on one PostgreSQL database."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server.postgres import Server as Postgres
from tests.server.running import RunningServer
from tests.system_programs import skip_without

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
PATIENCE = 30.0
GUESTS = 3
"""The limit of new guests per address on each node."""


def any_certificate() -> ssl.SSLContext:
    """A TLS context that accepts the proxies' self-signed certificates."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@dataclass
class Site:
    """A proxy and its nodes.

    Attributes:
        port: the proxy's port for HTTPS.
        plain_port: its port for HTTP, if any.
    """

    port: int
    plain_port: int
    nodes: list[RunningServer]

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    def client(self, address: str = "127.0.0.1", **headers: str) -> httpx2.Client:
        """Return a client that connects from an address of this machine."""
        way = httpx2.HTTPTransport(local_address=address, verify=any_certificate())
        return httpx2.Client(base_url=f"https://{self.host}", headers=headers, timeout=PATIENCE, transport=way)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def site(kind: str, postgres: Postgres, folder: Path) -> Iterator[Site]:
    """Run a proxy of this kind and two nodes."""
    program = shutil.which(kind, path=os.environ.get("PATH", "") + ":/usr/sbin")
    if program is None:
        skip_without(kind, {"nginx": "nginx-light"}.get(kind, kind))
    with ExitStack() as stack:
        url = postgres.new_database()
        stack.callback(postgres.drop, url)
        words = ("--tls", "--trusted-proxies", "127.0.0.1", "--database", url, "--limit", f"guests={GUESTS}/0.001")
        nodes = list[RunningServer]()
        for name in ("a", "b"):
            nodes.append(RunningServer(folder, "--node", name, *words))
            stack.callback(_end, nodes[-1])
        made = Site(free_port(), free_port(), nodes)
        command, settings = (_nginx if kind == "nginx" else _caddy)(made, folder)
        with (folder / f"{kind}.log").open("w") as log:
            process = subprocess.Popen([program, *command], stdout=log, stderr=log, env={**os.environ, **settings})
        stack.callback(process.wait, PATIENCE)
        stack.callback(process.terminate)
        _wait(made, process, folder / f"{kind}.log")
        yield made


def _end(node: RunningServer) -> None:
    if node.process.poll() is None:
        node.kill()


def _wait(made: Site, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until the proxy forwards requests."""
    until = time.monotonic() + PATIENCE
    with made.client() as client:
        while True:
            with suppress(httpx2.TransportError):
                if client.get("/ready").status_code == 200:
                    return
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)


def _nginx(made: Site, folder: Path) -> tuple[list[str], dict[str, str]]:
    """Write the shipped file with test values in the lines that operators edit."""
    _certificate(folder)
    text = (DEPLOY / "nginx/liarspoker.conf").read_text(encoding="utf-8")
    ports = iter(node.port for node in made.nodes)
    yours = {
        r"server 127\.0\.0\.1:\d+": lambda _: f"server 127.0.0.1:{next(ports)}",
        r"listen \[::\]:.*;  # yours": lambda _: "",
        r"listen 80;": lambda _: f"listen 127.0.0.1:{made.plain_port};",
        r"listen 443 ": lambda _: f"listen 127.0.0.1:{made.port} ",
        r"server_name .*;  # yours": lambda _: "server_name localhost;",
        r"/etc/ssl/poker\.example\.(pem|key)": lambda found: f"{folder}/tls.{found[1]}",
    }
    lines = []
    for line in text.splitlines():
        if line.endswith("# yours"):
            for pattern, value in yours.items():
                line = re.sub(pattern, value, line)
        lines.append(line)
    (folder / "liarspoker.conf").write_text("\n".join(lines), encoding="utf-8")
    temporary = "".join(
        f"{one}_temp_path {folder}/{one};\n" for one in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nuser root;\npid {folder}/nginx.pid;\nerror_log stderr;\nworker_processes 1;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}include {folder}/liarspoker.conf;\n}}\n",
        encoding="utf-8",
    )
    return ["-c", f"{folder}/nginx.conf", "-p", str(folder), "-e", "stderr"], {}


def _certificate(folder: Path) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    (folder / "tls.pem").write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    (folder / "tls.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))


def _caddy(made: Site, folder: Path) -> tuple[list[str], dict[str, str]]:
    """Write the unchanged shipped file after global options that keep Caddy off this machine's ports and folders."""
    options = "admin off\nskip_install_trust\nauto_https disable_redirects\n"
    text = (DEPLOY / "caddy/Caddyfile").read_text(encoding="utf-8")
    (folder / "Caddyfile").write_text(f"{{\n{options}}}\n{text}", encoding="utf-8")
    return ["run", "--config", f"{folder}/Caddyfile"], {
        "LIARSPOKER_SITE": made.host,
        "LIARSPOKER_NODES": " ".join(f"127.0.0.1:{node.port}" for node in made.nodes),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "HOME": str(folder),
    }
