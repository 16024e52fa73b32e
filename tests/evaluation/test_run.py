from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitegrain.demo import generate
from sitegrain.errors import MissingExtraError, ModelError, SourceError, UsageError
from sitegrain.evaluation import peers, report, run_sites
from sitegrain.evaluation.data import PageSet, open_data, open_pages, open_sites
from sitegrain.evaluation.gold import gold_page
from sitegrain.evaluation.methods import Candidate, find_methods
from sitegrain.evaluation.metrics import token_prf
from sitegrain.evaluation.options import Options, read_folds
from sitegrain.evaluation.results import Results
from sitegrain.evaluation.run import evaluate
from sitegrain.learned.files import save_model
from sitegrain.plan.processes.pool import OutOfTime, run_tasks, time_limit
from sitegrain.roles.model import RoleTrees, default_trees
from tests.cli.runner import invoke
from tests.evaluation import killers
from tests.evaluation.builders import archive, small_pages, small_site, truth, write_pages, write_site

HERE = Options(workers=0, sample=5)


def quiet(done: int, total: int) -> None:
    pass


def run(data: Any, *methods: str, options: Options = HERE) -> Results:
    return evaluate(data, find_methods(methods, []), options, quiet)


@pytest.fixture
def fake_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(html: str, url: str) -> str:
        raise RuntimeError("no idea")

    def say(html: str, url: str) -> str:
        print("noise")
        return "Story"

    for name, extract in (("crashing", crash), ("short", say)):
        monkeypatch.setitem(peers.PEERS, name, peers.Peer(name, "none", "json", extract))


def test_page_set(tmp_path: Path) -> None:
    results = run(open_data(small_pages(tmp_path / "s")), "everything")
    # 32 words are right (30, "story", a number, "says" make 33); menu and share button are 3 + 2 more.
    assert results.value("everything", "word_recall") == 1.0
    assert results.value("everything", "word_precision") == pytest.approx(33 / 38)
    assert {r.group for r in results.rows} == {"all", "article", "forum"}
    assert {(r.group, r.n) for r in results.rows if r.metric == "word_f1"} == {("all", 4), ("article", 3), ("forum", 1)}
    assert results.value("everything", "with_rate") == results.value("everything", "without_rate") == 1.0
    low, high = (results.value("everything", f"word_f1_{end}") or 0 for end in ("low", "high"))
    assert low <= (results.value("everything", "word_f1") or 0) <= high
    assert len(results.scores) == 4


@pytest.mark.usefixtures("fake_peers")
def test_a_crash_scores_zero_and_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_pages(tmp_path / "s", {"1": "<p>Story", "2": "<p>x"}, {"1": truth("Story"), "2": truth("")})
    methods = find_methods([], ["crashing", "short"])
    results = evaluate(open_data(folder), methods, HERE, quiet)
    assert results.value("crashing", "word_f1") == 0.0
    assert results.value("crashing", "crashes") == 2
    assert results.value("short", "word_f1") == 0.5
    assert results.value("short", "crashes") == 0
    assert {s.error for s in results.scores if s.method == "crashing"} == {"RuntimeError: no idea"}
    assert capsys.readouterr().out == ""
    assert results.problems == {"s": {"empty_truth": 1}}
    assert "RuntimeError" in report.results_page(results).markdown()


def test_sites(tmp_path: Path) -> None:
    small_site(tmp_path / "a")
    small_site(tmp_path / "b")
    results = run(open_sites(tmp_path), "everything", "default", "outlink-count")
    assert results.value("everything", "token_recall", "a") == 1.0
    assert {r.n for r in results.rows if (r.method, r.metric, r.group) == ("everything", "token_f1", "a")} == {5}
    assert {r.n for r in results.rows if (r.method, r.metric, r.group) == ("everything", "token_f1", "all")} == {2}
    assert results.value("outlink-count", "toc_r_precision") == 1.0
    assert results.value("default", "toc_r_precision") == 1.0
    assert results.value("outlink-count", "crashes") == 0
    assert results.value("everything", "snc_f1") == pytest.approx(2 * (12 / 14) / (1 + 12 / 14))
    assert set(results.digests) == {"a", "b"}


def test_scrambling_and_single_pages(tmp_path: Path) -> None:
    data = open_sites(small_site(tmp_path / "a"))
    plain = run(data, "everything")
    for options in (Options(workers=0, sample=5, scramble=True), Options(workers=0, sample=5, no_site=True)):
        other = run(data, "everything", options=options)
        assert other.value("everything", "token_f1") == plain.value("everything", "token_f1")
    assert run(data, "everything", options=Options(workers=0, scramble=True)).rows[0].data == "a scrambled"


def test_what_is_amiss_with_labels_is_counted_per_site(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = {f"{i}.html": f"<p class=a>Text {i}</p>" for i in range(4)}
    rows = [
        {"path": "0.html", "kind": "article", "content_selector": ".a"},
        {"path": "1.html", "kind": "article", "content_selector": ".none"},
        {"path": "2.html", "kind": "article", "content_selector": "p["},
        {"path": "gone.html", "kind": "article", "content_selector": ".a"},
    ]
    results = run(open_sites(write_site(tmp_path / "s", pages, rows)), "everything")
    assert results.problems == {
        "s": {
            "label_of_absent_page": 1,
            "no_match": 1,
            "bad_selector": 1,
            "unlabelled_page": 1,
            "sampled_article_without_gold": 3,
        }
    }
    assert results.value("everything", "token_f1") == 1.0


def test_gold_that_repeats_is_reported_apart(tmp_path: Path) -> None:
    small_site(tmp_path / "a")
    pages: dict[str, str | bytes] = {f"{i}.html": f"<div class=a>Text {i}<p>Give us money</p></div>" for i in range(12)}
    rows = [{"path": path, "kind": "article", "content_selector": ".a"} for path in pages]
    write_site(tmp_path / "b", pages, rows)
    results = run(open_sites(tmp_path), "everything")
    assert results.value("gold", "gold_repeated", "a") == 0.0
    assert (results.value("gold", "gold_repeated", "b") or 0) > 0.5
    only_a = results.value("everything", "token_f1", "all, gold repeats nothing")
    assert only_a == results.value("everything", "token_f1", "a")


# Names


def test_unknown_names_list_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"no method called 'x'; known: default, .*everything"):
        find_methods(["x"], [])
    with pytest.raises(UsageError, match=r"no peer called 'x'; known: trafilatura"):
        find_methods([], ["x"])
    with pytest.raises(UsageError, match="--peers goose3"):
        find_methods(["goose3"], [])
    with pytest.raises(UsageError, match="nothing to measure"):
        find_methods([], [])


def test_a_peer_that_is_not_installed_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.PEERS, "ghost", peers.Peer("ghost", "ghost", "no_such_module", lambda h, u: ""))
    with pytest.raises(MissingExtraError, match=r"pip install 'sitegrain\[peers\]'"):
        find_methods([], ["ghost"])
    assert "ghost" not in peers.installed_peers()


@pytest.mark.parametrize("name", [n for n in peers.PEERS if n in peers.installed_peers()])
def test_installed_peers_find_the_text(name: str, tmp_path: Path) -> None:
    generate(tmp_path)
    (site,) = open_sites(tmp_path)
    path = next(p for p, label in site.labels.items() if p.startswith("harbour/") and label.kind == "article")
    (capture,) = site.captures({path})
    text = peers.peer(name).extract(capture.body.decode(), capture.url)
    assert token_prf(text, gold_page(capture, site.labels[path]).text).f1 > 0.7


def test_page_models_need_sites(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be measured on a page set"):
        run(open_data(small_pages(tmp_path / "s")), "outlink-count")


def test_out_of_fold_models(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot read"):
        read_folds([tmp_path])
    (tmp_path / "index.json").write_text('{"models": []}')
    with pytest.raises(SourceError, match="is not"):
        read_folds([tmp_path])
    (tmp_path / "index.json").write_text('{"models": {"a.example": "0.model"}}')
    with pytest.raises(SourceError, match="not there"):
        read_folds([tmp_path])
    (tmp_path / "0.model").write_text("x")
    with pytest.raises(ModelError, match="not a sitegrain model"):
        read_folds([tmp_path])
    save_model(tmp_path / "0.model", "siteroles", {})
    options = Options(folds=read_folds([tmp_path]))
    assert options.model_for("siteroles", "a.example") == tmp_path / "0.model"
    assert options.model_for("content trees", "a.example") is None
    with pytest.raises(UsageError, match="no model for 'b'"):
        options.model_for("siteroles", "b")
    with pytest.raises(UsageError, match="two folders"):
        read_folds([tmp_path, tmp_path])


def test_roles_learned_from_the_site_are_called_in_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = [open_sites(small_site(tmp_path / "s"))[0]]
    assert run(data, "siteroles").notes == ()
    trees = replace(default_trees(), about={"sites": [data[0].digest]})
    monkeypatch.setattr(run_sites, "default_trees", lambda: trees)
    shipped = run(data, "siteroles", "everything")
    assert "in-sample on 1 of 1 sites" in shipped.notes[0]
    assert run(data, "everything").notes == ()
    # A model that has not seen the site is used, and nothing is to be said.
    other = RoleTrees(
        trees.names, (*trees.first[1:], trees.first[0]), (*trees.second[1:], trees.second[0]), trees.alone
    )
    (tmp_path / "m").mkdir()
    save_model(tmp_path / "m" / "f.json", "siteroles", other)
    (tmp_path / "m" / "index.json").write_text(json.dumps({"models": {data[0].name: "f.json"}}))
    options = replace(HERE, folds=read_folds([tmp_path / "m"]))
    held_out = run(data, "siteroles", options=options)
    assert held_out.notes == ()
    # The trees of one role speak for another in it.
    assert held_out.value("siteroles", "article_f1") != shipped.value("siteroles", "article_f1")


# Processes


def test_a_task_that_kills_its_process_is_given_up_alone() -> None:
    answers = run_tasks(killers.double_or_die, range(8), workers=2, split=lambda t: [t], give_up=lambda t: -t)
    assert sorted(answers) == [-3, 0, 2, 4, 8, 10, 12, 14]


def test_only_the_part_that_kills_is_lost() -> None:
    tasks: list[tuple[int, ...]] = [(1, 3, 5)]
    answers = run_tasks(
        killers.same_or_die, tasks, workers=1, split=lambda t: [(x,) for x in t], give_up=lambda t: [-x for x in t]
    )
    assert sorted(x for a in answers for x in a) == [-3, 1, 5]


def test_two_processes_give_what_one_gives(tmp_path: Path) -> None:
    data = open_pages(small_pages(tmp_path / "s"))
    one, two = (run(data, "everything", options=Options(workers=w)) for w in (0, 2))
    assert [r for r in one.rows if r.metric != "ms_per_page"] == [r for r in two.rows if r.metric != "ms_per_page"]


def _spin(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_time_limit() -> None:
    with pytest.raises(OutOfTime), time_limit(0.05):
        time.sleep(5)
    begin = time.process_time()
    with pytest.raises(OutOfTime), time_limit(0.2):
        _spin(5)
    assert time.process_time() < begin + 1
    # A machine that is busy with other things makes no task fail.
    with time_limit(0.1):
        time.sleep(0.3)
    assert not issubclass(OutOfTime, Exception)  # a library's catch-all must not swallow it
    with time_limit(5):
        pass


# Files and the command


def test_results_json(tmp_path: Path) -> None:
    data = open_data(small_pages(tmp_path / "s"))
    assert isinstance(data, PageSet)
    results = run(data, "everything")
    results.write(tmp_path / "out")
    whole = json.loads((tmp_path / "out/results.json").read_text())
    assert set(whole["rows"][0]) == {"method", "data", "group", "metric", "value", "n"}
    assert whole["digests"] == {"s": data.digest}
    assert whole["versions"]["python"]
    lines = (tmp_path / "out/pages.jsonl").read_text().splitlines()
    assert len(lines) == 4


def test_command(tmp_path: Path) -> None:
    path = archive(small_pages(tmp_path / "s"))
    out = tmp_path / "out"
    arguments = ["--method", "everything", "--method", "default", "--out", str(out), "--workers", "0"]
    got = invoke(["evaluate", str(path), *arguments])
    assert got.exit_code == 0, got.output
    assert "measured 4 of 4" in got.output
    assert "everything" in got.output
    page = (out / "results.md").read_text()
    assert "| everything |" in page
    assert "word_f1.png" in page
    assert (out / "word_f1.png").stat().st_size > 1000
    assert (out / "word_f1.svg").exists()


def test_command_says_what_is_wrong(tmp_path: Path) -> None:
    for arguments, message in (
        (["evaluate", str(tmp_path / "none")], "no such file"),
        (["evaluate", str(tmp_path), "--method", "x"], "no method called 'x'"),
        (["reproduce", "nobody", str(tmp_path)], "no experiment called 'nobody'"),
    ):
        got = invoke(arguments)
        assert got.exit_code != 0
        assert message in str(got.exception)


def test_method_is_a_value() -> None:
    assert Candidate("a", "peer") == Candidate("a", "peer")
