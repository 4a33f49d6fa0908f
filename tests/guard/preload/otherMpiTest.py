#!/usr/bin/env python3
"""Programs of another MPI than the guard's, under ferryrun --guard: FERRYRUN, LIBRARY, a program that is linked to the other MPI, one that loads a
module, and that module."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import areLines, run    # noqa: E402 (the path comes first)

FERRYRUN, LIBRARY, LINKED, LOADER, MODULE = sys.argv[1:6]
LINE = r"^ferry: this program is not guarded: libferry_guard.so is for .*, the program uses (?:MPICH |Open MPI v)4.9.9. Build Ferry with that MPI, .*\n$"
# The dynamic linker finds the guard's MPI. Otherwise ferryrun preloads it, and no other MPI can be seen behind it.
HOME = os.path.dirname(os.path.dirname(os.path.realpath(os.environ.get("FERRY_LAUNCHER", "/usr/bin/mpirun"))))
FOUND = {"LD_LIBRARY_PATH": ":".join(filter(None, [os.path.join(HOME, "lib"), os.environ.get("LD_LIBRARY_PATH")]))}


class OtherMpiTest(unittest.TestCase):
    def launch(self, *command, **variables):
        return run([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", "2", *command], env=os.environ | FOUND | variables)

    def testTheProgramRunsAsEverWithOneLine(self):
        for command in ([LINKED], [LINKED, "argument"]):
            done = self.launch(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(areLines(done.stdout, 2 * ["preloaded: nothing", "the other MPI was used"]), done.stdout)
            self.assertRegex(done.stderr, LINE)

    def testSoDoesAProgramThatLoadsTheOtherMpiLater(self):
        done = self.launch(LOADER, MODULE)
        self.assertEqual(done.returncode, 0, done.stderr)
        guarded = f"preloaded: {os.path.realpath(LIBRARY)}"
        self.assertTrue(areLines(done.stdout, 2 * [guarded, "preloaded: nothing", "the other MPI was used"]), done.stdout)
        self.assertRegex(done.stderr, LINE)

    def testOtherPreloadedLibrariesStay(self):
        other = subprocess.run(["cc", "-print-file-name=libdl.so.2"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        done = self.launch(LINKED, LD_PRELOAD=other)
        self.assertTrue(areLines(done.stdout, 2 * [f"preloaded: {other}", "the other MPI was used"]), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
