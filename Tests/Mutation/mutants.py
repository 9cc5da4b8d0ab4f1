# SPDX-License-Identifier: MIT
"""Finds small changes in Swift sources, and writes a file with several of them behind switches.

A change is found in one line that is whole by itself, and both forms stand in the file that is built:

    if count < limit {      →      if (_mutant(17) ? (count <= limit) : (count < limit)) {

so that one build has all of them, and a number chooses one. A line has one change at most. What cannot be switched so (declarations,
expressions over several lines, patterns) is not changed.
"""

import re
from dataclasses import dataclass

OPPOSITES = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
    "+": "-", "-": "+", "&+": "&-", "&-": "&+", "&&": "||", "||": "&&",
}  # fmt: skip
KINDS = {"<": "comparison", ">": "comparison", "=": "comparison", "!": "comparison", "+": "sign", "-": "sign"}
OPERATOR = re.compile(r" (<=|>=|<|>|===|!==|==|!=|&\+|&-|\+|-|&&|\|\|) ")
NUMBER = re.compile(r"(?<![\w.#$\"\\])(\d+)(?![\w.])")
PREFIX = re.compile(r"((?:try[?!]? |unsafe )*)(.*)$")
KEYWORDS = (
    "return let var if guard case default func init super self.init switch for while do defer throw break continue import "
    "private fileprivate package public internal static final class struct enum extension protocol typealias else repeat "
    "mutating override convenience lazy weak unowned nonisolated subscript deinit precondition preconditionFailure fatalError "
    "assert await yield indirect some any consume _"
).split()


@dataclass
class Mutant:
    """One change: `template` is the line with both forms, its switch's number left open."""

    file: str
    line: int
    kind: str
    before: str
    after: str
    template: str
    nth: int = 0

    @property
    def id(self) -> str:
        """What stays the same when lines move."""
        return f"{self.file}|{self.kind}|{self.before}|{self.after}|{self.nth}"


def masked(line: str) -> str | None:
    """The line with texts and comments blanked out, None if a text goes on."""
    if '"""' in line or '#"' in line:
        return None
    out, inside, depth, index = [], False, 0, 0
    while index < len(line):
        char = line[index]
        if not inside and line.startswith("//", index):
            out.append(" " * (len(line) - index))
            break
        if inside and char == "\\":
            if line.startswith("\\(", index):
                depth += 1
            out.append("  ")
            index += 2
            continue
        if inside and depth:
            depth += {"(": 1, ")": -1}.get(char, 0)
            if char == '"':
                return None
            out.append(" ")
        elif char == '"':
            inside = not inside
            out.append('"')
        else:
            out.append("_" if inside else char)
        index += 1
    return None if inside else "".join(out)


def is_balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(char, 0)
        if depth < 0:
            return False
    return depth == 0


def clauses(text: str) -> list[tuple[int, int]]:
    """The places of a condition's clauses, which commas part."""
    found, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(char, 0)
        if char == "," and depth == 0:
            found.append((start, index))
            start = index + 2
    return found + [(start, len(text))]


def variants(text: str, mask: str) -> list[tuple[str, str]]:
    """The forms that an expression may take, each with its kind."""
    found = []
    for match in OPERATOR.finditer(mask):
        old = match.group(1)
        new = text[: match.start(1)] + OPPOSITES[old] + text[match.end(1) :]
        found.append(("connective" if old in ("&&", "||") else KINDS.get(old.lstrip("&")[:1], "sign"), new))
    for match in NUMBER.finditer(mask):
        new = text[: match.start(1)] + str(int(match.group(1)) + 1) + text[match.end(1) :]
        found.append(("constant", new))
    if text in ("true", "false"):
        found.append(("constant", "false" if text == "true" else "true"))
    return found


def switched(head: str, text: str, new: str, tail: str) -> str:
    """A line whose expression is one of two."""
    prefix, core = PREFIX.match(text).groups()
    return f"{head}{prefix}(_mutant(@) ? ({PREFIX.match(new).group(2)}) : ({core})){tail}"


def of_condition(line: str, mask: str) -> list[tuple[str, str, str]]:
    match = re.match(r"(\s*(?:\} else )?(?:if|guard) )(.+?)( else \{| \{)(?=\s|$)", mask)
    if not match or not is_balanced(match.group(2)):
        return []
    head, tail = match.end(1), match.end(2)
    parts = clauses(match.group(2))
    found = []
    for start, end in parts:
        text, hidden = line[head + start : head + end], mask[head + start : head + end]
        if re.search(r"\b(let|var|case|in)\b|[{}#]", hidden) or not text.strip():
            continue
        forms = variants(text, hidden)
        prefix, core = PREFIX.match(text).groups()
        forms.append(("condition negated", f"{prefix}!({core})"))
        if len(parts) == 1 and mask.rstrip().endswith("}") and "return" in mask[tail:]:
            forms.append(("early return removed", prefix + ("true" if "guard " in line[:head] else "false")))
        for kind, new in forms:
            found.append((kind, new, switched(line[: head + start], text, new, line[head + end :])))
    return found


def of_expression(line: str, mask: str) -> list[tuple[str, str, str]]:
    """`return …`, `let x = …`, `x = …`, and bodies of one line."""
    patterns = [
        r"(\s*return )(.+)()$",
        r"(\s*(?:private |static |let |var )*(?:let|var) \w+(?:: [\w?\[\].]+)? = )(.+)()$",
        r"(\s+[\w.\[\]]+ = )(.+)()$",
        r"(.*\b(?:func|var)\b[^{]*\{ )([^{}]+)( \})$",
    ]
    for pattern in patterns:
        match = re.match(pattern, mask.rstrip())
        if not match or not is_balanced(match.group(2)) or "{" in match.group(2) or "return " in match.group(2):
            continue
        if match.group(2).startswith(("switch ", "if ", "[", "#")):
            return []
        head, tail = match.end(1), match.end(2)
        text = line[head:tail]
        return [
            (kind, new, switched(line[:head], text, new, line[tail:]))
            for kind, new in variants(text, mask[head:tail])
        ]
    return []


def of_statement(line: str, mask: str, before: str, after: str) -> list[tuple[str, str, str]]:
    """A call or an assignment that may be left out, or adds in place of subtracting."""
    text = mask.strip()
    word = re.match(r"[\w.]*", PREFIX.match(text).group(2)).group(0)
    if not re.fullmatch(r"(?:try |unsafe )*[\w.\[\]?!]+(?:\(.*\)|\(.*\)\.\w+\(.*\)| [-+*/&|]?=+ .+)", text) or " == " in text:
        return []
    if word.split(".")[0] in KEYWORDS and not word.startswith("self.") or word.startswith(("super.init", "self.init", ".")):
        return []
    # That is an initializer, which has to set everything.
    if re.fullmatch(r"(?:unsafe )?self\.(\w+) = \1", text):
        return []
    is_call = " = " not in text and "+= " not in text and "-= " not in text
    if not before.endswith(("{", "}", ")", ":")) and not re.search(r"[\w\])\"]$", before):
        return []
    if is_call and before.endswith("{") and after.startswith("}"):
        return []
    indent, core = re.match(r"(\s*)(.*)$", line).groups()
    core = core.split(" //")[0]
    found = [("statement removed", "", f"{indent}if !_mutant(@) {{ {core} }}")]
    for old, new in ((" += ", " -= "), (" -= ", " += ")):
        if old in text:
            other = core.replace(old, new, 1)
            found.append(("sign", other, f"{indent}if _mutant(@) {{ {other} }} else {{ {core} }}"))
    return found


def find(file: str, source: str) -> list[Mutant]:
    """All changes of a file."""
    lines = source.split("\n")
    masks = [masked(line) for line in lines]
    found: list[Mutant] = []
    seen: dict[str, int] = {}
    is_text = False
    for index, line in enumerate(lines):
        if line.count('"""') % 2 == 1:
            is_text = not is_text
        mask = masks[index]
        if is_text or mask is None or not mask.strip() or "_mutant" in line or line.strip().startswith("@"):
            continue
        before = next((masks[i].rstrip() for i in range(index - 1, -1, -1) if masks[i] and masks[i].strip()), "")
        after = next((masks[i].strip() for i in range(index + 1, len(lines)) if masks[i] and masks[i].strip()), "")
        # The line's expression goes on, or it goes on with another line's.
        if re.match(r"[.?:&|+\-*/<>=]", after) or re.search(r"([=(\[,?:&|+\-*/<>]|\breturn|\\)$", mask.rstrip()):
            continue
        if re.search(r"([=(\[,?&|+\-*/<>]|\breturn)$", before) or re.match(r"\s*[.?:&|+\-*/<>]", mask):
            continue
        changes = of_condition(line, mask) or of_expression(line, mask)
        if is_balanced(mask):
            changes = changes + of_statement(line, mask, before, after)
        for kind, new, template in changes:
            mutant = Mutant(file, index + 1, kind, line.strip(), new.strip(), template)
            mutant.nth = seen.get(mutant.id, 0)
            seen[mutant.id] = mutant.nth + 1
            mutant_key = f"{file}|{kind}|{mutant.before}|{mutant.after}|0"
            if mutant.nth:
                seen[mutant_key] = mutant.nth + 1
            found.append(mutant)
    return found


def with_switches(source: str, chosen: list[tuple[int, Mutant]]) -> str:
    """The file with both forms of the lines that have a change."""
    lines = source.split("\n")
    for number, mutant in chosen:
        lines[mutant.line - 1] = mutant.template.replace("@)", f"{number})")
    return "\n".join(lines)
