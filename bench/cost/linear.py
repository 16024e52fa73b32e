"""Is reading and extracting a page linear in its nodes, links, attributes and text? Ten times as much takes ten times as long.

    python bench/cost/linear.py [--size 1000000]

A page with SIZE of each and one with a tenth of it are read, and extracted; printed is the ratio of the two times, for each
thing that there is more of (ten is linear; processor time, of one run).
"""

from __future__ import annotations

import argparse

from timing import least

import sitegrain
from sitegrain.tables.capture import Capture
from sitegrain.tables.parsing.parse import parse_page

KINDS = {
    "nodes": lambda n: b"<p>a</p>" * (n // 2),
    "links": lambda n: b"".join(b"<a href=/%d>a</a> " % i for i in range(n)),
    "attributes": lambda n: b"".join(b"<i id=a%d class=c>a</i>" % i for i in range(n // 2)),
    "values of one element": lambda n: b"<p " + b" ".join(b"a%d=b" % i for i in range(n)) + b">text",
    "text": lambda n: b"<p>" + b"word " * n,
    "text nodes of one paragraph": lambda n: b"<p>" + b"a<br>" * n,
    "depth": lambda n: b"<div>" * n + b"text",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1_000_000)
    size = parser.parse_args().size
    print(f"{'':30} read 1/10      all   ratio   extract 1/10      all   ratio")
    for name, page in KINDS.items():
        small, large = page(size // 10), page(size)
        said = [f"{name:30}"]
        for task in (
            lambda b: parse_page(Capture("http://a.org/", b)),
            lambda b: sitegrain.extract(b, "http://a.org/").text,
        ):
            few, many = (least(lambda b=b, task=task: task(b), 1) for b in (small, large))
            said.append(f"{few:8.2f} s {many:6.2f} s {many / few:6.1f}x ")
        print(*said, flush=True)


if __name__ == "__main__":
    main()
