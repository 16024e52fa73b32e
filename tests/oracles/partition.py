"""Partitioners the slow and obvious way: walks over one page at a time."""

from __future__ import annotations

from sitegrain.partition import BOXES, LARGE, LISTS, NOT_IN_LISTS, RECORDS, REGIONS, SECTIONS, SMALL
from sitegrain.tables.site import Site
from sitegrain.tables.tags import BLOCK_TAGS

REFINEMENT = (
    {"tr"},
    {"td", "th"},
    {"div", "section", "article", "main", "nav", "aside", "header", "footer", "form"},
    {"ul", "ol", "dl", "p", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"},
)
"""Lin and Ho 2002: a block is cut again at TR, then at TD, then at the other partitioning tags: layout, then lists and text."""

Cut = set[tuple[int, ...]]
"""Blocks as the text rows that they hold."""


def children(site: Site, row: int) -> list[int]:
    out, child = [], row + 1
    while child < site.nodes.end[row]:
        out.append(child)
        child = int(site.nodes.end[child])
    return out


def texts(site: Site, row: int) -> list[int]:
    return [r for r in range(row, int(site.nodes.end[row])) if site.is_text[r]]


def tag(site: Site, row: int) -> str:
    name = site.tag_name(row)
    return (
        name
        if name in BLOCK_TAGS or name in BOXES or name in ("#text", "span", "hr", "br", "img")
        else ("unknown" if site.nodes.tag[row] == 1 else name)
    )


def get_block_set(site: Site, tags: tuple[str, ...]) -> Cut:
    """The paper's loop: cut by the first tag, then every part by the next one."""
    blocks: list[list[tuple[str, int]]] = []
    for page in range(site.n_pages):
        rows = site.page_rows(page)
        events: list[tuple[str, int]] = []
        open_rows: list[int] = []
        for row in range(rows.start, rows.stop):
            while open_rows and site.nodes.end[open_rows[-1]] <= row:
                events.append((tag(site, open_rows[-1]), open_rows.pop()))
            if site.is_text[row]:
                events.append(("#text", row))
            else:
                events.append((tag(site, row), row))
                open_rows.append(row)
        while open_rows:
            events.append((tag(site, open_rows[-1]), open_rows.pop()))
        blocks.append(events)
    for name in ("title", *tags):
        parts = []
        for block in blocks:
            part: list[tuple[str, int]] = []
            for event in block:
                if event[0] == name:
                    parts.append(part)
                    part = []
                else:
                    part.append(event)
            parts.append(part)
        blocks = parts
    cut = (tuple(row for kind, row in block if kind == "#text") for block in blocks)
    return {rows for rows in cut if rows}


def table_blocks(site: Site, max_chars: int | None) -> Cut:
    """Nearest TABLE above each text; then too large blocks by the refinement tags."""

    def above(row: int, names: set[str], stop: int) -> int:
        while site.nodes.parent[row] >= 0 and row != stop and tag(site, row) not in names:
            row = int(site.nodes.parent[row])
        return row

    blocks: dict[tuple[int, ...], list[int]] = {}
    for row in site.text_rows.tolist():
        blocks.setdefault((above(row, {"table", "title"}, -1),), []).append(row)
    for names in REFINEMENT if max_chars is not None else ():
        finer: dict[tuple[int, ...], list[int]] = {}
        for key, rows in blocks.items():
            size = sum(int(site.nodes.text_end[r] - site.nodes.text_start[r]) for r in rows)
            for row in rows:
                where = (*key, above(row, names | {"title"}, key[-1])) if size > (max_chars or 0) else key
                finer.setdefault(where, []).append(row)
        blocks = finer
    return {tuple(rows) for rows in blocks.values()}


def section_blocks(site: Site, small: int = SMALL, large: int = LARGE) -> Cut:
    """The rules of `section_blocks`, from the top of each page down."""
    cut: list[list[int]] = []

    def size(row: int) -> int:
        return sum(int(site.nodes.text_end[r] - site.nodes.text_start[r]) for r in texts(site, row))

    def below(row: int, names: tuple[str, ...] | frozenset[str]) -> bool:
        rows = range(row + 1, int(site.nodes.end[row]))
        return any(tag(site, r) in names and size(r) > 0 for r in rows if not site.is_text[r])

    def first_class(row: int) -> str | None:
        value = site.node_attrs(row).get("class")
        return None if value is None else (value.split() or [""])[0]

    def is_list(row: int) -> bool:
        if below(row, NOT_IN_LISTS):
            return False
        if tag(site, row) in LISTS and size(row) > 0:
            return True
        kinds: dict[tuple[str, str], list[int]] = {}
        for child in children(site, row):
            name = tag(site, child)
            label = "" if name in ("article", "dd", "dt", "li", "tr") else first_class(child)
            if name in RECORDS and size(child) > 0 and label is not None:
                kinds.setdefault((name, label), []).append(size(child))
        return any(len(s) >= 3 and sum(s) >= 0.7 * size(row) and max(s) <= 0.5 * sum(s) for s in kinds.values())

    def is_block(row: int) -> bool:
        return tag(site, row) in BLOCK_TAGS or tag(site, row) == "unknown"

    def splits(row: int) -> bool:
        if site.is_text[row] or (site.nodes.parent[row] >= 0 and is_list(row)):
            return False
        inner = range(row + 1, int(site.nodes.end[row]))
        if any(tag(site, r) in REGIONS and size(r) >= small for r in inner):
            return True
        return below(row, SECTIONS) or (below(row, BLOCK_TAGS | {"unknown"}) and size(row) > large)

    def visit(row: int) -> None:
        if not splits(row):
            cut.append([row])
            return
        runs: list[list[int]] = []
        alone: list[bool] = []
        stops: list[bool] = []  # something that splits stands before this run
        gap = True
        for child in children(site, row):
            if splits(child):
                gap = True
                continue
            is_alone = (is_block(child) and size(child) >= small) or tag(site, child) in SECTIONS
            if gap or is_alone or alone[-1]:
                runs.append([child])
                alone.append(is_alone)
                stops.append(gap)
            else:
                runs[-1].append(child)
            gap = False
        joined: list[list[int]] = []
        carried: list[int] = []
        for i, run in enumerate(runs):
            short = not alone[i] and sum(map(size, run)) < small and all(tag(site, r) not in BOXES for r in run)

            def takes(k: int) -> bool:
                return alone[k] and tag(site, runs[k][0]) not in SECTIONS

            if short and i + 1 < len(runs) and not stops[i + 1] and takes(i + 1):
                carried = run
            elif short and i > 0 and not stops[i] and takes(i - 1):
                joined[-1] = joined[-1] + run
            else:
                joined.append(carried + run)
                carried = []
        cut.extend(joined)
        for child in children(site, row):
            if splits(child):
                visit(child)

    for page in range(site.n_pages):
        rows = site.page_rows(page)
        for row in range(rows.start, rows.stop):
            if site.nodes.parent[row] < 0:
                visit(row)
    found = (tuple(sorted(r for unit in block for r in texts(site, unit))) for block in cut)
    return {rows for rows in found if rows}
