"""Small labelled data on disk."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

NAV = "<nav id=menu><a href=/>Home</a> <a href=/about.html>About us</a></nav>"


def page(body: str, attributes: str = "") -> str:
    return f"<!doctype html><html><head><title>T</title></head><body{attributes}>{NAV}{body}</body></html>"


def article(i: int) -> str:
    words = " ".join(f"word{i}x{k}" for k in range(30))
    return page(f"<div class='post body'><p>Story {i} says {words}.</p><div class=share>Share me</div></div>")


def write_site(
    folder: Path, pages: Mapping[str, str | bytes], labels: Sequence[Mapping[str, Any]], **about: Any
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for path, html in pages.items():
        file = folder / "html" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(html if isinstance(html, bytes) else html.encode())
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    (folder / "site.json").write_text(json.dumps({"base_url": "http://t.example/", **about}))
    return folder


def small_site(folder: Path, n: int = 12) -> Path:
    """n articles, a home page that lists them, an about page."""
    pages: dict[str, str | bytes] = {f"posts/{i}.html": article(i) for i in range(n)}
    links = "".join(f"<li><a href=/posts/{i}.html>Story number {i}</a></li>" for i in range(n))
    pages["index.html"] = page(f"<ul class=list>{links}</ul>", " class='home blog'")
    pages["about.html"] = page("<p>We write.</p>")
    rows: list[dict[str, Any]] = [
        {"path": f"posts/{i}.html", "kind": "article", "content_selector": ".post", "drop_selector": ".share"}
        for i in range(n)
    ]
    rows.append({"path": "index.html", "kind": "toc", "toc_selector": "ul.list"})
    rows.append({"path": "about.html", "kind": "other"})
    return write_site(folder, pages, rows)


def truth(text: str | None, page_type: str = "article", **more: Any) -> dict[str, Any]:
    gold: dict[str, Any] = {"title": "T", "with": ["story"], "without": ["About us"], **more}
    if text is not None:
        gold["main_content"] = text
    return {"url": "http://a.example/x", "_internal": {"page_type": {"primary": page_type}}, "ground_truth": gold}


def write_pages(folder: Path, pages: Mapping[str, str], truths: Mapping[str, Any]) -> Path:
    (folder / "html").mkdir(parents=True)
    (folder / "ground-truth").mkdir()
    for name, html in pages.items():
        (folder / "html" / f"{name}.html").write_text(html)
    for name, row in truths.items():
        (folder / "ground-truth" / f"{name}.json").write_text(row if isinstance(row, str) else json.dumps(row))
    return folder


def small_pages(folder: Path) -> Path:
    pages = {f"{i:04}": article(i) for i in range(4)}
    words = {i: " ".join(f"word{i}x{k}" for k in range(30)) for i in range(4)}
    truths = {f"{i:04}": truth(f"Story {i} says {words[i]}", "article" if i < 3 else "forum") for i in range(4)}
    return write_pages(folder, pages, truths)


def archive(folder: Path) -> Path:
    path = folder.with_name(folder.name + ".tar.xz")
    with tarfile.open(path, "w:xz") as out:
        out.add(folder, folder.name)
    return path
