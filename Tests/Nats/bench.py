#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a state costs in a realm of three daemons: processor time of daemon, bridge and server, beside a bare publisher on libnats
with the same bytes, of states and of the log, at the same rate; and how much later a state is at another node than at the owner's own socket.
usage: bench.py FOLDER-OF-THE-PROGRAMS [--headers 100] [--rate 60] [--seconds 10]"""
import argparse
import json
import multiprocessing
import os
import subprocess
import tempfile
import time

from realm import Client, Realm, description
from stream import Nats


def cpu(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wave(tick):
    """Offsets that move a bar of 44 points at each step."""
    place = tick % 80
    return place if place <= 40 else 80 - place


def load(socket, names, rate):
    """Sends events of some headers to their owner's bridge at a rate, until it is killed."""
    client = Client(socket)
    for name in names:
        client.result("event", {"header": name, "event": "willBeginDragging"})
    begun, tick = time.monotonic(), 1
    while True:
        y = wave(tick)
        client.socket.sendall(b"".join(
            b'{"method":"event","params":{"header":"%s","event":"didScroll","offset":{"y":%d}}}\n' % (name.encode(), y)
            for name in names))
        tick += 1
        time.sleep(max(0, begun + tick / rate - time.monotonic()))


def seqs(realm):
    """States that there have been in all daemons."""
    rows = [row for node in realm.nodes for row in Client(node.local).result("header.list")["headers"]]
    return sum(row["seq"] for row in rows)


def log(realm):
    """Messages and bytes that the log has got."""
    nats = Nats(realm.port)
    state = json.loads(nats.request("$JS.API.STREAM.INFO.headerd=test=log")[4])["state"]
    nats.close()
    return state["last_seq"], state["bytes"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--headers", type=int, default=100)
    parser.add_argument("--rate", type=int, default=60)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    folder = tempfile.mkdtemp()
    here = os.path.dirname(os.path.abspath(__file__))
    for name in ("publisher", "watcher"):
        subprocess.run(["cc", "-O2", "-o", f"{folder}/{name}", f"{here}/{name}.c", "-lnats"], check=True)
    realm = Realm(options.bin)
    try:
        realm.ready()
        client = realm.nodes[0].client()
        for index in range(options.headers):
            whole = description(f"shop.{index}")
            whole["delegates"][0]["options"] = {"expansionResistance": 0, "contractionResistance": 0}
            client.result("header.open", whole, 30)
        owners = realm.owners(having=[f"shop.{index}" for index in range(options.headers)])
        loads = [multiprocessing.Process(
            target=load, daemon=True,
            args=(node.socket, [name for name in owners if owners[name] == node.name], options.rate)) for node in realm.nodes]
        taken = next(name for name in owners if owners[name] == "a")
        for process in loads:
            process.start()
        time.sleep(2)
        pids = {"daemons": [n.daemon.pid for n in realm.nodes], "bridges": [n.bridge.pid for n in realm.nodes],
                "server": [realm.server.pid]}
        before = {name: sum(map(cpu, list)) for name, list in pids.items()}
        begun, logBegun = seqs(realm), log(realm)
        watcher = subprocess.run(
            [f"{folder}/watcher", realm.nodes[0].local, realm.nodes[1].socket, taken, str(options.seconds)],
            stdout=subprocess.PIPE, check=True)
        states, logEnded = seqs(realm) - begun, log(realm)
        used = {name: round((sum(map(cpu, list)) - before[name]) / states * 1e6, 1) for name, list in pids.items()}
        for process in loads:
            process.kill()
        later = sorted(map(float, watcher.stdout.split()))
        state = len(json.dumps(client.result("header.get", {"header": taken})["state"], separators=(",", ":"))) + 60
        rate = options.headers * options.rate // 3
        time.sleep(1)
        serverBefore = cpu(realm.server.pid)
        logs = logEnded[0] - logBegun[0]
        logged, logBytes = states / logs, (logEnded[1] - logBegun[1]) // logs
        bare = float(subprocess.run(
            [f"{folder}/publisher", f"nats://127.0.0.1:{realm.port}", "bare.state", str(state), str(rate), "5",
             str(logged), str(logBytes)], stdout=subprocess.PIPE, check=True).stdout)
        serverBare = (cpu(realm.server.pid) - serverBefore) / (rate * 5) * 1e6
        at = lambda part: round(later[min(len(later) - 1, int(part * len(later)))], 2)
        print(json.dumps({
            "headers": options.headers, "rate": options.rate, "states": states, "statesPerSecond": states // options.seconds,
            "stateBytes": state, "statesALogMessage": round(logged, 1), "logMessageBytes": logBytes,
            "microsecondsAState": used, "bareMicrosecondsAState": {"publisher": bare, "server": round(serverBare, 1)},
            "bridgeOverBare": round(used["bridges"] / bare, 2),
            "addedMilliseconds": {"p50": at(0.5), "p99": at(0.99), "samples": len(later)}}, indent=1))
    finally:
        realm.close()


if __name__ == "__main__":
    main()
