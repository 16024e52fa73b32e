"""Every write, rename and fsync of saving a result fails once: run by `test_faults` under the shim `failing.c`.

Prints how many calls failed and how the result was found after each; ends with 1 if one was lost or half.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

import sitegrain
from sitegrain.errors import OutputError
from sitegrain.sources.crawl.archive import Exchange, WarcLog
from tests.hostile.measure import GOOD

MAX_CALLS = 400
FAILED, DONE, UNTOUCHED = 10, 11, 12


def files_of(folder: Path) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in folder.iterdir()}


def in_child(shim: ctypes.CDLL, n: int, save: object) -> int:
    """Save with the n-th call failing: how that ended."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            shim.fail_after(n)
            try:
                save()  # type: ignore[operator]
                code = DONE if shim.has_failed() else UNTOUCHED
            except (OutputError, OSError):
                code = FAILED
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def results(shim: ctypes.CDLL, folder: Path) -> Counter[str]:
    """An earlier result of two pages, a new one of three."""
    out, kept = folder / "out", folder / "kept"
    sitegrain.mine(GOOD[:2], kept)
    before = files_of(kept)
    result = sitegrain.mine(GOOD)
    for table in ("pages", "blocks", "links"):
        getattr(result, table)
    found: Counter[str] = Counter()
    for n in range(MAX_CALLS):
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(kept, out)
        code = in_child(shim, n, lambda: result.save(out))
        if files_of(out) == before:
            state = "old"
        else:
            stored = sitegrain.open_result(out)
            is_whole = len(stored) == 3 and len(stored.articles) == len(result.articles) and len(stored.blocks) > 0
            state = "new" if is_whole and all("ordinary prose" in a.text for a in stored.articles) else "LOST"
        if code not in (FAILED, DONE, UNTOUCHED) or (code != FAILED and state != "new"):
            state = f"LOST (code {code}, {state})"
        found[f"{'said' if code == FAILED else 'done'}, {state}"] += 1
        if code == UNTOUCHED:
            return found
    raise AssertionError("saving never came to an end")


def archives(shim: ctypes.CDLL, folder: Path) -> Counter[str]:
    """A WARC of two pages that gets a third."""

    def append(path: Path, number: int) -> None:
        log = WarcLog(path)
        if not log.open("http://e.org/"):
            log.start("http://e.org/", "sitegrain/test", "{}")
        log.write(Exchange(f"http://e.org/{number}", 200, b"GET / HTTP/1.1\r\n\r\n", [(b"A", b"b")], b"<p>x"))
        log.sync()
        log.write_index()
        log.close()

    path, kept = folder / "x.warc.gz", folder / "kept.warc.gz"
    append(path, 0)
    append(path, 1)
    shutil.copy(path, kept)
    found: Counter[str] = Counter()
    for n in range(MAX_CALLS):
        shutil.copy(kept, path)
        code = in_child(shim, n, lambda: append(path, 2))
        append(path, 3)  # the next run mends what the failed one left
        with path.open("rb") as file:
            is_whole = file.read(len(kept.read_bytes())) == kept.read_bytes()
        found[
            "said" if code == FAILED else "done" if is_whole and code in (DONE, UNTOUCHED) else f"LOST (code {code})"
        ] += 1
        if not is_whole:
            found["LOST"] += 1
        if code == UNTOUCHED:
            return found
    raise AssertionError("writing never came to an end")


def main() -> int:
    shim = ctypes.CDLL(os.environ["LD_PRELOAD"])
    with tempfile.TemporaryDirectory() as folder:
        found = {"results": results(shim, Path(folder)), "archives": archives(shim, Path(folder))}
    for name, counts in found.items():
        print(f"{name}: {dict(counts)}")
    return 1 if any("LOST" in state for counts in found.values() for state in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
