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

# IANA's special-purpose registries of 2026, written out: what `ipaddress` calls global differs between versions of
# Python. Azure's metadata service answers on an address of the public range.
_NOT_PUBLIC_4 = tuple(
    map(
        ipaddress.IPv4Network,
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 "
        "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3".split(),
    )
)
_GLOBAL_6 = ipaddress.IPv6Network("2000::/3")
"""All that is handed out of IPv6; the exceptions in it stand below."""
_NOT_PUBLIC_6 = tuple(map(ipaddress.IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

Connect = Callable[..., Any]


class AddressRefused(ConnectError):
    """The host's address is loopback, private, link-local or otherwise not public."""


def is_public(address: str) -> bool:
    """May a crawl connect to this IP address?

    >>> is_public("93.184.216.34")
    True
    >>> any(map(is_public, ("127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "2002:7f00:1::", "localhost")))
    False
    >>> any(map(is_public, ("192.0.0.8", "192.0.0.9", "fec0::1", "240.0.0.1", "64:ff9b:1::1", "5f00::1")))
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
        return ip in _GLOBAL_6 and not any(ip in network for network in _NOT_PUBLIC_6)
    return not any(ip in network for network in _NOT_PUBLIC_4)


def guarded(connect: Connect) -> Connect:
    """`reactor.connectTCP` with the check in front."""

    def check_and_connect(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        # Twisted's endpoints resolve first and pass the address; a name here would escape the check.
        if not is_public(host):
            raise AddressRefused(string=f"{host} is not a public address")  # type: ignore[no-untyped-call]
        return connect(host, port, *args, **kwargs)

    return check_and_connect
