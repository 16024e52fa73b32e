"""Some pages of a site as a site of their own: what is told by the other pages is told by these alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sitegrain.arrays.late import sparse
from sitegrain.arrays.ordered import median
from sitegrain.arrays.types import Bools
from sitegrain.roles.page import PageFeatures
from sitegrain.roles.parts import rank


def among(features: PageFeatures, chosen: Bools) -> PageFeatures:
    """The features of the chosen pages, ranked and linked among themselves."""
    rows = np.flatnonzero(chosen)
    values = features.values[rows]
    place = {name: k for k, name in enumerate(features.names)}
    for name, k in place.items():  # what `Columns.shown` measures against the other pages
        if (ratio := place.get(f"{name}_ratio")) is not None:
            logs = values[:, k].astype(np.float64)
            values[:, place[f"{name}_rank"]], values[:, ratio] = rank(logs), logs - median(logs)
    links = (sparse.csr_array(found[rows][:, rows]) for found in (features.own_links, features.leads))
    own_links, leads = links
    groups = (features.template[rows], features.address[rows], features.title[rows])
    template, address, title = (np.unique(group, return_inverse=True)[1].astype(np.int32) for group in groups)
    return replace(
        features,
        values=values,
        template=template,
        address=address,
        title=title,
        own_links=own_links,
        leads=leads,
        url=[features.url[k] for k in rows.tolist()],
        bare_title=[features.bare_title[k] for k in rows.tolist()],
    )
