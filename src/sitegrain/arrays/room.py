"""Memory that was let go goes back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_back() -> None:
    """Arrays of less than a megabyte stay with the allocator when they are let go, and the peak of one step would be the floor of all
    that follow. Where the allocator is not glibc's, nothing happens."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
