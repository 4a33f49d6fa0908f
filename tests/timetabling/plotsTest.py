"""Runs the program that plots speed and quality of `timetabling solve`, briefly, and checks tables and pictures."""
import argparse
import csv
import os
import shutil
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

HANG_S = 400    # a run that takes longer hangs

options = None


def plots(*arguments):
    done = run([sys.executable, "-B", options.plots, "--program", options.program, *arguments], HANG_S)
    return done.returncode, done.stdout, done.stderr


def table(*path):
    with open(os.path.join(*path), encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Plots(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.instances = self.path("instances")
        os.mkdir(self.instances)
        self.out = self.path("out")

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def generate(self, name, *arguments):
        run([options.program, "generate", *arguments, "--out", os.path.join(self.instances, name)], check=True)

    def checkPictures(self, status, errors, whenDrawn):
        if shutil.which("gnuplot") is None:
            self.assertEqual(status, 3, errors)
            self.assertIn("gnuplot is missing", errors)
            return
        self.assertEqual(status, whenDrawn, errors)
        for name in ["speedup", "quality"]:
            with open(os.path.join(self.out, name + ".png"), "rb") as file:
                picture = file.read()
            self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(picture[-8:-4], b"IEND")
            width, height = struct.unpack(">II", picture[16:24])
            self.assertTrue(width >= 460 and height >= 460, (width, height))
            drawing = xml.etree.ElementTree.parse(os.path.join(self.out, name + ".svg")).getroot()
            texts = " ".join("".join(text.itertext()) for text in drawing.iter("{http://www.w3.org/2000/svg}text"))
            self.assertIn("2 cores (threads): more than 2 slaves share them", texts)

    def testTablesAndPicturesOfThreeInstances(self):
        self.generate("one.ctt", "--courses", "20", "--rooms", "4")
        self.generate("two.ctt", "--courses", "30", "--rooms", "6", "--seed", "2")
        self.generate("three.tim", "--enrolment", "--events", "60", "--rooms", "3", "--students", "40")
        status, output, errors = plots(self.instances, "--slaves", "1,2", "--populations", "2,3", "--seconds", "1", "--seeds", "2", "--cores", "2",
                                       "--out", self.out)
        self.checkPictures(status, errors, 0)
        self.assertIn("24 runs succeeded, 0 failed", output)
        runs = table(self.out, "runs.csv")
        self.assertEqual(len(runs), 24)
        self.assertTrue(all(int(run["cost"]) >= 0 and float(run["millionMovesPerSecond"]) > 0 and run["cores"] == "2" for run in runs))
        speed = table(self.out, "speedup.csv")
        self.assertEqual([(row["instance"], row["slaves"], row["runs"]) for row in speed],
                         [(name, slaves, "2") for name in ["one", "three", "two"] for slaves in "12"])
        self.assertTrue(all(float(row["speedUp"]) == 1 for row in speed if row["slaves"] == "1"))
        quality = table(self.out, "quality.csv")
        self.assertEqual(len(quality), 12)
        for row in quality:
            costs = sorted(int(run["cost"]) for run in runs if (run["instance"], run["slaves"], run["population"]) ==
                           (row["instance"], row["slaves"], row["population"]))
            self.assertEqual((float(row["medianCost"]), float(row["leastCost"]), float(row["mostCost"])), (sum(costs) / 2, costs[0], costs[1]))

    def testARunThatFailsIsToldAndNotPlotted(self):
        self.generate("good.ctt", "--courses", "20", "--rooms", "4")
        with open(os.path.join(self.instances, "good.ctt"), encoding="utf-8") as file:
            cut = file.read()[:200]
        with open(os.path.join(self.instances, "bad.ctt"), "w", encoding="utf-8") as file:
            file.write(cut)
        status, output, errors = plots(self.instances, "--slaves", "1", "--populations", "2", "--seconds", "1", "--seeds", "1", "--cores", "2",
                                       "--out", self.out)
        self.checkPictures(status, errors, 1)
        self.assertIn("1 runs succeeded, 1 failed", output)
        self.assertRegex(errors, r"plots: failed \(status 2\): .*bad.ctt.*\n  timetabling: .*bad.ctt:\d+: expected")
        self.assertEqual([(run["instance"], run["feasible"], run["cost"] == "") for run in table(self.out, "runs.csv")],
                         [("bad", "no", True), ("good", "yes", False)])
        self.assertEqual([row["instance"] for row in table(self.out, "quality.csv")], ["good"])

    def testWrongCallsAreRefused(self):
        self.assertEqual(plots(self.instances)[0], 2)
        self.assertEqual(plots("--seconds", "nan")[0], 2)
        self.assertEqual(plots("--slaves", "0")[0], 2)
        self.assertEqual(plots("--program", self.path("nothing"))[0], 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("plots")
    parser.add_argument("program")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
