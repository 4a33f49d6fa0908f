"""Runs the examples of the connector's verbs as threads and under mpirun, and counts their lines."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run    # noqa: E402 (the path comes first)

SAYS = {
    "vectorAllGather": r"\d+ numbers of \d+ ranks are right\n",
    "sampleSort": r"\d+ numbers of \d+ ranks are sorted\n",
    "breadthFirstSearch": r"20000 vertices, the farthest 1\d steps away: right\n",
    "labelPropagation": r"5000 vertices in 747 clusters of at most 20\n",
    "suffixArray": r"20000 suffixes are sorted\n",
    "differenceCover": r"30 texts of 30 have their suffixes sorted\n",
    "survivingSum": r"(\d+) of \1 ranks are left\n",
    "timers": r"timers of \d+ ranks +calls +min +mean +max +imbalance\nwhole .*\n  make .*\n    numbers .*\n  sort .*\n  report .*\n"
              r"(    not on rank .*\n)?",
}

CLANG_FORMAT = shutil.which("clang-format-14") or shutil.which("clang-format")

options = None


def textOf(file):
    with open(os.path.join(options.sources, file), encoding="utf-8") as source:
        return source.read()


def lineCount(file, function):
    """Returns the lines of a function as KaMPIng's paper counts them: laid out by clang-format in Google's style, without empty lines and
    comment lines. Helper functions that find the parts of sorted data, and the class of the graph, are left out there too."""
    whole = re.search(rf"^(?:template <[^\n]*>\n)?[^\n/]*\b{function}\([^;]*?\{{\n.*?^}}$", textOf(file), re.MULTILINE | re.DOTALL).group()
    laidOut = subprocess.run([CLANG_FORMAT, "--style=Google"], input=whole, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return sum(1 for line in laidOut.splitlines() if line.strip() and not line.strip().startswith("//"))


def linesFromTry(file):
    """Returns the lines of the first try block of a file, with what catches."""
    return len(re.search(r"^( *)try \{\n.*?^\1}$", textOf(file), re.MULTILINE | re.DOTALL).group().splitlines())


def tableOfPage():
    """Returns the last column of the table of line counts in docs/coming-from.md, by the first column."""
    tasks = "vector allgather|sample sort|breadth-first search|label propagation|suffix array|suffix array by difference cover|sum after a loss"
    with open(options.page, encoding="utf-8") as page:
        rows = re.findall(rf"^\| ({tasks}) \|.*\| (\d+) \|$", page.read(), re.MULTILINE)
    return {name: int(count) for name, count in rows}


class Verbs(unittest.TestCase):
    def testEveryProgramIsRight(self):
        for name, says in SAYS.items():
            program = os.path.join(options.programs, name)
            for command in [[program], *[[options.mpiexec, "-np", str(ranks), program] for ranks in (1, 2, 3, 4)]]:
                with self.subTest(" ".join(command)):
                    done = run(command)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertRegex(done.stdout, f"^{says}$")

    @unittest.skipUnless(os.environ.get("FERRY_LAUNCHER"), "jobs do not survive deaths under this launcher")
    def testTheSumSurvivesALoss(self):
        done = run([options.ferryrun, "-np", "4", os.path.join(options.programs, "survivingSum"), "kill"])
        self.assertEqual((done.returncode, done.stdout), (0, "3 of 4 ranks are left\n"), done.stderr)

    @unittest.skipUnless(CLANG_FORMAT, "clang-format is not installed")
    def testTheyAreAsShortAsThePageSays(self):
        counts = {
            "vector allgather": len(re.findall(r"allGather\(", textOf("vectorAllGather.cpp"))),
            "sample sort": lineCount("sampleSort.hpp", "sampleSort"),
            "breadth-first search": lineCount("breadthFirstSearch.hpp", "breadthFirstSearch"),
            "label propagation": lineCount("labelPropagation.hpp", "labelPropagation"),
            "suffix array": lineCount("suffixArray.hpp", "pairedSuffixes") + lineCount("suffixArray.hpp", "suffixArray"),
            "suffix array by difference cover": sum(lineCount("differenceCover.hpp", name) for name in (
                "placed", "later", "namesOf", "sortedSuffixes", "suffixArrayByCover")),
            "sum after a loss": linesFromTry("survivingSum.hpp"),
        }
        self.assertEqual(tableOfPage(), counts)
        self.assertLessEqual(counts["sample sort"], 14)
        self.assertLessEqual(counts["breadth-first search"], 21)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sources", required=True, help="the folder of the examples")
    parser.add_argument("--page", required=True, help="docs/coming-from.md, which has a table of the counts")
    parser.add_argument("--programs", required=True, help="the folder of the programs")
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--ferryrun", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
