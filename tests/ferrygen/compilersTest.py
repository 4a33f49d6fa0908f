#!/usr/bin/env python3
"""Compiles the views of the zoo with each compiler that is there, with and without optimisation, and runs its tests; and the page's."""
import argparse
import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

FOLDER = os.path.dirname(os.path.abspath(__file__))
FERRYGEN = os.path.join(FOLDER, "..", "..", "tools", "ferrygen")
OPTIONS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wnon-virtual-dtor", "-Werror",
           "-Wno-nonportable-include-path"]    # clang's, of a tree that lies in a folder named Ferry
HANG_S = 400

options = None


class CompilersTest(unittest.TestCase):
    def checkZoo(self, compiler, level):
        """Compiles and runs the tests of the zoo. They compare with golden sequences, so all builds write the same ints."""
        if shutil.which(compiler) is None:
            self.skipTest(f"there is no {compiler}")
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "zoo")
            command = [compiler, *OPTIONS, level, "-DFMT_SHARED", "-DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN", f"-I{options.include}",
                       f"-I{options.generated}", f"-I{FOLDER}", os.path.join(FOLDER, "zooTest.cpp"), "-o", program, *options.library]
            done = run(command, HANG_S)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            done = run([program])
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("Status: SUCCESS", done.stdout)

    def testThePageOfTheDocumentation(self):
        """The page has a class, a program with views and one for Boost, and a selection for each program."""
        with open(os.path.join(FOLDER, "..", "..", "docs", "generator.md"), encoding="utf-8") as file:
            page = file.read()
        header, program, store = re.findall(r"^```cpp\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        selection, stored = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("mass.hpp", header), ("mass.toml", selection), ("bodies.cpp", program)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            for command in ([sys.executable, "-B", FERRYGEN, "generate", "mass.toml", "-o", "mass.views.hpp"],
                            ["g++", *OPTIONS, "-fsyntax-only", "-I.", f"-I{options.include}", "bodies.cpp"]):
                done = run(command, HANG_S, cwd=folder)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            if run(["g++", "-E", "-include", "boost/archive/text_oarchive.hpp", "-x", "c++", "/dev/null"], HANG_S).returncode != 0:
                print("Boost.Serialization was not found: its functions are left out")
                return
            for name, text in (("mass.toml", stored), ("store.cpp", store)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            for command in ([sys.executable, "-B", FERRYGEN, "generate", "mass.toml", "--boost", "-o", "mass.boost.hpp"],
                            ["g++", *OPTIONS, "-fsyntax-only", "-I.", f"-I{options.include}", "store.cpp"]):
                done = run(command, HANG_S, cwd=folder)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def testGccWithoutOptimisation(self):
        self.checkZoo("g++", "-O0")

    def testGccWithOptimisation(self):
        self.checkZoo("g++", "-O2")

    def testClangWithoutOptimisation(self):
        self.checkZoo("clang++", "-O0")

    def testClangWithOptimisation(self):
        self.checkZoo("clang++", "-O2")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--include", required=True)
    parser.add_argument("--generated", required=True)
    parser.add_argument("--library", required=True, action="append", help="what the program links, in that order")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
