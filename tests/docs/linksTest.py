#!/usr/bin/env python3
"""Checks that the links of the pages lead to files and headings that exist, and that the README stays short.

usage: linksTest.py ROOT
"""
import os
import re
import sys

MOST_README_LINES = 120
MOST_PROGRAM_LINES = 15
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def anchorsOf(text):
    """The anchors of headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*?)\s*$", FENCE.sub("", text), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        found.add(re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-"))
    return found


def main():
    root = sys.argv[1]
    pages = [name for name in os.listdir(root) if name.endswith(".md")]
    for folder in ("docs", "apps/timetabling", "packaging"):
        pages += [f"{folder}/{name}" for name in os.listdir(os.path.join(root, folder)) if name.endswith(".md")]
    texts = {}
    problems = []

    def textOf(path):
        if path not in texts:
            with open(os.path.join(root, path), encoding="utf-8") as file:
                texts[path] = file.read()
        return texts[path]

    for page in sorted(pages):
        text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", textOf(page)))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(os.path.join(root, file)):
                problems.append(f"{page}: {target}: there is no {file}")
            elif anchor and file.endswith(".md") and anchor not in anchorsOf(textOf(file)):
                problems.append(f"{page}: {target}: {file} has no such heading")
    readme = textOf("README.md")
    if len(readme.splitlines()) > MOST_README_LINES:
        problems.append(f"README.md: {len(readme.splitlines())} lines, and {MOST_README_LINES} are allowed")
    program = re.search(r"^```cpp\n(.*?)^```", readme, re.MULTILINE | re.DOTALL).group(1)
    if len(program.splitlines()) > MOST_PROGRAM_LINES:
        problems.append(f"README.md: the first program has {len(program.splitlines())} lines, and {MOST_PROGRAM_LINES} are allowed")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
