"""Playing in one network: the address by which others reach this machine, and a QR code for it."""

from __future__ import annotations

import io
import ipaddress
import socket

from genial.server.http.callers import is_loopback
from genial.server.tables.errors import WrongSetup

# Documentation addresses (RFC 5737, RFC 3849). Nothing is sent to them: the system only picks a route.
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def lan_address() -> str:
    """This machine's address in its network; WrongSetup if it isn't in one."""
    for family, elsewhere in _ELSEWHERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((elsewhere, 9))
                address = str(probe.getsockname()[0])
        except OSError:
            continue
        if not is_loopback(address):
            return address
    raise WrongSetup("lan-none")


def is_private(host: str) -> bool:
    """True for an address of this machine or a private network; not for a name, or the wildcard address.

    >>> is_private("127.0.0.1"), is_private("192.168.1.5"), is_private("0.0.0.0"), is_private("example.org")
    (True, True, False, False)
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return address.is_private and not address.is_unspecified


def address_url(host: str, port: int) -> str:
    """The URL of a server that listens on this address.

    >>> address_url("127.0.0.1", 8000), address_url("::1", 80), address_url("0.0.0.0", 8000)
    ('http://127.0.0.1:8000', 'http://[::1]:80', 'http://127.0.0.1:8000')
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return f"http://{host}:{port}"
    if address.is_unspecified:
        address = ipaddress.ip_address("127.0.0.1" if address.version == 4 else "::1")
    return f"http://[{address}]:{port}" if address.version == 6 else f"http://{address}:{port}"


def qr_code(url: str, *, colour: bool = True) -> str:
    """A QR code for the terminal, half a character per module, with its quiet zone."""
    import segno

    out = io.StringIO()
    segno.make_qr(url, error="l").terminal(out, border=2, compact=True)
    lines = out.getvalue().splitlines()
    # The blocks are the light parts: white on black, whatever colours the terminal uses.
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" if colour else line for line in lines)
