#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Forged messages and confused deputies in a realm, at a real nats-server: reply subjects that are somebody's interface, records that
no daemon wrote, a second bridge with a name that is in use, storage that is full. After each attack the realm has to serve every
header, with all that was acknowledged, and what was refused has to stand in the log.

usage: realm.py FOLDER-OF-THE-PROGRAMS [--short] [--seed N]"""
import json
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Nats"))
from realm import Process, Realm, description
from stream import Nats
from suite import Suite, arguments

OPTIONS = arguments(__doc__)
TOP = (1 << 53) - 1


def until(what, condition, seconds=60.0):
    end = time.monotonic() + seconds
    while True:
        try:
            if result := condition():
                return result
        except (AssertionError, ConnectionError, TimeoutError):
            pass
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.02)


def scroll(client, header, y):
    return client.ask("event", {"header": header, "event": "didScroll", "offset": {"y": y}})


def offset(client, header):
    answer = client.ask("header.get", {"header": header})
    assert "result" in answer, answer
    return answer["result"]["state"]["scrollViews"]["content"]["contentOffset"]["y"]


def opened(realm, names, node=0):
    """Headers with a state of their own, acknowledged: by name, where their content is."""
    client, places = realm.nodes[node].client(), {}
    for name in names:
        client.result("header.open", {**description(name), "delegates": []})
        client.result("event", {"header": name, "event": "willBeginDragging"})
        places[name] = 100 + len(places)
        # A lease that was forged by the attack before may be taken back only now.
        until(f"{name} takes events", lambda: "result" in scroll(client, name, places[name]))
    client.close()
    return places


def serves(realm, places):
    """Every header is at every node as it was acknowledged, and takes another event."""
    for node in realm.nodes:
        def whole(node=node):
            client = node.client()
            try:
                for name, y in places.items():
                    if offset(client, name) != y:
                        return False
                return all("result" in scroll(client, name, y) for name, y in places.items())
            finally:
                client.close()
        until(f"{node.name} serves {', '.join(places)} as acknowledged", whole)


def logged(realm, words, nodes=None):
    until(f"a line of the log with {words!r}", lambda: any(words in node.log() for node in nodes or realm.nodes))


def publish(nats, subject, payload, reply="", headers=None):
    if headers is None:
        nats.publish(subject, payload, reply)
    else:
        head = b"NATS/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()).encode() + b"\r\n"
        nats.socket.sendall(f"HPUB {subject} {reply} {len(head)} {len(head) + len(payload)}\r\n".encode() + head + payload + b"\r\n")


def streams(nats):
    answer = json.loads(nats.request("$JS.API.STREAM.LIST", b"")[-1])
    return {one["config"]["name"]: one["state"]["messages"] for one in answer["streams"]}


def deputies(realm):
    """Who may only publish requests has a bridge send nothing to where the bridge alone may."""
    nats = Nats(realm.port)
    places = opened(realm, ["shop.a", "shop.b"])
    before = streams(nats)
    witness = Nats(realm.port)
    request = json.dumps({"id": 1, "method": "header.get", "params": {"header": "shop.a"}}).encode()
    attacks = [f"$JS.API.STREAM.PURGE.{name}" for name in before] + [f"$JS.API.STREAM.DELETE.{name}" for name in before]
    attacks += ["$SYS.REQ.SERVER.PING", "headerd.test.lease.a", "headerd.test.owner.shop.a", "headerd.test.saved.shop.a",
                "headerd.test.log.shop.a", "headerd.test.state.shop.a", "headerd.test.node.a", "headerd.other.lease.a",
                "_INBOX.headerd.a.x.1", "_INBOX.headerd.b.y.log.3", "somewhere", "_INBOX", "_INBOXES.1", "$JS.ACK.x"]
    heard = [subject for subject in attacks if not subject.startswith("$")]
    for number, subject in enumerate(heard):
        witness.subscribe(subject, 100 + number)
    for subject in attacks:
        for line in (request, request.replace(b"shop.a", b"shop.none"), b"not json"):
            publish(nats, "headerd.test.request.shop.a", line, subject)
            publish(nats, "headerd.test.event.shop.a", line, subject)
            publish(nats, "headerd.test.request.shop.a", line, subject, {"Headerd-Client": "zz/1"})
    # The bridge has done with all of them when it answers this.
    answer = json.loads(nats.request("headerd.test.request.shop.a", request)[-1])
    assert answer["result"]["state"]["header"] == "shop.a", answer
    after = streams(nats)
    assert set(after) == set(before) and all(after[name] >= 1 for name in before if name.split("=")[-1] != "saved"), (before, after)
    # So the witness gets everything that came before this.
    nats.publish("somewhere", b"the end")
    got = []
    while not got or got[-1][4] != b"the end":
        got.append(witness.message())
    # What the bridges themselves say there is no answer.
    answers = [one for one in got if one[0] in heard and b'"jsonrpc"' in one[4] and b'"id":1' in one[4]]
    assert not answers, answers[:3]
    logged(realm, "event=replyRefused")
    serves(realm, places)


def forged_leases(realm):
    """Signs of life that nobody gave: of nodes that are there, in their names, and of nodes that are not."""
    nats = Nats(realm.port)
    places = opened(realm, ["lease.a", "lease.b", "lease.c"])
    def lease(node, process, serves, since=0):
        return json.dumps({"node": node, "process": process, "since": since, "serves": serves}).encode()
    for _ in range(3 if OPTIONS.short else 30):
        for node in ("a", "b"):
            publish(nats, f"headerd.test.lease.{node}", lease(node, "forged", True))
            publish(nats, f"headerd.test.lease.{node}", lease(node, "forged", False))
            publish(nats, f"headerd.test.lease.{node}", lease(node, "later", True, TOP))
            publish(nats, f"headerd.test.lease.{node}", b"no lease at all")
            publish(nats, f"headerd.test.lease.{node}", lease("zz", "x", True))
        publish(nats, "headerd.test.lease.zz", lease("zz", "x", False))
        time.sleep(0.05)
    logged(realm, "event=leaseTakenBack")
    logged(realm, "event=recordRefused")
    for node in realm.nodes:
        assert node.bridge.process.poll() is None, f"{node.name} ended"
    serves(realm, places)


def forged_records(realm):
    """Owners, steps and saved headers that no daemon wrote."""
    nats = Nats(realm.port)
    generator = random.Random(OPTIONS.seed)
    def owner(epoch, life, name="zz", state="owned"):
        return json.dumps({"owner": name, "epoch": epoch, "life": life, "state": state, "nonce": "x"}).encode()
    def log(epoch, steps=0, first=0, name="zz"):
        head = json.dumps({"epoch": epoch, "owner": name, "first": first, "steps": steps, "nonce": "x"}).encode()
        return b"\n".join([head] + [b'{"no":"step"}'] * steps)
    now = int(time.time() * 1e6)
    forgeries = {
        "owner": [owner(TOP, TOP), owner(TOP, 0, "a"), owner(now, TOP), owner(TOP, TOP, "b", "released"), b"", b"garbage",
                  owner(-1, 0), b"{" * 500, owner(1, 0), owner(now + 60_000_000, 0)],
        "log": [log(TOP), log(TOP, 3), b"", b"garbage", log(now, 2), log(now, 2, TOP), log(now, 1, 7, "a"), bytes(300)],
    }
    rounds = 1 if OPTIONS.short else 6
    for round in range(rounds):
        for kind, payloads in forgeries.items():
            names = [f"{kind}.{round}.h{index}" .replace(f".{round}.", f".r{round}.") for index in range(len(payloads))]
            places = opened(realm, names, node=generator.randrange(len(realm.nodes)))
            for name, payload in zip(names, payloads):
                publish(nats, f"headerd.test.{kind}.{name}", payload)
            serves(realm, places)
            logged(realm, "event=recordRefused")
    # A saved header is what is left when its owner goes: an owner that is there writes its own again.
    places = opened(realm, ["saved.h"])
    head = json.dumps({"epoch": TOP, "base": TOP, "nonce": "x"}).encode()
    publish(nats, "headerd.test.saved.saved.h", head + b"\n{}")
    client = realm.nodes[0].client()
    for step in range(150):
        places["saved.h"] = 200 + step % 50
        assert "result" in scroll(client, "saved.h", places["saved.h"])
    client.close()
    serves(realm, places)


def a_name_in_use(realm):
    """A second bridge with the name of one that is there takes it over; the first one ends, and all goes on."""
    places = opened(realm, ["name.a", "name.b", "name.c", "name.d"])
    node = realm.nodes[0]
    for round in range(2 if OPTIONS.short else 8):
        # As on another machine: a daemon of its own, and other sockets.
        older, daemon = node.bridge, node.daemon
        node.local, node.socket = f"{node.folder}/headerd{round}.sock", f"{node.folder}/realm{round}.sock"
        node.start_daemon()
        node.start_bridge()
        newer = node.bridge
        until("the older one ends", lambda: older.process.poll() is not None)
        assert older.process.returncode == 1, older.process.returncode
        older.log.close()
        serves(realm, places)
        daemon.stop()
        # As long as the older one took to end, and more.
        time.sleep(1.0)
        assert newer.process.poll() is None, "the newer one ended, too"
    logged(realm, "another headerd-nats has the name")


def storage_is_full():
    """What JetStream does not take is told and logged, and nobody waits for ever; once there is room, all is as before."""
    realm = Realm(OPTIONS.programs, nodes=2, server="jetstream {\n max_memory_store: 64MB\n max_file_store: 400KB\n}\n")
    try:
        realm.ready()
        nats = Nats(realm.port)
        nats.request("$JS.API.STREAM.CREATE.ballast", json.dumps(
            {"name": "ballast", "subjects": ["ballast"], "storage": "file", "retention": "limits", "max_bytes": -1}).encode())
        places = opened(realm, ["full.a", "full.b", "full.c", "full.d"])
        watcher = realm.nodes[0].client()
        watcher.result("hello")
        while "error" not in json.loads(nats.request("ballast", bytes(8_000))[-1]):
            pass
        while "error" not in json.loads(nats.request("ballast", b"x")[-1]):
            pass
        told = []
        for node in realm.nodes:
            client = node.client()
            for name in places:
                began = time.monotonic()
                answer = scroll(client, name, 300)
                assert time.monotonic() - began < 11, (name, "no answer")
                told.append("error" in answer or client.isDurable)
            client.close()
        assert any(told)
        assert watcher.until(lambda m: m.get("method") == "durability" and not m["params"]["durable"])
        logged(realm, "event=storageRefused")
        nats.request("$JS.API.STREAM.DELETE.ballast")
        assert watcher.until(lambda m: m.get("method") == "durability" and m["params"]["durable"])
        logged(realm, "event=storageBack")
        for name in places:
            places[name] = 400
            until(f"{name} takes events", lambda: "result" in scroll(watcher, name, 400))
        serves(realm, places)
        assert watcher.isDurable
    except BaseException:
        realm.logs()
        raise
    finally:
        realm.close()


def main():
    suite = Suite("realm", OPTIONS)
    realm = Realm(OPTIONS.programs, nodes=2)
    try:
        realm.ready()
        for attack in (deputies, forged_leases, forged_records, a_name_in_use):
            suite.run(attack.__name__, lambda: attack(realm), log=lambda: "\n".join(node.log()[-1500:] for node in realm.nodes))
    finally:
        realm.close()
    suite.run("storage_is_full", storage_is_full)
    suite.finish()


main()
