"""Runs the examples of the connector's verbs as threads and under mpirun, and counts their lines."""
import argparse
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

SAYS = {
    "vectorAllGather": r"\d+ numbers of \d+ ranks are right\n",
    "sampleSort": r"\d+ numbers of \d+ ranks are sorted\n",
    "breadthFirstSearch": r"20000 vertices, the farthest 1\d steps away: right\n",
    "suffixArray": r"20000 suffixes are sorted\n",
    "timers": r"timers of \d+ ranks +calls +min +mean +max +imbalance\nwhole .*\n  make .*\n    numbers .*\n  sort .*\n  report .*\n"
              r"(    not on rank .*\n)?",
}

options = None


def textOf(file):
    with open(os.path.join(options.sources, file), encoding="utf-8") as source:
        return source.read()


def lineCount(file, function):
    """Returns the lines of a function from its name to its last brace, without empty lines and comment lines."""
    whole = re.search(rf"^[^\n/]*\b{function}\(.*?^}}$", textOf(file), re.MULTILINE | re.DOTALL).group()
    return sum(1 for line in whole.splitlines() if line.strip() and not line.strip().startswith("//"))


class Verbs(unittest.TestCase):
    def testEveryProgramIsRight(self):
        for name, says in SAYS.items():
            program = os.path.join(options.programs, name)
            for command in [[program], *[[options.mpiexec, "-np", str(ranks), program] for ranks in (1, 2, 4)]]:
                with self.subTest(" ".join(command)):
                    done = run(command)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertRegex(done.stdout, f"^{says}$")

    def testTheyAreAsShortAsTheySay(self):
        self.assertEqual(len(re.findall(r"allGather\(", textOf("vectorAllGather.cpp"))), 1)
        self.assertLessEqual(lineCount("sampleSort.hpp", "sampleSort"), 14)
        self.assertLessEqual(lineCount("breadthFirstSearch.hpp", "breadthFirstSearch"), 21)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", required=True, help="the folder of the examples")
    parser.add_argument("--programs", required=True, help="the folder of the programs")
    parser.add_argument("--mpiexec", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
