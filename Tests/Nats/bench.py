#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a state costs in a realm of three daemons: processor time of daemon, gateway and server, beside a bare publisher on libnats
with the same bytes at the same rate; and how much later a state is at another node than at the owner's own socket.
usage: bench.py FOLDER-OF-THE-PROGRAMS [--headers 100] [--rate 60] [--seconds 10]"""
import argparse
import json
import os
import select
import subprocess
import tempfile
import threading
import time

from realm import Client, Realm, description


def cpu(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wave(tick):
    """Offsets that move a bar of 44 points at each step."""
    place = tick % 80
    return place if place <= 40 else 80 - place


class Load(threading.Thread):
    """Sends events of some headers to their owner's gateway at a rate."""

    def __init__(self, node, names, rate):
        super().__init__(daemon=True)
        self.client, self.names, self.rate = node.client(), names, rate
        self.sent, self.isOver = 0, False
        for name in names:
            self.client.result("event", {"header": name, "event": "willBeginDragging"})

    def run(self):
        begun, tick = time.monotonic(), 1
        while not self.isOver:
            y = wave(tick)
            lines = b"".join(
                b'{"method":"event","params":{"header":"%s","event":"didScroll","offset":{"y":%d}}}\n' % (name.encode(), y)
                for name in self.names)
            self.client.socket.sendall(lines)
            self.sent += len(self.names)
            tick += 1
            time.sleep(max(0, begun + tick / self.rate - time.monotonic()))


def arrivals(client, name, seconds):
    """By seq, when it was there."""
    client.result("subscribe", {"headers": name, "mode": "every"})
    times, end = {}, time.monotonic() + seconds
    while time.monotonic() < end:
        message = client.line(0.2)
        if message and message.get("method") == "state":
            times[message["params"]["seq"]] = time.monotonic()
    return times


def seqs(realm):
    """States that there have been in all daemons."""
    rows = [row for node in realm.nodes for row in Client(node.local).result("header.list")["headers"]]
    return sum(row["seq"] for row in rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--headers", type=int, default=100)
    parser.add_argument("--rate", type=int, default=60)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    folder = tempfile.mkdtemp()
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run(["cc", "-O2", "-o", f"{folder}/publisher", f"{here}/publisher.c", "-lnats"], check=True)
    realm = Realm(options.bin)
    try:
        realm.ready()
        client = realm.nodes[0].client()
        for index in range(options.headers):
            whole = description(f"shop.{index}")
            whole["delegates"][0]["options"] = {"expansionResistance": 0, "contractionResistance": 0}
            client.result("header.open", whole, 30)
        owners = realm.owners()
        loads = [Load(node, [name for name in owners if owners[name] == node.name], options.rate) for node in realm.nodes]
        taken = next(name for name in owners if owners[name] == "a")
        for load in loads:
            load.start()
        time.sleep(2)
        results = {}
        watch = threading.Thread(target=lambda: results.update(
            far=arrivals(realm.nodes[1].client(), taken, options.seconds)), daemon=True)
        near = threading.Thread(target=lambda: results.update(
            near=arrivals(Client(realm.nodes[0].local), taken, options.seconds)), daemon=True)
        pids = {"daemons": [n.daemon.pid for n in realm.nodes], "gateways": [n.gateway.pid for n in realm.nodes],
                "server": [realm.server.pid]}
        before = {name: sum(map(cpu, list)) for name, list in pids.items()}
        begun = seqs(realm)
        watch.start(), near.start(), watch.join(), near.join()
        states = seqs(realm) - begun
        used = {name: round((sum(map(cpu, list)) - before[name]) / states * 1e6, 1) for name, list in pids.items()}
        for load in loads:
            load.isOver = True
        later = sorted(results["far"][seq] - results["near"][seq] for seq in results["far"] if seq in results["near"])
        state = len(json.dumps(client.result("header.get", {"header": taken})["state"], separators=(",", ":"))) + 60
        rate = options.headers * options.rate // 3
        time.sleep(1)
        serverBefore = cpu(realm.server.pid)
        bare = float(subprocess.run(
            [f"{folder}/publisher", f"nats://127.0.0.1:{realm.port}", "bare.state", str(state), str(rate), "5"],
            stdout=subprocess.PIPE, check=True).stdout)
        serverBare = (cpu(realm.server.pid) - serverBefore) / (rate * 5) * 1e6
        at = lambda part: round(later[min(len(later) - 1, int(part * len(later)))] * 1000, 2)
        print(json.dumps({
            "headers": options.headers, "rate": options.rate, "states": states, "statesPerSecond": states // options.seconds,
            "stateBytes": state, "microsecondsAState": used,
            "bareMicrosecondsAMessage": {"publisher": bare, "server": round(serverBare, 1)},
            "addedMilliseconds": {"p50": at(0.5), "p99": at(0.99), "samples": len(later)}}, indent=1))
    finally:
        realm.close()


if __name__ == "__main__":
    main()
