"""Whether the drift check tells a changed template: held-out pages of each site against pages of the other sites.

    python bench/drift.py ../shared/data/sites [--fit 60] [--new 20]

A redesign is played by the pages of every other site, and by the site's own pages with all class and id names
scrambled. Prints the share of known elements on the median page for each, and how well the threshold parts them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from sitegrain.evaluation.data import open_sites
from sitegrain.evaluation.disguise import scramble_names
from sitegrain.extractor.model import DRIFTED_BELOW, Extractor
from sitegrain.tables.parsing.build import build_site


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sites", type=Path)
    parser.add_argument("--fit", type=int, default=60)
    parser.add_argument("--new", type=int, default=20)
    options = parser.parse_args()
    models, new, disguised = {}, {}, {}
    for labelled in open_sites(options.sites):
        captures = list(labelled.captures())
        order = np.random.default_rng(1).permutation(len(captures))
        fit, rest = order[: options.fit], order[options.fit : options.fit + options.new]
        models[labelled.name] = Extractor().fit(build_site(captures[i] for i in fit))
        new[labelled.name] = build_site(captures[i] for i in rest)
        disguised[labelled.name] = build_site(scramble_names(captures[i], labelled.name) for i in rest)
    print("| site | own new pages | own, names scrambled | highest of another site |\n|---|---|---|---|")
    own, scrambled_names, other = [], [], []
    for name, model in models.items():
        own.append(model.drift(new[name]).known)
        scrambled_names.append(model.drift(disguised[name]).known)
        others = [model.drift(site).known for n, site in new.items() if n != name]
        other.extend(others)
        print(f"| {name} | {own[-1]:.3f} | {scrambled_names[-1]:.3f} | {max(others):.3f} |", flush=True)
    for said, values, is_changed in (
        ("own pages taken for changed", own, False),
        ("scrambled names not noticed", scrambled_names, True),
        ("another site's pages not noticed", other, True),
    ):
        wrong = sum((v < DRIFTED_BELOW) != is_changed for v in values)
        print(f"{said}: {wrong} of {len(values)} at {DRIFTED_BELOW}")
    print(
        f"lowest of own {min(own):.3f}, highest scrambled {max(scrambled_names):.3f}, of another site {max(other):.3f}"
    )


if __name__ == "__main__":
    main()
