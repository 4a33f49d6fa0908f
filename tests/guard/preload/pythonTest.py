#!/usr/bin/env python3
"""Python programs that know nothing of Ferry under ferryrun --guard: RANKS, FERRYRUN, LIBRARY. Needs an interpreter with mpi4py."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import Launch, run    # noqa: E402 (the path comes first)

RANKS, FERRYRUN, LIBRARY = int(sys.argv[1]), *sys.argv[2:4]
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plainProgram.py")
LAST = RANKS - 1
IS_MPICH = "HYDRA" in run([os.environ.get("FERRY_LAUNCHER", "mpirun"), "--version"]).stdout
STOPPED = r"(?s)ferry: the job was stopped, every rank exits with status %d\n  %s on rank %d \(host .*\) at plainProgram.py:\d+:\n"
TRACEBACK = r' +Traceback \(most recent call last\):\n +File ".*plainProgram.py", line \d+, in <module>\n'
HOT = STOPPED % (1, "OwnError", LAST) + TRACEBACK + ".*    OwnError: the plate is too hot\n"


def interpreter():
    """Returns an interpreter that has mpi4py with the MPI of the launcher; None: there is none."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([candidate, "-c", "import mpi4py"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if found.returncode == 0:
            return candidate
    return None


PYTHON = interpreter()


@unittest.skipIf(PYTHON is None, "no interpreter has mpi4py: install python3-mpi4py")
class PythonTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def launch(self, *words, **variables):
        return run([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), PYTHON, "-B", *words],
                   env=os.environ | {"OUT": self.folder.name} | variables)

    def expectEnd(self, way, status, told=None, **variables):
        """Checks the status, that standard error has the report once, and that each rank has cleaned up and lost nothing."""
        done = self.launch(PROGRAM, way, **variables)
        what = f"{way}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        self.assertIn(done.returncode, status if isinstance(status, set) else {status}, what)
        if told is None:
            self.assertNotIn("ferry:", done.stderr, what)
        else:
            self.assertRegex(done.stderr, told, what)
            self.assertEqual(done.stderr.count("ferry: the job was stopped"), 1, what)
        self.assertEqual(sorted(re.findall(r"rank (\d+) cleaned up", done.stdout)), sorted(map(str, range(RANKS))), what)
        for rank in range(RANKS):
            with open(os.path.join(self.folder.name, f"rank{rank}.txt"), encoding="utf-8") as file:
                self.assertEqual(file.read(), f"results of rank {rank}\n", what)
        return done

    def testWhatWorksGoesOnToWork(self):
        for way in ("works", "endsByExit", "endsByRaise"):
            self.assertNotIn("Traceback", self.expectEnd(way, 0).stderr)

    def testAnExceptionIsToldWithItsTraceback(self):
        done = self.expectEnd("overheat", 1, HOT)
        self.assertEqual(done.stderr.count("Traceback"), 1, done.stderr)    # no rank tells what the report tells
        self.assertEqual(len(re.findall(r"rank \d+ is woken: rank \d+ has failed in .*?: OwnError: the plate is too hot", done.stdout)), LAST, done.stdout)
        done = self.expectEnd("chained", 1, STOPPED % (1, "ValueError", LAST) + TRACEBACK)
        self.assertLess(done.stderr.index("OwnError: the plate is too hot"), done.stderr.index("ValueError: no plate"))
        done = self.expectEnd("everywhere", 1, STOPPED % (1, "OwnError", 0) + TRACEBACK)

    def testAnExceptionBesideOneThatWasCaught(self):
        self.expectEnd("caught", 1, HOT)

    def testAProgramThatGoesOnIsToldAgain(self):
        done = self.expectEnd("goesOn", 1, HOT)
        self.assertEqual(len(re.findall(r"rank \d+ goes on: ", done.stdout)), 3 * LAST, done.stdout)

    def testAHookOfTheProgramIsCalledBesideTheReport(self):
        done = self.expectEnd("ownHook", 1, HOT)
        self.assertIn("own hook: the plate is too hot\n", done.stderr)

    def testARankThatExits(self):
        end = TRACEBACK + r".*\n    sys.exit\(%s\)\n"
        self.expectEnd("exit3", 3, STOPPED % (3, "SystemExit", LAST) + end % 3)
        done = self.expectEnd("exitText", 1, STOPPED % (1, "SystemExit", LAST) + end % "'the text of the end'")
        self.assertIn("\nthe text of the end\n", "\n" + done.stderr)
        self.expectEnd("raise3", 3, rf"(?s)every rank exits with status 3\n.*rank {LAST} ended its program with status 3 in the middle of MPI\n")
        self.expectEnd("exit0", 1, rf"(?s)ferry::RankHasLeft on rank .*\n    rank {LAST} has come to the end of the region")

    def testARankThatWaitsInItsCleanUpIsToldWithItsException(self):
        done = self.expectEnd("block", 1, rf"(?s)no rank can go on, and no message is under way: roll call of {RANKS} ranks\n.*OwnError: the plate is too hot\n", FERRY_GUARD_DEADLOCK="0.3")
        self.assertRegex(done.stderr, rf"rank {LAST}: in MPI_Barrier on communicator \d+, at __exit__ \(plainProgram.py:\d+\)")
        self.assertRegex(done.stderr, r"in MPI_Barrier on MPI_COMM_WORLD, at leavesABlockAlone \(plainProgram.py:\d+\)")

    def testAnExceptionInAParallelFile(self):
        done = self.launch(os.path.join(os.path.dirname(PROGRAM), "parallelFile.py"), os.path.join(self.folder.name, "data.h5"), FERRY_GUARD_DEADLOCK="0.5")
        if done.returncode == 77 or "ModuleNotFoundError" in done.stderr:
            self.skipTest("there is no h5py with MPI")
        # HDF5 1.10 crashes at the end of the interpreter when a file could not be closed: after the report.
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"(?s)no rank can go on, .*roll call of .*ValueError: cell 7 has no volume")

    def testAnExceptionThatDoesNotEndTheProgramIsTheCauseWhenTheRankIsMissed(self):
        for way in ("thread", "prints"):
            done = self.expectEnd(way, 1, STOPPED % (1, "OwnError", LAST) + rf" +Traceback .*    OwnError: the plate is too hot\n +with handling = rank {LAST} has caught it and come to its end, while rank")
            self.assertEqual(len(re.findall(r"rank \d+ is woken: rank \d+ has failed in .*?: OwnError: the plate is too hot", done.stdout)), LAST, done.stdout)

    def testAnExitInAHandlerIsToldWithTheExceptionThere(self):
        done = self.expectEnd("exitsHandling", 3, STOPPED % (3, "SystemExit", LAST) + r".*OwnError: the plate is too hot\n\s+During handling of .*sys.exit\(3\)")
        self.assertIn("sys.exit(3) after OwnError: the plate is too hot", done.stdout)

    def testAnAbortInAHandlerIsToldWithTheExceptionThere(self):
        done = self.launch(PROGRAM, "aborts")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertRegex(done.stderr, STOPPED % (7, "ferry::Terminated", LAST) + rf" +rank {LAST} called MPI_Abort with status 7. Before, the rank has thrown OwnError: the plate is too hot "
                                      r"\(plainProgram.py:\d+\)\n" + TRACEBACK + r".*world.Abort\(7\)\n")

    def testACollectiveInAHandlerIsToldWithTheExceptionThere(self):
        self.expectEnd("waitsHandling", 1, rf"(?s)ranks do not agree on a collective: .*rank {LAST} calls MPI_Barrier in waitsInAHandler \(plainProgram.py:\d+\), after it has thrown OwnError: the plate is too hot \(plainProgram.py:\d+\)")

    def testADeadlockBesideAThreadThatWaitsForAnother(self):
        self.expectEnd("besideThread", 1, rf"(?s)ferry::Deadlock on rank .*no rank can go on, and no message is under way: roll call of {RANKS} ranks\n", FERRY_GUARD_DEADLOCK="0.3")

    def testAForkedChildEnds(self):
        done = self.launch(PROGRAM, "forks")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("ferry:", done.stderr)

    def testAnInterrupt(self):
        for way in ("interrupts", "interruptsItself"):
            # The interpreter ends itself by SIGINT. The launcher of MPICH returns the number of the signal, mixed with that of ranks it kills.
            self.expectEnd(way, {signal.SIGINT, signal.SIGINT | signal.SIGKILL} if IS_MPICH else 130, STOPPED % (130, "KeyboardInterrupt", LAST) + TRACEBACK)

    def testWhatAProgramCatchesItselfIsAsEver(self):
        for way in ("catchesItsInterrupt", "leavesAThread", "leaveIsPickled"):
            done = self.expectEnd(way, 0)
            self.assertEqual((done.stderr, "wrong" in done.stdout), ("", False))

    def testASignalEndsRanksThatWait(self):
        """Python's own handler would run only when a call of MPI is over."""
        text = "from mpi4py import MPI; w = MPI.COMM_WORLD; w.rank == 0 and print('waits', flush=True); w.recv(source=(w.rank + 1) % w.size)"
        for number in (signal.SIGINT, signal.SIGTERM):
            job = Launch([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), PYTHON, "-c", text])
            job.awaitLine("waits", stream="stdout")
            time.sleep(0.2)    # until the ranks wait; an earlier signal ends the job as well
            job.signal(number)
            done = job.finish()
            self.assertEqual(done.returncode, 128 + number, done.stderr)
            self.assertIn(f"every rank exits with status {128 + number}\n", done.stderr)
            self.assertEqual(done.stderr.count("ferry: the job was stopped"), 1, done.stderr)

    def testProgramsWithoutAFile(self):
        text = "from mpi4py import MPI; w = MPI.COMM_WORLD; w.rank == 0 and [][1]; w.barrier()"
        done = self.launch("-c", text)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, r"IndexError on rank 0 \(host .*\):\n +Traceback .*\n +File \"<string>\", line 1, in <module>\n +IndexError: list index")
        done = self.launch("-c", "import sys; sys.exit(5)")
        self.assertEqual(done.returncode, 5)
        self.assertNotIn("ferry:", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
