#!/usr/bin/env python3
"""Compiles the views of the zoo with each compiler that is there, with and without optimisation, and runs its tests."""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
OPTIONS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wnon-virtual-dtor", "-Werror"]
HANG_S = 200

options = None


class CompilersTest(unittest.TestCase):
    def checkZoo(self, compiler, level):
        """Compiles and runs the tests of the zoo. The checks with a golden sequence are in them, so all builds write the same ints."""
        if shutil.which(compiler) is None:
            self.skipTest(f"there is no {compiler}")
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "zoo")
            command = [compiler, *OPTIONS, level, "-DFMT_SHARED", "-DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN", f"-I{options.include}",
                       f"-I{options.generated}", f"-I{FOLDER}", os.path.join(FOLDER, "zooTest.cpp"), "-o", program, *options.library]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG_S, check=False)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            done = subprocess.run([program], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=HANG_S, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("Status: SUCCESS", done.stdout)

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
