"""Servers that lie, drip, bomb or lead to private addresses; input that makes no sense."""

from __future__ import annotations

import datetime
import gzip
import os
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest

from sitegrain.errors import CrawlError, OutputError, SourceError, UsageError
from sitegrain.sources.crawl import CrawlOptions, crawl
from sitegrain.sources.crawl.addresses import normalise
from sitegrain.sources.crawl.guard import is_public
from tests.sources.crawl.conftest import Forker
from tests.sources.crawl.loopback import Answer, page, serve
from tests.sources.crawl.test_crawl import QUICK, check_warc, options, pages_of

PUBLIC = "93.184.216.34"
GUARDED = options(allow_private=False, retries=1)


def drip(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    for _ in range(600):
        connection.sendall(b"<p>")
        time.sleep(0.05)


def many_headers(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n")
    for i in range(100_000):
        connection.sendall(b"X-%d: %s\r\n" % (i, b"y" * 1000))


def one_chunk_of_headers(connection: socket.socket) -> None:
    head = b"".join(b"X-%d: %s\r\n" % (i, b"y" * 1000) for i in range(10))
    connection.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"Content-Length: 3\r\n\r\n<p>")


def close_half_way(connection: socket.socket) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9999\r\n\r\n"
    connection.sendall(head + b"<p>half <a href=/ok>")
    connection.shutdown(socket.SHUT_RDWR)


def close_in_a_chunk(connection: socket.socket) -> None:
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<p>ha\r\nffff\r\n<p>"
    )
    connection.shutdown(socket.SHUT_RDWR)


def too_short_length(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>and more")
    connection.shutdown(socket.SHUT_RDWR)


def garbage(connection: socket.socket) -> None:
    connection.sendall(b"\x16\x03\x01 what?\r\n\r\n")
    connection.shutdown(socket.SHUT_RDWR)


def endless_body(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        connection.sendall(b"<p>" * 10_000)


def test_hostile_answers(forker: Forker, tmp_path: Path) -> None:
    bomb = b"<p>" + bytes(40 << 20)
    site = {
        "/": page("/drip", "/headers", "/chunk", "/half", "/cut", "/short", "/garbage", "/endless", "/gzip", "/br",
                  "/no-gzip", "/long", "/deep", "/odd-status", "/bad-location", "/file"),
        "/drip": Answer(raw=drip), "/headers": Answer(raw=many_headers), "/chunk": Answer(raw=one_chunk_of_headers),
        "/half": Answer(raw=close_half_way), "/cut": Answer(raw=close_in_a_chunk),
        "/short": Answer(raw=too_short_length), "/garbage": Answer(raw=garbage), "/endless": Answer(raw=endless_body),
        "/gzip": Answer(gzip.compress(bomb), headers={"Content-Encoding": "gzip"}),
        "/br": Answer(brotli.compress(bomb, quality=4), headers={"Content-Encoding": "br"}),
        "/no-gzip": Answer(b"not packed at all", headers={"Content-Encoding": "gzip"}),
        "/long": Answer(bytes(4 << 20)),
        "/deep": Answer(b"<div>" * 200_000 + b"<a href=/ok>"),
        "/odd-status": Answer(b"<p>?", status=799),
        "/bad-location": Answer(status=302, headers={"Location": "http://[::bad/"}),
        "/file": Answer(status=302, headers={"Location": "file:///etc/passwd"}),
        "/ok": page(),
    }  # fmt: skip
    out = tmp_path / "site.warc.gz"
    limits = options(page_timeout=1.0, max_body=2 << 20, max_decoded=8 << 20, max_header=8192, retries=1)
    started = time.monotonic()
    with serve(site) as server:
        summary = forker.crawl(server.base, out, limits)
        pages = {url.removeprefix(server.base) for url in pages_of(out)}
        reasons = {url.removeprefix(server.base): reason for url, reason in summary.problems}
    assert time.monotonic() - started < 25
    # Broken, but there: kept. The half ones are marked.
    assert pages == {"/", "/half", "/cut", "/short", "/deep", "/ok"}
    assert summary.truncated == 2
    assert "too long" in reasons["/drip"]
    assert "header" in reasons["/chunk"]
    assert "unpacked" in reasons["/gzip"]
    assert "unpacked" in reasons["/br"]
    assert "larger" in reasons["/long"]
    assert "larger" in reasons["/endless"]
    assert {"/headers", "/garbage", "/odd-status", "/bad-location", "/file"} <= set(reasons)
    assert summary.stopped == "finished"
    check_warc(out)


def test_endless_redirects(forker: Forker, tmp_path: Path) -> None:
    def site(path: str, headers: object) -> Answer | None:
        if path == "/":
            return page("/r/0", "/round", "/s/0")
        if path.startswith("/r/"):
            return Answer(status=302, headers={"Location": f"/r/{int(path[3:]) + 1}"})
        if path.startswith("/s/"):
            number = int(path[3:])
            return page() if number == 9 else Answer(status=302, headers={"Location": f"/s/{number + 1}"})
        return Answer(status=302, headers={"Location": "/round"}) if path == "/round" else None

    with serve(site) as server:
        summary = forker.crawl(server.base, tmp_path / "site.warc.gz")
        assert sum(path.startswith("/r/") for _, path in server.hits) == 11
        assert server.counts()["/round"] == 1
        assert summary.pages == 2
        with pytest.raises(CrawlError, match="more than 10 redirects"):
            forker.crawl(server.base + "/r/0", tmp_path / "endless.warc.gz")
        with pytest.raises(CrawlError, match="circle"):
            forker.crawl(server.base + "/round", tmp_path / "round.warc.gz")
    assert not (tmp_path / "endless.warc.gz").exists()


def test_entrances_that_cannot_be_crawled(forker: Forker, tmp_path: Path) -> None:
    out = tmp_path / "x.warc.gz"
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        with pytest.raises(CrawlError, match="connection refused"):
            forker.crawl(f"http://127.0.0.1:{port}/", out, QUICK)
    with pytest.raises(CrawlError, match="no such host"):
        forker.crawl("http://nowhere.example/", out, QUICK, names={}, ports={})
    with serve({"/": Answer(b"%PDF", headers={"Content-Type": "application/pdf"})}) as server:
        with pytest.raises(CrawlError, match="is application/pdf, not HTML"):
            forker.crawl(server.base, out, QUICK)
        with pytest.raises(CrawlError, match="TLS error"):
            forker.crawl(server.base.replace("http:", "https:"), out, QUICK)
        with pytest.raises(CrawlError, match="status 404"):
            forker.crawl(server.base + "/none", out, QUICK)
    assert list(tmp_path.glob("*.warc.gz")) == []
    assert list(tmp_path.glob("*.cdxj")) == []


@pytest.fixture
def https(tmp_path: Path) -> Iterator[int]:
    """A server with a certificate that nobody signed."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
    pem = tmp_path / "pem"
    pem.write_bytes(
        made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    listener = socket.create_server(("127.0.0.1", 0))

    def run() -> None:
        while True:
            try:
                plain, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(plain, server_side=True) as connection:
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>")
            except OSError:
                pass

    threading.Thread(target=run, daemon=True).start()
    yield listener.getsockname()[1]
    listener.close()


def test_certificates_are_checked(forker: Forker, tmp_path: Path, https: int) -> None:
    url = f"https://127.0.0.1:{https}/"
    with pytest.raises(CrawlError, match=r"TLS error.*certificate"):
        forker.crawl(url, tmp_path / "x.warc.gz", QUICK)
    assert forker.crawl(url, tmp_path / "x.warc.gz", options(verify_tls=False)).pages == 1


def test_redirect_to_a_private_address_is_refused(forker: Forker, tmp_path: Path) -> None:
    inside = {"/": page(text="secret"), "/latest": page(text="secret"), "/links": page("/x")}
    with serve(inside) as secret:
        targets = {
            "/1": secret.base + "/",
            "/2": f"http://localhost:{secret.port}/",
            "/3": "http://169.254.169.254/latest",
            "/4": f"http://[::ffff:127.0.0.1]:{secret.port}/",
            "/5": f"http://0x7f000001:{secret.port}/",
            "/6": f"http://inner.public.example:{secret.port}/",
        }
        site = {path: Answer(status=302, headers={"Location": url}) for path, url in targets.items()}
        names = {"public.example": [PUBLIC], "localhost": ["127.0.0.1"], "inner.public.example": ["10.0.0.7"]}
        ports = {PUBLIC: 0, "10.0.0.7": secret.port, "169.254.169.254": secret.port}
        with serve(site) as server:
            ports[PUBLIC] = server.port
            for path in targets:
                with pytest.raises(CrawlError, match="not a public address"):
                    forker.crawl(
                        f"http://public.example:{server.port}{path}", tmp_path / f"{path[1:]}.warc.gz", GUARDED,
                        names=names, ports=ports,
                    )  # fmt: skip
            # As a link in the middle of a crawl, too.
            site["/"] = page("http://inner.public.example/", "/ok", "/6")
            site["/ok"] = page()
            summary = forker.crawl(
                f"http://public.example:{server.port}/", tmp_path / "all.warc.gz", GUARDED, names=names, ports=ports
            )
        assert (summary.pages, summary.refused) == (2, 2)
        assert secret.hits == []


def test_dns_that_changes_between_look_ups(forker: Forker, tmp_path: Path) -> None:
    close = {"Connection": "close"}
    site = {"/robots.txt": Answer(status=404, headers=close), "/secret": page()}
    site["/"] = page("/secret", Connection="close")
    with serve(site) as server:
        names = {"rebind.example": [PUBLIC, PUBLIC, "127.0.0.1"]}
        summary = forker.crawl(
            f"http://rebind.example:{server.port}/", tmp_path / "x.warc.gz", GUARDED,
            names=names, ports={PUBLIC: server.port},
        )  # fmt: skip
        assert (summary.pages, summary.refused) == (1, 1)
        assert "/secret" not in server.counts()


@pytest.mark.parametrize(
    "address",
    "127.0.0.1 127.9.9.9 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200 0.0.0.0 "
    "224.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 168.63.129.16 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 "
    "ff02::1 192.0.0.1 192.0.0.9 192.88.99.1 203.0.113.1 240.0.0.1 fec0::1 2001:db8::1 3fff::1 5f00::1 64:ff9b:1::1 "
    "::ffff:127.0.0.1 ::ffff:169.254.169.254 2002:7f00:1:: 2002:a9fe:a9fe:: 64:ff9b::7f00:1 localhost "
    "example.org".split(),
)
def test_private_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:2800:220:1::1", "64:ff9b::808:808"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


def test_arguments_that_make_no_sense(tmp_path: Path) -> None:
    out = tmp_path / "x.warc.gz"
    for url in ("example.org", "ftp://example.org/", "http://", "http://a b/", "", "file:///etc/passwd"):
        with pytest.raises(UsageError):
            crawl(url, out)
    with pytest.raises(UsageError, match=r"ends in \.warc\.gz"):
        crawl("http://example.org/", tmp_path / "x.html")
    with pytest.raises(OutputError, match="no folder"):
        crawl("http://example.org/", tmp_path / "none" / "x.warc.gz")
    (tmp_path / "dir.warc.gz").mkdir()
    with pytest.raises(OutputError, match="is a folder or a device"):
        crawl("http://example.org/", tmp_path / "dir.warc.gz")
    with pytest.raises(SourceError, match="no such earlier"):
        crawl("http://example.org/", out, CrawlOptions(earlier=str(tmp_path / "none")))
    out.write_bytes(b"notes")
    with pytest.raises(UsageError, match="one file"):
        crawl("http://example.org/", out, CrawlOptions(earlier=str(out)))
    for bad in (
        {"scope": "x"}, {"depth": -1}, {"depths": {"news": 1}}, {"include": ("(",)}, {"max_pages": 0}, {"delay": -1},
        {"delay": float("nan")}, {"page_timeout": 0}, {"contact": "a\nb"}, {"concurrency": 0},
    ):  # fmt: skip
        with pytest.raises(UsageError):
            CrawlOptions(**bad)


def test_a_file_that_is_no_warc_is_not_overwritten(tmp_path: Path) -> None:
    """Through the real child process, twice in one process."""
    out = tmp_path / "x.warc.gz"
    out.write_bytes(b"my only copy")
    with serve({"/": page()}) as server:
        with pytest.raises(OutputError, match="is not the WARC"):
            crawl(server.base, out, QUICK)
        assert out.read_bytes() == b"my only copy"
        assert server.hits == []
        out.unlink()
        assert crawl(server.base, out, QUICK).pages == 1


def test_full_disk(forker: Forker, tmp_path: Path) -> None:
    """What cannot be written whole is taken back, and the next run goes on."""
    out = tmp_path / "x.warc.gz"
    site = {"/": page(*(f"/{i}" for i in range(30)))} | {f"/{i}": page(text=os.urandom(900).hex()) for i in range(30)}
    with serve(site) as server:
        with pytest.raises(OutputError, match="cannot be written"):
            forker.crawl(server.base, out, QUICK, max_file=12_000)
        assert 1 <= len(pages_of(out)) < 15
        check_warc(out)
        assert forker.crawl(server.base, out, QUICK).pages == 31
    assert max(pages_of(out).values()) == 1


def test_links_with_passwords_lose_them() -> None:
    assert normalise("http://user:secret@e.org/@x") == "http://e.org/@x"
