"""Six fictional shops that sell five kinds of things: pages of several sites, each with a look of its own, in one set.

The set that the paper of the sentence style tree measures on: what a page sells is told by its description alone, while menus,
offers and notices tell the shop. Truth is exact: `labels.jsonl` has the description's selector and the kind of thing.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

KINDS = {
    "notebook": "keyboard hinge processor memory trackpad lid fan docking battery webcam boot drive graphics port typing",
    "camera": "lens shutter aperture tripod viewfinder exposure focus sensor flash zoom strap portrait landscape film bokeh",
    "mobile": "call ringtone antenna roaming dialler charger contacts texting signal pocket vibration swipe sim prepaid headset",
    "printer": "toner cartridge paper duplex tray ink scanner envelope photocopy nozzle sheet jam margin staple output",
    "tv": "channel remote screen tuner broadcast subtitle speaker contrast brightness antenna wall mount panel cinema picture",
}
"""What the five kinds are described with."""
_COMMON = (
    "the new model has good value sturdy light box warranty owner week test buyers like price small large quick quiet silver black "
    "design daily use simple well made feels solid reviewers found after month"
).split()
_SHOPS = ("Abacus Lane", "Bolt and Beam", "Copper Cart", "Dial House", "Everyday Crate", "Fern Street")
_LOOKS = (
    "<table><tr><td>{menu}<td><h1>{title}</h1><div class=about>{body}</div>{more}</table><p>{notice}</p>",
    "<header>{menu}</header><main><h2>{title}</h2><section class=about>{body}</section></main><aside>{more}</aside><footer>{notice}</footer>",
    "<div id=top>{menu}</div><div id=left>{more}</div><div id=mid><b>{title}</b><div class=about>{body}</div></div><div id=end>{notice}</div>",
    "<center>{menu}<hr><font size=5>{title}</font><blockquote class=about>{body}</blockquote>{more}<hr>{notice}</center>",
    "<nav>{menu}</nav><article><h1>{title}</h1><div class=about>{body}</div></article><p class=small>{notice}</p><ul>{more}</ul>",
    "<dl><dt>{menu}<dd><h3>{title}</h3><div class=about>{body}</div></dl><form>{notice}<input></form><div>{more}</div>",
)
PER_KIND = 6


def generate_shops(folder: str | Path) -> Path:
    """Write the pages and their truth, in the layout of labelled sites; always the same bytes."""
    root = Path(folder)
    rows = []
    for number, (shop, look) in enumerate(zip(_SHOPS, _LOOKS, strict=True)):
        rng = Random(f"2014/{shop}")
        menu = "<ul>" + "".join(f"<li><a href=../{kind}/0.html>{kind}s at {shop}</a>" for kind in KINDS) + "</ul>"
        notice = f"{shop} delivers within three days. " + " ".join(
            f"{shop} says: {_sentence(rng, rng.choice(list(KINDS)), 0.2)}" for _ in range(6)
        )
        for kind in KINDS:
            for i in range(PER_KIND):
                offers = "".join(
                    f"<p>Customers of {shop} also viewed: {_sentence(rng, rng.choice(list(KINDS)), 0.6)}</p>"
                    for _ in range(3)
                )
                body = "".join(f"<p>{' '.join(_sentence(rng, kind, 0.35) for _ in range(3))}</p>" for _ in range(3))
                title = f"{shop} {kind[0].upper()}{rng.randrange(100, 999)}"
                path = f"shop{number}/{kind}/{i}.html"
                file = root / "html" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                page = look.format(menu=menu, title=title, body=body, more=offers, notice=notice)
                file.write_text(f"<!doctype html><title>{shop}</title><body>{page}</body>\n", encoding="utf-8")
                rows.append({"path": path, "kind": "article", "content_selector": ".about", "note": kind})
    (root / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    about = {"site": "shops", "base_url": "http://shops.example/", "language": "en"}
    (root / "site.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    return root


def _sentence(rng: Random, kind: str, share: float) -> str:
    """Ten words, that share of them of the kind."""
    own = KINDS[kind].split()
    words = [rng.choice(own) if rng.random() < share else rng.choice(_COMMON) for _ in range(10)]
    return " ".join(words).capitalize() + "."
