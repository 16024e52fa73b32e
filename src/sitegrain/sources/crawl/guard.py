"""No connection to private addresses, whatever name or redirect leads there.

The check sits where a connection is opened, on the very address that goes to the socket. So it holds for
pages, robots.txt, sitemaps and redirects alike, and a name server that answers differently the second time
gains nothing: there is no second look-up between check and connect.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from typing import Any

from twisted.internet.error import ConnectError

# Azure's metadata service answers on an address of the public range.
_METADATA = frozenset({ipaddress.ip_address("168.63.129.16")})
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Connect = Callable[..., Any]


class AddressRefused(ConnectError):
    """The host's address is loopback, private, link-local or otherwise not public."""


def is_public(address: str) -> bool:
    """May a crawl connect to this IP address?

    >>> is_public("93.184.216.34")
    True
    >>> any(map(is_public, ("127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "2002:7f00:1::", "localhost")))
    False
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is None and ip.teredo is not None:
            inner = ip.teredo[1]
        if inner is not None:
            return is_public(str(inner))
    if ip.is_multicast or ip.is_reserved or ip.is_unspecified or ip in _METADATA:
        return False
    return ip.is_global


def guarded(connect: Connect) -> Connect:
    """`reactor.connectTCP` with the check in front."""

    def check_and_connect(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        # Twisted's endpoints resolve first and pass the address; a name here would escape the check.
        if not is_public(host):
            raise AddressRefused(string=f"{host} is not a public address")  # type: ignore[no-untyped-call]
        return connect(host, port, *args, **kwargs)

    return check_and_connect
