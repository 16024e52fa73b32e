"""A folder of mirrors: copies of several sites, each in a folder of its own that need not be named after a host."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sitegrain.errors import SourceError
from sitegrain.sources.base import Source
from sitegrain.sources.folder import FolderSource, is_named_page
from sitegrain.sources.site_address import SiteAddress, host_folders
from sitegrain.tables.address import DEFAULT_BASE
from sitegrain.tables.capture import Capture


class MirrorsSource(Source):
    """The pages of several folders, each addressed by what its own pages say."""

    def __init__(self, name: str, folders: Sequence[Path]) -> None:
        super().__init__(name)
        self.folders = folders

    def captures(self) -> Iterator[Capture]:
        """Folder by folder."""
        for folder, name in zip(self.folders, _host_names(self.folders), strict=True):
            mirror = _Mirror(folder, name)
            try:
                yield from mirror
            except SourceError as error:  # one that holds nothing does not end the others
                self.problems.append(str(error))
            self.counts.update(mirror.counts)
            self.problems.extend(mirror.problems)


class _Mirror(FolderSource):
    """One of several mirrors: where its pages do not say whose they are, the folder's name does."""

    def __init__(self, folder: Path, host: str) -> None:
        super().__init__(folder)
        self.host = host

    def address(self, paths: Sequence[str]) -> SiteAddress:
        found = super().address(paths)
        if not found.base.startswith(DEFAULT_BASE):
            return found
        return replace(found, base=f"http://{self.host}/{found.base.removeprefix(DEFAULT_BASE)}")


def _host_names(folders: Sequence[Path]) -> list[str]:
    """A reserved host name for each folder, all of them different.

    >>> _host_names([Path("My Blog"), Path("my-blog"), Path("日記")])
    ['my-blog.example', 'my-blog-2.example', 'folder.example']
    """
    seen: Counter[str] = Counter()
    found = []
    for folder in folders:
        name = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-") or "folder"
        seen[name] += 1
        found.append(f"{name}-{seen[name]}.example" if seen[name] > 1 else f"{name}.example")
    return found


def as_mirrors(source: FolderSource) -> Source:
    """The mirrors in a folder, or the folder itself when it is one site: when it has pages of its own beside its folders, when its
    folders are named after hosts (which says more than the pages), or when somebody said under which address it is."""
    if source.base is not None:
        return source
    paths = list(source.paths())
    tops = sorted({path.partition("/")[0] for path in paths if "/" in path})
    has_own = any("/" not in path and is_named_page(path) for path in paths)
    if has_own or len(tops) < 2 or host_folders(paths):
        return source
    return MirrorsSource(source.name, [Path(os.path.join(source.root, top)) for top in tops])
