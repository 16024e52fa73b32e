"""A plain mutation loop over everything that reads bytes of others: `python -m tests.hostile.fuzz [--seconds 60] [target ...]`.

Seeds are the small pages of the corpus and files made of them. Each target runs in a child; an input that crashes it, raises
anything but an error of ours, or breaks a rule of the tables is kept in `crashes/` with the target's name, and is a test from
then on (`test_fuzz`).
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import sitegrain
from sitegrain import native
from sitegrain.errors import SitegrainError
from sitegrain.extractor.model import load_extractor
from sitegrain.native import reference
from sitegrain.render import to_html, to_markdown, to_text
from sitegrain.sources.jsonl import JsonLinesSource
from sitegrain.sources.parquet import ParquetSource
from sitegrain.sources.warc import WarcSource
from sitegrain.tables.budgets import MAX_NESTING, max_rows
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.parsing.parse import TAG_BITS
from tests.builders import warc_of
from tests.hostile.corpus import CASES
from tests.hostile.measure import GOOD
from tests.tables.parsing.plainsoup import difference

CRASHES = Path(__file__).parent / "crashes"
TOKENS = [
    *(f"<{t}>".encode() for t in "p b a td tr table svg math select style script title template textarea plaintext".split()),
    b"</", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"/>", b"='", b'"', b"&#0;", b"&lt;", b"\0", b"\xff", b"\xc2", b"\xed\xa0\x80",
    b"</script", b"foreignObject", b"Content-Length: -1\r\n", b"\r\n\r\n", b"WARC/1.1\r\n", b"99999999999999999999", b"-1", b"1e999",
    b"NaN", b"[]", b"{}", b"null",
]  # fmt: skip
"""What is put in by chance beside single bytes."""


def _guard(data: bytes) -> None:
    args = (data, MAX_NESTING, max_rows(len(data)), TAG_BITS)
    assert native.guard(*args) == reference.guard(*args), "the two bodies differ"


def _scan(data: bytes) -> None:
    native.scan(data.decode("utf-8", "replace"), TAG_BITS)


def _plain(data: bytes) -> None:
    found = difference(data)
    assert not found or found.startswith("refused"), found


def _parse(data: bytes) -> None:
    build_site([GOOD[0], Capture("http://a.org/x", data), GOOD[1]]).check()


def _render(data: bytes) -> None:
    site = build_site([Capture("http://a.org/x", data)])
    for write in (to_text, to_markdown, to_html):
        write(site, 0, site.is_text)


def _with_file(data: bytes, ending: str, read: Callable[[Path], object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x{ending}"
        path.write_bytes(data)
        try:
            read(path)
        except SitegrainError:
            pass


def _model(data: bytes) -> None:
    _with_file(data, ".json", load_extractor)


def _warc(data: bytes) -> None:
    _with_file(data, ".warc", lambda path: build_site(WarcSource([path])).check())


def _parquet(data: bytes) -> None:
    _with_file(data, ".parquet", lambda path: build_site(ParquetSource([path])).check())


def _jsonl(data: bytes) -> None:
    _with_file(data, ".jsonl", lambda path: build_site(JsonLinesSource([path])).check())


TARGETS: dict[str, Callable[[bytes], None]] = {
    "guard": _guard, "scan": _scan, "plain": _plain, "parse": _parse, "render": _render, "model": _model, "warc": _warc, "parquet": _parquet,
    "jsonl": _jsonl,
}  # fmt: skip


def _pages() -> list[bytes]:
    return [case(600) for case in CASES.values()]


def _model_seeds() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        sitegrain.mine(GOOD, save_model=path)
        return [path.read_bytes()]


def _parquet_seeds() -> list[bytes]:
    out = io.BytesIO()
    pq.write_table(pa.table({"url": [c.url for c in GOOD], "html": [c.body.decode() for c in GOOD]}), out)
    return [out.getvalue()]


def _jsonl_seeds() -> list[bytes]:
    return ["\n".join(json.dumps({"url": c.url, "html": c.body.decode()}) for c in GOOD).encode()]


def _warc_seeds() -> list[bytes]:
    pages = [(c.url, c.body) for c in GOOD]
    return [warc_of(pages, is_gzip=False), warc_of(pages), gzip.compress(warc_of(pages, is_gzip=False))]


SEEDS: dict[str, Callable[[], list[bytes]]] = {
    **dict.fromkeys(TARGETS, _pages), "model": _model_seeds, "warc": _warc_seeds, "parquet": _parquet_seeds,
    "jsonl": _jsonl_seeds,
}  # fmt: skip


def mutated(seeds: list[bytes], rng: random.Random) -> bytes:
    """A seed with a few changes: bytes, tokens, cuts, repeats, a piece of another seed."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 4, 8, 16))):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice((1, 2, 8, 64, 512)))
        match rng.randrange(6):
            case 0:
                data[at:end] = rng.randbytes(min(end - at, 4))
            case 1:
                data[at:at] = rng.choice(TOKENS)
            case 2:
                del data[at:end]
            case 3:
                data[at:at] = data[at:end] * rng.choice((1, 2, 50))
            case 4:
                other = rng.choice(seeds)
                start = rng.randrange(len(other) + 1)
                data[at:at] = other[start : start + rng.choice((8, 64, 512))]
            case _:
                if at < len(data):
                    data[at] ^= 1 << rng.randrange(8)
    return bytes(data[:100_000])


def fuzz(target: str, seconds: float, seed: int) -> tuple[int, bytes | None]:
    """How many inputs were tried in a child, and the one that it failed on."""
    with tempfile.TemporaryDirectory() as folder:
        last, count = Path(folder) / "last", Path(folder) / "count"
        pid = os.fork()
        if not pid:
            code = 1
            try:
                rng, seeds = random.Random(seed), SEEDS[target]()
                stop, n = time.monotonic() + seconds, 0
                with open(last, "wb", buffering=0) as file:
                    while time.monotonic() < stop:
                        data = mutated(seeds, rng)
                        os.pwrite(file.fileno(), data, 0)
                        os.ftruncate(file.fileno(), len(data))
                        TARGETS[target](data)
                        n += 1
                count.write_text(str(n))
                code = 0
            except BaseException as error:
                print(f"{target}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            finally:
                os._exit(code)
        _, status = os.waitpid(pid, 0)
        if status:
            return 0, last.read_bytes() if last.exists() else b""
        return int(count.read_text()), None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[[], *TARGETS])
    parser.add_argument("--seconds", type=float, default=60.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=None)
    args = parser.parse_args()
    targets = args.targets or list(TARGETS)
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(1 << 32)
    done: dict[str, int | str] = {"seed": seed}
    failed = False
    for target in targets:
        n, bad = fuzz(target, args.seconds / len(targets), seed)
        done[target] = n
        if bad is not None:
            path = CRASHES / f"{target}-{hashlib.sha256(bad).hexdigest()[:12]}"
            path.write_bytes(bad)
            done[target] = f"FAILED, see {path.name}"
            failed = True
    print(json.dumps(done))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
