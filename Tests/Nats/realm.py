# SPDX-License-Identifier: MIT
"""A realm on this machine: one nats-server, daemons with their bridges, clients of lines."""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Client:
    """A connection in lines, with a time limit for everything."""

    def __init__(self, path, timeout=8.0):
        end = time.monotonic() + timeout
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)
        self.rest = b""
        self.last = 0
        self.notifications = []
        # Whether answers mean that JetStream has it.
        self.isDurable = True

    def send(self, method, params=None, id=None):
        message = {"method": method, "params": params or {}}
        if id is not None:
            message["id"] = id
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def line(self, timeout):
        """The next message; None if none comes in time or the connection ends."""
        end = time.monotonic() + timeout
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                piece = self.socket.recv(65536)
            except socket.timeout:
                return None
            except OSError:
                raise ConnectionError
            if not piece:
                raise ConnectionError
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        message = json.loads(line)
        if message.get("method") == "durability":
            self.isDurable = message["params"]["durable"]
        return message

    def ask(self, method, params=None, timeout=12.0):
        self.last += 1
        self.send(method, params, self.last)
        end = time.monotonic() + timeout
        while True:
            message = self.line(max(0.001, end - time.monotonic()))
            if message is None:
                raise TimeoutError(method)
            if message.get("id") == self.last and "method" not in message:
                return message
            self.notifications.append(message)

    def result(self, method, params=None, timeout=12.0):
        answer = self.ask(method, params, timeout)
        assert "result" in answer, (method, params, answer)
        return answer["result"]

    def until(self, predicate, timeout=8.0):
        """The first notification that is right, of those that came and those that come."""
        end = time.monotonic() + timeout
        while True:
            for index, message in enumerate(self.notifications):
                if predicate(message):
                    return self.notifications.pop(index)
            message = self.line(max(0.001, end - time.monotonic()))
            if message is None:
                raise TimeoutError("nothing came that was waited for")
            self.notifications.append(message)

    def close(self):
        self.socket.close()


class Process:
    def __init__(self, arguments, log, env=None):
        self.log = open(log, "ab")
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, env={**os.environ, **(env or {})})

    @property
    def pid(self):
        return self.process.pid

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()
        self.log.close()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        self.log.close()


class Proxy:
    """The network between a bridge and the server, which can be cut: nothing is told, nothing arrives, and what was sent may arrive later."""

    def __init__(self, port):
        self.server = port
        self.whole = threading.Event()
        self.whole.set()
        self.pairs = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near):
        self.whole.wait()
        try:
            far = socket.create_connection(("127.0.0.1", self.server))
        except OSError:
            return near.close()
        self.pairs.append((near, far))
        for ends in ((near, far), (far, near)):
            threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source, target):
        try:
            while piece := source.recv(65536):
                self.whole.wait()
                target.sendall(self.changed(piece))
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def changed(self, piece):
        """What arrives of what was sent."""
        return piece

    def cut(self):
        self.whole.clear()

    def heal(self, loses):
        """loses: connections of before are gone, with what was under way; else all of it arrives now."""
        pairs, self.pairs = self.pairs, [] if loses else self.pairs
        for end in [end for pair in pairs for end in pair] if loses else []:
            end.close()
        self.whole.set()

    def close(self):
        self.listener.close()
        self.heal(True)


class Node:
    """A daemon and its bridge."""

    def __init__(self, realm, name):
        self.realm, self.name = realm, name
        self.network = Proxy(realm.port) if realm.has_networks else None
        port = self.network.port if self.network else realm.port
        self.folder = f"{realm.folder}/{name}"
        os.mkdir(self.folder, 0o700)
        self.local = f"{self.folder}/headerd.sock"
        self.socket = f"{self.folder}/realm.sock"
        with open(f"{self.folder}/headerd.toml", "w") as file:
            file.write(f"[limits]\ntraces = {realm.traces}\n")
        with open(f"{self.folder}/headerd-nats.toml", "w") as file:
            file.write(f'[nats]\nservers = ["{realm.scheme}127.0.0.1:{port}"]\nrealm = "test"\nnode = "{name}"\n'
                       + realm.settings)
        self.daemon = self.bridge = None
        self.start()

    def start(self):
        self.start_daemon()
        self.start_bridge()

    def start_daemon(self):
        self.daemon = Process(
            [f"{self.realm.bin}/headerd", "--config", f"{self.folder}/headerd.toml", "--socket", self.local],
            f"{self.folder}/headerd.log", {"HEADERD_PLUGIN_PATH": self.realm.bin})

    def start_bridge(self):
        self.bridge = Process(
            [f"{self.realm.bin}/headerd-nats", "--config", f"{self.folder}/headerd-nats.toml", "--socket", self.local,
             "--listen", self.socket],
            f"{self.folder}/headerd-nats.log")

    def kill(self):
        self.bridge.kill()
        self.daemon.kill()

    def log(self):
        with open(f"{self.folder}/headerd-nats.log") as file:
            return file.read()

    def client(self):
        return Client(self.socket)


class Realm:
    def __init__(self, bin, nodes=3, settings="", scheme="nats://", server="", folder=None,
                 has_networks=False, traces=100000):
        """settings: of each bridge's config; server: of nats-server's; has_networks: bridges can be cut off."""
        self.has_networks, self.traces = has_networks, traces
        self.bin, self.settings, self.scheme = bin, settings, scheme
        self.folder = folder or tempfile.mkdtemp(prefix="headerd-nats-")
        with open(f"{self.folder}/nats.conf", "w") as file:
            file.write(server)
        self.port = free_port()
        self.server = None
        self.start_server()
        self.nodes = [Node(self, name) for name in "abcdefgh"[:nodes]]

    def start_server(self):
        self.server = Process(
            [shutil.which("nats-server") or "/usr/sbin/nats-server", "-c", f"{self.folder}/nats.conf", "-a", "127.0.0.1",
             "-p", str(self.port), "-js", "-sd", f"{self.folder}/jetstream"], f"{self.folder}/nats.log")
        Realm.wait_for_port(self.port)

    @staticmethod
    def wait_for_port(port):
        for _ in range(200):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.02)
        raise TimeoutError("nats-server does not listen")

    def ready(self, timeout=10.0):
        """Waits until all bridges see all nodes."""
        wanted = "nodes=" + " ".join(node.name for node in self.nodes)
        end = time.monotonic() + timeout
        for node in self.nodes:
            while True:
                with open(f"{node.folder}/headerd-nats.log") as file:
                    lines = [line for line in file if "event=nodes " in line]
                if lines and wanted in lines[-1].replace('"', ""):
                    break
                assert time.monotonic() < end, (node.name, lines[-1:])
                time.sleep(0.02)

    def owners(self, node=0, having=()):
        """By header, its owner, as one bridge has it once it has heard of some headers: who opened them may have been answered before."""
        client, end = self.nodes[node].client(), time.monotonic() + 15
        while True:
            owners = {row["header"]: row["owner"] for row in client.result("header.list")["headers"]}
            if owners.keys() >= set(having):
                client.close()
                return owners
            assert time.monotonic() < end, (having, owners)
            time.sleep(0.02)

    def close(self):
        for node in self.nodes:
            node.bridge.stop()
            node.daemon.stop()
            if node.network:
                node.network.close()
        self.server.stop()
        shutil.rmtree(self.folder)

    def logs(self):
        for node in self.nodes:
            for name in ("headerd-nats.log", "headerd.log"):
                with open(f"{node.folder}/{name}") as file:
                    print(f"--- {node.name} {name}\n" + file.read()[-9000:])


def description(name):
    """A header whose first drawer leaves with the content."""
    return {
        "header": name, "scrollViews": {"content": {"viewport": {"width": 375, "height": 667},
                                                   "contentSize": {"height": 100000}}},
        "drawers": [{"name": "bar", "height": 44}], "delegates": [{"behavior": "ShyNavBar"}], "frames": "events"}
