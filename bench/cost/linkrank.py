"""Time and memory of ranking a large synthetic site, and how both grow.

    python bench/cost/linkrank.py [--pages 1000000] [--links 20000000]

The graph is like a site: one link in ten leads to a few menu pages, the others follow a power law. Prints seconds of
work (CPU time, so that other programs do not count), peak memory with the links themselves, and the ratio to a site of a
tenth of the size per iteration (10 is linear).
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from sitegrain.arrays.linkrank import hits, link_matrix


def graph(n_pages: int, n_links: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    source = rng.integers(0, n_pages, n_links, dtype=np.int32)
    target = (n_pages * rng.random(n_links) ** 3).astype(np.int32)
    menu = rng.random(n_links) < 0.1
    target[menu] = rng.integers(0, 20, int(menu.sum()), dtype=np.int32)
    return source, target, rng.random(n_links)


def run(n_pages: int, n_links: int) -> tuple[float, float]:
    """Seconds in all, and seconds per iteration."""
    source, target, weight = graph(n_pages, n_links)
    started = time.process_time()
    matrix = link_matrix(source, target, weight, (n_pages, n_pages))
    seconds, rounds = 0.0, 0
    for normalize in (False, True):
        begin = time.process_time()
        rank = hits(matrix, normalize, n_iterations=100, tolerance=1e-8)
        print(
            f"  {n_pages:,} pages, {'LN' if normalize else 'plain'}: {rank.n_iterations} iterations, change "
            f"{rank.change:.1e}, converged {rank.converged}, {time.process_time() - begin:.1f} s"
        )
        seconds += time.process_time() - begin
        rounds += rank.n_iterations
    return time.process_time() - started, seconds / rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--links", type=int, default=20_000_000)
    args = parser.parse_args()
    _, small = run(args.pages // 10, args.links // 10)
    total, large = run(args.pages, args.links)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"{args.pages:,} pages, {args.links:,} links: {total:.1f} s for both, peak {peak:.2f} GB")
    print(f"seconds per iteration, ratio to a tenth of the size: {large / small:.1f}")


if __name__ == "__main__":
    main()
