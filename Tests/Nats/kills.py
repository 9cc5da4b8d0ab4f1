#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills daemons, bridges and both, stops bridges for a while, and cuts them off from the server, at random moments while events are
sent; tells how long headers had no owner, which acknowledged events are missing in the log, and which epochs had two publishers.
usage: kills.py FOLDER-OF-THE-PROGRAMS [--kills 30] [--nodes 4] [--headers 12] [--seed 1]"""
import argparse
import json
import random
import signal
import socket
import sys
import threading
import time

from realm import Client, Realm, description
from stream import Nats, header


class Writer(threading.Thread):
    """Sends events to one header, at whichever bridge is there, and notes what was acknowledged, and when."""

    def __init__(self, realm, name, alive):
        super().__init__(daemon=True)
        self.realm, self.name, self.alive = realm, name, alive
        self.acknowledged, self.times, self.seqs = [], [], []
        self.node = self.client = None
        self.isOver = False
        self.next = 1
        self.problems = []

    def run(self):
        client = None
        while not self.isOver:
            try:
                if client is None:
                    self.node = random.choice(self.alive())
                    client = self.client = Client(self.node.socket, 0.5)
                    client.ask("header.open", description(self.name), 6)
                y = self.next
                self.next += 1
                answer = client.ask("event", {"header": self.name, "event": "didScroll", "offset": {"y": y}}, 6)
                if "result" in answer and client.isDurable:
                    self.acknowledged.append(y)
                    self.times.append(time.monotonic())
                    self.seqs.append(answer["result"]["seq"])
                elif "error" in answer and answer["error"]["data"]["name"] not in ("deadlineExceeded", "headerNotFound"):
                    self.problems.append(answer["error"]["message"])
                time.sleep(0.02)
            except (OSError, ConnectionError, TimeoutError):
                if client:
                    client.close()
                client = None
                time.sleep(0.02)

    def leave(self):
        """Its bridge does not answer: it goes to another one."""
        try:
            self.client.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--headers", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    realm = Realm(options.bin, options.nodes, "log = 86400\nhistory = 86400\n", has_networks=True)
    failures, away, counts = [], [], {}
    up = {node.name for node in realm.nodes}
    try:
        realm.ready()
        writers = [Writer(realm, f"shop.{index}", lambda: [n for n in realm.nodes if n.name in up])
                   for index in range(options.headers)]
        for writer in writers:
            writer.start()
        time.sleep(2)
        rows = Nats(realm.port)
        owners = lambda: {message[1].split(".owner.")[1]: json.loads(message[3])
                          for message in rows.stream("headerd=test=owners")}
        for count in range(options.kills):
            # With some killed while headers move.
            time.sleep(random.uniform(0.2, 1.5 if count % 3 else 4))
            victim = random.choice([node for node in realm.nodes if node.name in up])
            had = {name for name, row in owners().items() if row["owner"] == victim.name and row["state"] == "owned"}
            what = random.choice(["daemon", "bridge", "both", "pause", "cut"])
            counts[what] = counts.get(what, 0) + 1
            up.discard(victim.name)
            killed = time.monotonic()
            if what in ("bridge", "both"):
                victim.bridge.kill()
            if what in ("daemon", "both"):
                victim.daemon.kill()
            if what == "pause":
                victim.bridge.signal(signal.SIGSTOP)
            if what == "cut":
                victim.network.cut()
            if what in ("pause", "cut"):
                for writer in writers:
                    if writer.node is victim:
                        writer.leave()
            for writer in writers:
                if writer.name not in had:
                    continue
                while not (writer.times and writer.times[-1] > killed + 0.05):
                    if time.monotonic() > killed + 15:
                        failures.append(f"kill {count} ({what} of {victim.name}): {writer.name} has no owner after 15 s")
                        break
                    time.sleep(0.005)
                else:
                    away.append(next(t for t in writer.times if t > killed + 0.05) - killed)
            if what in ("daemon", "both"):
                victim.start_daemon()
            if what in ("bridge", "both"):
                victim.start_bridge()
            if what == "pause":
                time.sleep(random.uniform(0, 1))
                victim.bridge.signal(signal.SIGCONT)
            if what == "cut":
                time.sleep(random.uniform(0, 1))
                victim.network.heal(random.random() < 0.5)
            up.add(victim.name)
        time.sleep(6)
        for writer in writers:
            writer.isOver = True
        for writer in writers:
            writer.join(15)
            failures += [f"{writer.name}: {problem}" for problem in set(writer.problems)]
        failures += check(rows, writers)
        final = {writer.name: realm.nodes[0].client().result("header.get", {"header": writer.name})["state"]
                 for writer in writers}
        for writer in writers:
            if writer.seqs and final[writer.name]["seq"] < max(writer.seqs):
                failures.append(f"{writer.name} ends with seq {final[writer.name]['seq']}, {max(writer.seqs)} was acknowledged")
        if failures:
            realm.logs()
    finally:
        realm.close()
    away.sort()
    at = lambda part: round(away[min(len(away) - 1, int(part * len(away)))], 2) if away else None
    print(json.dumps({
        "kills": options.kills, "of": counts, "takeovers": len(away), "acknowledged": sum(len(w.acknowledged) for w in writers),
        "secondsWithoutOwner": {"p50": at(0.5), "p99": at(0.99), "max": at(1)}, "failures": failures}, indent=1))
    sys.exit(1 if failures else 0)


def read(nats):
    """The log and the states as they are kept: epochs with two publishers, and the offsets of each header's events."""
    failures = []
    offsets, publishers = {}, {}
    for number, subject, _, payload in nats.stream("headerd=test=log"):
        name = subject.split(".log.")[1]
        head, *steps = payload.split(b"\n")
        head = json.loads(head)
        who = publishers.setdefault((name, head["epoch"]), head["owner"])
        if who != head["owner"]:
            failures.append(f"{name}: epoch {head['epoch']} has the log of {who} and of {head['owner']}")
        for step in map(json.loads, steps):
            if step["event"] == "didScroll":
                offsets.setdefault(name, []).append(step["offset"]["y"])
    for number, subject, head, _ in nats.stream("headerd=test=states"):
        name, epoch = subject.split(".state.")[1], int(header(head, "Headerd-Epoch"))
        who = publishers.setdefault((name, epoch), header(head, "Headerd-Owner"))
        if who != header(head, "Headerd-Owner"):
            failures.append(f"{name}: epoch {epoch} is published by {who} and {header(head, 'Headerd-Owner')}")
    return failures, offsets


def check(nats, writers):
    """What was acknowledged is in the log, once."""
    failures, offsets = read(nats)
    for writer in writers:
        kept = offsets.get(writer.name, [])
        missing = set(writer.acknowledged) - set(kept)
        if missing:
            failures.append(f"{writer.name}: acknowledged and not in the log: {sorted(missing)}")
        if len(kept) != len(set(kept)):
            failures.append(f"{writer.name}: some events are twice in the log")
    return failures


if __name__ == "__main__":
    main()
