"""A real nginx on loopback, with the configuration that docs/hosting.md prints."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from textwrap import dedent

from tests.server.listener import free_port
from tests.server.operations import wait_for

PAGE = Path(__file__).resolve().parents[2] / "docs" / "hosting.md"
_FOLDERS = (os.environ.get("PATH", os.defpath), "/usr/sbin", f"{sys.prefix}/nginx/usr/sbin")
_FOUND = shutil.which("nginx", path=os.pathsep.join(_FOLDERS))
_MISSING = "no nginx here: `make nginx` fetches Debian's; elsewhere install it (apt-get install nginx)"
_BUFFERS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""What nginx keeps folders for; by default where only root may write."""


def missing() -> str | None:
    """Why nginx can't run here; None if it can."""
    return None if _FOUND else _MISSING


def configuration(port: int, servers: Sequence[int], folder: Path) -> str:
    """The configuration from the page, completed, with our port and servers and without a certificate."""
    printed = _replaced(_block("upstream genial {"), r"server \S+:8000", servers)
    site = _block("map $http_upgrade")
    site, listens = re.subn(r"listen 443 ssl;", f"listen 127.0.0.1:{port};", site)
    site, certificates = re.subn(r" *ssl_certificate\S* .*\n", "", site)
    site, passes = re.subn(r"proxy_pass http://127.0.0.1:8000;", "proxy_pass http://genial;", site)
    assert (listens, certificates, passes) == (1, 2, 1), "the page prints something else now"
    temporary = "".join(f"{name}_temp_path {folder / name};\n" for name in _BUFFERS)
    user = "user root;\n" if os.getuid() == 0 else ""
    return (
        f"daemon off;\n{user}worker_processes 1;\npid {folder / 'pid'};\n"
        f"lock_file {folder / 'lock'};\nerror_log stderr warn;\n"
        "events { worker_connections 512; }\n"
        f"http {{\naccess_log off;\n{temporary}{printed}{site}}}\n"
    )


@contextmanager
def nginx(folder: Path, servers: Sequence[int]) -> Iterator[str]:
    """nginx in front of servers at these ports; yields its address."""
    assert _FOUND is not None
    port = free_port()
    file = folder / "nginx.conf"
    file.write_text(configuration(port, servers, folder))
    with (folder / "nginx.log").open("w") as log:
        process = subprocess.Popen(
            [_FOUND, "-p", str(folder), "-e", "stderr", "-c", str(file)], stdout=log, stderr=log
        )
    try:
        wait_for(lambda: process.poll() is not None or _accepts(port))
        assert process.poll() is None, (folder / "nginx.log").read_text()
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _accepts(port: int) -> bool:
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


def _block(start: str) -> str:
    """The indented lines of the page that start like this, up to the next paragraph."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    (first,) = [number for number, line in enumerate(lines) if line.strip().startswith(start)]
    found = takewhile(lambda line: not line or line.startswith("    "), lines[first:])
    return dedent("\n".join(found)) + "\n"


def _replaced(text: str, pattern: str, ports: Sequence[int]) -> str:
    """Replace every server on the page by one of ours."""
    left = [*ports]
    found = re.sub(pattern, lambda _: f"server 127.0.0.1:{left.pop(0)}", text)
    assert not left, "the page names fewer servers"
    return found
