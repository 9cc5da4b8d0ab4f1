#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds every recorded conversation of the tests against the schema of the protocol, and the schema against its own form.

usage: Tests/Schema/validate.py [config/schema/openrpc.json]

- The document has the form of OpenRPC 1.3, each of its schemas that of JSON Schema draft-07, and every reference leads somewhere.
- Each answer, error and message of the daemon is as its schema says, and would not be with one member more.
- The parameters of a request that was answered without warnings are as their schema says; those that brought a warning of an
  unknown member, or were refused for what they are, are not.
"""

import copy
import json
import re
import sys
from pathlib import Path

from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parent.parent.parent
TEXTS = ["Tests/HeaderServiceTests/Golden", "Tests/Integration/Golden"]
FRAMES = ["Tests/HeaderServiceTests/Golden/frames"]
# What a schema cannot say: refusals that compare members with each other or with what is there.
BEYOND = re.compile(
    r"there are two |above the|at most the maximumHeight|at least the minimumHeight|nothing to configure|it is missing, and "
    r"|belongs to|expected 0: with|above 0|in the chain, |events for the header had|params\.arguments\.|both are given|expected 1, got|has opened|\(nan|empty record"
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
                        "required": ["code", "message"],
                        "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
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
        """What is wrong with a value, or nothing."""
        if name not in self.validators:
            whole = {"allOf": [schema], "components": self.document["components"]}
            self.validators[name] = Draft7Validator(whole)
        return [f"{'.'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in self.validators[name].iter_errors(value)]

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


def validate(schema, conversation, place, counts):
    pending, case = {}, None
    for title, who, direction, message in conversation:
        if title != case:
            pending, case = {}, title
        where = f"{place}: {title}"
        if direction == ">":
            if isinstance(message.get("method"), str) and message["method"] in schema.methods and "id" in message:
                pending[who, json.dumps(message["id"])] = message
            continue
        counts["lines"] += 1
        known = {"jsonrpc", "id", "result", "error", "method", "params", "warnings"}
        if message.get("jsonrpc") != "2.0" or not set(message) <= known:
            fail(f"{where}: no envelope of the daemon's: {message}")
        request = pending.pop((who, json.dumps(message.get("id"))), None) if "method" not in message else None
        if "method" in message:
            check(schema.message, message["method"], message.get("params"), where)
        elif "result" in message:
            answered(schema, request, message, where, counts)
        else:
            check(lambda _, value: schema.component("Error", value), "Error", message["error"], where)
            refused(schema, request, message["error"], where, counts)


def check(problems, name, value, where):
    """A value of the daemon's is as it should be, and would not be with one member more anywhere on its top."""
    for problem in problems(name, value):
        fail(f"{where}: {name}: {problem}: {json.dumps(value)[:400]}")
    if not isinstance(value, dict) or name == "rpc.discover":
        return
    for path in closed(value, name):
        more = copy.deepcopy(value)
        inside = more
        for step in path:
            inside = inside[step]
        inside["nobodyKnows"] = 1
        if not problems(name, more):
            fail(f"{where}: {name}: {path}: the schema takes a member that nobody knows")


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
    method, params = request["method"], request.get("params", {})
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


def main():
    schema = Schema(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "config/schema/openrpc.json")
    schema.check_itself()
    counts = {"lines": 0, "answered": 0, "warned": 0, "refused": 0}
    for folder in TEXTS:
        for path in sorted((ROOT / folder).glob("*.txt")):
            validate(schema, lines(path), path.name, counts)
    for folder in FRAMES:
        for path in sorted((ROOT / folder).glob("*.hex")):
            validate(schema, frames(path), path.name, counts)
    for name, least in {"lines": 500, "answered": 150, "warned": 5, "refused": 20}.items():
        if counts[name] < least:
            fail(f"only {counts[name]} {name}: the transcripts are not read as they are written")
    print(
        f"schema: {counts['lines']} lines of the daemon's, {counts['answered']} requests answered, {counts['warned']} warned of, "
        f"{counts['refused']} refused: {'all as it says' if failures == 0 else f'{failures} differ'}"
    )
    return failures > 0


sys.exit(main())
