#!/usr/bin/env python3
"""A program with spawned processes, ports and sessions under ferryrun --guard: RANKS, FERRYRUN, LIBRARY, the launcher, the C++ program.

Such calls are let through. Whatever works with the launcher alone works with the guard, and a failure beside them ends the job with one report.
"""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import Hung, run    # noqa: E402 (the path comes first)

RANKS, FERRYRUN, LIBRARY, LAUNCHER, PROGRAM = int(sys.argv[1]), *sys.argv[2:6]
LAST = RANKS - 1
HOT = "the plate is too hot"


class DynamicTest(unittest.TestCase):
    def guarded(self, way):
        return run([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), PROGRAM, way],
                   env=os.environ | {"FERRY_GUARD_PATIENCE": "1"})

    def needs(self, way, text="all rounds done"):
        """Skips the test where this way does not work with the launcher alone."""
        try:
            done = run([LAUNCHER, "-n", str(RANKS), PROGRAM, way])
        except Hung:
            self.skipTest(f"{way} hangs without the guard")
        if done.returncode != 0 or text not in done.stdout:
            self.skipTest(f"{way} does not work without the guard: {done.stderr[-300:]}")

    def expectWorks(self, way, text="all rounds done"):
        self.needs(way, text)
        done = self.guarded(way)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(text, done.stdout)
        self.assertNotIn("wrong", done.stdout)
        self.assertNotIn("ferry:", done.stderr)

    def expectFailure(self, way, calls):
        done = self.guarded(way)
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("ferry: the job was stopped"), 1, done.stderr)
        self.assertIn(HOT, done.stderr)
        for call in calls:
            self.assertRegex(done.stderr, rf"calls without protection on rank 0: [^\n]*{call}")

    def testSpawnedProcesses(self):
        self.expectWorks("worksSpawning")
        self.expectFailure("throwsBesideChildren", ["MPI_Comm_spawn"])
        done = self.guarded("waitsForAChildThatThrows")
        self.assertNotEqual(done.returncode, 0, done.stderr)
        self.assertIn(HOT, done.stderr)

    @unittest.skipIf(RANKS < 2, "two groups need two ranks")
    def testPorts(self):
        self.expectWorks("worksByPort")
        self.expectFailure("throwsAfterPort", ["MPI_Comm_accept"])

    def testSessions(self):
        self.expectWorks("worksBySession")
        self.expectWorks("worksBySessionAlone", "a session is over")
        self.expectFailure("throwsAfterSession", ["MPI_Session_init"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
