"""Run by `test_faults`: mines a folder with two workers, and says after every part what was done, and after Ctrl-C how much processor
time the end took."""

from __future__ import annotations

import atexit
import signal
import sys
import time
from types import FrameType

from sitegrain.plan.mining import Means, mine

if __name__ == "__main__":
    folder, out, part_pages = sys.argv[1:]

    def tell(what: str, done: int, total: int) -> None:
        print(what, done, total, flush=True)

    def stop(number: int, frame: FrameType | None) -> None:
        at = time.process_time()
        atexit.register(lambda: print("processor", time.process_time() - at, file=sys.stderr))
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    mine(folder, out, means=Means(workers=2, part_pages=int(part_pages) // 2, on_progress=tell))
