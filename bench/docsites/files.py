"""Files, pictures and commands."""

from __future__ import annotations

import struct
import subprocess
import zlib
from pathlib import Path
from random import Random


def png(path: Path, seed: str) -> None:
    """A picture of its own colours."""
    rng = Random(seed)
    wide, high = rng.randint(300, 640), rng.randint(200, 420)
    lines = b"".join(b"\0" + rng.randbytes(3 * wide) for _ in range(24))
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress((lines * high)[: (3 * wide + 1) * high])),
        (b"IEND", b""),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts)
    )


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(command: list[str | Path], folder: Path) -> None:
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False)
    write(folder / "build.log", done.stdout + done.stderr)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout)[-1500:])
