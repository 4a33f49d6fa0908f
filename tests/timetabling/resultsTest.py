"""Runs the program that measures what `timetabling solve` finds, briefly, and checks its tables."""
import argparse
import csv
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

HANG_S = 400    # a run that takes longer hangs

options = None

# A script that adds 1 to every cost that `solve` prints.
LIAR = """#!/bin/sh
"{program}" "$@" > "$0.out"; status=$?
if [ "$1" = solve ]; then sed 's/^feasible, cost .*/feasible, cost 1000000/' "$0.out"; else cat "$0.out"; fi
exit $status
"""


def results(*arguments, program=None):
    done = run([sys.executable, "-B", options.results, "--program", program or options.program, "--cores", "2", *arguments], HANG_S)
    return done.returncode, done.stdout, done.stderr


class Results(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = self.path("out")

    def path(self, *names):
        return os.path.join(self.folder.name, *names)

    def generate(self, name, *arguments):
        path = self.path(name)
        run([options.program, "generate", *arguments, "--out", path], check=True)
        return path

    def runs(self):
        with open(os.path.join(self.out, "runs.csv"), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def testEveryRunIsScoredAgainAndComesIntoTheTable(self):
        made = [self.generate("one.ctt", "--courses", "20", "--rooms", "5"),
                self.generate("two.tim", "--enrolment", "--events", "40", "--rooms", "3", "--students", "30")]
        call = [*made, "--seconds", "0.5", "--seeds", "1,2", "--out", self.out]
        status, output, errors = results(*call)
        self.assertEqual((status, errors), (0, ""), output)
        runs = self.runs()
        self.assertEqual(sorted((run["instance"], run["seed"]) for run in runs), [("one", "1"), ("one", "2"), ("two", "1"), ("two", "2")])
        self.assertEqual({run["violations"] for run in runs}, {"0"})
        with open(os.path.join(self.out, "results.md"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        costs = {(run["instance"], run["seed"]): int(run["cost"]) for run in runs}
        means = []
        for line, name in zip(lines[2:4], ["one", "two"]):
            mean = (costs[name, "1"] + costs[name, "2"]) / 2
            means.append(mean)
            self.assertEqual(line, f"| {name} | {costs[name, '1']} | {costs[name, '2']} | {mean:.1f} |")
        self.assertEqual(lines[4], f"| mean |  |  | {sum(means) / 2:.2f} |")
        self.assertIn("Cost after 0.5 s with 1 slave, 2 such runs at a time on 2 cores", lines[-1])
        for name in ["one.1.1.sol", "two.1.2.sln"]:
            self.assertTrue(os.path.exists(os.path.join(self.out, "timetables", name)))

        status, output, _ = results(*call)
        self.assertEqual(status, 0)
        self.assertIn("0 runs of 0.5 s", output)
        self.assertEqual(self.runs(), runs)

        status, output, errors = results(*call, "--target", "1000000")
        self.assertEqual(status, 0, errors)
        self.assertIn("Seconds until a feasible timetable costs at most 1000000", output)
        self.assertEqual(len(self.runs()), 8)

    def testARunThatTellsAnotherCostThanItHasFails(self):
        liar = self.path("liar")
        with open(liar, "w", encoding="utf-8") as file:
            file.write(LIAR.format(program=options.program))
        os.chmod(liar, 0o755)
        instance = self.generate("one.ctt", "--courses", "20", "--rooms", "5")
        status, output, errors = results(instance, "--seconds", "0.5", "--seeds", "1", "--out", self.out, program=liar)
        self.assertEqual(status, 1, output)
        self.assertIn("failed (status disagrees)", errors)
        self.assertIn("solve says 'feasible, cost 1000000', score says 'feasible, cost ", errors)
        self.assertEqual([run["cost"] for run in self.runs()], [""])

    def testWrongCallsAreRefused(self):
        instance = self.generate("one.ctt", "--courses", "20", "--rooms", "5")
        for arguments, part in (([], "instances"), ([instance, "--slaves", "2"], "2 runs of 2 slaves at once need more than 2 cores"),
                                ([instance, "--seconds", "0"], "--seconds"), ([self.path("missing.ctt")], "failed")):
            status, _, errors = results(*arguments, "--out", self.out)
            self.assertNotEqual(status, 0)
            self.assertIn(part, errors)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results")
    parser.add_argument("program")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
