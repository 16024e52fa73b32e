"""The published methods and their rivals: one file each, or a small package. A class is loaded when it is first used.

>>> from sitegrain import methods
>>> methods.LAMIS(hybrid=True).name
'lamis'

========================  ============================================================================
pages                     `LAMIS` (Kao et al. 2004; its switches give HITS and SALSA), `Outlinks`, `OutlinkCount`
blocks                    `InfoDiscoverer` (Lin and Ho 2002), `ContentExtractor`, `FeatureExtractor`,
                          `KFeatureExtractor`, `LExtractor` (Debnath et al. 2005)
the tree of a page        `WISDOM` (Kao, Ho and Chen 2005)
styles of a site          `SentenceTree` (the site style tree over sentences), `YiLiu`
other template detectors  `GibsonDom`, `GibsonText`, `Rtdm`, `Shingling`
what any must beat        `Everything`, `Origin`
========================  ============================================================================

`registry` knows them all by the names that `--method` takes.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitegrain.methods.contentextractor import ContentExtractor
    from sitegrain.methods.featureextractor import FeatureExtractor, KFeatureExtractor
    from sitegrain.methods.gibson import GibsonDom, GibsonText
    from sitegrain.methods.infodiscoverer import InfoDiscoverer
    from sitegrain.methods.lamis.ranking import LAMIS, Outlinks
    from sitegrain.methods.lextractor import LExtractor
    from sitegrain.methods.rtdm import Rtdm
    from sitegrain.methods.shingling import Shingling
    from sitegrain.methods.simple import Everything, Origin, OutlinkCount
    from sitegrain.methods.sst.method import SentenceTree
    from sitegrain.methods.wisdom.method import WISDOM
    from sitegrain.methods.yiliu import YiLiu

__all__ = [
    "LAMIS",
    "WISDOM",
    "ContentExtractor",
    "Everything",
    "FeatureExtractor",
    "GibsonDom",
    "GibsonText",
    "InfoDiscoverer",
    "KFeatureExtractor",
    "LExtractor",
    "Origin",
    "OutlinkCount",
    "Outlinks",
    "Rtdm",
    "SentenceTree",
    "Shingling",
    "YiLiu",
]

_HOME = {
    "LAMIS": "lamis.ranking",
    "WISDOM": "wisdom.method",
    "ContentExtractor": "contentextractor",
    "Everything": "simple",
    "FeatureExtractor": "featureextractor",
    "GibsonDom": "gibson",
    "GibsonText": "gibson",
    "InfoDiscoverer": "infodiscoverer",
    "KFeatureExtractor": "featureextractor",
    "LExtractor": "lextractor",
    "Origin": "simple",
    "OutlinkCount": "simple",
    "Outlinks": "lamis.ranking",
    "Rtdm": "rtdm",
    "SentenceTree": "sst.method",
    "Shingling": "shingling",
    "YiLiu": "yiliu",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'sitegrain.methods' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"sitegrain.methods.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
