#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes static HTML of the man pages, the guides and the README files, with a search that needs no server.

usage: site.py FOLDER

Man pages are rendered by mandoc, the others by Python-Markdown. Fails if a link of a page leads nowhere. Pages can be read without
scripts; search.js alone is one. Exit status: 0 made, 1 a page or a link is wrong, 2 wrong usage.
"""
import functools
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.parse

import markdown

from gallery import subjects

# The README.md of each is in a page of its own.
from pages import BEHAVIORS, LAWS, PROTOCOL, SECTION

ROOT = pathlib.Path(__file__).resolve().parents[2]
GALLERY = "config/manual/gallery/index"
QUESTIONS = "headerd-questions.7"
STYLE = pathlib.Path(__file__).with_name("site")
# Groups of the navigation, and what is in each: man pages by name and section, README files by path.
GROUPS = {
    "Start": ["README.md", GALLERY, *(f"config/manual/guides/{name}.md" for name in ("tutorial", "tutorial-behavior", "ideas")), QUESTIONS, "headerctl.1",
              "headerctl-behaviors.1", "headerctl-recordings.1"],
    "How to": [str(path.relative_to(ROOT)) for path in sorted((ROOT / "config/manual/guides").glob("howto-*.md"))],
    "Behaviors": ["headerd-behaviors.7", "headerd-collapsingheader.7", "headerd-collapsinglaws.7"] + [f"headerd-{name.lower()}.7" for name in BEHAVIORS[1:]],
    "Protocol": [f"headerd-{name}.7" for name in (
        "protocol", "connection", "headers", "events", "states", "position", "delegates", "recordings", "stats")] + ["header_wire.h"],
    "Clients": [f"Sources/{name}/README.md" for name in (
        "Clients/JavaScript", "Clients/Python", "Clients/GTK", "Clients/Qt", "Clients/Textual", "Clients/C", "Clients/Rust", "HeaderClient")],
    "Write a behavior": ["headerd-plugin.7", "header_plugin.h"],
    "Run": ["headerd.8", "headerd.toml.5", "headerd-journal.7", "headerd-web.8", "headerd-nats.8", "headerd-nats.7", "SECURITY.md"],
    "Contribute": ["CONTRIBUTING.md", "Sources/README.md", "Tests/README.md", "Tests/Conformance/NEIGHBORS.md", "CHANGELOG.md"],
}  # fmt: skip
MAN = sorted(path.name for path in (ROOT / "config/man").iterdir())
PICTURES = sorted((ROOT / "config/examples").glob("*.svg"))
# Headers in C that man pages name; each is a page of its own.
HEADERS = {path.name: path for path in (ROOT / "Sources/CHeaderPlugin/header_plugin.h", ROOT / "Sources/CHeaderWire/header_wire.h")}


class Page:
    """A page of the site: its source, its file name, its title and its HTML."""

    def __init__(self, source):
        self.source = source
        if source in MAN:
            self.name = f"{source}.html"
            self.title = re.sub(r"\.(\d)$", r"(\1)", source)
            self.body = f"<h1>{self.title}</h1>" + run(["mandoc", "-Thtml", "-O", "fragment,toc,man=%N.%S.html", str(ROOT / "config/man" / source)])
            if source == QUESTIONS:
                self.body = re.sub(r"<dt>(.*?)</dt>", lambda term: f'<dt id="{slug(text_of(term[1]))}">{term[1]}</dt>', self.body, flags=re.S)
            described = re.search(r'class="Nd">(.*?)</span>', self.body, re.S)
            self.about = " ".join(text_of(described[1]).split()) if described else ""
            return
        parts = pathlib.PurePath(source).with_suffix("").parts
        named = [part for part in parts if part not in ("README", "Sources", "Clients", "config", "manual", "guides")]
        self.name = "-".join(named or parts[:-1] or ["readme"]).lower() + ".html"
        text = (ROOT / source).read_text()
        converter = markdown.Markdown(extensions=["tables", "fenced_code", "toc", "sane_lists"])
        self.body = converter.convert(text)
        heading = re.search(r"^# (.+)$", text, re.M)
        self.title = "/".join(named) if named and source.startswith("Sources/Clients") else heading[1]
        paragraph = re.search(r"<p>(.*?)</p>", self.body, re.S)
        about = " ".join(text_of(paragraph[1]).split()) if paragraph else ""
        self.about = re.sub(r":$", ".", re.split(r"(?<=[.:]) ", about)[0])


class Header:
    """A header in C: a section for each of its parts, in the comment above it and below."""

    def __init__(self, source):
        self.source = self.title = source
        self.name = f"{source}.html"
        text = HEADERS[source].read_text()
        self.about = re.search(rf"^ \* {source}: (.*)$", text, re.M)[1].capitalize() + "."
        # Titles, and the lines that underline or frame them: ` * Title` above ` * -----`, `/* ── Title ───── */` at any depth.
        parts = re.split(r"^ \* (.+)\n \* [=-]+\n|^( *)/\* ── (.+?) ─+ \*/\n", text, flags=re.M)
        contents, body = [], [f"<pre>{html.escape(parts[0])}</pre>"]
        for title, depth, framed, part in zip(*(parts[index::4] for index in range(1, 5))):
            title, rank = title or framed, 3 if depth else 2
            place = slug(title) + ("-functions" if depth else "")
            contents.append(f'<li><a href="#{place}">{html.escape(title)}</a></li>')
            body.append(f'<h{rank} id="{place}">{html.escape(title)}</h{rank}><pre>{html.escape(part)}</pre>')
        self.body = "\n".join([f"<h1>{source}</h1><ul>", *contents, "</ul>", *body])


class Gallery:
    """The page of films: each preset and each behavior, as config/manual/gallery.py has drawn it, with its options."""

    name, title, about = "gallery.html", "Gallery", "Presets and behaviors as they move."

    def __init__(self, source):
        self.source = source
        presets = {path.stem: path.read_text() for path in sorted((ROOT / "config/presets").glob("*.toml"))}
        lines = [
            "<h1>Gallery</h1><p>A finger moves the content up, a part of the way back, to the top, and pulls it. Each picture is drawn from the "
            'states that the daemon made of that.</p><h2 id="behaviors">Behaviors</h2><details open><summary>Films</summary><div class="pictures films">']  # fmt: skip
        shown = {name: {"drawers": drawers, "delegates": delegates} for name, delegates, drawers in subjects()}
        for name in BEHAVIORS:
            options = html.escape(json.dumps(shown[name.lower()], indent=1))
            about = f'<a href="headerd-{name.lower()}.7.html">Its page</a><details><summary>Options</summary><pre>{options}</pre></details>'
            lines.append(self.figure(name.lower(), name, about, f"behavior={name}"))
        lines.append('</div></details><h2 id="presets">Presets</h2><details open><summary>Films</summary><div class="pictures films">')
        for name, text in presets.items():
            summary = html.escape(re.search(r'^summary = "(.*)"$', text, re.M)[1])
            about = f"{summary}<details><summary>Options</summary><pre>{html.escape(text)}</pre></details>"
            options = tomllib.loads(text)["options"]
            # A page's scroller offers no movements, which these go by (goesByOffers in the playground).
            needs_offers = options.get("follows") in ("ratio", "block") or (
                options.get("contentMoves") == "none" and options.get("takesOffers", True))
            lines.append(self.figure(name, name, about, "" if needs_offers else f"preset={name}"))
        self.body = "\n".join([*lines, "</div></details>"])

    @staticmethod
    def figure(file, name, about, choice):
        # Where the playground is served beside the manual, search.js shows the link to it.
        link = f' <a data-playground="{choice}" hidden>Open in the playground</a>' if choice else ""
        # Readers who want no motion get a picture of one moment.
        return (
            f'<figure><picture><source media="(prefers-reduced-motion: reduce)" srcset="{file}.still.svg"><img src="{file}.svg" loading="lazy" '
            f'width="240" height="320" alt="{name} as its content scrolls"></picture><figcaption><strong>{name}</strong> {about}{link}</figcaption></figure>')


class Text(html.parser.HTMLParser):
    """The text of HTML, and its sections: each identifier of a heading, the heading, the text up to the next one, the terms of its lists, and
    the identifiers in it, each with the number of pieces before it."""

    def __init__(self, headings=("h1", "h2", "h3")):
        super().__init__()
        self.headings = headings
        self.sections = [["", "", [], [], []]]
        self.heading = self.term = False

    def handle_starttag(self, tag, attributes):
        place = dict(attributes).get("id", "")
        if tag in self.headings:
            self.sections.append([place, "", [], [], []])
            self.heading = True
        elif place:
            self.sections[-1][4].append((place, len(self.sections[-1][2])))
        self.term = tag == "dt" or self.term

    def handle_endtag(self, tag):
        if tag in self.headings:
            self.heading = False
        self.term = tag != "dt" and self.term

    def handle_data(self, data):
        if self.heading:
            self.sections[-1][1] += data
        self.sections[-1][2].append(data)
        if self.term:
            self.sections[-1][3].append(data)


class Links(html.parser.HTMLParser):
    """What a page links to, and the identifiers that can be linked to."""

    def __init__(self):
        super().__init__()
        self.targets, self.ids = [], set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src", "srcset") and value:
                self.targets.append(value)
            if name == "id":
                self.ids.add(value)


def run(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def slug(text):
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def text_of(fragment):
    parser = Text()
    parser.feed(fragment)
    return "".join(piece for section in parser.sections for piece in section[2])


def relinked(page, links, pictures):
    """The page's HTML with links to files of the repository as links to pages (links: by source), and their pictures noted; other links become text."""
    here = (ROOT / page.source).parent

    def picture(match):
        path = here / html.unescape(match[2])
        pictures.add(path)
        return f'{match[1]}="{path.name}"'

    def replace(match):
        target = urllib.parse.urlsplit(html.unescape(match[2]))
        if target.scheme or (not target.path and target.fragment):
            return match[0]
        path = here / target.path
        path = path / "README.md" if path.is_dir() else path
        found = links.get(str(path.resolve().relative_to(ROOT))) if path.resolve().is_relative_to(ROOT) else None
        if found:
            return f'<a href="{found.name}{"#" + target.fragment if target.fragment else ""}">{match[3]}</a>'
        return match[3]

    known = {known.title: known.name for known in links.values()}
    places = {known.name: places_of(known.body) for known in links.values()}
    if page.source in MAN:
        body = to_messages(page.body, links) if page.source == "headerd-protocol.7" else page.body
        # Man pages of others are not here.
        body = re.sub(
            r'<a class="Xr" href="([^"]*)">(.*?)</a>', lambda match: match[0] if match[1] in known.values() else match[2], body)
        body = re.sub(r'<a class="In">(.*?)</a>', lambda match: f'<a class="In" href="{match[1]}.html">{match[1]}</a>', body)
        # Guides go by their names, documents by their paths.
        guides = {pathlib.PurePath(source).stem: found.name for source, found in links.items() if "/guides/" in source}
        body = re.sub(r"<b>([\w-]+)</b>", lambda match: f'<a href="{guides[match[1]]}">{match[1]}</a>' if match[1] in guides else match[0], body)
        body = re.sub(
            r"(?<![\w/.-])([\w/-]+\.md)\b", lambda match: f'<a href="{links[match[1]].name}">{match[1]}</a>' if match[1] in links else match[1], body)
    else:
        body = re.sub(r'<a (href)="([^"]*)">(.*?)</a>', replace, page.body, flags=re.S)
        body = re.sub(r'\b(src|srcset)="(?!\w+:)([^"]*)"', picture, body)
    # An option in the table at the top leads to what it does.
    if page.source in (f"headerd-{name.lower()}.7" for name in BEHAVIORS):
        start = body.index('id="OPTIONS"')
        table = body[start:body.index('<dl class="Bl-tag">', start)]
        body = body.replace(table, re.sub(r'href="#(\w+)"(?=><code)', r'href="#\1~2"', table))
    # In README files, and in the pages of behaviors that are made from them, man pages are named as in a terminal.
    body = re.sub(
        r"(?<![\w/-])(head[a-z.-]+\(\d\))(?![^<]*</(?:a|code|pre|h1)>)",
        lambda match: f'<a href="{known[match[1]]}">{match[1]}</a>' if match[1] in known else match[1], body)
    return to_sections(body, places)


@functools.cache
def places_of(body):
    """The identifiers of a page's headings, by their text."""
    parser = Text()
    parser.feed(body)
    return {" ".join(heading.split()): place for place, heading, *_ in parser.sections if place}


def message_place(page, name):
    """Where a page of the protocol explains a message: at the item of its name, or in the section whose comment names it."""
    named = [title for _, title, about in SECTION.findall((ROOT / "config/man" / page.source).read_text())
             if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.]\w)", about)]
    places = [place for heading, place in places_of(page.body).items() if heading in named[:1]]
    item = [name] if f'id="{name}"' in page.body else []
    found = item + places if "." in name else places + item
    return f"{page.name}#{found[0]}"


def to_messages(body, pages):
    """The page of the protocol with its names of messages as links to what explains them, not to themselves."""
    for page, names in PROTOCOL.items():
        for name in names:
            place = message_place(pages[f"{page}.7"], name)
            body = re.sub(rf'<a class="permalink" href="#{re.escape(name)}(~\d+)?"><code', f'<a href="{place}"><code', body)
    return body


def to_sections(body, places):
    """HTML in which a link to a man page that a section's title follows leads to that section."""

    def replace(match):
        title = " ".join(match[4].split())
        found = [place for heading, place in places.get(match[1], {}).items() if heading.startswith(title)]
        return f'<a{match[2]}href="{match[1]}#{found[0]}">{match[3]}, {title}</a>' if found else match[0]

    return re.sub(
        r'<a(?=[^>]*href="([^"#]+)")([^>]*?)href="[^"]*">(head[^<]*\(\d\))</a>,\s+([A-Z][A-Z]+(?:,?\s+[A-Z]+)*)\b', replace, body)


def accessible(body):
    """HTML of mandoc or Markdown with one heading of the first rank, and what can be scrolled within reach of the keyboard."""
    for rank, kind in ((2, "Ss"), (1, "Sh")):
        body = re.sub(rf'<h{rank} class="{kind}"(.*?)</h{rank}>', rf'<h{rank + 1} class="{kind}"\1</h{rank + 1}>', body, flags=re.S)
    body = body.replace("<pre", '<pre tabindex="0"')
    # The bridge lets pages have styles from files alone.
    body = re.sub(r' style="[^"]*"', "", body)
    body = re.sub(r"<thead>\s*<tr>(\s*<th[^>]*></th>)+\s*</tr>\s*</thead>", "", body)
    return re.sub(r'<table(?! class="(?:Nm|head|foot))(.*?)</table>', r'<div class="wide" tabindex="0"><table\1</table></div>', body, flags=re.S)


def navigation(pages, current):
    lines = ['<nav id="pages" aria-label="Pages">']
    for group, sources in GROUPS.items():
        lines.append(f"<h2>{group}</h2><ul>")
        for source in sources:
            page = pages[source]
            mark = ' aria-current="page"' if page is current else ""
            lines.append(f'<li><a href="{page.name}"{mark}>{html.escape(page.title)}</a></li>')
        lines.append("</ul>")
    return "\n".join([*lines, "</nav>"])


def whole(title, body, pages, current=None):
    frame = (STYLE / "page.html").read_text()
    values = {"title": html.escape(title), "navigation": navigation(pages, current), "body": accessible(body)}
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], frame)


def overview(pages):
    """The first page: what there is, and pictures of the examples."""
    lines = ["<h1>headerd</h1>", f"<p>{html.escape(pages['README.md'].about)}</p>"]
    lines.append(f'<p>Questions and answers: start at <a href="{pages[QUESTIONS].name}">{pages[QUESTIONS].title}</a>.</p>')
    for group, sources in GROUPS.items():
        lines.append(f'<h2 id="{group.split()[0].lower()}">{group}</h2><dl>')
        for source in sources:
            page = pages[source]
            lines.append(f'<dt><a href="{page.name}">{html.escape(page.title)}</a></dt><dd>{html.escape(page.about)}</dd>')
        lines.append("</dl>")
    lines.append('<h2 id="examples">Examples</h2><p>Headers of config/examples, drawn from their states.</p><div class="pictures">')
    for picture in PICTURES:
        source = picture.with_suffix(".toml").read_text()
        lines.append(
            f'<figure><img src="{picture.name}" alt="The header {picture.stem} as its content scrolls"><figcaption>{picture.stem}'
            f"</figcaption><details><summary>{picture.stem}.toml</summary><pre>{html.escape(source)}</pre></details></figure>")
    return "\n".join([*lines, "</div>"])


def joined(pieces, between=""):
    return " ".join(between.join(pieces).split())


def search_entries(pages):
    """What the search looks through: a row a section, with its page, its place in it, its heading and its words, whether it is for
    those who work on headerd, the terms of its lists, and the places in it, each with the number of characters before it."""
    rows = []
    for page in pages.values():
        # A question is what somebody looks for.
        parser = Text(("h1", "h2", "h3", "dt")) if page.source == QUESTIONS else Text()
        # What is in a page is found where it is.
        parser.feed(re.sub(r'<dl class="Bl-tag Bl-compact">\s*<dt><a class="Sx".*?</dl>', "", page.body, count=1, flags=re.S))
        inside = page.source in GROUPS["Contribute"]
        # A man page begins with its name alone.
        hidden = {"TABLE OF CONTENTS", "SEE ALSO"} | ({"", page.title} if page.source in MAN else set())
        for place, heading, pieces, terms, inner in parser.sections:
            heading, words = joined([heading]), joined(pieces)
            # The heading stands before its words as it is.
            if words.removeprefix(heading) and heading not in hidden:
                places = [[one, len(joined(pieces[:count]))] for one, count in inner]
                rows.append([page.name, page.title, place, heading, words, inside, joined(terms, " "), places])
    return rows


def synonyms():
    """The words of the pages by what readers type instead."""
    found = {}
    for line in (STYLE / "synonyms.txt").read_text().splitlines():
        if not line.startswith("#"):
            typed, words = line.split(" => ")
            for one in typed.split(", "):
                found.setdefault(one, []).extend(words.split(", "))
    return found


def broken(folder):
    """Links that lead nowhere, a line each."""
    parsed = {}
    for file in folder.glob("*.html"):
        parsed[file.name] = Links()
        parsed[file.name].feed(file.read_text())
    for name, page in sorted(parsed.items()):
        for target in page.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme:
                continue
            file = urllib.parse.unquote(parts.path) or name
            if not (folder / file).exists():
                yield f"{name}: there is no {target}"
            elif parts.fragment and file in parsed and urllib.parse.unquote(parts.fragment) not in parsed[file].ids:
                yield f"{name}: there is no place {target}"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr if sys.argv[1:] != ["--help"] else sys.stdout)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    kinds = dict.fromkeys(HEADERS, Header) | {GALLERY: Gallery}
    pages = {source: kinds.get(source, Page)(source) for sources in GROUPS.values() for source in sources}
    assert len({page.name for page in pages.values()}) == len(pages), "each page has a name of its own"
    if left_out := set(MAN) - set(pages):
        sys.exit(f"site.py: no group has {', '.join(sorted(left_out))}")
    links = pages | {f"Plugins/{name}/README.md": pages[f"headerd-{name.lower()}.7"] for name in BEHAVIORS} | {LAWS: pages["headerd-collapsinglaws.7"]}
    pictures = set(PICTURES)
    for page in pages.values():
        (folder / page.name).write_text(whole(page.title, relinked(page, links, pictures), pages, page))
    (folder / "index.html").write_text(whole("headerd", overview(pages), pages))
    for file in [*pictures, STYLE / "style.css", STYLE / "search.js"]:
        shutil.copy(file, folder)
    rows, words = search_entries(pages), synonyms()
    index = {"searchIndex": rows, "synonyms": words}
    (folder / "search-index.js").write_text(
        "".join(f"const {name} = {json.dumps(one, ensure_ascii=False, separators=(',', ':'))};\n" for name, one in index.items()))
    known = " ".join(row[4] for row in rows).lower()
    problems = [f"synonyms.txt: no page has {word}" for word in sorted(set(sum(words.values(), []))) if word.lower() not in known]
    problems += broken(folder)
    for problem in problems:
        print(f"site.py: {problem}", file=sys.stderr)
    print(f"{len(pages) + 1} pages in {folder}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
