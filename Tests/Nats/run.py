#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Three daemons, their bridges and one nats-server: what clients of the realm get, what a server that stands still does to it, and
whether what NATS has of a header is its recording.
usage: run.py FOLDER-OF-THE-PROGRAMS [--short]"""
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = os.path.abspath(f"{os.path.dirname(os.path.abspath(__file__))}/../..")
sys.path.append(f"{ROOT}/Tests/IntegrationTests/Clients")
import frames
from kills import read
from realm import Client, Realm, description
from stream import Nats, header


def event(name, y, **fields):
    return {"header": name, "event": "didScroll", "offset": {"y": y}, **fields}


def elsewhere(realm, node, owners):
    """A header that another node has."""
    return next(name for name, owner in sorted(owners.items()) if owner != node.name)


def state_of(name, predicate=lambda state: True):
    return lambda m: m.get("method") == "state" and m["params"]["header"] == name and predicate(m["params"])


def scrolls(publisher, name, begun, places, least):
    """Scrolls a header, and gives what takes the states of that from a client: more than `least` behind the one it began with."""
    publisher.result("event", {"header": name, "event": "willBeginDragging"})
    for y in places:
        last = publisher.result("event", event(name, y))["seq"]
    assert last > begun + least, (begun, last)
    return lambda client: [client.until(state_of(name, lambda s, seq=seq: s["seq"] == seq))["params"]
                           for seq in range(begun + 1, last + 1)]


def opens(realm):
    """Headers spread over the daemons; each is found from everywhere."""
    client = realm.nodes[0].client()
    hello = client.result("hello")
    assert "clientDelegates" not in hello["capabilities"], hello
    for index in range(24):
        result = client.result("header.open", description(f"shop.{index}"))
        assert result["created"], result
    # The answer comes once the owner has it; the other bridges hear of it a moment later.
    end = time.monotonic() + 15
    while True:
        owners = [realm.owners(node) for node in range(3)]
        if owners[0] == owners[1] == owners[2] and len(owners[0]) == 24:
            break
        assert time.monotonic() < end, owners
        time.sleep(0.02)
    assert set(owners[0].values()) == {"a", "b", "c"}, owners[0]
    again = realm.nodes[1].client().result("header.open", description("shop.3"))
    assert not again["created"], again


def requests(realm):
    """Calls, configuration, errors and closing of a header elsewhere are as they would be here."""
    client = realm.nodes[0].client()
    name = elsewhere(realm, realm.nodes[0], realm.owners())
    first = client.result("event", event(name, 10))
    assert client.result("event", {"header": name, "events": [
        {"event": "willBeginDragging"}, {"event": "didScroll", "offset": {"y": 40}}]})["results"], first
    got = client.result("header.get", {"header": name, "include": ["description"]})
    assert got["description"]["header"] == name
    assert client.result("header.configure", {"header": name, "frameRate": 30})["seq"]
    error = client.ask("event", {"header": name, "event": "didScrol"})["error"]
    assert error["data"]["name"] == "invalidParams", error
    client.send("event", {"header": name, "event": "didScroll"})
    refused = client.until(lambda m: m.get("method") == "error")
    assert refused["params"]["data"]["field"] == "params.offset", refused
    assert client.ask("event", event("no.such", 1))["error"]["data"]["name"] == "headerNotFound"
    assert client.ask("header.get", {"header": "shop.>"})["error"], "a subject is no name"
    for method, params in [("plugin.list", {}), ("trace.start", {"header": name}),
                           ("delegate.add", {"header": name, "client": "observe"})]:
        assert client.ask(method, params)["error"]["data"]["name"] == "unsupported", method
    client.result("header.open", description("gone"))
    client.result("header.close", {"header": "gone"})
    end = time.monotonic() + 2
    while "gone" in realm.owners():
        assert time.monotonic() < end, realm.owners()
    result = client.result("header.open", description("gone"))
    assert result["created"] and result["seq"] == 1, result
    client.result("header.close", {"header": "gone"})


def subscriptions(realm):
    """By name and by pattern, with some fields, and resumed; the states are those of the owner."""
    node = realm.nodes[1]
    names = realm.owners()
    name = elsewhere(realm, node, names)
    owner = next(n for n in realm.nodes if n.name == names[name])
    watcher, whole = node.client(), Client(owner.local)
    assert watcher.result("subscribe", {"headers": ["shop.**"], "mode": "every", "resumeFrom": {}})["matched"] == 24
    whole.result("subscribe", {"headers": name, "mode": "every"})
    begun = watcher.until(state_of(name, lambda s: s.get("snapshot")))["params"]
    publisher = realm.nodes[2].client()
    publisher.result("event", {"header": name, "event": "willBeginDragging"})
    for y in range(50, 60):
        publisher.result("event", event(name, y))
    last = publisher.result("event", event(name, 60))["seq"]
    seen, direct = [], []
    for client, list in ((watcher, seen), (whole, direct)):
        while not list or list[-1]["seq"] < last:
            list.append(client.until(state_of(name))["params"])
    assert [s["seq"] for s in seen] == [*range(begun["seq"] + 1, last + 1)], seen
    assert seen == [s for s in direct if s["seq"] > begun["seq"]], (seen, direct)
    resumed = node.client()
    resumed.result("subscribe", {"headers": name, "mode": "every", "fields": ["drawers.bar"],
                                 "resumeFrom": {name: {"epoch": begun["epoch"], "seq": last - 3}}})
    for seq in range(last - 2, last + 1):
        state = resumed.until(state_of(name))["params"]
        assert state["seq"] == seq and "scrollViews" not in state and "snapshot" not in state, state
    slow = node.client()
    slow.result("subscribe", {"headers": name, "maxRate": 5})
    slow.until(state_of(name, lambda s: s.get("snapshot")))
    started = time.monotonic()
    for y in range(300, 20, -20):
        last = publisher.result("event", event(name, y))["seq"]
    slow.until(state_of(name, lambda s: s["seq"] == last))
    took, states = time.monotonic() - started, [m for m in slow.notifications if m["method"] == "state"]
    assert took > 0.1 and len(states) <= 2 + 5 * took, (took, len(states))
    old = node.client()
    old.result("subscribe", {"headers": name, "resumeFrom": {name: {"epoch": begun["epoch"] - 5, "seq": 3}}})
    assert old.until(lambda m: m.get("method") == "gap")["params"]["reason"] == "newEpoch"
    assert old.until(state_of(name))["params"]["snapshot"]


def slow(realm):
    """Readers that do not read: the bridge's memory is bounded, every is told of what it missed, and latest ends with the newest."""
    node = realm.nodes[0]
    every, latest, publisher = node.client(), node.client(), realm.nodes[1].client()
    eager = {"expansionResistance": 0, "contractionResistance": 0}
    for name in (f"slow.{index}" for index in range(20)):
        publisher.result("header.open", {**description(name), "delegates": [{"behavior": "ShyNavBar", "options": eager}]})
        if realm.owners(having=[name])[name] != node.name:
            break
    for client, mode in ((every, "every"), (latest, "latest")):
        client.result("subscribe", {"headers": name, "mode": mode})
        client.until(state_of(name))
    before, size = publisher.result("header.get", {"header": name})["state"]["seq"], memory(node)
    publisher.result("event", {"header": name, "event": "willBeginDragging"})
    for _ in range(150):
        last = publisher.result("event", {"header": name, "events": [
            {"event": "didScroll", "offset": {"y": min(y, 80 - y)}} for y in range(80)]})["seq"]
    assert last - before > 5000, (before, last)
    grown = memory(node) - size
    assert grown < 24 << 20, grown
    seen, missed = before, 0
    while seen < last:
        message = every.line(8)
        if message.get("method") == "gap":
            gap = message["params"]
            assert gap["from"] == seen + 1 and gap["reason"] == "overflow", (seen, gap)
            missed += gap["to"] - gap["from"] + 1
            seen = gap["to"]
        elif message.get("method") == "state" and message["params"]["seq"] > seen:
            assert message["params"]["seq"] == seen + 1, (seen, message["params"]["seq"])
            seen += 1
    assert missed > 0
    count = 0
    while True:
        message = latest.line(8)
        count += message.get("method") == "state"
        if message.get("method") == "state" and message["params"]["seq"] == last:
            break
    assert count < (last - before) / 2, count
    return {"states": last - before, "grownBytes": grown, "toldAsMissed": missed, "latestGot": count}


def details(realm):
    """States with routine notices and calls, of a header elsewhere: those of the owner, some of it, and on with the next owner."""
    node, victim = realm.nodes[0], realm.nodes[2]
    owners = realm.owners()
    name = next(name for name, owner in sorted(owners.items()) if owner == victim.name)
    whole, calls, plain, direct = node.client(), node.client(), node.client(), Client(victim.local)
    both = {"headers": name, "mode": "every", "include": ["routine", "calls"]}
    whole.result("subscribe", both)
    calls.result("subscribe", {**both, "include": ["calls"], "fields": []})
    plain.result("subscribe", {"headers": name, "mode": "every"})
    begun = whole.until(state_of(name))["params"]
    assert begun["snapshot"] and "calls" not in begun and "notices" not in begun, begun
    for client in (calls, plain):
        client.until(state_of(name))
    direct.result("subscribe", both)
    publisher = realm.nodes[1].client()
    take = scrolls(publisher, name, begun["seq"], (*range(0, 60, 4), *range(60, 0, -4)), least=5)
    seen, wanted = take(whole), take(direct)
    assert seen == wanted and any(s.get("calls") for s in seen), (seen[:2], wanted[:2])
    def usual(state):
        notices = [notice for notice in state.get("notices", []) if not notice.get("routine")]
        rest = {key: value for key, value in state.items() if key not in ("calls", "notices")}
        return {**rest, "notices": notices} if notices else rest
    assert take(plain) == [usual(s) for s in seen], "nobody else gets them"
    assert [s["calls"] for s in take(calls)] == [s["calls"] for s in seen]
    back = node.client()
    back.result("subscribe", {**both, "resumeFrom": {name: {"epoch": begun["epoch"], "seq": begun["seq"]}}})
    gap = back.until(lambda m: m.get("method") == "gap")["params"]
    assert gap["reason"] == "tooOld" and gap["from"] == begun["seq"] + 1, gap
    victim.bridge.kill()
    assert whole.until(state_of(name, lambda s: s["epoch"] > begun["epoch"]), 12)["params"]["snapshot"]
    publisher.ask("event", {"header": name, "event": "willBeginDragging"})
    for y in (*range(0, 60, 4), *range(60, 0, -4)):
        publisher.ask("event", event(name, y))
    whole.until(state_of(name, lambda s: s["epoch"] > begun["epoch"] and "calls" in s))
    whole.close(), calls.close(), back.close()
    victim.start_bridge()
    assert settled(realm, owners), (realm.owners(), owners)


def explains(realm):
    """Why a header elsewhere moved, and what it would do with other options, is told as by its owner's own socket."""
    node, owners = realm.nodes[0], realm.owners()
    name = elsewhere(realm, node, owners)
    owner = next(n for n in realm.nodes if n.name == owners[name])
    client, here, plain, direct = node.client(), node.client(), node.client(), Client(owner.local)
    for watcher in (here, direct):
        watcher.result("subscribe", {"headers": name, "mode": "every", "explain": True, "fields": ["values"]})
    plain.result("subscribe", {"headers": name, "mode": "every", "include": ["calls"]})
    begun = here.until(state_of(name))["params"]
    assert begun["snapshot"] and "explanation" not in begun, begun
    plain.until(state_of(name))
    assert client.result("header.explain", {"header": name, "keep": 64})["keep"] == 64
    other = {"header": name, "delegate": "shyNavBar", "options": {"contractionResistance": 4000}}
    assert client.result("delegate.shadow", other)["shadow"]["events"] == 0
    take = scrolls(client, name, begun["seq"], (*range(0, 400, 40), *range(400, 0, -40)), least=2)
    seen = take(here)
    assert seen == take(direct) and all(s["explanation"]["story"] for s in seen), seen
    assert not any("explanation" in s for s in take(plain))
    kept = client.result("header.explain", {"header": name})
    assert kept["explanations"] and kept == direct.result("header.explain", {"header": name}), kept
    told = [subprocess.run([f"{realm.bin}/headerctl", "--socket", socket, "explain", name], stdout=subprocess.PIPE, check=True).stdout
            for socket in (node.socket, owner.local)]
    assert told[0] and told[0] == told[1], told
    shadow = client.result("delegate.shadow", {"header": name, "delegate": "shyNavBar"})["shadow"]
    assert shadow["events"] == 21 and shadow["differences"] > 0, shadow
    assert client.result("delegate.promote", {"header": name, "delegate": "shyNavBar"})["seq"]
    got = client.result("header.get", {"header": name, "include": ["description"]})["description"]
    assert got["delegates"][0]["options"]["contractionResistance"] == 4000, got
    client.result("header.explain", {"header": name, "keep": 0})


def spoken(path, name):
    """What the client of Tests/IntegrationTests is told of a header, but for its epoch and name: states by seq, and the rest."""
    done = subprocess.run([sys.executable, f"{ROOT}/Tests/IntegrationTests/Clients/frames.py", path, name], stdout=subprocess.PIPE,
                          timeout=30, check=True)
    said = [json.loads(line) for line in done.stdout.replace(name.encode(), b"HEADER").splitlines()]
    for _, message in said:
        message.pop("epoch", None)
    return ({m["seq"]: m for what, m in said if what == "state"}, [m for what, m in said if what != "state"])


def drive(driver, path, name):
    """What the client for C is told of a header."""
    whole = {**description("HEADER"), "drawers": [{"name": "bar", "height": 44}, {"name": "more", "height": 40}]}
    steps = ["one connect", f"one open {json.dumps(whole)}", 'one subscribe {"headers":"HEADER","mode":"every"}', "one next",
             "one event HEADER willBeginDragging time=1"]
    steps += [step for y in range(1, 8) for step in (f"one scroll HEADER content 6 time={1 + y}", "one next")]
    steps += ["one decide HEADER willEndDragging time=9 velocity.y=0.5 targetOffset.y=400",
              'one request header.get {"header":"HEADER"}', 'one request header.explain {"header":"HEADER"}',
              'one request header.close {"header":"HEADER"}', "one next"]
    done = subprocess.run([driver], input="\n".join(steps).replace("HEADER", name).encode() + b"\n", stdout=subprocess.PIPE,
                          env={**os.environ, "HEADERD_SOCKET": path}, timeout=30, check=True)
    said = [json.loads(line) for line in done.stdout.replace(name.encode(), b"HEADER").splitlines()]
    assert len(said) == len(steps), said
    return json.loads(json.dumps(said), object_hook=lambda o: {k: v for k, v in o.items() if k not in ("epoch", "digest")})


def binary(realm):
    """Clients of the binary encoding are told the same at the realm's socket as at a daemon's own, of headers elsewhere and here."""
    node, other = realm.nodes[0], realm.nodes[1]
    client = node.client()
    placed = {}
    names = [f"wire.{index}" for index in range(24)]
    for name in names:
        client.result("header.open", description(name))
    owners = realm.owners(having=names)
    for name in names:
        client.result("header.close", {"header": name})
        placed.setdefault(owners[name], []).append(name)
    while any(name.startswith("wire.") for name in realm.owners()):
        time.sleep(0.02)
    driver = f"{realm.folder}/driver"
    subprocess.run(["gcc", "-std=c11", "-O1", "-I", f"{ROOT}/Sources/Clients/C", "-I", f"{ROOT}/Sources/CHeaderWire",
                    f"{ROOT}/Tests/Clients/C/driver.c", f"{ROOT}/Sources/Clients/C/headerd_client.c", "-o", driver], check=True)
    # Headers that belong to this node: others would go to their own while they are driven.
    one, two = placed["b"][1:3]
    wanted, driven = spoken(other.local, one), drive(driver, other.local, two)
    assert len(wanted[0]) > 20 and sum("view" in said for said in driven) == 8, (wanted, driven)
    for name in (placed["a"][0], placed["b"][0]):
        states, rest = spoken(node.socket, name)
        assert rest == wanted[1], (rest, wanted[1])
        first = min(states)
        assert sorted(states) == list(range(first, max(wanted[0]) + 1)) and states[first]["snapshot"], sorted(states)
        assert all(states[seq] == wanted[0][seq] for seq in states if seq > first), (states, wanted[0])
        again = drive(driver, node.socket, name)
        assert again == driven, [pair for pair in zip(again, driven) if pair[0] != pair[1]] or (again, driven)
    # Handles are the bridge's, one for each name, whoever has the header; a frame that no line can hold is refused.
    names = sorted(realm.owners())
    handles = {row["header"]: row["handle"] for row in client.result("header.list")["headers"]}
    assert len(set(handles.values())) == len(handles) == len(names), handles
    wire, watcher = frames.Connection(node.socket), node.client()
    wire.request(frames.SUBSCRIBE, b'{"headers":"shop.*","mode":"every"}', frames.SUBSCRIBED)
    watcher.result("subscribe", {"headers": "shop.*", "mode": "every"})
    for name in names:
        if name.startswith("shop."):
            kind, state = wire.receive()
            told = watcher.until(state_of(state["header"]))["params"]
            assert kind == frames.STATE and state == told, (state, told)
    for name in names[:6]:
        body = struct.pack("<QII", handles[name], 1, 0) + frames.event(13, 20, given=0)
        wire.send(frames.EVENT, struct.pack("<Q", 7) + body)
        kind, answer = wire.receive()
        while kind == frames.STATE:
            kind, answer = wire.receive()
        assert kind == frames.DECIDED and answer["results"][0]["seq"] == client.result("header.get", {"header": name})["state"]["seq"]
    large = struct.pack("<QII", handles[names[0]], 4000, 0) + 4000 * frames.event(1, 21.123456, -1234.5678901234567)
    refused = wire.request(frames.EVENTS, large, frames.ERROR)
    assert refused["data"]["name"] == "limitExceeded", refused
    wire.send(frames.JSON, b'{"id":"again",\n"method":"ping"}')
    assert wire.receive()[1]["id"] == "again"


def bare(realm):
    """A program at NATS needs no bridge: events and requests by subject, states by subscription; names do not escape."""
    nats = Nats(realm.port)
    name = sorted(realm.owners())[0]
    nats.subscribe(f"headerd.test.state.{name}", 7)
    answer = json.loads(nats.request(f"headerd.test.request.{name}", json.dumps(
        {"id": "mine", "method": "event", "params": {"header": name, "event": "layout", "contentInset": {"top": 7}}}).encode())[4])
    assert answer["id"] == "mine" and "result" in answer, answer
    states = [m for m in nats.pending if m[1] == 7]
    while not states:
        message = nats.message()
        states = [message] if message[1] == 7 else []
    state = json.loads(states[-1][4])["params"]
    assert header(states[-1][3], "Headerd-Seq") == str(state["seq"]) and header(states[-1][3], "Headerd-Encoding") == "lines"
    assert header(states[-1][3], "Headerd-Epoch") == str(state["epoch"])
    other = json.loads(nats.request(f"headerd.test.request.{name}", json.dumps(
        {"id": 1, "method": "event", "params": event("shop.other", 1)}).encode())[4])
    assert other["error"]["data"]["name"] == "invalidRequest", other
    nats.close()


def failover(realm):
    """Owners die; subscribers get a new epoch and a snapshot, nothing acknowledged is gone, and the owner that comes back has its
    part of the headers again."""
    victim, watching = realm.nodes[2], realm.nodes[0]
    had = [name for name, owner in realm.owners().items() if owner == victim.name]
    watcher, publisher = watching.client(), realm.nodes[1].client()
    watcher.result("subscribe", {"headers": had, "mode": "every"})
    before = {}
    for name in had:
        publisher.result("event", event(name, 100))
        # A header that has just come to its owner may be known here as it was at the one before.
        epoch = publisher.result("header.get", {"header": name})["state"]["epoch"]
        before[name] = watcher.until(state_of(name, lambda s: s["epoch"] == epoch))["params"]
    victim.kill()
    killed = time.monotonic()
    for name in had:
        state = watcher.until(state_of(name, lambda s: s["epoch"] > before[name]["epoch"]))["params"]
        assert state["snapshot"], state
        assert state["seq"] >= before[name]["seq"]
        answer = {}
        while "result" not in answer:
            # The publisher's bridge may not have heard yet that the owner is gone.
            assert time.monotonic() - killed < 5, answer
            answer = publisher.ask("header.get", {"header": name})
            assert "result" in answer or answer["error"]["data"]["name"] == "deadlineExceeded", answer
        assert state["scrollViews"]["content"]["contentOffset"]["y"] == \
            answer["result"]["state"]["scrollViews"]["content"]["contentOffset"]["y"]
    assert time.monotonic() - killed < 5
    victim.start()
    end = time.monotonic() + 20
    while {name for name, owner in realm.owners().items() if owner == victim.name} != set(had):
        assert time.monotonic() < end, realm.owners()
        # One that is under way when the header moves may be told that it is not known what became of it.
        answer = publisher.ask("event", event(had[0], 101))
        assert "result" in answer or answer["error"]["data"]["name"] == "deadlineExceeded", answer
        time.sleep(0.1)


def frozen(realm, seconds):
    """A server that stands still: clients go on with headers here and are told what answers mean; then all is in step again."""
    owners = realm.owners()
    node = realm.nodes[0]
    here = next(name for name, owner in owners.items() if owner == node.name)
    client, watcher = node.client(), realm.nodes[1].client()
    watcher.result("subscribe", {"headers": here, "mode": "every"})
    client.result("event", event(here, 1))
    size = memory(node)
    realm.server.signal(signal.SIGSTOP)
    told = client.until(lambda m: m.get("method") == "durability", 5)
    assert told["params"]["durable"] is False, told
    end = time.monotonic() + seconds
    y = 1
    while time.monotonic() < end:
        for _ in range(50):
            y += 1
            client.result("event", event(here, y), 2)
        time.sleep(0.1)
    grown = memory(node) - size
    realm.server.signal(signal.SIGCONT)
    continued = time.monotonic()
    client.until(lambda m: m.get("method") == "durability" and m["params"]["durable"], 5)
    answer = {}
    while "result" not in answer:
        assert time.monotonic() - continued < 5, answer
        answer = client.ask("event", event(here, y + 1))
    last = answer["result"]["seq"]
    watcher.until(state_of(here, lambda s: s["seq"] >= last), 5)
    assert time.monotonic() - continued < 5, time.monotonic() - continued
    assert realm.owners() == owners or settled(realm, owners), (realm.owners(), owners)
    assert grown < 64 << 20, grown
    return {"seconds": seconds, "inStepAfter": round(time.monotonic() - continued, 2), "grownBytes": grown}


def offset(client, name):
    return client.result("header.get", {"header": name})["state"]["scrollViews"]["content"]["contentOffset"]["y"]


def partition(realm, loses):
    """A node that is cut off: the others take its headers, its own clients are told what answers mean, and when the network is whole
    again nothing that was acknowledged is gone, and no epoch has two publishers."""
    owners = realm.owners()
    victim = realm.nodes[1]
    had = sorted(name for name, owner in owners.items() if owner == victim.name)
    other = next(name for name, owner in owners.items() if owner != victim.name)
    watcher, inside, publisher = realm.nodes[0].client(), victim.client(), realm.nodes[2].client()
    watcher.result("subscribe", {"headers": had, "mode": "every"})
    before = {name: watcher.until(state_of(name))["params"] for name in had}
    kept = {name: [3000.0] for name in had}
    for name in had:
        inside.result("event", event(name, 3000))
    victim.network.cut()
    cut = time.monotonic()
    assert inside.until(lambda m: m.get("method") == "durability", 5)["params"]["durable"] is False
    for name in had:
        state = watcher.until(state_of(name, lambda s: s["epoch"] > before[name]["epoch"]))["params"]
        assert state["snapshot"] and state["scrollViews"]["content"]["contentOffset"]["y"] == 3000, state
    taken = time.monotonic() - cut
    for y in range(3001, 3020):
        for name in had:
            publisher.result("event", event(name, y))
            kept[name].append(float(y))
            # Its own clients go on, with what nobody else will know.
            inside.result("event", event(name, y + 0.5))
    assert inside.ask("event", event(other, 1))["error"]["data"]["name"] == "deadlineExceeded"
    # Who comes now is told so as well, in its own encoding.
    late, wire = victim.client(), frames.Connection(victim.socket)
    late.send("hello")
    assert late.line(8)["method"] == "durability"
    kind, told = wire.receive()
    assert kind == frames.JSON and told["params"]["durable"] is False, told
    late.close(), wire.socket.close()
    truth = {name: offset(publisher, name) for name in had}
    victim.network.heal(loses)
    whole = time.monotonic()
    inside.until(lambda m: m.get("method") == "durability" and m["params"]["durable"], 8)
    assert settled(realm, owners), (realm.owners(), owners)
    for client in (publisher, inside):
        assert {name: offset(client, name) for name in had} == truth, truth
    back = time.monotonic() - whole
    nats = Nats(realm.port)
    problems, offsets = read(nats)
    nats.close()
    assert not problems, problems
    for name in had:
        assert set(kept[name]) <= set(offsets[name]), (name, offsets[name])
    assert taken < 5, taken
    return {"loses": loses, "takenAfter": round(taken, 2), "backAfter": round(back, 2), "headers": len(had)}


def settled(realm, owners):
    end = time.monotonic() + 15
    while realm.owners() != owners:
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def memory(node):
    with open(f"/proc/{node.bridge.pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def recording(realm):
    """What NATS has of a header is its owner's recording, byte for byte."""
    owners = realm.owners()
    client = realm.nodes[0].client()
    client.result("header.open", description("taped"))
    owner = next(n for n in realm.nodes if n.name == realm.owners(having=["taped"])["taped"])
    nats = Nats(realm.port)
    recorder = subprocess.Popen(
        [f"{realm.bin}/headerctl", "--socket", owner.local, "record", "taped"], stdout=subprocess.PIPE)
    time.sleep(1)
    for y in range(1, 150):
        client.result("event", event("taped", y, time=y / 60))
    client.result("header.close", {"header": "taped"})
    lines = recorder.communicate(timeout=10)[0].split(b"\n")
    steps = [line for line in lines if line.startswith(b'{"event"') or line.startswith(b'{"time"')]
    assert len(steps) == 149, (len(steps), lines[:2])
    logged = []
    for _, subject, _, payload in nats.stream("headerd=test=log"):
        if subject.endswith(".log.taped"):
            logged += payload.split(b"\n")[1:]
    assert logged == steps, (len(logged), len(steps), logged[:1], steps[:1])
    listed = subprocess.run([f"{realm.bin}/headerctl", "--socket", realm.nodes[0].socket, "header", "list", "--realm"],
                            stdout=subprocess.PIPE, check=True).stdout.decode()
    assert all(f"{name} " in listed for name in owners), listed
    nats.close()


def capacity(bin):
    """A daemon records as many headers as limits.traces says, twice: a bridge tells how many it can have, and refuses more."""
    realm = Realm(bin, 2, traces=16)
    try:
        realm.ready()
        for node in realm.nodes:
            assert "event=capacity headers=8 limits.traces=16" in node.log(), node.log()
        client, refused = realm.nodes[0].client(), {}
        for index in range(40):
            answer = client.ask("header.open", description(f"many.{index}"))
            if "error" in answer:
                refused[index] = answer["error"]
        assert all(error["data"]["name"] == "limitExceeded" and "limits.traces" in error["data"]["hint"]
                   for error in refused.values()), refused
        assert {error["message"].split('"')[1] for error in refused.values()} == {"a", "b"}, refused
        opened = [f"many.{index}" for index in range(40) if index not in refused]
        assert len(opened) == len(realm.owners(having=opened)) == 16, (opened, realm.owners())
        # Those that are there go on, also through many recordings that begin anew.
        for name in realm.owners():
            client.result("event", {"header": name, "events": [
                {"event": "didScroll", "offset": {"y": y}} for y in range(200)]})
        assert not client.ask("header.open", description(next(iter(realm.owners())))).get("error")
    except Exception:
        realm.logs()
        raise
    finally:
        realm.close()


def run(realm, tests):
    """Whether all tests pass; the first that does not is reported, with the logs."""
    try:
        realm.ready()
        for name, test in tests:
            begun = time.monotonic()
            figures = test(realm)
            print(f"nats: {name}, {time.monotonic() - begun:.1f} s" + (f": {json.dumps(figures)}" if figures else ""))
        return True
    except Exception:
        traceback.print_exc()
        realm.logs()
        return False
    finally:
        realm.close()


def main():
    bin, short = sys.argv[1], "--short" in sys.argv
    # Where all daemons stay, one that a busy machine holds up for seconds is not to be taken for gone.
    is_whole = run(Realm(bin, settings="lease = 10000\n"), [
        ("opens", opens), ("requests", requests), ("subscriptions", subscriptions), ("slow", slow), ("explains", explains),
        ("binary", binary), ("bare", bare), ("recording", recording), ("capacity", lambda realm: capacity(bin))])
    is_whole = is_whole and run(Realm(bin, has_networks=True), [
        ("opens", opens), ("details", details), ("failover", failover),
        ("partition", lambda realm: partition(realm, False)), ("partition that loses", lambda realm: partition(realm, True)),
        ("frozen", lambda realm: frozen(realm, 4 if short else 30))])
    sys.exit(0 if is_whole else 1)


if __name__ == "__main__":
    main()
