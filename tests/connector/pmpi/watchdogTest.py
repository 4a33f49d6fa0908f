#!/usr/bin/env python3
"""Runs a program in which the last rank computes until a file is there, makes the file when the watchdog has said what it should, and checks
that the job then ends as ever.

    watchdogTest.py RANKS PROGRAM LAUNCHER [OPTIONS OF THE LAUNCHER]
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

RANKS = int(sys.argv[1])
PROGRAM = sys.argv[2]
LAUNCH = sys.argv[3:]
LATE = RANKS - 1
WORLD = rf"MPI_COMM_WORLD \({RANKS} ranks\)"
SINCE = r"since \d\d:\d\d:\d\d \(\d+\.\d s\)"
ABSENT = rf"rank {LATE} \(gives no answer: it is in no call of MPI that waits\)"
OTHERS = rf"(?:rank \d+ \(waits in another call\), )*"


class WatchdogTest(unittest.TestCase):
    def lines(self, way, wanted, limit="0.1"):
        """What Ferry says; the late rank goes on when all that is wanted has come."""
        wanted = [re.compile(text) for text in wanted]
        environment = {name: value for name, value in os.environ.items() if name != "FERRY_GUARD_WATCHDOG"}
        if limit is not None:
            environment["FERRY_GUARD_WATCHDOG"] = limit
        said = []
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "go on")
            job = subprocess.Popen([*LAUNCH, PROGRAM, way, file], env=environment, stderr=subprocess.PIPE, text=True)
            if not wanted:
                open(file, "w").close()
            for line in job.stderr:
                if not line.startswith("ferry: "):
                    continue
                said.append(line.rstrip("\n"))
                wanted = [one for one in wanted if not one.fullmatch(said[-1])]
                if not wanted and not os.path.exists(file):
                    open(file, "w").close()
            self.assertEqual(job.wait(), 0, said)
        self.assertEqual(wanted, [], said)
        return said

    def testACollectiveNamesWhoIsMissing(self):
        text = rf"ferry: rank \d+ waits in MPI_Allreduce on {WORLD} {SINCE}: not there: {ABSENT}"
        for line in self.lines("collective", [text]):
            self.assertRegex(line, text)

    def testTheEndOfTheRegionNamesWhoIsMissing(self):
        text = rf"ferry: rank \d+ waits at the end of the region {SINCE}: not there: {ABSENT}"
        for way in ("end", "failure"):
            for line in self.lines(way, [text]):
                self.assertRegex(line, text)

    def testAReceiveNamesPeerAndTag(self):
        wanted = [rf"ferry: rank 0 waits in MPI_Recv {SINCE}: for a message from any rank with tag 7 on {WORLD}"]
        if RANKS > 2:
            wanted.append(rf"ferry: rank \d+ waits in MPI_Barrier on {WORLD} {SINCE}: not there: {OTHERS}{ABSENT}")
        self.lines("receive", wanted)

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
