"""Has a change that should change nothing changed something? A digest of every column of every result.

    python bench/digest.py DATA --sites 330k jwhisky --out before.json     # then again after the change
    python bench/digest.py DATA --out after.json --against before.json     # names what differs

DATA holds `sites/NAME/html` and `wcxb-dev/html`, unpacked. Sites are mined whole by the default methods; the sites
named by `--every-method` also by each other method of the registry; every single page is extracted alone.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pyarrow as pa

import sitegrain

FIRST_THIRTY = (
    "starboundfr izquierda bayosphere macsfera kliimaaktivist atdp annacurra sjvermeu ecrespo 54chen gis90 330k nutfes "
    "golangshow savourydays cfnet imagejdevel jwhisky pdal blenderwiki veganyumyum opendcl abuyaareb beeware castile "
    "scipylectures 2chbesthit botzilla openemswiki anoninsiders"
).split()
TABLES = ("pages", "blocks", "links")


def column_digests(table: pa.Table) -> dict[str, str]:
    found = {}
    for name in table.column_names:
        one = pa.table({name: table[name].combine_chunks()})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, one.schema) as writer:
            writer.write_table(one)
        found[name] = hashlib.sha256(sink.getvalue()).hexdigest()[:16]
    return found


def site_digests(folder: Path, methods: tuple[str, ...]) -> dict[str, str]:
    base = json.loads((folder / "site.json").read_text())["base_url"]
    site = sitegrain.read_folder(folder / "html", base)
    found = {}
    for method in methods:
        result = sitegrain.mine(site, methods=[method] if method else [])
        for name in TABLES:
            for column, value in column_digests(getattr(result, name)).items():
                found[f"{method or 'default'} {name}.{column}"] = value
        lines = [json.dumps(a.to_dict(), sort_keys=True, default=str) for a in (*result.articles, *result.tocs)]
        found[f"{method or 'default'} articles"] = hashlib.sha256(
            "\n".join(lines).encode("utf-8", "replace")
        ).hexdigest()[:16]
    return found


def page_digests(files: list[Path]) -> dict[str, str]:
    found = {}
    for file in files:
        article = sitegrain.extract(file.read_bytes(), f"http://page.example/{file.stem}")
        whole = json.dumps(
            [article.text, article.markdown, article.html, article.to_dict()], sort_keys=True, default=str
        )
        found[file.name] = hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()[:16]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--sites", nargs="*", default=FIRST_THIRTY)
    parser.add_argument("--every-method", nargs="*", default=["kliimaaktivist", "330k", "jwhisky"])
    parser.add_argument("--every-page", type=int, default=1, help="every n-th single page; 0 for none")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()

    every = ("", *registered())
    found: dict[str, str] = {}
    with ProcessPoolExecutor(given.processes) as pool:
        jobs = {
            name: pool.submit(site_digests, given.data / "sites" / name, every if name in given.every_method else ("",))
            for name in given.sites
        }
        if given.every_page:
            files = sorted((given.data / "wcxb-dev" / "html").iterdir())[:: given.every_page]
            for k in range(0, len(files), 100):
                jobs[f"pages {k}"] = pool.submit(page_digests, files[k : k + 100])
        for name, job in jobs.items():
            start = time.perf_counter()
            found |= {f"{name}: {key}": value for key, value in job.result().items()}
            print(f"{name} {time.perf_counter() - start:.0f} s", flush=True)
    if given.out:
        given.out.write_text(json.dumps(found, indent=0, sort_keys=True))
    print(f"{len(found)} values, together", hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16])
    if given.against:
        before = json.loads(given.against.read_text())
        differ = sorted(key for key in found if key in before and before[key] != found[key])
        absent = sorted(key for key in found if key not in before)
        print(f"{len(differ)} differ, {len(absent)} were not there before", *differ[:40], *absent[:10], sep="\n  ")


def registered() -> tuple[str, ...]:
    """Every method but the default ones."""
    from sitegrain.methods.registry import NODE_METHODS, PAGE_METHODS

    return tuple(name for name in (*NODE_METHODS, *PAGE_METHODS) if name not in ("default", "siteroles"))


if __name__ == "__main__":
    main()
