from __future__ import annotations

from pathlib import Path

import pytest

from sitegrain.errors import UsageError
from sitegrain.methods.parameters import parameters, set_parameters
from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS, make_method
from sitegrain.methods.sst.method import SentenceTree
from sitegrain.methods.wisdom.method import WISDOM


def test_values_are_read_by_the_type_of_the_parameter() -> None:
    methods = {"wisdom": make_method("wisdom"), "sst": make_method("sst")}
    settings = (
        "k=3", "st=0.5", "dstm=no", "cstm=1,2", "cstm_toc=", "k_toc=none", "condense=all", "condense_toc=none",
        "dummy_tags=br,hr", "wisdom.keep=both", "labels=a/b.jsonl", "language=de",
    )  # fmt: skip
    made = set_parameters(methods, settings)
    wanted = WISDOM(
        k=3, st=0.5, dstm=False, cstm=(1, 2), cstm_toc=(), condense="all", condense_toc="none", dummy_tags=("br", "hr"),
        keep="both",
    )  # fmt: skip
    assert made == {"wisdom": wanted, "sst": SentenceTree(labels=Path("a/b.jsonl"), language="de")}
    assert methods["wisdom"] == WISDOM()
    assert set_parameters(methods, ()) == methods


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("k=2", "several methods have 'k': write wisdom.k=... or k-featureextractor.k=..."),
        ("wisdom.k=2.5", "k cannot be '2.5': it is a whole number"),
        ("st=much", "st cannot be 'much': it is a number"),
        ("keep=all", "keep cannot be 'all': it is one of page, article, toc, both"),
        ("cstm=1,x", "cstm cannot be '1,x': it is a whole number, or several with commas"),
        ("feature=smell", "no feature 'smell'; use one of text"),
        ("wisdom.eps=1", "there is no parameter 'eps'. You can set: wisdom: k, st"),
        ("=1", "'=1' is not a setting"),
    ],
)
def test_what_makes_no_sense_is_told(setting: str, words: str) -> None:
    methods = {name: make_method(name) for name in ("wisdom", "k-featureextractor")}
    with pytest.raises(UsageError) as error:
        set_parameters(methods, [setting])
    assert words in str(error.value)


@pytest.mark.parametrize("name", [*NODE_METHODS, *PAGE_METHODS])
def test_every_default_can_be_written_and_read(name: str) -> None:
    method = make_method(name)
    for p in parameters(method):
        text = ",".join(map(str, p.default)) if isinstance(p.default, tuple) else str(p.default)
        assert p.allowed
        if p.default is not None or p.allowed.endswith("or none"):  # else a word of its own is "none"
            assert p.parse(text) == p.default


def test_a_parameter_of_a_fixed_variant_can_be_set() -> None:
    assert set_parameters({"wisdom-m2": make_method("wisdom-m2")}, ["k=2"])["wisdom-m2"] == WISDOM.m2(k=2)
    with pytest.raises(UsageError, match="takes no such parameter"):
        make_method("sst", smell=1)
    with pytest.raises(UsageError, match="there is no method 'x'; `sitegrain methods` lists"):
        make_method("x")
