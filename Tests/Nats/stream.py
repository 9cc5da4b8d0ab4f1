# SPDX-License-Identifier: MIT
"""NATS and JetStream in a page, so that what is checked is not read by what wrote it."""
import base64
import json
import socket
import time


class Nats:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(10)
        self.rest = b""
        self.last = 0
        self.pending = []
        self._line()
        self.socket.sendall(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nSUB _INBOX.check.* 1\r\nPING\r\n')
        while self._line() != b"PONG":
            pass

    def _line(self):
        while b"\r\n" not in self.rest:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise ConnectionError
            self.rest += piece
        line, self.rest = self.rest.split(b"\r\n", 1)
        return line

    def _bytes(self, count):
        while len(self.rest) < count + 2:
            piece = self.socket.recv(1 << 20)
            if not piece:
                raise ConnectionError
            self.rest += piece
        bytes, self.rest = self.rest[:count], self.rest[count + 2:]
        return bytes

    def message(self):
        """The next one: subject, subscription, reply, headers, bytes."""
        while True:
            words = self._line().split(b" ")
            if words[0] == b"PING":
                self.socket.sendall(b"PONG\r\n")
            elif words[0] == b"MSG":
                payload = self._bytes(int(words[-1]))
                return words[1].decode(), int(words[2]), words[3].decode() if len(words) == 5 else None, b"", payload
            elif words[0] == b"HMSG":
                head, total = int(words[-2]), int(words[-1])
                payload = self._bytes(total)
                return (words[1].decode(), int(words[2]), words[3].decode() if len(words) == 6 else None,
                        payload[:head], payload[head:])

    def publish(self, subject, bytes, reply=""):
        self.socket.sendall(f"PUB {subject} {reply} {len(bytes)}\r\n".encode() + bytes + b"\r\n")

    def subscribe(self, subject, id):
        self.socket.sendall(f"SUB {subject} {id}\r\nPING\r\n".encode())

    def request(self, subject, bytes=b""):
        self.last += 1
        inbox = f"_INBOX.check.{self.last}"
        self.publish(subject, bytes, inbox)
        while True:
            message = self.message()
            if message[0] == inbox:
                return message
            self.pending.append(message)

    def stream(self, name):
        """All messages of a stream: number, subject, headers, bytes."""
        info = json.loads(self.request(f"$JS.API.STREAM.INFO.{name}")[4])
        assert "state" in info, info
        state = info["state"]
        for number in range(state["first_seq"], state["last_seq"] + 1):
            answer = json.loads(self.request(f"$JS.API.STREAM.MSG.GET.{name}", json.dumps({"seq": number}).encode())[4])
            if "message" in answer:
                found = answer["message"]
                yield (number, found["subject"], base64.b64decode(found.get("hdrs", "")),
                       base64.b64decode(found.get("data", "")))

    def close(self):
        self.socket.close()


def header(head, name):
    """A header's value in the bytes of a message's head."""
    for line in head.split(b"\r\n"):
        if line.lower().startswith(name.lower().encode() + b":"):
            return line.split(b":", 1)[1].strip().decode()
    return None
