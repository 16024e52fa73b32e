"""A value as JSON in UTF-8."""

from __future__ import annotations

import json
from typing import Any


def json_bytes(value: Any) -> bytes:
    """See `sitegrain.native.json_bytes`."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace")
