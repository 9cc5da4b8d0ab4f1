#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds every recorded conversation of the tests against the schema of the protocol, and the schema against its own form.

usage: Tests/Schema/validate.py [config/schema/openrpc.json] [--messages FOLDER]

With --messages also what the clients of all suites and the daemon have said to each other, as recorder.c and MessageRecord.swift
wrote it into the folder.

- The document has the form of OpenRPC 1.3, each of its schemas that of JSON Schema draft-07, and every reference leads somewhere.
- Each answer, error and message of the daemon is as its schema says, and would not be with one member more.
- The parameters of a request that was answered without warnings are as their schema says; those that brought a warning of an
  unknown member, or were refused for what they are, are not.
- So are notifications of connections that were told of no error, and what clients answer to delegate.ask.
"""

import argparse
import collections
import concurrent.futures
import json
import re
import struct
import sys
from pathlib import Path

import fastjsonschema
from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parent.parent.parent
TEXTS = ["Tests/HeaderServiceTests/Golden", "Tests/IntegrationTests/Golden"]
FRAMES = ["Tests/GatewayTests/Golden/frames"]
COUNTED = ["lines", "answered", "warned", "refused", "said"]
# Processes that read what was recorded.
SHARES = 2
# What a schema cannot say: refusals that compare members with each other or with what is there.
BEYOND = re.compile(
    r"there are two |above the|at most the maximumHeight|at least the minimumHeight|nothing to configure|it is missing, and "
    r"|belongs to|expected 0: with|above 0|in the chain, |events for the header had|params\.arguments\.|both are given|expected 1, got|has opened|\(nan|empty record|there is no stop "
    r"|^params\.(saved|steps)|\.arguments\.|with \"x\", \"y\" or both"
)


def fail(text):
    global failures
    failures += 1
    print(text, file=sys.stderr)


failures = 0

# OpenRPC 1.3, as far as this document uses it; other members begin with x-.
EXTENDED = {"additionalProperties": False, "patternProperties": {"^x-": True}}
DESCRIPTOR = {
    "type": "object",
    "required": ["name", "schema"],
    "properties": {"name": {"type": "string"}, "required": {"type": "boolean"}, "schema": {"type": "object"}},
    **EXTENDED,
}
METHOD = {
    "type": "object",
    "required": ["name", "params", "result"],
    "properties": {
        "name": {"type": "string"},
        "summary": {"type": "string"},
        "paramStructure": {"enum": ["by-name", "by-position", "either"]},
        "params": {"type": "array", "items": DESCRIPTOR},
        "result": DESCRIPTOR,
    },
    **EXTENDED,
}
OPENRPC = {
    "type": "object",
    "required": ["openrpc", "info", "methods"],
    "properties": {
        "openrpc": {"type": "string", "pattern": "^1\\.3\\.[0-9]+$"},
        "info": {
            "type": "object",
            "required": ["title", "version"],
            "properties": {
                "title": {"type": "string"},
                "version": {"type": "string"},
                "description": {"type": "string"},
                "license": {"type": "object", "properties": {"name": {"type": "string"}}, **EXTENDED},
            },
            **EXTENDED,
        },
        "methods": {"type": "array", "items": METHOD},
        "components": {
            "type": "object",
            "properties": {
                "schemas": {"type": "object", "propertyNames": {"pattern": "^[A-Za-z0-9._-]+$"}},
                "errors": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "required": ["code", "message", "x-retry"],
                        "properties": {
                            "code": {"type": "integer"},
                            "message": {"type": "string"},
                            "x-retry": {"enum": ["no", "changed", "later"]},
                        },
                        "additionalProperties": False,
                    },
                },
            },
            "additionalProperties": False,
        },
    },
    **EXTENDED,
}


class Schema:
    """The document, and validators of its parts."""

    def __init__(self, path):
        self.document = json.loads(path.read_text())
        self.methods = {method["name"]: method for method in self.document["methods"]}
        self.messages = {message["name"]: message for message in self.document["x-messages"]}
        self.validators = {}

    def problems(self, name, schema, value):
        """The first thing that is wrong with a value, or nothing."""
        if name not in self.validators:
            whole = {
                "$schema": "http://json-schema.org/draft-07/schema", "allOf": [schema], "components": self.document["components"]
            }  # fmt: skip
            self.validators[name] = fastjsonschema.compile(whole, use_default=False)
        try:
            self.validators[name](value)
        except fastjsonschema.JsonSchemaValueException as error:
            return [error.message[:300]]
        return []

    def params(self, method, value):
        return self.problems(f"params {method}", self.methods[method]["x-params"], value)

    def result(self, method, value):
        return self.problems(f"result {method}", self.methods[method]["result"]["schema"], value)

    def message(self, name, value):
        schema = self.messages[name].get("params", {"type": "null"})
        return self.problems(f"message {name}", schema, value)

    def component(self, name, value):
        return self.problems(name, {"$ref": f"#/components/schemas/{name}"}, value)

    def check_itself(self):
        for error in Draft7Validator(OPENRPC).iter_errors(self.document):
            fail(f"openrpc: {'.'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        if len(self.methods) != len(self.document["methods"]):
            fail("openrpc: a method stands there twice")
        schemas = dict(self.document["components"]["schemas"])
        for method in self.document["methods"]:
            schemas[f"{method['name']} result"] = method["result"]["schema"]
        for message in self.document["x-messages"]:
            for part in ("params", "result"):
                schemas[f"{message['name']} {part}"] = message.get(part, {})
        for name, schema in schemas.items():
            for error in Draft7Validator(Draft7Validator.META_SCHEMA).iter_errors(schema):
                fail(f"schema {name}: {error.message[:300]}")
        self.check_references(self.document)

    def check_references(self, value):
        if isinstance(value, list):
            for item in value:
                self.check_references(item)
        elif isinstance(value, dict):
            target = value.get("$ref")
            if isinstance(target, str):
                place = self.document
                for step in target.removeprefix("#/").split("/"):
                    place = place.get(step) if isinstance(place, dict) else None
                if place is None:
                    fail(f"openrpc: {target} leads nowhere")
            for item in value.values():
                self.check_references(item)


def lines(path):
    """(case, who, direction, object) of a transcript."""
    case = ""
    for line in path.read_text().splitlines():
        if line.startswith("# "):
            case = line[2:]
        match = re.match(r"^(?:(\w) )?([<>]) (\{.*\})$", line)
        if not match:
            continue
        who, direction, text = match.groups()
        # Integration transcripts have words for what differs from run to run.
        text = re.sub(r"(?<=[:\[,])[A-Z]+(?=[,}\]])", "1", text)
        try:
            yield case, who or "", direction, json.loads(text)
        except ValueError:
            if direction == "<":
                fail(f"{path.name}: {case}: not JSON: {text[:200]}")


def frames(path):
    """The objects of JSON frames in a dump."""
    direction, data, kind = "", b"", ""

    def content():
        if kind == "JSON" and len(data) > 8:
            try:
                message = json.loads(data[8:])
            except ValueError:
                return
            if isinstance(message, dict):
                yield path.name, "", direction, message

    for line in path.read_text().splitlines():
        match = re.match(r"^([<>]) (\S+) \(", line)
        if match:
            yield from content()
            (direction, kind), data = match.groups(), b""
        elif line.startswith("    "):
            data += bytes.fromhex(line[4:].split("  ")[0].replace(" ", ""))
    yield from content()


# Numbers alone make no message another one.
IN_NUMBERS = b"0123456789.-"
# What most messages are, and nothing but its form is looked at.
STATE = b'{"jsonrpc":"2.0","method":"state",'
PREAMBLE = b"\x89HD\x01"
JSON_FRAME, ERROR_FRAME = 0x01, 0x90
# So much of a connection is recorded at most.
MOST_BYTES = 1 << 20


class Stream:
    """One direction of a connection: bytes in, messages as text out."""

    def __init__(self):
        self.waiting, self.is_binary = bytearray(), None

    def take(self, news):
        self.waiting += news
        if self.is_binary is None and len(self.waiting) >= 4:
            self.is_binary = self.waiting.startswith(PREAMBLE)
            if self.is_binary:
                del self.waiting[:4]
        if self.is_binary is not None:
            yield from self.frames() if self.is_binary else self.lines()

    def lines(self):
        *whole, rest = self.waiting.split(b"\n")
        self.waiting = bytearray(rest)
        yield from (bytes(line) for line in whole)

    def frames(self):
        while len(self.waiting) >= 8:
            size, kind = int.from_bytes(self.waiting[:4], "little"), int.from_bytes(self.waiting[4:6], "little")
            if not 8 <= size <= len(self.waiting):
                return
            if kind == JSON_FRAME:
                yield bytes(self.waiting[8:size])
            elif kind == ERROR_FRAME:
                yield b'{"jsonrpc":"2.0","method":"error"}'
            del self.waiting[:size]


def recorded(path):
    """For each connection that was recorded in a file, its bytes and the (direction, text) of its messages."""
    data, place, pieces = memoryview(path.read_bytes()), 0, collections.defaultdict(list)
    while place + 9 <= len(data):
        number, direction, size = struct.unpack_from("<IcI", data, place)
        pieces[number].append((direction.decode(), data[place + 9 : place + 9 + size]))
        place += 9 + size
    for connection in pieces.values():
        yield sum(len(piece) for _, piece in connection), messages_of(connection)


def messages_of(pieces):
    streams = {">": Stream(), "<": Stream()}
    for direction, piece in pieces:
        for text in streams[direction].take(piece):
            yield direction, text


def is_in_memory(path):
    """Whether a recording is of daemons in memory, as MessageRecord.swift names it."""
    return path.name.startswith("memory-")


class Messages:
    """What the suites have recorded. Of messages that differ by numbers alone one is looked at."""

    def __init__(self, schema, counts):
        self.schema, self.counts, self.seen = schema, counts, set()

    def is_new(self, *texts):
        shape = self.shape(*texts)
        if shape in self.seen:
            return False
        self.seen.add(shape)
        return True

    @staticmethod
    def shape(*texts):
        return hash(b"\0".join(texts).translate(None, IN_NUMBERS))

    def read(self, path):
        for size, messages in recorded(path):
            self.pair(path, size, messages)

    def pair(self, path, size, messages):
        """Pairs the requests of a connection with their answers."""
        asked, questions, unanswered = {}, set(), []
        is_refused = size >= MOST_BYTES
        for direction, text in messages:
            if text.startswith(STATE) and self.shape(b"", text) in self.seen:
                continue
            try:
                message = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if not isinstance(message, dict):
                continue
            identity = json.dumps(message.get("id"))
            if direction == ">":
                if "method" in message and not isinstance(message["method"], str):
                    continue
                if "id" in message and "method" in message:
                    asked[identity] = (message, text)
                elif "method" in message or identity in questions:
                    unanswered.append((message, text))
                continue
            # A bridge's own banner, another protocol's answer.
            if message.get("jsonrpc") != "2.0":
                continue
            if message.get("method") == "delegate.ask":
                questions.add(identity)
            if message.get("method") in ("error", "bye"):
                is_refused = True
                if "params" not in message:
                    continue
            request, own = asked.pop(identity, (None, b"")) if "method" not in message else (None, b"")
            if self.is_new(own, text):
                if request is not None and request["method"] not in self.schema.methods:
                    request = None
                hear(self.schema, request, message, path.name, self.counts)
        # Daemons in memory (MessageRecord.swift) are cut off at random by the simulation: there silence says nothing.
        if not is_refused and not path.name.startswith("memory-"):
            for message, text in unanswered:
                if self.is_new(text):
                    self.said(message, path.name)

    def said(self, message, where):
        """What a client said without being answered, and nobody complained about."""
        self.counts["said"] += 1
        if "result" in message:
            problems = self.schema.problems(
                "answer", self.schema.messages["delegate.ask"]["result"], message["result"]
            )
        elif message["method"] in self.schema.methods:
            problems = self.schema.params(message["method"], message.get("params", {}))
        else:
            problems = [f"there is no method {message['method']}"]
        for problem in problems:
            fail(f"{where}: the schema refuses what nobody complained about: {problem}: {json.dumps(message)[:300]}")


def validate(schema, conversation, place, counts):
    pending, case = {}, None
    for title, who, direction, message in conversation:
        if title != case:
            pending, case = {}, title
        if direction == ">":
            if isinstance(message.get("method"), str) and message["method"] in schema.methods and "id" in message:
                pending[who, json.dumps(message["id"])] = message
            continue
        request = pending.pop((who, json.dumps(message.get("id"))), None) if "method" not in message else None
        hear(schema, request, message, f"{place}: {title}", counts)


def hear(schema, request, message, where, counts):
    """A message of the daemon's, and the request that it answers."""
    counts["lines"] += 1
    known = {"jsonrpc", "id", "result", "error", "method", "params", "warnings"}
    if message.get("jsonrpc") != "2.0" or not set(message) <= known:
        fail(f"{where}: no envelope of the daemon's: {message}")
    if "method" in message:
        check(schema.message, message["method"], message.get("params"), where)
        if message["method"] == "error":
            named(schema, message["params"], where)
    elif "result" in message:
        answered(schema, request, message, where, counts)
    else:
        check(lambda _, value: schema.component("Error", value), "Error", message["error"], where)
        named(schema, message["error"], where)
        refused(schema, request, message["error"], where, counts)


def named(schema, error, where):
    """An error has the code of its name."""
    known = schema.document["components"]["errors"].get(error["data"]["name"], {}).get("code")
    if known != error["code"]:
        fail(f"{where}: {error['data']['name']} has the code {known}, not {error['code']}")


def check(problems, name, value, where):
    """A value of the daemon's is as it should be, and would not be with one member more anywhere on its top."""
    for problem in problems(name, value):
        fail(f"{where}: {name}: {problem}: {json.dumps(value)[:400]}")
    if not isinstance(value, dict) or name == "rpc.discover":
        return
    for path in closed(value, name):
        inside = value
        for step in path:
            inside = inside[step]
        inside["nobodyKnows"] = 1
        if not problems(name, value):
            fail(f"{where}: {name}: {path}: the schema takes a member that nobody knows")
        del inside["nobodyKnows"]


def closed(value, name):
    """Where in a message of the daemon's no other members may stand: on its top, and in the parts of a state."""
    yield []
    if name == "state":
        for index in range(len(value.get("drawers", []))):
            yield ["drawers", index]
            yield ["drawers", index, "frame"]
        for view in value.get("scrollViews", {}):
            yield ["scrollViews", view]
            yield ["scrollViews", view, "contentInset"]


def answered(schema, request, message, where, counts):
    if request is None:
        return
    # Null is as good as nothing.
    method, params = request["method"], {} if request.get("params") is None else request["params"]
    check(schema.result, method, message["result"], where)
    warnings = message.get("warnings", [])
    for problem in schema.component("Warnings", warnings):
        fail(f"{where}: warnings: {problem}")
    problems = schema.params(method, params)
    if any(warning["field"].startswith("params") for warning in warnings):
        counts["warned"] += 1
        if not problems:
            fail(f"{where}: the schema takes what was warned of: {json.dumps(request)[:300]}")
    else:
        counts["answered"] += 1
        for problem in problems:
            fail(f"{where}: the schema refuses what was answered: {problem}: {json.dumps(request)[:300]}")
        if isinstance(params, dict) and not schema.params(method, {**params, "nobodyKnows": 1}):
            fail(f"{where}: params of {method}: the schema takes a member that nobody knows")


def refused(schema, request, error, where, counts):
    if request is None or error["data"]["name"] != "invalidParams" or "expected" not in error["data"]:
        return
    if BEYOND.search(error["message"]):
        return
    counts["refused"] += 1
    if not schema.params(request["method"], request.get("params", {})):
        fail(f"{where}: the schema takes what was refused: {error['message']}: {json.dumps(request)[:300]}")


def read_share(schema, paths):
    """Reads some of what was recorded, in a process of its own; (counts, failures)."""
    global failures
    failures = 0
    counts = dict.fromkeys(COUNTED, 0)
    messages = Messages(schema, counts)
    for path in paths:
        messages.read(path)
    return counts, failures


def main():
    global failures
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("schema", nargs="?", type=Path, default=ROOT / "config/schema/openrpc.json")
    parser.add_argument("--messages", type=Path, help="a folder with what the suites have recorded")
    arguments = parser.parse_args()
    schema = Schema(arguments.schema)
    schema.check_itself()
    counts = dict.fromkeys(COUNTED, 0)
    least = {"lines": 500, "answered": 150, "warned": 5, "refused": 20}
    if arguments.messages:
        least = {"lines": 5000, "answered": 1000, "warned": 5, "refused": 100}
        paths = sorted(arguments.messages.glob("*.messages"))
        # `make check` starts no daemon but those in memory.
        if not all(is_in_memory(path) for path in paths):
            least["said"] = 50
        with concurrent.futures.ProcessPoolExecutor(SHARES) as pool:
            for share, failed in pool.map(read_share, [schema] * SHARES, [paths[first::SHARES] for first in range(SHARES)]):
                failures += failed
                for name, count in share.items():
                    counts[name] += count
    for folder in TEXTS:
        for path in sorted((ROOT / folder).glob("*.txt")):
            validate(schema, lines(path), path.name, counts)
    for folder in FRAMES:
        for path in sorted((ROOT / folder).glob("*.hex")):
            validate(schema, frames(path), path.name, counts)
    for name, number in least.items():
        if counts[name] < number:
            fail(f"only {counts[name]} {name}: the transcripts are not read as they are written")
    print(
        f"schema: {counts['lines']} lines of the daemon's, {counts['answered']} requests answered, {counts['warned']} warned of, "
        f"{counts['refused']} refused, {counts['said']} said: {'all as it says' if failures == 0 else f'{failures} differ'}"
    )
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
