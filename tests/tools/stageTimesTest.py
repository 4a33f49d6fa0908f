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
                              text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def test_theSlowestTestsComeFirst(self):
        lines = self.run_("slowest", self.write("junit.xml", JUNIT), "2").splitlines()
        self.assertEqual([line.split() for line in lines], [["20.2", "s", "slow"], ["3.0", "s", "middle"]])

    def keep(self, text):
        self.run_("keep", self.write("figures", text))

    def compare(self, line):
        return self.run_("compare", self.write("figures", "--all\tbefore\t1\t0\t0\n" + line + "\n"))

    def test_aStageThatGrewByMoreThanATenthIsTold(self):
        self.keep("--all\ttests\t100\t0\t0\n")
        self.assertEqual(self.compare("--all\ttests\t109\t0\t0"), "")
        self.assertIn("tests took 112 CPU-s, tools/stageTimes.json has 100\n", self.compare("--all\ttests\t112\t0\t0"))
        self.assertEqual(self.compare("--all\tunknown\t1000\t0\t0"), "")
        self.assertEqual(self.compare("\ttests\t1000\t0\t0"), "", "another way to call ./check runs other tests")

    def test_aBuildIsComparedForEachCompiledUnit(self):
        self.keep("\tx: build\t900\t200\t100\n")
        self.assertEqual(self.compare("\tx: build\t1300\t300\t0"), "")
        self.assertIn("x: build took 1500 CPU-s, tools/stageTimes.json has 1350 for 300 compiled units", self.compare("\tx: build\t1500\t300\t0"))
        self.assertEqual(self.compare("\tx: build\t1500\t100\t200"), "", "most units came from the cache")

    def test_figuresOfAnotherProcessorAreNotCompared(self):
        figures = {"cpuSeconds": 1, "compiled": 0, "cached": 0}
        self.write("stageTimes.json", json.dumps({"processor": "of another machine", "runs": {"--all": {"x: build": figures}}}))
        self.assertEqual(self.compare("--all\tx: build\t1000\t0\t0"), "")
        self.keep("\ttests\t50\t0\t0\n")
        with open(self.path("stageTimes.json"), encoding="utf-8") as file:
            self.assertEqual(list(json.load(file)["runs"]), [""])

    def test_aRunReplacesAllFiguresOfItsWords(self):
        self.keep("\tx: build\t7\t0\t0\n")
        self.keep("--all\tx: build\t100\t0\t0\n")
        self.keep("--all\ttests\t50.6\t30\t2\n")
        with open(self.path("stageTimes.json"), encoding="utf-8") as file:
            runs = json.load(file)["runs"]
        self.assertEqual(runs["--all"], {"tests": {"cpuSeconds": 51, "compiled": 30, "cached": 2}})
        self.assertEqual(runs[""]["x: build"]["cpuSeconds"], 7)

    def test_otherWordsAreRefused(self):
        self.run_("compare", status=2)


if __name__ == "__main__":
    unittest.main()
