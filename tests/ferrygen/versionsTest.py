#!/usr/bin/env python3
"""Two versions of libclang, Debian's and one from PyPI, give the same bytes.

usage: versionsTest.py --venv FOLDER --include FOLDER [options of unittest]

Where the other one cannot be had, it says so and ends with status 77.
"""
import argparse
import os
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(FOLDER, "..", "..")
sys.path.insert(0, os.path.join(FOLDER, "..", "support"))
import virtualEnvironment    # noqa: E402 (the path comes first)
from launching import run    # noqa: E402

FERRYGEN = os.path.join(ROOT, "tools", "ferrygen")
SELECTIONS = ["tests/ferrygen/zoo.toml", "tests/ferrygen/one/pair.toml", "tests/ferrygen/two/pair.toml", "examples/bodies/bodies.toml",
              "examples/population/population.toml", "examples/results/results.toml"]
SKIPPED = 77
options = None


def execute(*command):
    done = run(command)
    return done.returncode, done.stdout, done.stderr


class VersionsTest(unittest.TestCase):
    def setUp(self):
        # The package from PyPI lacks the compiler's own headers.
        _, headers, _ = execute("g++", "-print-file-name=include")
        self.flags = ["--", f"-I{options.include}", "-isystem", headers.strip()]
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def versionOf(self, python):
        text = f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'tools')!r})\nfrom ferrygenParts.parsing import loadClang\n"
        status, output, errors = execute(python, "-B", "-c", text + "c = loadClang(); print(c.conf.lib.clang_getClangVersion())")
        self.assertEqual(status, 0, errors)
        return output

    def testTheyAreTwo(self):
        self.assertNotEqual(self.versionOf(sys.executable), self.versionOf(virtualEnvironment.pythonOf(options.venv)))

    def testTheSameBytes(self):
        for selection in SELECTIONS:
            outputs = []
            for python in (sys.executable, virtualEnvironment.pythonOf(options.venv)):
                path = os.path.join(self.folder, f"{len(outputs)}.hpp")
                self.assertEqual(execute(python, "-B", FERRYGEN, "generate", os.path.join(ROOT, selection), "-o", path, *self.flags), (0, "", ""))
                with open(path, "rb") as file:
                    outputs.append(file.read())
                os.remove(path)
            self.assertEqual(outputs[0], outputs[1], selection)
            self.assertIn(b"ferry::View<", outputs[0])

    def testTheSameTree(self):
        header = os.path.join(FOLDER, "zoo.hpp")
        for type_ in ("zoo::Owner", "zoo::Park", "zoo::Box<int>"):
            trees = [execute(python, "-B", FERRYGEN, "list", header, type_, *self.flags)
                     for python in (sys.executable, virtualEnvironment.pythonOf(options.venv))]
            self.assertEqual(trees[0], trees[1])
            self.assertEqual(trees[0][0], 0)


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--venv", required=True)
    parser.add_argument("--include", required=True)
    options, rest = parser.parse_known_args()
    if reason := virtualEnvironment.prepare(options.venv, os.path.join(FOLDER, "libclang.txt"), "clang.cindex"):
        print(f"NOT RUN: two versions of libclang: {reason}")
        return SKIPPED
    return not unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful()


if __name__ == "__main__":
    sys.exit(main())
