"""`sitegrain evaluate` as a new user meets it: what is printed, what is written, what is refused."""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

import sitegrain
from sitegrain.cli import main
from sitegrain.evaluation import report
from sitegrain.evaluation.reading import fields
from tests.cli.runner import invoke
from tests.evaluation.builders import archive, article, small_pages, small_site, truth, write_pages


def run(*arguments: object, methods: str = "everything") -> str:
    """What the command prints when it succeeds."""
    got = invoke(["evaluate", *map(str, arguments), "--method", methods, "--workers", "0"])
    assert got.exit_code == 0, got.output + repr(got.exception)
    return got.output


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """(exit code, what is printed to standard error), through the very entry point."""
    monkeypatch.setattr(sys, "argv", ["sitegrain", "evaluate", *map(str, arguments), "--workers", "0"])
    with pytest.raises(SystemExit) as stop:
        main()
    code = stop.value.code
    assert isinstance(code, int)
    return code, capsys.readouterr().err


@pytest.fixture
def say(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: refused(monkeypatch, capsys, *arguments)


# Data that is amiss


def test_missing_and_empty_truths_are_printed_with_counts(tmp_path: Path) -> None:
    pages = {"1": "<p>a", "2": "<p>b", "3": "<p>c"}
    folder = write_pages(tmp_path / "s", pages, {"1": truth(""), "3": truth("c"), "9": truth("x")})
    out = run(folder, "--out", tmp_path / "out")
    assert "s: 1 pages without truth, left out (page_without_truth); 1 truths without page" in out
    assert "1 empty truths, scored" in out
    problems = json.loads((tmp_path / "out/results.json").read_text())["problems"]
    assert problems == {"s": {"page_without_truth": 1, "truth_without_page": 1, "empty_truth": 1}}
    assert "empty_truth" in (tmp_path / "out/results.md").read_text()


def test_data_in_order_prints_no_problems(tmp_path: Path) -> None:
    assert "\ns:" not in run(small_pages(tmp_path / "s"))


def test_labels_that_do_not_fit_are_printed_per_site(tmp_path: Path) -> None:
    for name in ("a", "b"):
        small_site(tmp_path / "many" / name)
    labels = tmp_path / "many/a/labels.jsonl"
    rows = [json.loads(line) for line in labels.read_text().splitlines()]
    rows[0]["content_selector"], rows[1]["content_selector"] = ".nothing", "p["
    labels.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "many/a/html/posts/2.html").unlink()
    out = run(tmp_path / "many")
    assert "a: 1 labels of pages that are not there (label_of_absent_page); 1 selectors that match nothing" in out
    assert "1 selectors that are not CSS (bad_selector)" in out
    assert "3 sampled articles not scored" in out
    assert "\nb:" not in out


def test_selectors_that_never_match_are_no_success(tmp_path: Path, say: Any) -> None:
    labels = small_site(tmp_path / "s") / "labels.jsonl"
    labels.write_text(labels.read_text().replace('".post"', '".nothing"'))
    code, said = say(tmp_path / "s", "--method", "shingling", "--no-site")
    assert code == 1
    assert "nothing could be scored" in said


def test_an_archive_without_a_top_folder(tmp_path: Path) -> None:
    folder = small_site(tmp_path / "s")
    with tarfile.open(tmp_path / "flat.tar.xz", "w:xz") as out:
        for name in ("html", "labels.jsonl", "site.json"):
            out.add(folder / name, name)
    assert "everything" in run(tmp_path / "flat.tar.xz")
    assert "everything" in run(archive(folder))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none", "no such file or folder"),
        ("empty", "a folder of sites holds such folders or archives (see docs/evaluation.md)"),
        ("bare", "there are 0 pages and 0 truths"),
        ("cut.tar.xz", "cut.tar.xz as a tar archive"),
        ("text.tar.xz", "it is damaged"),
        ("file.txt", "data is a folder or a .tar.xz"),
        ("many", "broken.tar.xz as a tar archive"),
    ],
)
def test_what_is_no_data(tmp_path: Path, say: Any, name: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bare/html").mkdir(parents=True)
    (tmp_path / "bare/ground-truth").mkdir()
    whole = archive(small_site(tmp_path / "many/s"))
    (tmp_path / "cut.tar.xz").write_bytes(whole.read_bytes()[:400])
    whole.unlink()
    for file in ("text.tar.xz", "file.txt", "many/broken.tar.xz"):
        (tmp_path / file).write_text("hello")
    code, said = say(tmp_path / name, "--method", "everything")
    assert code == 1
    assert message in said
    assert "Traceback" not in said


# Names and numbers


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--method", "x"), "no method called 'x'; known: default, everything"),
        (("--peers", "x"), "no peer called 'x'; known: trafilatura, trafilatura-nocomments, trafilatura-fast"),
        (("--method", "goose3"), "goose3 is a peer: use --peers goose3"),
        (("--peers", "default"), "default is a method: use --method default"),
        (("--method", "lamis"), "cannot be measured on a page set"),
        (("--sample", "-3"), "--sample"),
    ],
)
def test_names_and_numbers_that_are_wrong(tmp_path: Path, say: Any, arguments: tuple[str, ...], message: str) -> None:
    code, said = say(small_pages(tmp_path / "s"), *arguments)
    assert code == 2
    assert message in said


# Where results go


def test_an_earlier_result_is_replaced_and_other_files_stay(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    (out / "results.json").write_text("old")
    run(small_pages(tmp_path / "s"), "--out", out)
    assert json.loads((out / "results.json").read_text())["rows"]
    assert (out / "notes.txt").read_text() == "mine"
    assert not list(out.glob("*.part")) + list(out.glob(".sitegrain*"))


def test_a_folder_that_cannot_be_written_is_refused_before_the_run(tmp_path: Path, say: Any) -> None:
    data = small_pages(tmp_path / "s")
    (tmp_path / "file").write_text("")
    code, said = say(data, "--out", tmp_path / "file")
    assert (code, "is a file: give a folder" in said) == (1, True)
    code, said = say(data, "--out", tmp_path / "file/below")
    assert (code, "cannot write to" in said) == (1, True)
    assert "measured" not in said
    code, said = say(data, "--out", data / "results")
    assert (code, "inside the data" in said) == (2, True)
    assert not (data / "results").exists()


def test_without_matplotlib_there_is_a_page_without_plots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "can_plot", lambda: False)
    out = run(small_pages(tmp_path / "s"), "--out", tmp_path / "out")
    assert "without plots: pip install 'sitegrain[plots]'" in " ".join(out.split())
    assert "No plots" in (tmp_path / "out/results.md").read_text()
    assert {p.name for p in (tmp_path / "out").iterdir()} == {"results.json", "results.md", "pages.jsonl"}


# Scrambled names


@pytest.fixture
def by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A peer that believes in class names: right on plain pages, lost on scrambled ones."""
    from selectolax.lexbor import LexborHTMLParser

    from sitegrain.evaluation import peers

    def extract(html: str, url: str) -> str:
        return " ".join(node.text() for node in LexborHTMLParser(html).css(".post"))

    monkeypatch.setitem(peers.PEERS, "by-name", peers.Peer("by-name", "none", "json", extract))


@pytest.mark.usefixtures("by_name")
@pytest.mark.parametrize("layout", ["pages", "site", "sites"])
def test_plain_and_scrambled_in_one_run(tmp_path: Path, layout: str) -> None:
    if layout == "pages":
        data, metric = small_pages(tmp_path / "d"), "word_f1"
    else:
        data, metric = small_site(tmp_path / "d" / "a"), "token_f1"
        if layout == "sites":
            shutil.copytree(data, tmp_path / "d" / "b")
            data = tmp_path / "d"
    out = tmp_path / "out"
    printed = run(data, "--peers", "by-name", "--scramble-too", "--out", out)
    assert "Scrambled minus plain" in printed
    whole = json.loads((out / "results.json").read_text())
    name = {"pages": "d", "site": "a", "sites": "2 sites"}[layout]
    value = {(r["data"], r["method"], r["metric"]): r["value"] for r in whole["rows"] if r["group"] == "all"}
    plain = value[name, "by-name", metric]
    assert plain > 0.9
    assert value[f"{name} scrambled", "by-name", metric] == 0.0
    assert value[f"{name} scrambled minus plain", "by-name", metric] == -plain
    assert value[f"{name} scrambled minus plain", "by-name", f"{metric}_high"] == pytest.approx(-plain, abs=0.05)
    # What looks at no names loses nothing.
    assert value[f"{name} scrambled minus plain", "everything", metric] == 0.0
    page = (out / "results.md").read_text()
    assert "## Scrambled minus plain" in page
    assert f"{metric}-scrambled.png" in page
    lines = [json.loads(line) for line in (out / "pages.jsonl").read_text().splitlines()]
    assert {line["data"] for line in lines} == {name, f"{name} scrambled"}


@pytest.mark.parametrize("layout", ["pages", "site"])
def test_scrambled_default_through_the_command(tmp_path: Path, layout: str) -> None:
    data = small_pages(tmp_path / "d") if layout == "pages" else small_site(tmp_path / "d")
    run(data, "--scramble", "--out", tmp_path / "out", methods="default")
    rows = json.loads((tmp_path / "out/results.json").read_text())["rows"]
    assert {r["data"] for r in rows} == {"d scrambled"}
    assert {r["method"] for r in rows} >= {"default"}


# A folder of everything


def test_one_table_over_all_sets_with_their_languages(tmp_path: Path) -> None:
    small_pages(tmp_path / "d" / "words")
    snippets: dict[str, Any] = {"partial": True, "with": ["Story 1 says"], "without": ["About us", "Share me"]}
    with_snippets = {"1": truth(None, **snippets)}
    write_pages(tmp_path / "d" / "snippets", {"1": article(1)}, with_snippets)
    small_site(tmp_path / "d" / "sites" / "one")
    small_site(tmp_path / "d" / "sites" / "two")
    printed = run(tmp_path / "d", "--out", tmp_path / "out")
    assert "All data: F1 (precision, recall)" in printed
    rows = json.loads((tmp_path / "out/results.json").read_text())["rows"]
    value = {(r["data"], r["metric"]): r["value"] for r in rows if r["group"] == "all"}
    # Everything is kept: one snippet that is wanted, two that are not.
    assert value["snippets", "snippet_precision"] == pytest.approx(1 / 3)
    assert value["snippets", "snippet_recall"] == 1.0
    assert ("snippets", "word_f1") not in value
    assert {"words", "snippets", "2 sites"} <= {r["data"] for r in rows}
    assert any(line.split()[1:3] == ["snippets", "│"] and "0.500" in line for line in printed.splitlines())


def test_structure_of_a_folder_of_everything_is_refused(tmp_path: Path, say: Any) -> None:
    small_pages(tmp_path / "d" / "words")
    small_site(tmp_path / "d" / "sites" / "one")
    code, said = say(tmp_path / "d", "--structure")
    assert code == 2
    assert "one page set, or sites" in said


@pytest.mark.parametrize("more", [("--out", "o"), ("--no-site",), ("--scramble-too",), ("--method", "wisdom")])
def test_structure_refuses_what_it_would_not_heed(tmp_path: Path, say: Any, more: tuple[str, ...]) -> None:
    code, said = say(small_pages(tmp_path / "s"), "--structure", *more)
    assert code == 2
    assert f"leave out {more[0]}" in said


def test_structure_heeds_scrambled_names(tmp_path: Path) -> None:
    posts = [
        {"text": f"Post {n} says that tea of kind {n} is best drunk hot.", "user": f"ann{n}", "date": None}
        for n in range(4)
    ]
    divs = "".join(f"<div class=post><b class=author>{p['user']}</b><p>{p['text']}</div>" for p in posts)
    write_pages(
        tmp_path / "s", {"1": f"<body>{divs}"}, {"1": truth("".join(str(p["text"]) for p in posts), posts=posts)}
    )
    seen: list[bytes] = []

    def extract(body: bytes, *_: object, **__: object) -> sitegrain.Article:
        seen.append(body)
        return sitegrain.extract(body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fields, "extract", extract)
        for more in ((), ("--scramble",)):
            run(tmp_path / "s", "--structure", *more, methods="default")
    assert [b"class=post" in body for body in seen] == [True, False]


def test_pages_whose_truth_is_doubtful_are_left_out_of_a_table_of_their_own(tmp_path: Path) -> None:
    pages = {"1": article(1), "2": article(2)}
    doubtful = truth("something else")
    doubtful["_internal"] = {"page_type": {"primary": "article", "needs_review": True}}
    folder = write_pages(tmp_path / "s", pages, {"1": truth(sitegrain.extract(article(1)).text), "2": doubtful})
    printed = run(folder, "--out", tmp_path / "out", methods="default")
    assert "whose truth is not marked as doubtful" in printed
    rows = json.loads((tmp_path / "out/results.json").read_text())["rows"]
    value = {r["group"]: r["value"] for r in rows if r["metric"] == "word_f1"}
    assert value["truth not doubtful"] == 1.0 > value["all"]
    assert "marked as doubtful" not in run(small_pages(tmp_path / "other"), methods="default")


def test_confidence_is_printed_by_tenths(tmp_path: Path) -> None:
    assert "Confidence of the default method" in run(small_pages(tmp_path / "s"), methods="default")
