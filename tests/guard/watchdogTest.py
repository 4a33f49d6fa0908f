#!/usr/bin/env python3
"""Runs a program in which the last rank computes until a file is there, makes the file when the watchdog has said what it should, and checks
that the job then ends as ever.

    watchdogTest.py RANKS PROGRAM LAUNCHER [OPTIONS OF THE LAUNCHER]
"""
import os
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import Launch    # noqa: E402 (the path comes first)

RANKS = int(sys.argv[1])
PROGRAM = sys.argv[2]
LAUNCH = sys.argv[3:]
LATE = RANKS - 1
LIMITS = ("0.1", "0.1", "2", "5", "15")    # of the attempts; ranks on a busy machine need longer to answer
WORLD = rf"MPI_COMM_WORLD \({RANKS} ranks\)"
SINCE = r"since \d\d:\d\d:\d\d \(\d+\.\d s\)"
ABSENT = rf"rank {LATE} \(gives no answer: it is in no call of MPI that waits\)"
OTHERS = r"(?:rank \d+ \(waits in another call\), )*"
ANY_OTHERS = r"(?:rank \d+ \([^)]*\), )*"    # on a busy machine, a rank may fail to answer in time


class WatchdogTest(unittest.TestCase):
    def lines(self, way, wanted, limit="0.1"):
        """Runs the program. Returns the error output. The late rank goes on when all wanted lines have come."""
        environment = {name: value for name, value in os.environ.items() if name != "FERRY_GUARD_WATCHDOG"}
        if limit is not None:
            environment["FERRY_GUARD_WATCHDOG"] = limit
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "go on")
            job = Launch([*LAUNCH, PROGRAM, way, file], env=environment)
            for text in wanted:
                job.awaitLine(rf"^{text}$")
            with open(file, "w", encoding="ascii"):
                pass
            done = job.finish()
        self.assertEqual(done.returncode, 0, job.describe())
        return [line for line in done.stderr.splitlines() if line.startswith("ferry: ")]

    def expectAbsent(self, way, begin, others="", besides=()):
        """Requires a line that names the late rank each time. In one of the attempts, the line must not name any other rank as silent."""
        exact = re.compile(begin + others + ABSENT)
        for limit in LIMITS:
            said = self.lines(way, [*besides, begin + ANY_OTHERS + ABSENT], limit)
            if any(exact.fullmatch(line) for line in said):
                return said
        self.fail(f"in {len(LIMITS)} attempts nothing was said like {exact.pattern}; the last one: {said}")

    def testACollectiveNamesWhoIsMissing(self):
        for line in self.expectAbsent("collective", rf"ferry: rank \d+ waits in MPI_Allreduce on {WORLD} {SINCE}: not there: "):
            self.assertIn(" waits in MPI_Allreduce on ", line)

    def testTheEndOfTheRegionNamesWhoIsMissing(self):
        for way in ("end", "failure"):
            for line in self.expectAbsent(way, rf"ferry: rank \d+ waits at the end of the region {SINCE}: not there: "):
                self.assertIn(" waits at the end of the region ", line)

    def testAReceiveNamesPeerAndTag(self):
        wanted = rf"ferry: rank 0 waits in MPI_Recv {SINCE}: for a message from any rank with tag 7 on {WORLD}"
        if RANKS == 2:
            self.lines("receive", [wanted])
        else:
            self.expectAbsent("receive", rf"ferry: rank \d+ waits in MPI_Barrier on {WORLD} {SINCE}: not there: ", OTHERS, [wanted])

    def testASendNamesPeerAndTag(self):
        self.lines("send", [rf"ferry: rank 0 waits in MPI_Send {SINCE}: for a send to rank {LATE} with tag 7 on {WORLD}"])

    def testAWaitNamesTheRequestsThatAreNotOver(self):
        self.lines("requests", [rf"ferry: rank 0 waits in MPI_Waitall {SINCE}: for a message from rank {LATE} with tag 7 on {WORLD}"])

    def testNothingIsSaidUnlessItIsWished(self):
        for limit in (None, "0", ""):
            self.assertEqual(self.lines("collective", [], limit), [])

    def testWhatIsNoTimeIsSaid(self):
        for line in self.lines("collective", ["ferry: FERRY_GUARD_WATCHDOG=soon is no number of seconds: nothing is watched"], "soon"):
            self.assertIn("soon", line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
