"""Run by `test_faults` where it may mount: `mine` on a disk of some room and then of more, until it is enough.

Prints how each run ended; ends with 1 if one left neither the earlier result nor the new one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sitegrain.errors import OutputError
from sitegrain.plan.mining import Means, mine
from sitegrain.result.stored import open_result
from sitegrain.sources.open import open_source
from tests.builders import captures_of

STEP = 64 << 10
MOST = 4 << 20


def files_of(result: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in result.iterdir()}


def room_in_use(folder: Path) -> int:
    state = os.statvfs(folder)
    return (state.f_blocks - state.f_bfree) * state.f_frsize


def main(source: str, disk: Path, part_pages: int) -> int:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MOST}", "tmpfs", disk], check=False).returncode:
        print("cannot mount")
        return 0
    out = disk / "out"
    mine(captures_of("<p>old"), out, methods=("everything", "outlink-count"))
    before, pages = files_of(out), list(open_source(source))
    used, room = room_in_use(disk), 0
    while room < MOST:
        room += STEP + room // 2
        subprocess.run(["mount", "-o", f"remount,size={used + room}", disk], check=True)
        workers = 2 if room > MOST // 16 else 1
        try:
            mine(pages, out, means=Means(workers=workers, part_pages=part_pages // workers))
            print(f"{room:,} bytes: done")
            return 0 if len(open_result(out)) == len(pages) else 1
        except OutputError as error:
            print(f"{room:,} bytes: told ({error})")
        if files_of(out) != before or os.listdir(disk) != ["out"]:
            print(f"LOST: {os.listdir(disk)}")
            return 1
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])))
