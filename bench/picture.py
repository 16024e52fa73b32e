"""The picture of the report in the README: the demo newspaper's, made anew.

    python bench/picture.py docs/report.png

Needs a Chromium and `pip install 'sitegrain[render]'`. The picture is stored with at most 256 colours: it shows flat
areas and text, and is a third of the size.
"""

from __future__ import annotations

import argparse
import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from sitegrain.demo import generate
from sitegrain.report import write_report
from sitegrain.result.mining import mine
from sitegrain.sources.crawl import CrawlOptions
from sitegrain.sources.crawl.render import find_browser

WIDTH, HEIGHT = 1280, 800


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    out = parser.parse_args().out
    with tempfile.TemporaryDirectory() as folder:
        result = mine(generate(Path(folder) / "courier").folder)
        index = write_report(result, Path(folder) / "report")
        page = next(a.page for a in result.articles if "machines/" in a.url)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_browser(CrawlOptions()), args=["--no-sandbox"])
            tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            tab.goto(f"{index.as_uri()}#/page/{page}")
            tab.wait_for_selector("#view[data-ready=page]")
            tab.wait_for_timeout(1000)
            # The first kept block, as if somebody had pointed at it.
            tab.evaluate("views.page.go(views.page.data.kept.indexOf(1))")
            tab.wait_for_timeout(1500)
            pixels = tab.screenshot()
            browser.close()
    out.write_bytes(fewer_colours(pixels))
    print(f"{out}: {out.stat().st_size:,} bytes", file=sys.stderr)


def fewer_colours(png: bytes) -> bytes:
    """An 8-bit RGB PNG as one with a palette of 256 colours, others as the nearest of them.

    A colour is worth what it covers times how far it is from those chosen before: few pixels of another hue count.
    """
    width, height, data = 0, 0, b""
    at = 8
    channels = 3
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
            channels = 4 if colour == 6 else 3
        elif kind == b"IDAT":
            data += body
        at += 12 + size
    pixels = _unfiltered(np.frombuffer(zlib.decompress(data), np.uint8).reshape(height, -1), channels)
    rgb = pixels.reshape(height, width, channels)[:, :, :3].astype(np.int64)
    key = (rgb[:, :, 0] << 16) | (rgb[:, :, 1] << 8) | rgb[:, :, 2]
    found, which, count = np.unique(key.reshape(-1), return_inverse=True, return_counts=True)
    colours = np.stack([found >> 16, (found >> 8) & 255, found & 255], axis=1)
    nearest = np.zeros(len(found), np.int64)
    chosen = [int(count.argmax())]
    least = ((colours - colours[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(256, len(found)):
        chosen.append(int((least * np.sqrt(count)).argmax()))
        distance = ((colours - colours[chosen[-1]]) ** 2).sum(axis=1)
        nearest[distance < least] = len(chosen) - 1
        least = np.minimum(least, distance)
    index = nearest.astype(np.uint8)[which.reshape(-1)].reshape(height, width)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), index], axis=1).tobytes()
    palette = colours[chosen].astype(np.uint8).tobytes()
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )


def _unfiltered(rows: np.ndarray, channels: int) -> np.ndarray:
    """The five filters of PNG, undone row by row."""
    out = np.zeros((len(rows), rows.shape[1] - 1), np.uint8)
    above = np.zeros(rows.shape[1] - 1, np.uint8)
    for y, row in enumerate(rows):
        kind, line = int(row[0]), row[1:].copy()
        if kind == 2:
            line += above
        elif kind == 1:
            for c in range(channels):
                line[c::channels] = np.cumsum(line[c::channels], dtype=np.uint64).astype(np.uint8)
        elif kind in (3, 4):
            _backward(line, above, channels, kind)
        out[y] = above = line
    return out


def _backward(line: np.ndarray, above: np.ndarray, channels: int, kind: int) -> None:
    values, up = line.tolist(), above.tolist()
    for i, value in enumerate(values):
        left = values[i - channels] if i >= channels else 0
        corner = up[i - channels] if i >= channels else 0
        if kind == 3:
            guess = (left + up[i]) // 2
        else:
            a, b, c = abs(up[i] - corner), abs(left - corner), abs(left + up[i] - 2 * corner)
            guess = left if a <= b and a <= c else up[i] if b <= c else corner
        values[i] = (value + guess) & 255
    line[:] = values


if __name__ == "__main__":
    main()
