"""Every method by name.

A value is called with the method's parameters and makes the model. The module of a method is imported when
the method is asked for, so a command that uses one method does not pay for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from itertools import product
from typing import Any

from sitegrain.errors import UsageError
from sitegrain.methods.base import NodeModel, PageModel


def _lazy(module: str, attribute: str, **fixed: Any) -> Callable[..., Any]:
    def make(**parameters: Any) -> Any:
        return getattr(import_module(f"sitegrain.{module}"), attribute)(**{**fixed, **parameters})

    return make


_SWITCHES = ("normalize_links", "blocks", "hybrid", "term_weight")


def lamis_combinations() -> dict[str, dict[str, bool]]:
    """Every combination of the switches of LAMIS by its name in the paper's table 4.

    Without anchor entropy LAMIS is HITS, and with normalised links SALSA (which the paper also calls
    HITS-LN).

    >>> lamis_combinations()["LAMIS-LN-CB"]
    {'entropy': True, 'normalize_links': True, 'blocks': True, 'hybrid': False, 'term_weight': False}
    >>> "SALSA" in lamis_combinations(), "CB-HITS-LN" in lamis_combinations()
    (True, True)
    """
    found: dict[str, dict[str, bool]] = {}
    for bits in product((False, True), repeat=5):
        entropy, ln, cb, hr, tw = bits
        if entropy:
            name = "LAMIS" + "-LN" * ln + "-CB" * cb
        elif cb:
            name = "CB-HITS" + "-LN" * ln
        else:
            name = "SALSA" if ln else "HITS"
        switches = dict(zip(("entropy", *_SWITCHES), bits, strict=True))
        found[name + "-HR" * hr + "-TW" * tw] = switches
    return found


NODE_MODELS: dict[str, Callable[..., NodeModel]] = {
    "default": _lazy("extractor.model", "Extractor"),
    "everything": _lazy("methods.simple", "Everything"),
    "infodiscoverer": _lazy("methods.infodiscoverer", "InfoDiscoverer"),
    "contentextractor": _lazy("methods.contentextractor", "ContentExtractor"),
    "featureextractor": _lazy("methods.featureextractor", "FeatureExtractor"),
    "k-featureextractor": _lazy("methods.featureextractor", "KFeatureExtractor"),
    "l-extractor": _lazy("methods.lextractor", "LExtractor"),
    "wisdom": _lazy("methods.wisdom.method", "WISDOM"),
    "wisdom-tuned": _lazy("methods.wisdom.method", "wisdom_tuned"),
    "wisdom-m1": _lazy("methods.wisdom.method", "WISDOM", skeleton="leaves"),
    "wisdom-m2": _lazy("methods.wisdom.method", "WISDOM", skeleton="leaves", min_length=5),
    "sst": _lazy("methods.sst.method", "SentenceTree"),
    "yi-liu": _lazy("methods.yiliu", "YiLiu"),
    "gibson-dom": _lazy("methods.gibson", "GibsonDom"),
    "gibson-text": _lazy("methods.gibson", "GibsonText"),
    "rtdm": _lazy("methods.rtdm", "Rtdm"),
    "shingling": _lazy("methods.shingling", "Shingling"),
    "origin": _lazy("methods.origin", "Origin"),
}
"""Methods that judge text nodes."""

PAGE_MODELS: dict[str, Callable[..., PageModel]] = {
    "siteroles": _lazy("roles.model", "SiteRoles"),
    "outlinks": _lazy("methods.lamis.ranking", "Outlinks"),
    **{
        name.lower(): _lazy("methods.lamis.ranking", "LAMIS", **switches)
        for name, switches in lamis_combinations().items()
    },
    "outlink-count": _lazy("methods.simple", "OutlinkCount"),
}
"""Methods that judge pages."""


def node_model(name: str, **parameters: Any) -> NodeModel:
    """A node model by its name."""
    if name not in NODE_MODELS:
        raise UsageError(f"no method {name!r}; use one of {', '.join(sorted(NODE_MODELS))}")
    return NODE_MODELS[name](**parameters)


def page_model(name: str, **parameters: Any) -> PageModel:
    """A page model by its name."""
    if name not in PAGE_MODELS:
        raise UsageError(f"no method {name!r}; use one of {', '.join(sorted(PAGE_MODELS))}")
    return PAGE_MODELS[name](**parameters)
