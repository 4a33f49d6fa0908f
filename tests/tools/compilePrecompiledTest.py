#!/usr/bin/env python3
"""Tests of cmake/compilePrecompiled.sh: the checksum that the compiler cache reads in place of a precompiled header."""
import hashlib
import os
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cmake", "compilePrecompiled.sh")
COMPILER = os.environ.get("CXX", "c++")
HEADER = '#pragma once\n#include "part.hpp"\ninline const char* file() { return __FILE__; }\n'


class CompilePrecompiled(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="compilePrecompiled.")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def compile(self, clone, *options, part="int part();\n", dependencies="all.gch.d", output="all.gch", status=0):
        """The checksum that stands beside the header compiled in a clone, and that of its bytes; None where no file is."""
        root = os.path.join(self.folder, clone)
        os.makedirs(root, exist_ok=True)
        for name, text in {"all.hpp": HEADER, "part.hpp": part}.items():
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)
        named = ["-MD", "-MF", dependencies] if dependencies else []
        command = [SCRIPT, "env", f"CCACHE_BASEDIR={root}", COMPILER, f"-I{root}", *options, *named, "-x", "c++-header", "-o", output, "-c",
                   os.path.join(root, "all.hpp")]
        done = subprocess.run(command, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode == 0, status == 0, done.stderr)
        return self.read(root, output + ".sum"), self.read(root, output)

    @staticmethod
    def read(root, name):
        path = os.path.join(root, name)
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            content = file.read()
        return content.split()[0].decode() if name.endswith(".sum") else hashlib.sha256(content).hexdigest()

    def test_theSameHeaderInAnotherFolderHasTheSameChecksum(self):
        here, bytesHere = self.compile("here")
        for clone in "another folder", "there", "here/inside":
            there, bytesThere = self.compile(clone)
            self.assertEqual(there, here, clone)
            self.assertNotEqual(bytesThere, bytesHere, "the bytes name the folder, or else the test shows nothing")

    def test_anotherTextOrOptionHasAnotherChecksum(self):
        checksums = [self.compile("here", *options, part=part)[0] for options, part in [
            ([], "int part();\n"), ([], "int part(); // a comment\n"), ([], "int part(int);\n"), (["-O2"], "int part();\n"),
            (["-DLARGE"], "int part();\n")]]
        self.assertEqual(len(set(checksums)), len(checksums), checksums)

    def test_withoutDependenciesTheBytesCount(self):
        checksum, content = self.compile("here", dependencies=None)
        self.assertEqual(checksum, content)

    def test_aFailedCompilerLeavesNoChecksum(self):
        self.assertEqual(self.compile("here", part="no C++\n", status=1), (None, None))

    def test_whatIsNoHeaderHasNoChecksum(self):
        checksum, content = self.compile("here", output="all.o")
        self.assertIsNone(checksum)
        self.assertIsNotNone(content)


if __name__ == "__main__":
    unittest.main()
