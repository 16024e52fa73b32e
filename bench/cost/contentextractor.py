"""ContentExtractor's time against pages, and its verdicts against all pairs.

    python bench/cost/contentextractor.py [--pages 500 5000] [--check 200]

Pages are made up: a template with a menu, a panel that differs a little on every page (the hard case for a
join: thousands of blocks that are alike but not equal), a line of metadata, related links, and paragraphs with
words drawn by Zipf's law. Times are CPU seconds of `fit` and `apply` with the tables built (the best of three
runs for few pages): `all` is the method as a user runs it, `join` leaves out the cutting into blocks and terms.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import replace

import numpy as np

from sitegrain.methods.blockwise import CUT_TAGS, NO_FEATURES, block_tags, block_terms
from sitegrain.methods.contentextractor import ContentExtractor
from sitegrain.partition import section_blocks
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.build import build_site
from sitegrain.tables.site import Site
from sitegrain.tables.tags import TAGS
from sitegrain.text.terms import site_terms

VOCABULARY = 30_000


def make_site(n_pages: int, seed: int = 1) -> Site:
    rng = random.Random(seed)
    letters = "bdfgklmnprstvz"

    def word() -> str:
        return "".join(rng.choice(letters) + rng.choice("aeiou") for _ in range(rng.randint(2, 5)))

    words = [word() for _ in range(VOCABULARY)]
    weights = [1 / (i + 10) for i in range(VOCABULARY)]
    pool = rng.choices(words, weights, k=400_000)

    def text(n: int) -> str:
        start = rng.randrange(len(pool) - n)
        return " ".join(pool[start : start + n])

    menu = "".join(f"<li><a href='/{w}'>{w}</a>" for w in rng.sample(words, 15))
    panel = rng.sample(words, 30)
    footer = " ".join(rng.sample(words, 25))
    people = rng.sample(words, 40)

    def page(i: int) -> str:
        own = list(panel)
        own[rng.randrange(30)] = rng.choice(words)
        related = "".join(f"<li><a href='/{k}'>{text(6)}</a>" for k in range(3))
        body = "".join(f"<p>{text(rng.randint(25, 70))}</p>" for _ in range(rng.randint(3, 10)))
        return (
            f"<title>{text(5)}</title><nav><ul>{menu}</ul></nav><main><h1>{text(6)}</h1>"
            f"<div class=meta>{rng.choice(people)} in {rng.choice(people)}</div><div class=body>{body}</div>"
            f"<div class=related><ul>{related}</ul></div></main><aside>{' '.join(own)}</aside><footer>{footer}</footer>"
        )

    return build_site([Capture(f"http://bench.example/{i}", page(i).encode()) for i in range(n_pages)])


def seconds(n_pages: int) -> tuple[float, float]:
    """The whole method, and what is left of it when blocks and terms are there already."""
    made = make_site(n_pages)
    whole, join = [], []
    for _ in range(3 if n_pages <= 1000 else 1):
        site = replace(made)  # nothing is remembered of it
        assert site.unique_texts is not None  # made with the tables, whoever asks first
        for times in (whole, join):
            start = time.process_time()
            ContentExtractor().fit(site).apply(site)
            times.append(time.process_time() - start)
    return min(whole), min(join)


def equals_all_pairs(site: Site) -> bool:
    """The paper's way: the cosine of every pair of blocks."""
    model = ContentExtractor().fit(site)
    found = model.apply(site).blocks.is_informative
    partition, terms = section_blocks(site), site_terms(site)
    words = block_terms(partition, terms).toarray()
    skipped = {*CUT_TAGS["section"], *NO_FEATURES}
    tags = block_tags(site, partition).toarray()[:, [i for i, t in enumerate(TAGS) if t not in skipped]]
    counts = np.column_stack((words.sum(axis=1), tags))
    largest = counts.max(axis=0)
    vectors = np.column_stack((counts / np.where(largest > 0, largest, 1), words > 0)).astype(np.float64)
    length = np.sqrt((vectors**2).sum(axis=1))
    vectors /= np.where(length > 0, length, 1)[:, None]
    pages = np.zeros(len(partition), np.int64)
    for block in range(len(partition)):
        near = vectors @ vectors[block] > 0.9 + 1e-9
        pages[block] = len(np.unique(partition.block_page[near]))
    return bool(np.array_equal(found, (pages - 1 <= model.n_few) & (words.sum(axis=1) > 0)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, nargs=2, default=(500, 5000))
    parser.add_argument("--check", type=int, default=200)
    options = parser.parse_args()
    few, many = (seconds(n) for n in options.pages)
    report = {
        "pages": list(options.pages),
        "cpu_seconds": {"all": [round(few[0], 3), round(many[0], 3)], "join": [round(few[1], 3), round(many[1], 3)]},
        "growth": {"all": round(many[0] / few[0], 2), "join": round(many[1] / few[1], 2)},
        f"equals all pairs on {options.check} pages": equals_all_pairs(make_site(options.check)),
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
