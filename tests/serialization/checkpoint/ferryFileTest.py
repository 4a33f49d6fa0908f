#!/usr/bin/env python3
"""Looks at files with `ferryFile info`: whole, damaged, truncated and foreign ones.

usage: ferryFileTest.py FERRY_FILE SAVER
"""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

FERRY_FILE, SAVER = sys.argv[1:3]


def info(*arguments):
    return run([FERRY_FILE, "info", *arguments])


class FerryFileTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "state")
        run([SAVER, "save", "object", self.path, "7", "1"], check=True)

    def tearDown(self):
        self.folder.cleanup()

    def change(self, function):
        with open(self.path, "rb") as file:
            data = bytearray(file.read())
        data = function(data)
        with open(self.path, "wb") as file:
            file.write(data)

    def testAWholeFile(self):
        done = info(self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("holds        a value of type {int32,sequence<int32>,sequence<string>}\n", done.stdout)
        self.assertIn("bytes: 400203 ints in 2 chunks\n", done.stdout)
        self.assertIn("checksums    all fit\n", done.stdout)
        self.assertNotIn("ferry::Exception", done.stdout)
        self.assertIn("ferry::Exception", info("--classes", self.path).stdout)

    def testEachDamagedChunkIsNamed(self):
        def damage(data):
            data[2000] ^= 1
            data[-100] ^= 16
            return data
        self.change(damage)
        done = info(self.path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("chunk 0 is damaged", done.stdout)
        self.assertIn("chunk 1 is damaged", done.stdout)

    def testATruncatedFile(self):
        self.change(lambda data: data[:-5])
        done = info(self.path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("truncated", done.stdout)

    def testAForeignFile(self):
        done = info(FERRY_FILE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected a file of Ferry", done.stderr)

    def testAFileThatIsNotThere(self):
        done = info(self.path + "x")
        self.assertEqual(done.returncode, 3)
        self.assertIn("No such file", done.stderr)

    def testWrongUsage(self):
        for arguments in ([], ["info"], ["other", self.path]):
            done = run([FERRY_FILE, *arguments])
            self.assertEqual(done.returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
