#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Has the types that config/schema/bindings.py writes compiled, holds messages against them, and talks with a daemon by them.

    Tests/Schema/generated.py PROGRAMS

PROGRAMS is the folder of headerd and its plugins. The last line is "N passed, N failed".

- Go and TypeScript compile, TypeScript with --strict.
- Each message of the recorded conversations, both ways, is read by the Go types with unknown members refused, and written as it was;
  as TypeScript each is a value of its type.
- A publisher, renderer and delegate in each language says what it should of a header that it opens.
- The types of the JavaScript client are current, and those of the Python client agree with the schema.
"""
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / path) for path in ("Tests/Clients", "Tests/Schema", "Sources/Clients/Python")]
import headerd  # noqa: E402
import run as clients  # noqa: E402
import validate  # noqa: E402

HERE = ROOT / "Tests/Schema/generated"
FOLDER = ROOT / ".build/generated"
BINDINGS = ROOT / "config/schema/bindings.py"
# The bar has 44 points and the tabs 40: a scroll by 44 takes the tabs under the bar, and the bar by 4.
STATES = """\
state 2: navBar at -4
state 2: tabs at 0
"""
SAID = {
    "go": """\
protocol 1, 4 roles
state 1: navBar at 0
state 1: tabs at 44
judge at 1
asked about didScroll to -40
"""
    + STATES
    + """\
decided, seq 2
state 3: navBar at -44
state 3: tabs at -40
moves to 1
headerNotFound
closed
""",
    "typescript": """\
protocol 1, 4 roles
witness at 1
decided, seq 2
moves to 1
headerNotFound
state 1: navBar at 0
state 1: tabs at 44
witnessed didScroll to -40
"""
    + STATES
    + """\
state 3: navBar at -44
state 3: tabs at -40
closed
""",
}


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))[:200]}\n{done.stdout[-6000:]}"
    return done.stdout


def messages(schema):
    """The messages of the recorded conversations that the schema has, each shape once: {method, params or result, sent by the daemon}."""
    conversations = [validate.lines(path) for folder in validate.TEXTS for path in sorted((ROOT / folder).glob("*.txt"))]
    conversations += [validate.frames(path) for folder in validate.FRAMES for path in sorted((ROOT / folder).glob("*.hex"))]
    seen = set()
    for conversation in conversations:
        asked = {}
        for _, who, direction, message in conversation:
            key, method = (who, json.dumps(message.get("id"))), message.get("method")
            if direction == ">":
                if isinstance(method, str) and method in schema.methods and "id" in message:
                    asked[key] = message
                continue
            request = asked.pop(key, None) if method is None else None
            found = []
            if method in schema.messages and "params" in message:
                found.append({"method": method, "params": message["params"], "sent": True})
            elif "result" in message and request is not None:
                found.append({"method": request["method"], "result": message["result"], "sent": False})
                # What the daemon warned of is no parameter.
                if "warnings" not in message and isinstance(request.get("params"), dict):
                    found.append({"method": request["method"], "params": request["params"], "sent": False})
            for one in found:
                text = json.dumps(one)
                shape = re.sub(r"-?[0-9.]+(e-?[0-9]+)?", "0", text)
                if shape not in seen and one["method"] != "rpc.discover":
                    seen.add(shape)
                    yield one


def go(daemon, found):
    folder = FOLDER / "go"
    (folder / "protocol").mkdir(parents=True)
    (folder / "go.mod").write_text("module headerd\n\ngo 1.19\n")
    (folder / "protocol/protocol.go").write_text(run(BINDINGS, "go"))
    shutil.copy(HERE / "conversation.go", folder)
    environment = os.environ | {"GOCACHE": str(ROOT / ".build/go-cache"), "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    run("go", "vet", "./...", cwd=folder, env=environment)
    run("go", "build", "-o", "conversation", ".", cwd=folder, env=environment)
    held = run(folder / "conversation", input="".join(json.dumps(one) + "\n" for one in found))
    assert held == f"{len(found)} messages, 0 refused\n", held
    assert run(folder / "conversation", daemon.socket) == SAID["go"]


def typescript(daemon, found):
    folder = FOLDER / "typescript"
    shutil.copytree(ROOT / "Sources/Clients/JavaScript", folder)
    shutil.copy(HERE / "conversation.ts", folder / "conversation.mts")
    lines = ['import type { Messages, Methods } from "./messages.js";']
    for one in found:
        kind = "result" if "result" in one else "params"
        place = f'Messages["{one["method"]}"]' if one["sent"] else f'Methods["{one["method"]}"]["{kind}"]'
        lines.append(f"{{ const value: {place} = {json.dumps(one[kind])}; void value; }}")
    (folder / "messages-held.mts").write_text("\n".join(lines) + "\n")
    (folder / "globals.d.ts").write_text("declare const process: { argv: string[] };\n")
    run("tsc", "--strict", "--target", "es2022", "--module", "node16", "conversation.mts", "messages-held.mts", "globals.d.ts", cwd=folder)
    assert run("node", "conversation.mjs", daemon.socket, cwd=folder) == SAID["typescript"]


def types_of_clients(*_):
    for language, path in (("typescript", "JavaScript/messages.d.ts"), ("python", "Python/headerd/messages.py")):
        assert (ROOT / "Sources/Clients" / path).read_text() == run(BINDINGS, language), f"Sources/Clients/{path} is old: make manual"


def python_client(*_):
    """Each class of the Python client has members of its schema alone, and those that may be absent have a default or are optional."""
    parts = json.loads((ROOT / "config/schema/openrpc.json").read_text())["components"]["schemas"]
    renamed = {"first": "from", "last": "to"}
    pairs = {
        headerd.State: "State", headerd.Drawer: "StateDrawer", headerd.ScrollView: "StateScrollView", headerd.Gap: "GapParams",
        headerd.Closed: "ClosedParams", headerd.Opened: "HeaderOpenResult", headerd.Rect: "WrittenRect", headerd.Point: "WrittenPoint",
        headerd.Insets: "WrittenInsets",
    }  # fmt: skip
    plain = {str: "string", int: "integer", float: "number", bool: "boolean"}
    for kind, name in pairs.items():
        known, required = parts[name]["properties"], parts[name].get("required", [])
        hints = typing.get_type_hints(kind)
        members = {}
        for member, hint in hints.items():
            if kind is headerd.State and member == "params":
                continue
            word = renamed.get(member, re.sub(r"_(\w)", lambda match: match[1].upper(), member))
            assert word in known, f"{kind.__name__}.{member}: the schema has no {word} in {name}"
            members[word] = member
            if typing.get_origin(hint) is typing.Union:
                assert word not in required, f"{kind.__name__}.{member} is never absent"
                hint = typing.get_args(hint)[0]
            if typing.get_origin(hint) is typing.Literal:
                assert set(typing.get_args(hint)) == set(known[word]["enum"]), f"{kind.__name__}.{member}: {known[word]['enum']}"
            elif hint in plain:
                assert known[word].get("type") == plain[hint], f"{kind.__name__}.{member}: {known[word]}"
        missing = [word for word in required if word not in members]
        assert not missing, f"{kind.__name__} lacks {missing}"
    for kind in (headerd.Client, headerd.AsyncClient):
        taken = set(inspect.signature(kind.subscribe).parameters) - {"self", "headers", "resume"}
        words = {re.sub(r"_(\w)", lambda match: match[1].upper(), name) for name in taken}
        assert words <= {"options", *parts["SubscribeParams"]["properties"]}, words


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    shutil.rmtree(FOLDER, ignore_errors=True)
    found = list(messages(validate.Schema(ROOT / "config/schema/openrpc.json")))
    assert len(found) > 200, f"only {len(found)} messages: the transcripts are not read as they are written"
    passed = failed = 0
    with clients.Daemon(sys.argv[1]) as daemon:
        for part in (types_of_clients, python_client, go, typescript):
            try:
                part(daemon, found)
                passed += 1
            except AssertionError as error:
                failed += 1
                print(f"{part.__name__}: {error}", file=sys.stderr)
    print(f"{len(found)} messages\n{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
