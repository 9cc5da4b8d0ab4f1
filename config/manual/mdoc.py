# SPDX-License-Identifier: MIT
"""Markdown as mdoc(7), as far as the documents of headerd use it."""
import re


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


def has_sentences(head):
    """Whether the rows below this first row of a table are sentences: laws, with what else is said of them."""
    return cells(head)[0] in ("law", "what one sees")


def table(rows):
    """A table as a list: the first cell is the tag, or, where it is a sentence, the item's first words."""
    head, body = cells(rows[0]), [cells(row) for row in rows[2:]]
    if has_sentences(rows[0]):
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


def blocks(lines):
    """A document below its first heading, line by line: ## is a section of the page, ### a part of one."""
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip():
            index += 1
        elif line.startswith("## "):
            yield ".Sh " + inline(line[3:]).upper()
            index += 1
        elif line.startswith("<!-- "):
            # What a section has, for the contents of the page.
            yield f'.\\" {line[5:-4]}'
            index += 1
        elif line.startswith("### "):
            yield ".Ss " + inline(line[4:])
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
            while index < len(lines) and lines[index].strip() and not lines[index].startswith(("|", "#", "- ", "```", "<!-- ")):
                paragraph += " " + lines[index].strip()
                index += 1
            yield ".Pp"
            yield sentences(paragraph)
