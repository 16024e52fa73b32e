"""site.json says what judged."""

from __future__ import annotations

import json
from pathlib import Path

from sitegrain.native import is_compiled
from sitegrain.result.mining import mine
from tests.builders import site_of


def test_the_result_names_its_models_and_its_core(tmp_path: Path) -> None:
    site = site_of("<a href=1.html>All about the letter B</a>", "<p>" + "B is a fine letter. " * 20)
    mine(site, tmp_path / "default")
    about = json.loads((tmp_path / "default" / "site.json").read_bytes())
    assert about["models"]["nodes"]["file"] == "content.json"
    assert about["models"]["pages"]["file"] == "roles.json"
    assert len(about["models"]["pages"]["sha256"]) == 64
    assert about["core"] == ("compiled" if is_compiled else "python")
    mine(site, tmp_path / "other", methods=["outlink-count"])
    assert json.loads((tmp_path / "other" / "site.json").read_bytes())["models"]["pages"] is None
