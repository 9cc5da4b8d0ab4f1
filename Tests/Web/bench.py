#!/usr/bin/env python3
"""What headerd-web takes of a processor: PAGES pages that subscribe to one header, which moves RATE times a second.

usage: Tests/Web/bench.py FOLDER-OF-THE-PROGRAMS [--pages 1000] [--rate 60] [--seconds 10] [--encoding json|binary]

The pages are sockets that read and count; nothing of their text is looked at but one page's, whose states tell how long they took.
"""
import argparse
import base64
import json
import os
import pathlib
import resource
import select
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from bridge import Bridge  # noqa: E402

DESCRIPTION = {
    "header": "bench", "scrollViews": {"content": {"viewport": {"width": 375, "height": 667},
    "contentSize": {"height": 1000000}, "contentInset": {"top": 64}}}, "environment": {"statusBarHeight": 20},
    "drawers": [{"name": "navBar", "height": 44}, {"name": "extension", "height": 40}],
    "delegates": [{"behavior": "ShyNavBar", "options": {"expansionResistance": 0}}], "frames": "events",
}


def ticks(pid):
    """Seconds of processor time that a process has taken."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def masked(text):
    """A text message of a page, with a mask of zeros."""
    body = text.encode()
    assert len(body) < 65536
    length = bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")
    return b"\x81" + length + bytes(4) + body


def page(port, token):
    """A socket that has subscribed."""
    connection = socket.create_connection(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET /socket?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: headerd.json\r\n\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(4096)
    assert answer.startswith(b"HTTP/1.1 101"), answer
    subscribe = {"id": 1, "method": "subscribe", "params": {"headers": "bench", "fields": ["drawers"]}}
    connection.sendall(masked(json.dumps(subscribe)))
    connection.setblocking(False)
    return connection


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=60)
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with Bridge(options.programs, headerd=["[limits]", "connections = 4096"]) as bridge:
        publisher = socket.socket(socket.AF_UNIX)
        publisher.connect(bridge.daemon_socket)
        wire = publisher.makefile("rw")
        wire.write(json.dumps({"id": 1, "method": "header.open", "params": DESCRIPTION}) + "\n")
        wire.flush()
        assert "result" in json.loads(wire.readline())
        pages = [page(bridge.port, bridge.token) for _ in range(options.pages)]
        poll = select.epoll()
        by_number = {one.fileno(): one for one in pages}
        for number in by_number:
            poll.register(number, select.EPOLLIN)

        received, delays, first = 0, [], pages[0].fileno()

        def read(until):
            nonlocal received
            while (left := until - time.monotonic()) > 0:
                for number, _ in poll.poll(left):
                    data = by_number[number].recv(65536)
                    received += data.count(b'"method":"state"')
                    if number == first and b'"method":"state"' in data:
                        delays.append(time.monotonic() - sent)

        sent = time.monotonic()
        read(time.monotonic() + 1.5)
        assert received >= options.pages, f"{received} snapshots"
        received, delays[:] = 0, []
        before = ticks(bridge.process.pid), ticks(bridge.daemon.pid)
        began = time.monotonic()
        steps = int(options.seconds * options.rate)
        for step in range(steps):
            # Up and down by 40 points, so that each event moves the bar.
            y = 400 + 2 * (step % 20 if step // 20 % 2 == 0 else 20 - step % 20)
            event = {"event": "didScroll", "time": step / options.rate, "offset": {"y": y - 104}}
            sent = time.monotonic()
            wire.write(json.dumps({"method": "event", "params": event}) + "\n")
            wire.flush()
            read(began + (step + 1) / options.rate)
        seconds = time.monotonic() - began
        after = ticks(bridge.process.pid), ticks(bridge.daemon.pid)
        delays.sort()
        print(json.dumps({
            "pages": options.pages, "rate": options.rate, "seconds": round(seconds, 2),
            "statesPerSecond": round(received / seconds), "headerdWebCores": round((after[0] - before[0]) / seconds, 3),
            "headerdCores": round((after[1] - before[1]) / seconds, 3),
            "microsecondsAState": round((after[0] - before[0]) / max(received, 1) * 1e6, 2),
            "delayMilliseconds": {"p50": round(delays[len(delays) // 2] * 1e3, 2),
                                  "p99": round(delays[len(delays) * 99 // 100] * 1e3, 2)}}))


if __name__ == "__main__":
    main()
