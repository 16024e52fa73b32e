"""Every method by name.

A value is called with the method's parameters and makes it. The module of a method is imported when
the method is asked for, so a command that uses one method does not pay for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import product
from operator import attrgetter
from typing import Any

from sitegrain.errors import UsageError
from sitegrain.methods.base import Method, NodeMethod, PageMethod


def _lazy(module: str, attribute: str, **fixed: Any) -> Callable[..., Any]:
    @cache
    def found() -> Callable[..., Any]:
        made: Callable[..., Any] = attrgetter(attribute)(import_module(f"sitegrain.{module}"))
        return made

    def make(**parameters: Any) -> Any:
        return found()(**{**fixed, **parameters})

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


NODE_METHODS: dict[str, Callable[..., NodeMethod]] = {
    "default": _lazy("extractor.model", "Extractor"),
    "everything": _lazy("methods.simple", "Everything"),
    "infodiscoverer": _lazy("methods.infodiscoverer", "InfoDiscoverer"),
    "contentextractor": _lazy("methods.contentextractor", "ContentExtractor"),
    "featureextractor": _lazy("methods.featureextractor", "FeatureExtractor"),
    "k-featureextractor": _lazy("methods.featureextractor", "KFeatureExtractor"),
    "l-extractor": _lazy("methods.lextractor", "LExtractor"),
    "wisdom": _lazy("methods.wisdom.method", "WISDOM"),
    "wisdom-tuned": _lazy("methods.wisdom.method", "WISDOM.tuned"),
    "wisdom-m1": _lazy("methods.wisdom.method", "WISDOM.m1"),
    "wisdom-m2": _lazy("methods.wisdom.method", "WISDOM.m2"),
    "sst": _lazy("methods.sst.method", "SentenceTree"),
    "sst-self": _lazy("result.selflabelled", "SelfLabelledTree"),
    "yi-liu": _lazy("methods.yiliu", "YiLiu"),
    "gibson-dom": _lazy("methods.gibson", "GibsonDom"),
    "gibson-text": _lazy("methods.gibson", "GibsonText"),
    "rtdm": _lazy("methods.rtdm", "Rtdm"),
    "shingling": _lazy("methods.shingling", "Shingling"),
    "papers-blocks": _lazy("result.papers", "PaperBlocks"),
    "origin": _lazy("methods.simple", "Origin"),
}
"""Methods that judge text nodes."""

PAGE_METHODS: dict[str, Callable[..., PageMethod]] = {
    "siteroles": _lazy("roles.model", "SiteRoles"),
    "outlinks": _lazy("methods.lamis.ranking", "Outlinks"),
    **{
        name.lower(): _lazy("methods.lamis.ranking", "LAMIS", **switches)
        for name, switches in lamis_combinations().items()
    },
    "papers-pages": _lazy("result.papers", "PaperPages"),
    "outlink-count": _lazy("methods.simple", "OutlinkCount"),
}
"""Methods that judge pages."""


def make_method(name: str, **parameters: Any) -> Method[Any]:
    """The method of this name, with its default parameters but for these."""
    make = NODE_METHODS.get(name) or PAGE_METHODS.get(name)
    if make is None:
        raise UsageError(f"there is no method {name!r}; `sitegrain methods` lists them")
    try:
        method: Method[Any] = make(**parameters)
    except TypeError as error:
        raise UsageError(f"the method {name!r} takes no such parameter: {error}") from error
    return method
