#!/usr/bin/env python3
"""Programs whose ranks repeat tests and probes that find nothing, under ferryrun --guard: RANKS, FERRYRUN, LIBRARY, the C++ program."""
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import Launch, run    # noqa: E402 (the path comes first)

RANKS, FERRYRUN, LIBRARY, PROGRAM = int(sys.argv[1]), *sys.argv[2:5]
LAST = RANKS - 1
COMMAND = [sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), PROGRAM]
LINE = "ferry: all ranks wait, or repeat tests that find nothing, and no message is under way"


class VainTestsTest(unittest.TestCase):
    def launch(self, way, **variables):
        return run([*COMMAND, way], env=os.environ | variables)

    def expectDeadlock(self, way, told):
        done = self.launch(way, FERRY_GUARD_DEADLOCK="0.3", FERRY_GUARD_POLLING="0.8")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, rf"(?s)ferry::Deadlock on rank \d .*all ranks wait, or repeat tests that find nothing, and no message is under way: roll call of {RANKS} rank.*{told}")
        self.assertEqual(done.stderr.count("ferry: the job was stopped"), 1, done.stderr)
        self.assertEqual(sorted(re.findall(r"rank (\d+) unwound", done.stdout)), sorted(map(str, range(RANKS))), done.stdout)

    def testTheJobEndsAfterTheTimeThatTheUserHasChosen(self):
        place = r", at [^\n]*\(testingProgram.cpp:\d+\)"
        self.expectDeadlock("repeatsTest", rf"rank {LAST}: in repeated MPI_Test for a message from rank 0 with tag 11 on MPI_COMM_WORLD[^\n]*{place}")
        self.expectDeadlock("repeatsProbe", rf"rank {LAST}: in repeated MPI_Iprobe for a message from rank 0 with tag 11 on MPI_COMM_WORLD[^\n]*{place}")
        self.expectDeadlock("repeatsProbeEverywhere", rf"in repeated MPI_Iprobe for a message from any rank with tag 11 on MPI_COMM_WORLD[^\n]*{place}")
        self.expectDeadlock("repeatsManyTestsEverywhere", r"in (?:repeated )?MPI_(?:Testall|Request_get_status|Iprobe)")

    def testWithoutAChoiceTheJobIsToldAndGoesOn(self):
        """The last rank waits for a file, which comes when the line has been told."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "go")
            job = Launch([*COMMAND, "repeatsProbeUntilFileIsThere"], env=os.environ | {"AWAITED_FILE": path, "FERRY_GUARD_DEADLOCK": "0.3"})
            job.awaitLine(f"ferry: roll call of {RANKS} rank", "stderr")
            with open(path, "w", encoding="ascii"):
                pass
            done = job.finish()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("all rounds done", done.stdout)
        self.assertEqual(done.stderr.count(LINE), 1, done.stderr)
        self.assertIn("the job goes on. FERRY_GUARD_POLLING=60 would end it", done.stderr)
        self.assertRegex(done.stderr, rf"rank {LAST}: in repeated MPI_Iprobe for a message from rank 0 with tag 11")

    def testProgramsThatGoOnByThemselvesAreNeitherToldNorEnded(self):
        for way in ("computesBetweenTests", "testsWhileAThreadComputes", "talksBetweenTests"):
            with self.subTest(way):
                done = self.launch(way, FERRY_GUARD_DEADLOCK="0.3", FERRY_GUARD_POLLING="0.3")
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                self.assertIn("all rounds done", done.stdout)

    def testAWrongNumberOfSecondsIsTold(self):
        done = self.launch("talksBetweenTests", FERRY_GUARD_POLLING="never")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("FERRY_GUARD_POLLING: expected seconds from 0 to 1e6, found never: 0 s are used", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
