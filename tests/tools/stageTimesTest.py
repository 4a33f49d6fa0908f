#!/usr/bin/env python3
"""Tests of tools/stageTimes: what ./check says about its own time."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "stageTimes")
JUNIT = """<testsuite>
  <testcase name="quick" time="0.5"/>
  <testcase name="slow" time="20.25"/>
  <testcase name="middle" time="3"/>
</testsuite>
"""


class StageTimes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="stageTimes.")
        self.addCleanup(self.folder.cleanup)
        shutil.copy(TOOL, self.path("stageTimes"))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_(self, *arguments, status=0):
        done = subprocess.run([sys.executable, "-B", self.path("stageTimes"), *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def test_theSlowestTestsComeFirst(self):
        lines = self.run_("slowest", self.write("junit.xml", JUNIT), "2").splitlines()
        self.assertEqual([line.split() for line in lines], [["20.2", "s", "slow"], ["3.0", "s", "middle"]])

    def test_aStageThatGrewByMoreThanATenthIsTold(self):
        self.run_("keep", self.write("figures", "build\t100\ntests\t50\n"))
        self.assertEqual(self.run_("compare", "build", "109"), "")
        self.assertIn("build took 112 CPU-s, 100 are kept", self.run_("compare", "build", "112"))
        self.assertEqual(self.run_("compare", "unknown", "1000"), "")

    def test_figuresOfAnotherProcessorAreNotCompared(self):
        self.write("stageTimes.json", json.dumps({"processor": "of another machine", "cpuSeconds": {"build": 1}}))
        self.assertEqual(self.run_("compare", "build", "1000"), "")

    def test_aRunKeepsTheFiguresOfStagesThatItDidNotHave(self):
        self.run_("keep", self.write("figures", "build\t100\n"))
        self.run_("keep", self.write("figures", "tests\t50.6\n"))
        with open(self.path("stageTimes.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["cpuSeconds"], {"build": 100, "tests": 51})

    def test_otherWordsAreRefused(self):
        self.run_("compare", status=2)


if __name__ == "__main__":
    unittest.main()
