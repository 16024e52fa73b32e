"""No module imports itself by way of others, not even inside a function."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp


def test_there_is_no_import_cycle() -> None:
    graph = grimp.build_graph("sitegrain", cache_dir=None)
    # A module of C is none to grimp: importing it from its package looks like importing the package.
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    imports["sitegrain.native.choice"] -= {"sitegrain.native"}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None
