"""JSON-LD as pages write it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sitegrain.text.jsonld import _MENDED, _is_wrapped, read_linked_data

ENDS = st.lists(
    st.sampled_from(
        ["<!--", "-->", "//", "<![CDATA[", "]]>", "/*", "*/", ";", " ", "\n", "{", "}", '"a"', "\x1c", "\xa0"]
    ),
    max_size=7,
).map("".join)


@given(ENDS)
def test_what_is_not_wrapped_need_not_be_mended(blob: str) -> None:
    if not _is_wrapped(blob):
        assert _MENDED.sub("", blob) == blob


def test_what_is_wrapped_is_read() -> None:
    item = '{"@type": "Article", "headline": "Tea"}'
    for blob in (
        f"<!-- {item} -->",
        f"// <![CDATA[\n{item}\n// ]]>",
        f"/* <![CDATA[ */ {item} /* ]]> */",
        f" {item} ; ",
        f"<!--{item};-->",
    ):
        assert [found.data["headline"] for found in read_linked_data([blob]).articles] == ["Tea"], blob
