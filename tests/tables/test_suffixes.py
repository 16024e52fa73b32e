"""Registrable domains: the suffixes of one last label say the same as the list of all."""

from __future__ import annotations

from pathlib import Path

import pytest
from publicsuffixlist import PSLFILE, PublicSuffixList, encode_idn

from sitegrain.tables.address import _private


@pytest.mark.parametrize("accept_unknown", [True, False])
def test_by_the_last_label_as_by_all(accept_unknown: bool) -> None:
    every = PublicSuffixList(accept_unknown=accept_unknown)
    lines = Path(PSLFILE).read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("//")]
    odd = [rule for rule in rules if not rule.isascii() or rule.startswith(("!", "*"))]
    for rule in (*rules[::17], *odd, "no-such-label", "xn--zzzzzz"):
        rule = rule.lstrip("!").replace("*", "q")
        for host in (rule, f"a.{rule}", f"b.a.{rule}", f"a.{rule}.", f"a..{rule}", f"a.{encode_idn(rule)}"):
            assert _private(host, accept_unknown) == every.privatesuffix(host), host
