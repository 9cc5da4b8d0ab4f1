#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes headerd-behaviors(7): what the plugins describe of themselves, and the laws in their README.md.

    headerctl plugin list --json | config/manual/behaviors.py > config/man/headerd-behaviors.7

The page's own text is in headerd-behaviors.7.in beside this file. A test checks that the page is current.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
PLUGINS = HERE.parent.parent / "Plugins"
ORDER = ["CollapsingHeader", "ShyNavBar", "FlexibleHeader", "FlexibleHeightBar", "StretchyHeader", "Keyframes"]


def escape(text):
    """Plain text as roff: no line begins with a control character, no character is an escape."""
    text = text.replace("\\", "\\e").replace("·", "\\(pc").replace("−", "\\(mi")
    text = text.replace("–", "\\(en").replace("≤", "\\(<=").replace("≥", "\\(>=").replace("×", "\\(mu")
    text = text.replace("→", "\\(->").replace("…", "\\[u2026]")
    return re.sub(r"^([.'])", r"\\&\1", text)


def inline(text):
    """A paragraph of Markdown: code is bold, emphasis italic, a link its text and address."""
    text = re.sub(r"\[([^\]]*)\]\((http[^)]*)\)", r"\1 (\2)", text)
    parts = re.split(r"(`[^`]*`|\*[^*]+\*)", text.strip())
    out = ""
    for part in parts:
        if part.startswith("`"):
            out += "\\fB" + escape(part[1:-1]).replace("'", "\\(aq") + "\\fR"
        elif part.startswith("*") and len(part) > 2:
            out += "\\fI" + escape(part[1:-1]) + "\\fR"
        else:
            out += escape(part)
    return re.sub(r"^([.'])", r"\\&\1", out)


def sentences(text):
    """A paragraph with a line for each sentence, as mdoc wants it."""
    return re.sub(r"(?<=[a-z0-9)`R][.:;]) (?=[A-Z\\])", "\n", inline(text))


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split(" | ")]


def table(rows):
    """A table as a list: the first cell is the tag, or, where it is a sentence, the item's first words."""
    head, body = cells(rows[0]), [cells(row) for row in rows[2:]]
    if head[0] in ("law", "what one sees"):
        yield ".Bl -bullet -compact"
        for row in body:
            yield ".It"
            yield sentences(row[0])
            for name, cell in list(zip(head, row))[1:]:
                if cell in ("ours", ""):
                    continue
                yield f"({name.capitalize()}: {inline(cell)}.)" if name == "source" else f"\\(en {inline(cell)}."
        yield ".El"
        return
    yield ".Bl -tag -width Ds"
    for row in body:
        yield ".It " + inline(row[0]).replace('"', "\\(dq")
        yield "; ".join(sentences(cell) for cell in row[1:] if cell)
    yield ".El"


def laws(name):
    """The plugin's README.md without its first heading."""
    lines = (PLUGINS / name / "README.md").read_text(encoding="utf-8").splitlines()[1:]
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
        elif line.startswith("## ") or line.startswith("### "):
            yield ".Ss " + name + ": " + inline(line.lstrip("# "))
            index += 1
        elif line.startswith("```"):
            end = lines.index("```", index + 1)
            yield ".Bd -literal -offset indent"
            yield from (escape(code) for code in lines[index + 1:end])
            yield ".Ed"
            index = end + 1
        elif line.startswith("|"):
            end = index
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            yield from table(lines[index:end])
            index = end
        elif line.startswith("- "):
            yield ".Bl -bullet -compact"
            while index < len(lines) and lines[index].strip():
                item = lines[index][2:]
                index += 1
                while index < len(lines) and lines[index].startswith("  "):
                    item += " " + lines[index].strip()
                    index += 1
                yield ".It"
                yield sentences(item)
            yield ".El"
        else:
            paragraph = ""
            while index < len(lines) and lines[index].strip() and not lines[index].startswith(("|", "#", "- ", "```")):
                paragraph += " " + lines[index].strip()
                index += 1
            yield ".Pp"
            yield sentences(paragraph)


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


def members(title, name, rows, describe):
    if not rows:
        return
    yield f".Ss {name}: {title}"
    yield ".Bl -tag -width Ds"
    for row in rows:
        yield f".It Cm {row['name']} \\(en {inline(describe(row))}" if describe(row) else f".It Cm {row['name']}"
        yield sentences(row["meaning"].rstrip(".") + ".")
        for argument in row.get("arguments", []):
            yield f"Argument \\fB{argument['name']}\\fR ({inline(facts(argument))}): {inline(argument.get('meaning', '')).rstrip('.')}."
    yield ".El"


def section(behavior):
    name = behavior["behavior"]
    yield ".Sh " + name.upper()
    yield sentences(behavior["summary"].rstrip(".") + ".")
    text = list(laws(name))
    first = next(index for index, line in enumerate(text) if line.startswith(".Ss"))
    yield from text[:first]
    yield from members("options", name, behavior["options"], facts)
    yield from members("calls", name, behavior["calls"], lambda row: "")
    yield from members("values", name, behavior["values"], facts)
    if behavior["notices"]:
        yield f".Ss {name}: notices"
        yield "It posts " + ", ".join(behavior["notices"]) + "."
    yield f".Ss {name}: events"
    yield "It hears " + ", ".join(behavior["events"]) + "."
    yield from text[first:]


def main():
    rows = [json.loads(line) for line in sys.stdin if line.strip()]
    found = {behavior["behavior"]: behavior for row in rows for behavior in row["behaviors"]}
    missing = [name for name in ORDER if name not in found]
    if missing:
        sys.exit("behaviors.py: no description of " + ", ".join(missing) + " in the input")
    text = (HERE / "headerd-behaviors.7.in").read_text(encoding="utf-8")
    body = "\n".join(line for name in ORDER for line in section(found[name]))
    # A paragraph directly below a heading needs no space above it.
    body = re.sub(r"(^\.S[sh] .*\n)\.Pp\n", r"\1", body, flags=re.MULTILINE)
    sys.stdout.write(text.replace("@behaviors@", body))


if __name__ == "__main__":
    main()
