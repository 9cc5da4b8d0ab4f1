#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Odd HTTP and WebSockets against headerd-web: half requests, garbage, foreign origins, forbidden messages, and its end in the
middle of all that. After each attack a page of the same bridge has to be served at once.

usage: http.py FOLDER-OF-THE-PROGRAMS [--short] [--seed N]"""
import base64
import contextlib
import json
import os
import pathlib
import random
import select
import socket
import struct
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Web"))
from bridge import TOKEN, Bridge
from suite import Suite, arguments

OPTIONS = arguments(__doc__)
SCREEN, PUBLISHER = "screen-screen-screen", "publisher-publisher"
CONFIG = ["[access]", 'origins = ["https://app.example.org"]', "[limits]", "connections = 1000",
          "connectionsPerAddress = 1000", "messagesPerSecond = 0",
          "[[token]]", f'token = "{SCREEN}"', 'roles = ["subscribe"]',
          "[[token]]", f'token = "{PUBLISHER}"', 'roles = ["publish"]']
PATIENCE = 10


def connection(bridge):
    one = socket.create_connection(("127.0.0.1", bridge.port), timeout=PATIENCE)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one


def exchange(bridge, data, patience=2.0):
    """What comes back for some bytes, up to the end or until nothing comes."""
    with connection(bridge) as one:
        answer = b""
        with contextlib.suppress(OSError):
            one.sendall(data)
            one.settimeout(patience)
            while piece := one.recv(65536):
                answer += piece
        return answer


def served(bridge, within=1.5):
    began = time.monotonic()
    with connection(bridge) as one:
        one.settimeout(PATIENCE)
        one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert one.recv(100).startswith(b"HTTP/1.1 200"), "a page is not served"
    took = time.monotonic() - began
    assert took < within, f"a page waited {took:.1f} s"
    assert bridge.process.poll() is None


class Page:
    """A WebSocket whose frames are made by hand."""

    def __init__(self, bridge, token=TOKEN, origin=None, protocol="headerd.json", headers=b""):
        query = f"?token={token}" if token is not None else ""
        self.socket = connection(bridge)
        line = b"" if origin is None else b"Origin: " + (origin if isinstance(origin, bytes) else origin.encode()) + b"\r\n"
        self.socket.sendall(
            f"GET /socket{query} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {protocol}\r\n".encode() + line + headers + b"\r\n")
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            piece = self.receive()
            if not piece:
                break
            self.rest += piece
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head[:5] == b"HTTP/" else 0

    def receive(self):
        try:
            return self.socket.recv(65536)
        except ConnectionError:
            return b""

    def frame(self, payload, opcode=1, final=True, masked=True, reserved=0, length=None):
        size = len(payload) if length is None else length
        head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
        mask = 0x80 if masked else 0
        if size < 126:
            head += bytes([mask | size])
        elif size < 65536:
            head += bytes([mask | 126]) + struct.pack(">H", size)
        else:
            head += bytes([mask | 127]) + struct.pack(">Q", size)
        return head + (bytes(4) if masked else b"") + payload

    def send(self, *frames):
        with contextlib.suppress(OSError):
            self.socket.sendall(b"".join(frames))

    def frames(self, patience=PATIENCE):
        """(opcode, payload), until the connection ends."""
        end = time.monotonic() + patience
        while True:
            while len(self.rest) >= 2:
                size, at = self.rest[1] & 127, 2
                if size == 126:
                    size, at = struct.unpack(">H", self.rest[2:4])[0], 4
                elif size == 127:
                    size, at = struct.unpack(">Q", self.rest[2:10])[0], 10
                if len(self.rest) < at + size:
                    break
                frame = self.rest[0] & 15, self.rest[at:at + size]
                self.rest = self.rest[at + size:]
                yield frame
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                raise TimeoutError("the WebSocket neither says anything nor ends")
            piece = self.receive()
            if not piece:
                return
            self.rest += piece

    def ask(self, method, params=None, masked=True):
        self.send(self.frame(json.dumps({"id": 1, "method": method, "params": params or {}}).encode(), masked=masked))
        for opcode, payload in self.frames():
            if opcode == 1:
                for line in payload.splitlines():
                    message = json.loads(line)
                    if message.get("id") == 1:
                        return message
        raise AssertionError(f"{method}: the connection ended")

    def ends(self):
        """The code that it closes with; None: without a word."""
        code = None
        for opcode, payload in self.frames():
            if opcode == 8 and len(payload) >= 2:
                code = struct.unpack(">H", payload[:2])[0]
                self.send(self.frame(payload, opcode=8))
        return code

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def half_requests(bridge):
    """Many that never end their request hold up nobody, and are hung up on, also those that go on a byte at a time."""
    count = 200 if OPTIONS.short else 900
    halves = [b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET /socket HTTP/1.1\r\nUpgrade: websocket\r\nX: "]
    waiting = [connection(bridge) for _ in range(count)]
    began = time.monotonic()
    for index, one in enumerate(waiting):
        one.sendall(halves[index % len(halves)])
    served(bridge)
    with Page(bridge) as page:
        assert page.status == 101 and "result" in page.ask("ping")
    dripping = {one for index, one in enumerate(waiting) if index % len(halves) == 3}
    open_ = set(waiting)
    while open_:
        assert time.monotonic() - began < 8, f"{len(open_)} half requests are still open after 8 s"
        for one in select.select(list(open_), [], [], 0.2)[0]:
            with contextlib.suppress(OSError):
                if one.recv(4096):
                    continue
            open_.discard(one)
        for one in dripping & open_:
            with contextlib.suppress(OSError):
                one.send(b"x")
    for one in waiting:
        one.close()
    served(bridge)


def odd_requests(bridge):
    secret = bridge.path / "secret.txt"
    secret.write_text("the-secret-beside-the-pages")
    requests = [
        b"\0" * 100, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(80), b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"y" * 100_000 + b"\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"\r\n\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\nx",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", b"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", b"CONNECT x:1 HTTP/1.1\r\n\r\n",
        b"GET http://elsewhere.example.org/ HTTP/1.1\r\nHost: x\r\n\r\n", b"DELETE /index.html HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /?token=" + TOKEN.encode() * 100 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nRange: bytes=18446744073709551615-\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
        b"GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    ]
    for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/..%5csecret.txt", "/%252e%252e/secret.txt",
                 "//secret.txt", "/./../secret.txt", "/.//..//secret.txt", "/%00/../secret.txt", f"/{secret}", "/link"):
        requests.append(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    for request in requests:
        answer = exchange(bridge, request, 0.3)
        assert b"the-secret" not in answer, request[:80]
        assert b"the-secret" not in exchange(bridge, request.replace(b"HTTP/1.1", b"HTTP/1.0"), 0.3), request[:80]
        assert bridge.process.poll() is None, f"{request[:80]} ended it"
    served(bridge)


def origins(bridge):
    """A page of anywhere else does not get in, however its origin is written."""
    port = bridge.port
    for origin in ("null", "http://evil.example.org", f"http://localhost:{port + 1}", f"https://localhost:{port}",
                   f"http://localhost:{port}.evil.example.org", f"http://evil.example.org:{port}", "https://app.example.org.",
                   "https://app.example.org:444", "https://app.example.org/", "https://app.example.org@evil.example.org",
                   f"http://localhost:{port}, http://evil.example.org", f"http://localhost:{port}\thttp://evil.example.org",
                   f"http://localhost:{port}#", "file://", "x", "*", "http://" + "a" * 1100,
                   "http://" + "a" * 3000, f"http://localhost:{port}\0.evil.example.org".encode(),
                   f"http://localhost:{port}".encode() + b"\xff\xfe", "ｈttp://localhost"):
        with Page(bridge, origin=origin) as page:
            assert page.status != 101, f"{origin[:60]!r} got in"
    with Page(bridge, origin=f"http://localhost:{port}", headers=b"Origin: http://evil.example.org\r\n") as page:
        assert page.status != 101, "a second origin got in"
    for origin in (None, f"http://localhost:{port}", f"http://127.0.0.1:{port}", "https://app.example.org"):
        with Page(bridge, origin=origin) as page:
            assert page.status == 101 and "result" in page.ask("ping"), origin
    for token in (None, "", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "x" * 600, "%00", TOKEN + "%00", "a&token=b", "\xff" * 20):
        with Page(bridge, token=token) as page:
            assert page.status in (0, 400, 401, 403), (token, page.status)
    assert TOKEN[:-1] not in bridge.log


def odd_frames(bridge):
    """What is no WebSocket ends that one, and no other."""
    text = b'{"id":1,"method":"ping"}'
    with Page(bridge) as witness:
        assert "result" in witness.ask("ping")

        def attack(what, make, codes):
            with Page(bridge) as page:
                page.send(make(page))
                code = page.ends()
                assert code in codes, (what, code)
            assert "result" in witness.ask("ping"), what

        broken = (None, 1002)
        for opcode in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15):
            attack(f"opcode {opcode}", lambda page: page.frame(text, opcode=opcode), broken)
        for bits in (1, 2, 4, 7):
            attack(f"reserved bits {bits}", lambda page: page.frame(text, reserved=bits), broken)
        attack("a ping of 126 bytes", lambda page: page.frame(b"x" * 126, opcode=9), broken)
        attack("a ping in pieces", lambda page: page.frame(b"x", opcode=9, final=False), broken)
        attack("a piece of nothing", lambda page: page.frame(text, opcode=0), broken)
        attack("a text within a text", lambda page: page.frame(b"{", final=False) + page.frame(text), broken)
        attack("2^63 bytes", lambda page: page.frame(b"x" * 2000, length=1 << 63), (None, 1002, 1009))
        attack("a close of one byte", lambda page: page.frame(b"x", opcode=8), (None, 1002, 1000))
        attack("a close with a reserved code", lambda page: page.frame(struct.pack(">H", 1005), opcode=8), (None, 1002, 1005))
        attack("a line without an end", lambda page: b"".join(
            page.frame(b"x" * 65_000, opcode=0 if index else 1, final=False) for index in range(40)), (None, 1008, 1009, 1013))
        # Whatever comes of these, a message or an end, it comes to nobody else.
        for frame in (b"\x81\x05hello", b"\x81\xff" + b"\xff" * 8 + bytes(4), b"\x81\x85\xde\xad\xbe\xef\xff\xfe\xfd\xfc\xfb"):
            with Page(bridge) as page:
                page.send(frame)
                assert "result" in witness.ask("ping"), frame
        for seed in range(30 if OPTIONS.short else 1000):
            generator = random.Random(OPTIONS.seed * 100_000 + seed)
            with Page(bridge, protocol=generator.choice(["headerd.json", "headerd.binary"])) as page:
                page.send(generator.randbytes(generator.randrange(1, 3000)))
                assert bridge.process.poll() is None, f"seed {OPTIONS.seed}, piece {seed} ended it"
        assert "result" in witness.ask("ping")


def forbidden(bridge):
    """Pages with some roles get no more by how they say it. libwebsockets 4.1 takes frames without a mask as those with one (RFC 6455,
    5.1, has a server close then), and tells nobody: they must get no further than these."""
    header = {"header": "main", "drawers": [{"name": "bar", "height": 44}], "frames": "events"}
    one = {"event": "setOptions", "options": {}}
    with Page(bridge) as admin:
        assert "result" in admin.ask("header.open", header)
    tries = [(SCREEN, "subscribe", {"headers": "main", "explain": True}), (SCREEN, "header.explain", {"header": "main"}),
             (SCREEN, "subscribe", {"headers": "**", "explain": True}), (SCREEN, "stats", {"reset": True}),
             (SCREEN, "event", {"header": "main", "event": "willAppear"}), (PUBLISHER, "event", {"header": "main", **one}),
             (PUBLISHER, "event", {"header": "main", "events": [one]}), (PUBLISHER, "subscribe", {"headers": "main"}),
             (PUBLISHER, "plugin.unload", {"plugin": "ShyNavBar", "force": True}), (PUBLISHER, "trace.start", {"header": "main"}),
             (PUBLISHER, "delegate.add", {"header": "main", "client": "intercept"})]
    for token, method, params in tries:
        for masked in (True, False):
            with Page(bridge, token=token) as page:
                answer = page.ask(method, params, masked)
                assert answer.get("error", {}).get("data", {}).get("name") == "notPermitted", (method, params, masked, answer)
    with Page(bridge, token=SCREEN) as page:
        assert page.ask("subscribe", {"headers": "main", "explain": False})["result"]["matched"] == 1


def ends(suite, programs, pages):
    """It ends with status 0 whatever its connections are in the middle of, and however early it is told."""
    upgrade = (f"GET /socket?token={TOKEN} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Protocol: headerd.json\r\n\r\n").encode()
    with Bridge(programs, CONFIG, pages=pages) as bridge:
        for data in (b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", upgrade, upgrade + b"\x81", None):
            kept = []
            for _ in range(5 if data is not None else 0):
                one = connection(bridge)
                one.sendall(data)
                if data.startswith(b"GET / HTTP") or data.startswith(upgrade):
                    assert one.recv(4096)
                kept.append(one)
            status = bridge.stop()
            assert status == 0, f"status {status} with {data!r}"
            for one in kept:
                one.close()
            bridge.start()
        for _ in range(10 if OPTIONS.short else 100):
            bridge.process.terminate()
            status = bridge.process.wait(PATIENCE)
            assert status == 0, f"status {status} right after the start"
            bridge.start()


def main():
    suite = Suite("http", OPTIONS)
    with tempfile.TemporaryDirectory() as folder:
        pages = pathlib.Path(folder) / "pages"
        pages.mkdir()
        (pages / "index.html").write_text("<!doctype html><title>t</title>")
        for attack in (half_requests, odd_requests, origins, odd_frames, forbidden):
            with Bridge(OPTIONS.programs, CONFIG, pages=str(pages)) as bridge:
                suite.run(attack.__name__, lambda: attack(bridge), log=lambda: bridge.log)
        suite.run("ends", lambda: ends(suite, OPTIONS.programs, str(pages)))
    suite.finish()


main()
