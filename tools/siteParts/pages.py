"""Splits the texts of the tree into the pages of the site, and leads their links to the new places."""
import os
import posixpath
import re
import shutil
from collections import namedtuple

from siteParts.contents import TABS

Section = namedtuple("Section", "level heading anchor lines")    # lines: without the heading
FENCE = re.compile(r"^ *(```|~~~)")
CODE = re.compile(r"^ *```.*?^ *```$|`(?:[^`\n]|\n(?! *\n))+`", re.MULTILINE | re.DOTALL)    # code in a line may go on in the next line
LINK = re.compile(r"(?<!\\)(!?\[(?:[^\[\]]|\[[^\[\]]*\]|!\[[^\]]*\]\([^)]*\))*\])\(([^)\s]+)\)")


class Problem(Exception):
    pass


def anchorOf(heading):
    """The anchor of a heading, as GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def sectionsOf(text):
    """The sections of a text; the first one has the title of the text."""
    sections, fence, used = [], "", {}
    for line in text.splitlines():
        mark = FENCE.match(line)
        if mark and (not fence or mark.group(1) == fence):
            fence = "" if fence else mark.group(1)
        found = None if fence or mark else re.match(r"(#+) +(.*?)\s*$", line)
        if found:
            anchor = anchorOf(found.group(2))
            count = used[anchor] = used.get(anchor, -1) + 1
            sections.append(Section(len(found.group(1)), found.group(2), anchor + (f"-{count}" if count else ""), []))
        elif sections:
            sections[-1].lines.append(line)
        elif line.strip():
            raise Problem("a text begins with its title")
    return sections


def withoutContents(lines):
    """Leaves out the list of contents, which each page of the site has on its right."""
    kept, isList = [], False
    for line in lines:
        if re.match(r" *- \[.*\]\(#|- \[[^\]]*$", line):
            isList = True
        elif isList and re.match(r" +\S", line):
            continue
        else:
            isList = False
            kept.append(line)
    return kept


class Texts:
    """The texts of the tree, and the pages of the site that hold their sections."""

    def __init__(self, root):
        self.root = root
        self.sections = {}      # of each text
        self.pageOf = {}        # (text, anchor) to the file of the page and the anchor there
        self.parts = {}         # file of a page to a list of (text, section, level on the page)
        self.titles = {}
        self.files = set()      # of the tree, which pages link to
        self.problems = []
        self._load()
        self._place()

    def _load(self):
        for _, pages in TABS:
            for _, _, parts in pages:
                for part in parts:
                    text = part.partition("#")[0].rstrip("!")
                    if text not in self.sections:
                        with open(os.path.join(self.root, text), encoding="utf-8") as file:
                            self.sections[text] = sectionsOf(file.read())
        ofDocs = {f"docs/{name}" for name in os.listdir(os.path.join(self.root, "docs")) if name.endswith(".md")}
        self.problems += [f"{text}: no page of the site holds this text (tools/siteParts/contents.py)" for text in sorted(ofDocs - set(self.sections))]

    def _place(self):
        named = {part for _, pages in TABS for _, _, parts in pages for part in parts}
        for _, pages in TABS:
            for file, title, parts in pages:
                self.titles[file] = title
                self.parts[file] = []
                used = set()
                for part in parts:
                        self._placePart(file, part, named, len(parts) == 1 or part == parts[0] and "#" not in part, used)
        for text, sections in self.sections.items():
            for section in sections:
                if (text, section.anchor) not in self.pageOf and any(line.strip() for line in withoutContents(section.lines)):
                    self.problems.append(f"{text}#{section.anchor}: no page of the site holds this section (tools/siteParts/contents.py)")

    def _placePart(self, file, part, named, isAlone, used):
        text, _, wanted = part.rstrip("!").partition("#")
        sections = self.sections[text]
        begin = 0
        if wanted:
            begin = next((i for i, section in enumerate(sections) if section.anchor == wanted), None)
            if begin is None:
                self.problems.append(f"{part}: there is no such heading, and {file} of the site is made of it (tools/siteParts/contents.py)")
                return
        top, leftOutBelow = sections[begin].level, None
        for i in range(begin, len(sections)):
            section = sections[i]
            if i > begin and (section.level <= top or part.endswith("!")):
                break
            if leftOutBelow is not None and section.level > leftOutBelow:
                continue
            leftOutBelow = None
            if i > begin and f"{text}#{section.anchor}" in named:    # stands on another page, with what is below
                leftOutBelow = section.level
                continue
            if (text, section.anchor) in self.pageOf:
                self.problems.append(f"{text}#{section.anchor}: stands on two pages of the site")
                continue
            anchor = section.anchor
            while anchor in used:
                anchor += "-2"
            used.add(anchor)
            self.pageOf[text, section.anchor] = (file, anchor)
            # The first heading of a page is its title. Parts of a page of several parts begin one level below.
            level = section.level - top + (1 if isAlone else 2)
            self.parts[file].append((text, section, anchor, max(level, 1)))

    def check(self):
        """Makes each page, and says which links still lead to a text of the tree, where the site has a page in its place."""
        for _, pages in TABS:
            for file, _, _ in pages:
                for target in re.findall(r"\]\(([^)\s]+)\)", self.page(file)):
                    path = posixpath.normpath(posixpath.join(posixpath.dirname(file), target.partition("#")[0]))
                    if path in self.sections and path not in self.parts:
                        self.problems.append(f"{file} of the site: {target}: the link leads to a text of the tree")

    def page(self, file):
        """The text of a page of the site."""
        lines = []
        for text, section, anchor, level in self.parts[file]:
            if level > 1 or not lines:
                if not lines and level > 1:    # several parts below a title of the page
                    lines += [f"# {self.titles[file]}", ""]
                title = section.heading if lines else self.titles[file]
                lines += [f"{'#' * level} {self._led(title, text, file)} {{#{anchor}}}"]
            lines += self._body(withoutContents(section.lines), text, file)
        return "\n".join(lines) + "\n"

    def _body(self, lines, text, file):
        return self._led("\n".join(lines), text, file).split("\n")

    def _led(self, piece, text, file):
        codes = []

        def hide(found):    # code may hold what looks like a link, and a link may hold code
            codes.append(found.group())
            return f"\0{len(codes) - 1}\0"

        hidden = CODE.sub(hide, piece)
        led = LINK.sub(lambda found: self._link(found.group(1), found.group(2), text, file), hidden)
        return re.sub("\0(\\d+)\0", lambda found: codes[int(found.group(1))], led)

    def _link(self, label, target, text, file):
        if "](" in label:    # a picture in a link
            label = "[" + self._led(label[1:-1], text, file) + "]"
        if re.match(r"[a-z]+:", target):
            return f"{label}({target})"
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(text), path)) if path else text
        if path in self.sections:
            wanted = anchor or self.sections[path][0].anchor
            place = self.pageOf.get((path, wanted))
            if place is None:
                self.problems.append(f"{text}: {target}: there is no such heading")
                return f"{label}({target})"
            page, anchorThere = place
            isTop = self.parts[page][0][2] == anchorThere
            here = posixpath.relpath(page, posixpath.dirname(file)) if page != file else ""
            return f"{label}({here}{'' if isTop and here else '#' + anchorThere})"
        source = os.path.join(self.root, path)
        if os.path.isfile(source):
            self.files.add(path)
            name = "files/" + path + (".txt" if "." not in posixpath.basename(path) else "")
            return f"{label}({posixpath.relpath(name, posixpath.dirname(file) or '.')})"
        if not os.path.isdir(source):
            self.problems.append(f"{text}: {target}: there is no {path}")
        return label[1:-1] if label.startswith("[") else label    # a folder has no page

    def write(self, folder):
        """Writes the pages and the files that they show."""
        for _, pages in TABS:
            for file, _, _ in pages:
                path = os.path.join(folder, file)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                up = posixpath.relpath(".", posixpath.dirname(file) or ".")
                text = self.page(file).replace("`api/index.html`", f'<a href="{up}/api/index.html">api/index.html</a>')
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text)
        for path in sorted(self.files):
            name = os.path.join(folder, "files", path + (".txt" if "." not in os.path.basename(path) else ""))
            os.makedirs(os.path.dirname(name), exist_ok=True)
            shutil.copyfile(os.path.join(self.root, path), name)
