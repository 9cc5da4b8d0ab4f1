#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A client of the binary encoding, written from header_wire.h and headerd-protocol(7) alone.

    frames.py SOCKET HEADER
    frames.py SOCKET HEADER DESCRIPTION BATCHES

The first opens HEADER on one connection and listens on another, scrolls it, and prints on stdout every answer and every state
that it gets, each as the JSON that a line would have held. The second opens HEADER as DESCRIPTION says and sends BATCHES,
lists of events as lines would hold them, a frame each; it prints what was decided about each. Nothing but Python's standard
library is used.
"""
import json
import socket
import struct
import sys

EVENT, EVENTS, HELLO, PING, OPEN, SUBSCRIBE, UNSUBSCRIBE, CLOSE = 2, 3, 4, 5, 6, 7, 8, 9
JSON, DECIDED, WELCOME, PONG, OPENED, SUBSCRIBED, DONE = 1, 0x82, 0x84, 0x85, 0x86, 0x87, 0x88
ERROR, NAMES, STATE, GAP, CLOSED, BYE = 0x90, 0x91, 0x92, 0x93, 0x94, 0x95
CURVES = ["linear", "easeIn", "easeOut", "easeInOut", "spring"]
STYLES = [None, "default", "lightContent", "darkContent"]


class Reader:
    """Goes through a frame from front to back."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, layout):
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def text(self, size):
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def json(self, size):
        return json.loads(self.text(size)) if size else None

    def rest(self):
        return self.text(len(self.data) - self.at)


def point(x, y):
    return {"x": x, "y": y}


def size(width, height):
    return {"width": width, "height": height}


def rect(x, y, width, height):
    return {"x": x, "y": y, "width": width, "height": height}


def insets(top, left, bottom, right):
    return {"top": top, "left": left, "bottom": bottom, "right": right}


def single(number):
    """A float's shortest decimal."""
    for digits in range(1, 10):
        short = float(f"{number:.{digits}g}")
        if struct.pack("<f", short) == struct.pack("<f", number):
            return short
    return number


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.socket.sendall(b"\x89HD\x01")
        self.bytes, self.names, self.last = b"", {}, 0
        assert self.exactly(4) == b"\x89HD\x01"

    def exactly(self, count):
        while len(self.bytes) < count:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.bytes += more
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def send(self, kind, body):
        self.socket.sendall(struct.pack("<IHH", 8 + len(body), kind, 0) + body)

    def request(self, kind, body=b"", expect=None):
        """Sends a request and returns its answer; states that come before it are kept out of the way by the caller."""
        self.last += 1
        self.send(kind, struct.pack("<Q", self.last) + body)
        got, answer = self.receive()
        assert got == expect and answer["id"] == self.last, (got, answer)
        return answer

    def receive(self):
        """The next message that is not about names."""
        while True:
            head = self.exactly(8)
            length, kind, zero = struct.unpack("<IHH", head)
            frame = Reader(head + self.exactly(length - 8), 8)
            message = self.read(kind, frame)
            if kind != NAMES:
                return kind, message

    def read(self, kind, frame):
        if kind == JSON:
            return json.loads(frame.rest())
        if kind == NAMES:
            return self.learn(frame)
        if kind == STATE:
            return self.state(frame)
        if kind == GAP:
            handle, epoch, first, last = frame.take("Qqqq")
            return {"header": self.names[handle]["header"], "epoch": epoch, "from": first, "to": last, "reason": frame.rest()}
        if kind == CLOSED:
            handle, epoch, seq = frame.take("Qqq")
            return {"header": self.names[handle]["header"], "epoch": epoch, "seq": seq, "reason": frame.rest()}
        if kind == BYE:
            return {"reason": frame.rest()}
        if kind == ERROR:
            number, code, about, message, data = frame.take("QiIII")
            return {"id": number, "code": code, "message": frame.text(message), "data": frame.json(data)}
        number, warnings, count = frame.take("QII")
        answer = {"id": number}
        if kind == WELCOME:
            answer["protocol"], roles, connection, time, length, zero = frame.take("IIQqII")
            answer["hello"] = frame.json(length)
        elif kind == PONG:
            answer["time"], = frame.take("q")
        elif kind == OPENED:
            answer["handle"], answer["epoch"], answer["seq"], answer["created"], answer["digest"] = frame.take("QqqII")
        elif kind == SUBSCRIBED:
            answer["subscription"], answer["matched"] = frame.take("QQ")
        elif kind == DECIDED:
            answer["seq"], = frame.take("q")
            answer["results"] = [self.decision(frame) for _ in range(count)]
        answer["warnings"] = frame.json(warnings)
        assert frame.at == len(frame.data)
        return answer

    def decision(self, frame):
        seq, *numbers = frame.take("q6d")
        told, rewritten, returned = frame.take("HHI")
        result = {"seq": seq}
        if told & 1:
            result["targetOffset"] = point(*numbers[0:2])
        if told & 2:
            result["returned"] = bool(told & 4)
        if told & 8:
            result["rewrittenBy"] = frame.text(rewritten) or None
        if told & 16:
            result["consumed"], result["residual"] = point(*numbers[2:4]), point(*numbers[4:6])
        if returned:
            result["returned"] = frame.json(returned)
        return result

    def learn(self, frame):
        handle, *counts = frame.take("Q5H6x")
        names = {"header": frame.text(*frame.take("B"))}
        for part, count in zip(["drawers", "scrollViews", "elements", "values", "delegates"], counts):
            names[part] = [frame.text(*frame.take("B")) for _ in range(count)]
        self.names[handle] = names

    def state(self, frame):
        handle, epoch, seq, time, flags, tracking, drawers, views, elements, values = frame.take("QqqqIh4H2x")
        names = self.names[handle]
        state = {"header": names["header"], "epoch": epoch, "seq": seq, "time": time / 1e9}
        if flags & 1:
            state["snapshot"] = True
        if len(names["scrollViews"]) != 1 or tracking != 0:
            state["trackingScrollView"] = names["scrollViews"][tracking] if tracking >= 0 else None
        if flags & 2:
            state["framesActive"] = True
        state["drawers"] = [self.drawer(frame, names) for _ in range(drawers)]
        state["scrollViews"] = dict(self.scroll_view(frame, names) for _ in range(views))
        if elements:
            state["elements"] = [self.element(frame, names) for _ in range(elements)]
        if values:
            state["values"] = dict(self.value(frame, names) for _ in range(values))
        if flags & 4:
            state["wants"] = self.wants(frame)
        if flags & 8:
            state["position"] = self.position(frame)
        self.lists(frame, state)
        assert frame.at == len(frame.data)
        return state

    def drawer(self, frame, names):
        name, flags, order, alpha, *numbers = frame.take("HBbf6d")
        drawer = {"name": names["drawers"][name], "frame": rect(*numbers[:4])}
        if alpha != 1:
            drawer["alpha"] = single(alpha)
        if flags & 1:
            drawer["hidden"] = True
        if order:
            drawer["zIndex"] = order
        if numbers[4:] != [0, 0]:
            drawer["translation"] = point(*numbers[4:])
        return drawer

    def scroll_view(self, frame, names):
        name, flags, *n = frame.take("HH4x22d")
        view = {"contentOffset": point(*n[0:2]), "contentInset": insets(*n[2:6])}
        if n[6:10] != n[2:6]:
            view["scrollIndicatorInsets"] = insets(*n[6:10])
        if n[10:14] != n[2:6]:
            view["adjustedContentInset"] = insets(*n[10:14])
        if n[14:16] != [0, 0]:
            view["correction"] = point(*n[14:16])
        if flags & 1:
            view["frame"] = rect(*n[16:20])
        if flags & 2:
            view["contentSize"] = size(*n[20:22])
        return names["scrollViews"][name], view

    def element(self, frame, names):
        name, drawer, flags, *n = frame.take("HHH2x12df4x")
        element = {"name": names["elements"][name], "drawer": names["drawers"][drawer], "center": point(*n[0:2]),
                   "bounds": rect(*n[2:6]), "frame": rect(*n[6:10]) if flags & 2 else None}
        if flags & 4:
            element["transform"] = list(frame.take("16d"))
        for key, number, default in [("zIndex", n[10], 0), ("cornerRadius", n[11], 0), ("alpha", n[12], 1)]:
            if number != default:
                element[key] = single(number) if key == "alpha" else number
        if flags & 1:
            element["hidden"] = True
        return element

    def value(self, frame, names):
        name, kind, yes, length, number = frame.take("HBBId")
        return names["values"][name], [None, bool(yes), number, None][kind] if kind < 3 else frame.text(length)

    def wants(self, frame):
        hidden, style, flags, *numbers = frame.take("BBH4x5d")
        wants = {}
        if hidden:
            wants["prefersStatusBarHidden"] = True
        if style:
            wants["preferredStatusBarStyle"] = STYLES[style]
        if flags & 1:
            wants["additionalSafeAreaInset"] = insets(*numbers[:4])
        if flags & 2:
            wants["topLayoutGuideLength"] = numbers[4]
        return wants

    def position(self, frame):
        *numbers, motion, length = frame.take("5d2I")
        position = dict(zip(["progress", "traveled", "travel"], numbers))
        more = frame.json(length) or {}
        if motion:
            position["motion"] = motion
        if "constraints" in more:
            position["permitted"] = numbers[3:5]
        return {**position, **more}

    def lists(self, frame, state):
        notices, commands, animations, calls, lost, zero = frame.take("6I")
        for key, count, read in [("notices", notices, self.notice), ("commands", commands, self.command),
                                 ("animations", animations, self.animation), ("calls", calls, self.call)]:
            if count:
                state[key] = [read(frame) for _ in range(count)]
        if lost:
            state["noticesLost"] = lost

    def notice(self, frame):
        name, delegate, count, routine, arguments = frame.take("HHIII")
        notice = {"name": frame.text(name), "delegate": frame.text(delegate)}
        if arguments:
            notice["arguments"] = frame.json(arguments)
        if count != 1:
            notice["count"] = count
        if routine:
            notice["routine"] = True
        return notice

    def command(self, frame):
        name, view, arguments = frame.take("HHI")
        return {"name": frame.text(name), "scrollView": frame.text(view), "arguments": frame.json(arguments)}

    def animation(self, frame):
        duration, delay, *spring, curve, delegate, zero = frame.take("6dHHI")
        animation = {"duration": duration, "curve": CURVES[curve]}
        if delay:
            animation["delay"] = delay
        if curve == 4:
            animation.update(zip(["mass", "stiffness", "damping", "initialVelocity"], spring))
        animation["delegate"] = frame.text(delegate)
        return animation

    def call(self, frame):
        kind, depth, delegate, zero = frame.take("4H")
        return {"event": kind, "depth": depth, "delegate": frame.text(delegate)}


def event(kind, time, y=None, flags=0, given=0, velocity=None, target=None):
    """One event; `time` in seconds."""
    given |= 1 | (4 if y is not None else 0)
    short = struct.pack("<HBBqdd", given | (1 << 10 if velocity is not None else 0) | (1 << 12 if target is not None else 0),
                        kind, flags, round(time * 1e9), 0, y or 0)
    if velocity is None and target is None:
        return struct.pack("<I", 32) + short
    more = struct.pack("<6dBBHI", 0, 0, 0, velocity or 0, 0, target or 0, 0, 0, 0, 0)
    return struct.pack("<I", 88) + short + more


KINDS = {"willBeginDragging": 0, "didScroll": 1, "didEndDragging": 3, "willScroll": 10, "didOverscroll": 11, "willFling": 12}
SOURCES = {"drag": 0, "fling": 1, "program": 2}


def event_of(line):
    """One event from the object that a line would hold."""
    offset, amount = line.get("offset", {}), line.get("delta") or line.get("velocity") or {}
    given = 1 | (4 if "y" in offset else 0) | (1 << 6 if "willDecelerate" in line else 0)
    given |= (1 << 9 if "x" in amount else 0) | (1 << 10 if "y" in amount else 0) | (1 << 13 if "source" in line else 0)
    flags = 8 if line.get("willDecelerate") else 0
    short = struct.pack("<HBBqdd", given, KINDS[line["event"]], flags, round(line["time"] * 1e9), 0, offset.get("y", 0))
    if given < 1 << 7:
        return struct.pack("<I", 32) + short
    more = struct.pack("<6dBBHI", 0, 0, amount.get("x", 0), amount.get("y", 0), 0, 0, SOURCES[line.get("source", "drag")], 0, 0, 0)
    return struct.pack("<I", 88) + short + more


def play(path, header, description, batches):
    publisher = Connection(path)
    opened = publisher.request(OPEN, json.dumps({**json.loads(description), "header": header}).encode(), OPENED)
    for batch in json.loads(batches):
        body = struct.pack("<QII", opened["handle"], len(batch), 0) + b"".join(map(event_of, batch))
        tell("decided", publisher.request(EVENT if len(batch) == 1 else EVENTS, body, DECIDED)["results"])


def tell(what, message):
    print(json.dumps([what, message]), flush=True)


def main(path, header):
    publisher, subscriber = Connection(path), Connection(path)
    welcome = publisher.request(HELLO, struct.pack("<II", 1, 0) + b"frames.py", WELCOME)
    assert welcome["protocol"] == 1 and "binary" in welcome["hello"]["capabilities"]
    refusal = publisher.request(HELLO, struct.pack("<II", 9, 0), ERROR)
    assert refusal["data"]["name"] == "unsupportedVersion" and refusal["data"]["versions"] == [1]
    publisher.request(PING, expect=PONG)

    wanted = json.dumps({"headers": header, "mode": "every"}).encode()
    assert subscriber.request(SUBSCRIBE, wanted, SUBSCRIBED)["matched"] == 0
    description = {
        "header": header,
        "scrollViews": {"content": {"viewport": size(375, 667), "contentSize": {"height": 4000}, "contentInset": {"top": 64}}},
        "environment": {"statusBarHeight": 20}, "frames": "events",
        "drawers": [{"name": "navBar", "height": 44}, {"name": "extension", "height": 40}],
        "delegates": [{"behavior": "ShyNavBar", "options": {"expansionResistance": 10}}],
    }
    opened = publisher.request(OPEN, json.dumps(description).encode(), OPENED)
    handle = opened["handle"]
    assert opened["created"] == 1 and publisher.request(OPEN, json.dumps(description).encode(), OPENED)["created"] == 0

    def send(events, answered=True, kind=EVENTS):
        body = struct.pack("<QII", handle, len(events), 0) + b"".join(events)
        if answered:
            return publisher.request(kind, body, DECIDED)
        publisher.send(kind, struct.pack("<Q", 0) + body)

    send([event(14, 0)], answered=False, kind=EVENT)
    send([event(0, 0.5)], answered=False, kind=EVENT)
    send([event(1, 1 + step / 60, step * 3.5) for step in range(40)])
    for step in range(40):
        send([event(1, 2 + step / 60, 140 - step * 2.25)], answered=False, kind=EVENT)
    decided = send([event(2, 3, velocity=-0.4, target=33)], kind=EVENT)
    tell("decided", decided["results"][0])
    send([event(3, 3, flags=0, given=1 << 6), event(131, 4)])
    publisher.send(JSON, json.dumps(
        {"id": "call", "method": "header.call", "params": {"header": header, "name": "contract", "arguments": {"animated": True}}}
    ).encode())
    kind, answer = publisher.receive()
    assert kind == JSON and answer["id"] == "call" and "result" in answer, answer
    wrong = publisher.request(EVENT, struct.pack("<QII", handle + 1000, 1, 0) + event(1, 5, 1), ERROR)
    assert wrong["code"] == -32001 and wrong["data"]["field"] == "params.handle", wrong
    publisher.request(CLOSE, struct.pack("<Q", handle), DONE)

    while True:
        kind, message = subscriber.receive()
        if kind == CLOSED:
            tell("closed", message)
            break
        assert kind == STATE, kind
        tell("state", message)
    subscriber.request(UNSUBSCRIBE, struct.pack("<Q", 1), DONE)


if __name__ == "__main__":
    (main if len(sys.argv) == 3 else play)(*sys.argv[1:])
