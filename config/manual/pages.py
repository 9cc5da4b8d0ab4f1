#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the man pages that are made: from a page's own text (NAME.in beside this file), what plugins and the schema of the protocol
describe, the plugins' README.md and LAWS.md, and the examples that examples.py has computed.

    headerctl plugin list --offline --json | config/manual/pages.py FOLDER

In a page's text @contents@ is a table of the sections behind it, with what a comment right below a heading says of it. @NAME@ is the
table of that name below, and @members OF.MEMBER@ has the members that the schema knows of a method's result, a message or a part of
them; @error NAME@ and @notice NAME@ are items of lists, from the schema and from the code that posts the notice. Each behavior has a
page of its own, CollapsingHeader two. A test checks that the pages are current.
"""
import json
import pathlib
import re
import sys
import tomllib

from mdoc import blocks, inline, sentences

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
LAWS = "Plugins/CollapsingHeader/LAWS.md"
BEHAVIORS = ["CollapsingHeader", "ShyNavBar", "FlexibleHeader", "FlexibleHeightBar", "StretchyHeader", "Keyframes"]
# What one wants of a header, and the presets that do it.
GOALS = {
    "Stays, or shrinks to its least height and stays": [
        "compose-pinned", "flutter-pinned", "app-bar-exit-until-collapsed"],
    "Leaves, and comes back at the content's top only": [
        "flutter-scrolling", "app-bar-scroll", "compose-exit-until-collapsed", "ios-large-title"],
    "Leaves, and comes back with any movement down": [
        "compose-enter-always", "app-bar-enter-always", "flutter-floating", "flutter-pinned-floating", "app-bar-enter-always-collapsed",
        "gt-scroll-bar"],
    "Comes to rest at an end when the finger lifts": [
        "am-scrolling-navbar", "app-bar-snap", "app-bar-snap-margins", "flutter-floating-snap", "flutter-pinned-floating-snap"],
    "Shows or hides all of it with one movement": ["headroom", "react-headroom", "ios-hides-bars-on-swipe"],
    "Grows with a pull": ["flutter-stretch", "gsk-stretchy-header"],
    "Hangs at the bottom": ["compose-exit-always-bottom", "ios-tab-bar-minimize", "safari-bottom-bar"],
    "Has bars at both ends that share one movement": ["chromium-browser-controls"],
    "Moves as a block, to which each drawer belongs as its flags say": ["app-bar"],
}  # fmt: skip
# The pages of the protocol as a reader goes through them, and the messages that each explains.
PROTOCOL = {
    "headerd-connection": ["hello", "ping", "rpc.discover", "error", "bye", "durability"],
    "headerd-headers": [f"header.{name}" for name in ("open", "close", "list", "get", "configure", "call")],
    "headerd-events": ["event"],
    "headerd-states": ["subscribe", "unsubscribe", "state", "gap", "closed"],
    "headerd-position": [f"header.{name}" for name in ("move", "constrain", "release", "reveal")],
    "headerd-delegates": [
        *(f"delegate.{name}" for name in ("add", "remove", "move", "configure", "shadow", "promote")), "delegate.event", "delegate.ask"],
    "headerd-recordings": [
        "trace.start", "trace.stop", "trace", *(f"plugin.{name}" for name in ("list", "load", "unload", "reload"))],
    "headerd-stats": ["stats", "header.explain"],
}  # fmt: skip
DATE = "November 26, 2026"
# What examples.py has computed, by behavior, section and rule.
EXAMPLES = json.loads((HERE / "examples.json").read_text(encoding="utf-8"))


def value(given):
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def facts(member):
    """Type, unit, default and range of an option or an argument."""
    found = [" | ".join(member["cases"]) if "cases" in member else member["type"]]
    if member.get("nullable"):
        found[0] += " or null"
    if "unit" in member:
        found.append(member["unit"])
    if "default" in member:
        found.append("default " + value(member["default"]))
    low, high = member.get("minimum"), member.get("maximum")
    if low is not None and high is not None:
        found.append(f"{value(low)} to {value(high)}")
    elif low is not None or high is not None:
        found.append(f"at least {value(low)}" if high is None else f"at most {value(high)}")
    return ", ".join(found)


# What is in a page


# A section's rank, its title, and the comment below its heading.
SECTION = re.compile(r"^\.(S[hs]) (.*)\n(?:\.\\\" (.*)\n)?", flags=re.MULTILINE)


def contents(text):
    """The sections of a page's text, each with the comment below its heading."""
    rows = [(rank, title, about) for rank, title, about in SECTION.findall(text) if title not in ("NAME", "DESCRIPTION", "SEE ALSO")]
    width = min(max(len(title) for _, title, _ in rows), 32)
    yield ".Pp"
    yield f".Bl -tag -width {'x' * width} -compact"
    for _, title, about in rows:
        yield f".It Sx {title}"
        if about:
            yield about
    yield ".El"
    if not text.startswith((".Sh", ".Pp")):
        yield ".Pp"


def page(text, tables):
    """A page's text with its tables."""

    def table(match):
        name, argument = match.groups()
        return match[0] if name == "contents" else "\n".join(tables[name](argument) if argument else tables[name]())

    text = re.sub(r"^@(\w+)(?: ([\w.]+))?@$", table, text, flags=re.MULTILINE)
    before, mark, after = text.partition("@contents@\n")
    text = before + "".join(f"{line}\n" for line in contents(after) if mark) + after
    # A paragraph directly below a heading needs no space above it, one before a heading none at all.
    text = re.sub(r"(^\.S[sh] .*\n(?:\.\\\".*\n)?)\.Pp\n", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"^\.Pp\n(?=\.S[sh] )", "", text, flags=re.MULTILINE)


# The protocol


class Schema:
    """The schema of the protocol, as tables."""

    def __init__(self, document):
        self.document = document
        self.parts = document["components"]["schemas"]
        self.roots = {method["name"]: method["result"]["schema"] for method in document["methods"]}
        self.roots |= {message["name"]: message.get("params") for message in document["x-messages"]}
        self.roots |= self.parts
        text = json.dumps(document)
        # Records that stand in one place alone are explained there.
        self.inline = {name for name in self.parts if text.count(f'"#/components/schemas/{name}"') == 1}

    def inner(self, schema):
        """What a schema is about: of a list or a record by free names its entries, of a reference what that has."""
        while True:
            if "$ref" in schema:
                schema = self.parts[schema["$ref"].rpartition("/")[2]]
            elif "items" in schema:
                schema = schema["items"]
            elif isinstance(schema.get("additionalProperties"), dict):
                schema = schema["additionalProperties"]
            else:
                return schema

    def kind(self, schema):
        """The type of a member in a word or two."""
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            if name in self.inline:
                return "record"
            name = name.removeprefix("Written")
            return name.lower() if name in ("Point", "Insets", "Rect", "State", "Error", "Motion") else name
        if "oneOf" in schema:
            return " | ".join(self.kind(choice) for choice in schema["oneOf"])
        if "enum" in schema:
            return " | ".join(map(value, schema["enum"]))
        if isinstance(schema.get("type"), list):
            return " | ".join(self.kind({**schema, "type": word}) for word in schema["type"])
        if schema.get("type") == "array":
            return f"list of {self.kind(schema['items'])}"
        if isinstance(schema.get("additionalProperties"), dict):
            return f"{self.kind(schema['additionalProperties'])} by name"
        plain = {"object": "record", "string": "text", "boolean": "bool"}.get(schema.get("type"), schema.get("type", "any"))
        return schema.get("x-unit", plain)

    def members(self, path):
        """The members of what a path leads to, with theirs where these have a meaning as well."""
        name = max((root for root in self.roots if f"{path}.".startswith(f"{root}.")), key=len)
        schema = self.inner(self.roots[name])
        for member in filter(None, path[len(name) + 1 :].split(".")):
            schema = self.inner(schema["properties"][member])
        yield from self.table(schema)

    def table(self, schema):
        yield ".Bl -tag -width Ds -compact"
        for name, member in schema["properties"].items():
            absent = "" if name in schema.get("required", []) else ", may be absent"
            yield f".It Cm {name} Pq {inline(self.kind(member))}{absent}"
            yield sentences(member.get("description", "")[:1].upper() + member.get("description", "")[1:]) + "."
            target = member
            while "$ref" not in target and ("items" in target or isinstance(target.get("additionalProperties"), dict)):
                target = target.get("items") or target["additionalProperties"]
            if target.get("$ref", "").rpartition("/")[2] in self.inline:
                yield from self.table(self.inner(target))
        yield ".El"

    def events(self):
        """What each kind of event has beside the members of all."""
        known = {word: self.inner({"$ref": target}) for word, target in self.parts["Event"]["discriminator"]["mapping"].items()}
        common = set.intersection(*(set(schema["properties"]) for schema in known.values()))
        yield ".Bl -tag -width Ds -compact"
        for name, schema in known.items():
            required = schema["required"]
            own = [member for member in schema["properties"] if member not in common or member in required and member != "event"]
            if own:
                yield f".It Cm {name}"
                yield " ,\n".join(f".Cm {member}" + (" No (required)" if member in required else "") for member in own)
        yield ".El"
        yield ".Pp"
        plain = [name for name, schema in known.items() if set(schema["properties"]) == common and schema["required"] == ["event"]]
        yield "No members of their own have"
        yield " ,\n".join(f".Cm {name}" for name in plain) + " ."

    def error(self, name):
        """An error, its code, and whether the same request may be sent again, as the item of a list."""
        error = self.document["components"]["errors"][name]
        yield f".It Cm {name} Pq \\-{-error['code']} , Em {error['x-retry']}"

    def pages(self, texts):
        """The pages of the protocol, each with the messages that it explains: a request's roles, or to whom the daemon sends it."""
        rows = []
        for method in self.document["methods"]:
            roles = method["x-role"]
            rows.append((method["name"], {0: "none", 4: "any"}.get(len(roles), ", ".join(roles)), method["summary"]))
        rows += [(message["name"], f"to {message['x-to']}", message["summary"]) for message in self.document["x-messages"]]
        assert {row[0] for row in rows} == {name for names in PROTOCOL.values() for name in names}, "each message has its page"
        for page, names in PROTOCOL.items():
            yield ".Pp"
            yield f".Xr {page} 7 :"
            yield re.search(r"^\.Nd (.*)$", texts[f"{page}.7"], re.M)[1]
            yield '.Bl -column -offset 2n "delegate.configure" "to subscribers" "opens a header"'
            yield from (f'.It Cm {name} Ta "{role}" Ta "{summary}"' for wanted in names for name, role, summary in rows if name == wanted)
            yield ".El"


# Notices


def arguments(folder):
    """The arguments of notices by name, from the code that posts them: lists of pairs in plugins, records in the daemon."""
    found = {}
    for path in sorted((ROOT / folder).rglob("*.swift")):
        text = path.read_text(encoding="utf-8")
        for name, given in re.findall(r'\.(\w+)(?:\.post\(|, of: [^\n]*?,|,)\s*(?:arguments: )?\[(\s*["(][^\[\]]*)\]', text):
            found[name] = re.findall(r'(?:\(|^|\s)"(\w+)"(?:,|:)', given)
    return found


def notice(name):
    """A notice of the daemon with its arguments, as the item of a list."""
    yield f".It Cm {name} Pq Cm " + " , ".join(arguments("Sources/HeaderCore")[name])


# Behaviors


def members(rows, describe, examples=None):
    yield ".Bl -tag -width Ds"
    for row in rows:
        yield f".It Cm {row['name']} \\(en {inline(describe(row))}" if describe(row) else f".It Cm {row['name']}"
        yield sentences(row["meaning"].rstrip(".") + ".")
        if row["name"] in (examples or {}):
            yield from (".br", inline(examples[row["name"]]))
        for argument in row.get("arguments", []):
            yield f"Argument \\fB{argument['name']}\\fR ({inline(facts(argument))}): {inline(argument.get('meaning', '')).rstrip('.')}."
    yield ".El"


def grouped(options):
    """Options by what they need, which their meaning begins with: the condition, and the options without it."""
    groups = {}
    for option in options:
        match = re.match(r'With (\w+ = "\w+"): (.)', option["meaning"])
        meaning = match[2].upper() + option["meaning"][match.end():] if match else option["meaning"]
        groups.setdefault(match[1] if match else "", []).append(option | {"meaning": meaning})
    return groups


def summary(rows):
    """Options in a table, a line each. A list, since roff cannot break the cells of a table."""
    yield f".Bl -tag -width {'x' * min(max(len(row['name']) for row in rows), 33)} -compact"
    for row in rows:
        yield f".It Cm {row['name']}"
        yield inline(facts(row))
    yield ".El"


def options(rows, examples):
    groups = grouped(rows)
    yield ".Sh OPTIONS"
    yield f'.\\" {len(rows)}, with type, unit, default and range'
    for condition, group in groups.items():
        if condition:
            yield ".Pp"
            yield f"With \\fB{condition}\\fR, else they do nothing and the log says so:"
        yield from summary(group)
    for condition, group in groups.items():
        if len(groups) > 1:
            yield f".Ss Options of {condition}".replace('"', "") if condition else ".Ss Options of every header"
        yield from members(group, facts, examples)


def with_examples(lines, examples):
    """A document in which the items of its tables have their examples, by section and the item's first word."""
    section, example = "", None
    for line in lines:
        if line.startswith((".It", ".El")) and example:
            yield from (".br", inline(example))
            example = None
        if heading := re.match(r"\.Sh (.*)", line):
            section = heading[1]
        elif item := re.match(r"\.It \\fB(\w+)\\fR", line):
            example = examples.get(section, {}).get(item[1])
        yield line


def examples(name):
    """The installed examples that have the behavior, with the sentence that each begins with."""
    yield ".Sh EXAMPLES"
    yield "In the examples that are installed with headerd:"
    yield ".Bl -tag -width Ds"
    for path in sorted((ROOT / "config/examples").glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if f'behavior = "{name}"' in text:
            comment = re.match(r"((?:# .*\n)+)", text)[1]
            yield f".It Pa {path.name}"
            yield sentences(re.sub(r"\n?# ", " ", comment).strip())
    yield ".El"


def document(path):
    """The text of a README.md or the like as mdoc, below its first heading."""
    return list(blocks((ROOT / path).read_text(encoding="utf-8").splitlines()[1:]))


def head(name, about, made):
    yield '.\\" SPDX-License-Identifier: MIT'
    yield f'.\\" Made by config/manual/pages.py from {made}.'
    yield f".Dd {DATE}"
    yield f".Dt {name.upper()} 7"
    yield ".Os headerd"
    yield ".Sh NAME"
    yield f".Nm {name}"
    yield f".Nd {about}"
    yield ".Sh DESCRIPTION"
    yield "@contents@"


def behavior(found):
    name = found["behavior"]
    path = f"Plugins/{name}/README.md"
    computed = EXAMPLES.get(name, {})
    laws = list(with_examples(document(path), computed))
    first = next(index for index, line in enumerate(laws) if line.startswith(".Sh"))
    yield from head(f"headerd-{name.lower()}", sentences(found["summary"].rstrip(".")), f"what the plugin describes and {path}")
    yield from laws[:first]
    if computed:
        yield ".Pp"
        yield "Examples have a drawer of 64 points, or of the heights that they name, over content of 3000 in a view of 800."
        yield "A finger moves the content"
        yield ".Em up"
        yield "and"
        yield ".Em down"
        yield "by points, or"
        yield ".Em offers"
        yield "the movement first, and"
        yield ".Em lifts ;"
        yield "the numbers behind the colon are those after each step."
    yield from options(found["options"], computed.get("OPTIONS", {}))
    if found["calls"]:
        yield ".Sh CALLS"
        yield f'.\\" {len(found["calls"])}, for header.call'
        yield from members(found["calls"], lambda row: "")
    if found["values"]:
        yield ".Sh VALUES"
        yield f'.\\" {len(found["values"])}, in states'
        yield from members(found["values"], facts)
    yield ".Sh NOTICES AND EVENTS"
    if found["notices"]:
        given = arguments(f"Plugins/{name}")
        posted = (name + (f" ({', '.join(given[name])})" if given.get(name) else "") for name in found["notices"])
        yield "It posts " + ", ".join(posted) + "."
    yield "It hears " + ", ".join(found["events"]) + "."
    yield from laws[first:]
    yield from examples(name)
    yield ".Sh SEE ALSO"
    yield ".Xr headerctl 1 ,"
    yield ".Xr headerd.toml 5 ,"
    yield ".Xr headerd-behaviors 7"


def collapsing_laws():
    yield from head("headerd-collapsinglaws", "what the drawers of a CollapsingHeader do together, and headers of other systems", LAWS)
    yield from document(LAWS)
    yield ".Sh SEE ALSO"
    yield ".Xr headerd-behaviors 7"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr if sys.argv[1:] != ["--help"] else sys.stdout)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    rows = [json.loads(line) for line in sys.stdin if line.strip()]
    found = {behavior["behavior"]: behavior for row in rows for behavior in row["behaviors"]}
    missing = [name for name in BEHAVIORS if name not in found]
    if missing:
        sys.exit("pages.py: no description of " + ", ".join(missing) + " in the input")

    def summaries():
        yield ".Bl -tag -width Ds"
        for name in BEHAVIORS:
            yield f".It Xr headerd-{name.lower()} 7"
            yield sentences(found[name]["summary"].rstrip(".") + ".")
        yield ".El"

    def presets():
        shipped = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "config/presets").glob("*.toml")}
        assert sorted(shipped) == sorted(name for names in GOALS.values() for name in names), "each preset has one goal"
        for goal, names in GOALS.items():
            yield f".Ss {goal}"
            yield ".Bl -tag -width Ds"
            for name in names:
                yield f".It Cm {name}"
                yield sentences(shipped[name]["summary"].rstrip(".") + ".")
            yield ".El"

    def keys():
        """Each key of the config as config/headerd.toml has it: what it is if absent, and whether it takes effect at the next start."""
        table, comment = "", ""
        yield '.Bl -column "plugins.headersPerProcess" "{ default = none }" "restart"'
        yield '.It Sy key Ta Sy default Ta Sy "takes effect at"'
        for line in (ROOT / "config/headerd.toml").read_text(encoding="utf-8").splitlines():
            if heading := re.fullmatch(r"\[(\w+)\]", line):
                table = heading[1] + "."
            elif key := re.match(r"(\w+) = ([^#]*)", line):
                default = key[2].strip().replace('"', "\\(dq")
                yield f".It Cm {table}{key[1]} Ta {default} Ta {'restart' if '[restart]' in comment + line else 'SIGHUP'}"
            comment = comment + line if line.startswith("#") else ""
        yield ".El"

    schema = Schema(json.loads((ROOT / "config/schema/openrpc.json").read_text(encoding="utf-8")))
    own = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.in"))}
    tables = {
        "behaviors": summaries, "presets": presets, "keys": keys, "members": schema.members, "error": schema.error, "notice": notice, "events": schema.events, "pages": lambda: schema.pages(own)}  # fmt: skip
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    made = {f"headerd-{name.lower()}.7": "\n".join(behavior(found[name])) + "\n" for name in BEHAVIORS}
    made["headerd-collapsinglaws.7"] = "\n".join(collapsing_laws()) + "\n"
    for name, text in (made | own).items():
        (folder / name).write_text(page(text, tables), encoding="utf-8")


if __name__ == "__main__":
    main()
