#!/usr/bin/env python3
"""Each line that the guard and ferryrun --guard can print has a row in docs/errors.md. ROOT: the source tree."""
import glob
import os
import re
import sys
import unittest

ROOT = sys.argv[1]
LITERAL = r'"((?:[^"\\]|\\.)*)"'
# Statements that print: each holds the beginning of a line of Ferry's, or is a call of a function that writes the beginning itself.
STATEMENT = re.compile(r'(?:"ferry: |\bNeighbour::say\(|(?<![\w:])say\(fmt::format\(|\bsayUnguarded\(")[^;]*;')
LEAST_FRAGMENT = 10    # letters; shorter ones are in every text


def fragmentsOf(statement):
    """The fixed pieces of the text of a statement of C++."""
    text = "\n".join(re.findall(LITERAL, re.sub(r'"\s*\n\s*"', "", statement)))
    return [piece.strip(" .:()") for piece in re.split(r"`|\{[^}]*\}|%[-.*\w]+|\\n|\n|ferry: ", text)]


def firstLong(pieces):
    return next((piece for piece in pieces if len(piece) >= LEAST_FRAGMENT), None)


def printedBy(path):
    """A source of C++, and the first long piece of each statement in it that prints."""
    with open(path, encoding="utf-8") as file:
        source = re.sub(r"^\s*//.*$", "", file.read(), flags=re.MULTILINE)
    pieces = [firstLong(fragmentsOf(found.group(0))) for found in STATEMENT.finditer(source)]
    return source, list(filter(None, pieces))


class PrintedLinesTest(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(ROOT, "docs", "errors.md"), encoding="utf-8") as file:
            section = file.read().partition("Lines of `ferry run --guard`")[2].partition("\n## ")[0]
        self.rows = "\n".join(re.sub(r"\s+", " ", line) for line in section.splitlines() if line.startswith("| "))

    def testEachLineOfTheGuardHasARow(self):
        found = 0
        for path in sorted(glob.glob(os.path.join(ROOT, "guard", "**", "*.cpp"), recursive=True)):
            source, pieces = printedBy(path)
            if re.search(r"\bstderr\b|STDERR_FILENO", source):
                self.assertTrue(pieces, f"{path} prints, and this test finds no text in it")
            for piece in pieces:
                found += 1
                self.assertIn(piece, self.rows, f"{os.path.relpath(path, ROOT)} prints a line without a row in docs/errors.md")
        self.assertGreaterEqual(found, 18)

    def testEachRefusalOfFerryrunForGuardedJobsHasARow(self):
        with open(os.path.join(ROOT, "tools", "ferryrun"), encoding="utf-8") as file:
            script = file.read()
        parts = [script.partition("def guardThreadOf")[2].partition("\ndef optionsOf")[0]]
        texts = [re.sub(r"\{[^{}]*\}", "\0", "".join(re.findall(r'f?"([^"\n]*)"', call))) for part in parts
                 for call in re.findall(r"\b(?:say|refuse|print)\(((?:[^()]|\([^()]*\))*)\)", part)]
        self.assertGreaterEqual(len(texts), 5, texts)
        for text in texts:
            pieces = [piece.strip(" .:") for piece in re.split(r"\0|ferry: ", text)]
            if piece := firstLong(pieces):
                self.assertIn(piece, self.rows, f"tools/ferryrun prints a line without a row in docs/errors.md: {text}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
