"""The particle code under mpirun, plain and with a guarded region, and what docs/existing-mpi.md shows of it."""
import argparse
import difflib
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import run as launchAndFinish    # noqa: E402 (the path comes first)

TOO_LONG = "0.125"
FINE = "0.0625"
RESULT = rf"steps of {FINE}, mean kinetic energy \d+\.\d{{6}}\n"
FAST = r"a particle crosses 1\.\d+ cells in one step"

options = None


def textOf(*path):
    with open(os.path.join(options.source, *path), encoding="utf-8") as file:
        return file.read()


def run(*command):
    """Returns exit status, output and errors."""
    done = launchAndFinish(command)
    return done.returncode, done.stdout, done.stderr


def launch(program, step, ranks=None):
    return run(options.mpiexec, "-np", str(ranks or options.ranks), program, step)


def linesOf(example):
    """Returns the lines of the program from the first include on."""
    text = textOf("examples", "particles", example)
    return text[text.index("#include"):].splitlines(keepends=True)


class Particles(unittest.TestCase):
    def testPlainProgramGivesTheSameOnAnyNumberOfRanks(self):
        status, output, errors = launch(options.plain, FINE)
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, f"^{RESULT}$")
        self.assertEqual(output, launch(options.plain, FINE, ranks=1)[1])

    def testGuardedProgramIsThePlainOneWhereNothingFails(self):
        self.assertEqual(launch(options.guarded, FINE), launch(options.plain, FINE))

    def testRunAfterTheFailureIsThePlainOneWithTheShorterStep(self):
        status, output, errors = launch(options.guarded, TOO_LONG)
        self.assertEqual((status, errors), (0, ""))
        told, result = output.split("\n", 1)
        self.assertRegex(told, rf"^(1 failure|\d+ failures, first), on rank [0-{options.ranks - 1}]: {FAST}$")
        self.assertEqual(result, launch(options.plain, FINE)[1])

    def testPlainProgramAbortsWhereTheStepIsTooLong(self):
        status, output, errors = launch(options.plain, TOO_LONG)
        self.assertEqual((status != 0, output), (True, ""), errors)
        self.assertRegex(errors, FAST)

    def testWhatIsNotExpectedLeavesTheGuardedProgram(self):
        status, output, errors = launch(options.guarded, "0")
        self.assertEqual((status != 0, output), (True, ""), errors)
        self.assertIn("a step of 0.000000", errors)

    def testGuardOfTheWholePlainProgramTellsTheFailureOnce(self):
        if not options.guard:
            self.skipTest("the guard is not built")
        status, output, errors = run(sys.executable, "-B", options.ferryrun, "--guard", "--guard-library", options.guard, "--launcher", options.mpiexec,
                                     "-np", str(options.ranks), options.plain, TOO_LONG)
        self.assertEqual((status, output), (1, ""), errors)
        self.assertEqual(errors.count("every rank exits with status 1\n"), 1, errors)
        self.assertRegex(errors, rf"std::range_error on rank [0-{options.ranks - 1}] [^\n]*\n    {FAST}\n")


class Page(unittest.TestCase):
    def testItShowsTheDifferenceOfTheTwoPrograms(self):
        difference = list(difflib.unified_diff(linesOf("plainParticles.cpp"), linesOf("guardedParticles.cpp"), n=1))
        shown = re.search(r"^```diff\n(.*?)^```$", textOf("docs", "existing-mpi.md"), re.MULTILINE | re.DOTALL).group(1)
        lines = ["@@" if line.startswith("@@") else line.rstrip() for line in difference[2:]]
        self.assertEqual(shown.splitlines(), lines)

    def testItShowsWhatTheGuardedProgramPrints(self):
        shown = re.search(rf"^    mpirun -np (\d+) build/release/bin/guardedParticles {re.escape(TOO_LONG)}\n((?:    .*\n)+)",
                          textOf("docs", "existing-mpi.md"), re.MULTILINE)
        self.assertEqual(launch(options.guarded, TOO_LONG, ranks=int(shown.group(1)))[1], re.sub("^    ", "", shown.group(2), flags=re.MULTILINE))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--source", required=True, help="the root of the source tree")
    parser.add_argument("--plain", required=True)
    parser.add_argument("--guarded", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--ferryrun", required=True)
    parser.add_argument("--guard", help="libferry_guard.so")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
