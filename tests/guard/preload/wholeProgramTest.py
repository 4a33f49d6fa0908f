#!/usr/bin/env python3
"""Programs that know nothing of Ferry under ferryrun --guard: RANKS, FERRYRUN, LIBRARY, the C++ program, the C program, the
same without tables for the unwinder, a C program that looks at error codes, a C++ program with unusual communicators and windows, and, where there is a compiler for it, the two Fortran programs."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import Launch, commandLine, processesOf, run    # noqa: E402 (the path comes first)

RANKS, FERRYRUN, LIBRARY, PROGRAM, C_PROGRAM, C_PROGRAM_WITHOUT_TABLES, ERROR_CODES, UNUSUAL_PROGRAM = int(sys.argv[1]), *sys.argv[2:9]
FORTRAN_PROGRAM, FORTRAN_2008_PROGRAM = sys.argv[9:11] if len(sys.argv) > 9 else (None, None)
LAST = RANKS - 1
GUARDS_OWN_FRAME = r"\n +at [^\n]*(?:ferry::pmpi::|ferry::detail::ProgramGuard|\((?:Region|\w+Calls|ProgramGuard)\.[ch]pp:)"    # of a stack
HOT = rf"every rank exits with status 1\n(?s:.*)std::domain_error on rank {LAST} (?s:.*)the plate is too hot"


# MPICH's launcher kills the other ranks of a rank that ends without MPI_Finalize, and mixes the statuses of all of them.
IS_MPICH = "HYDRA" in run([os.environ.get("FERRY_LAUNCHER", "mpirun"), "--version"]).stdout


def statusesOfSignal(number):
    """The statuses of a launcher whose job a signal has ended. That of MPICH returns the number itself."""
    return {number, number | signal.SIGKILL} if IS_MPICH else {128 + number}


def statusesWithoutFinalize(status):
    """The statuses of a launcher when one rank ends with a status, by _exit() or by exit() on another thread."""
    return {status, signal.SIGKILL} if IS_MPICH else {status}


class WholeProgramTest(unittest.TestCase):
    def launch(self, *command, **variables):
        return run([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), *command], env=os.environ | variables)

    def expectEnd(self, way, status, told=None, program=PROGRAM, **variables):
        """Checks the status, and that standard error has the text once, and no line twice."""
        done = self.launch(program, way, **variables)
        what = f"{way}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        self.assertIn(done.returncode, status if isinstance(status, set) else {status}, what)
        self.assertNotIn("wrong", done.stdout, what)
        self.assertNotRegex(done.stderr, GUARDS_OWN_FRAME, what)
        if told is None:
            self.assertNotIn("ferry:", done.stderr, what)
        else:
            self.assertRegex(done.stderr, told, what)
            self.assertLessEqual(done.stderr.count("ferry: the job was stopped"), 1, what)
        return done

    def expectAllUnwound(self, done):
        self.assertEqual(sorted(re.findall(r"rank (\d+) unwound", done.stdout)), sorted(map(str, range(RANKS))), done.stdout)

    def testWhatWorksGoesOnToWork(self):
        for way in ("works", "worksUnsupported", "worksFinalizedAtExit", "worksWithManyCommunicators", "worksWithDisconnectedCommunicators",
                    "worksBesideChild", "worksThreaded", "worksWithThreadsInTurn", "worksAfterCaughtException"):
            done = self.expectEnd(way, 0)
            self.assertIn("all rounds done", done.stdout)
        self.expectEnd("returnsStatus", 5)
        self.assertEqual(self.expectEnd("worksWithoutMpi", 0).stdout.count("no MPI here"), RANKS)
        done = self.launch(C_PROGRAM)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1 2 3\n", ""))

    def testAThrowUnwindsAllRanksAndIsToldOnce(self):
        for way in ("throws", "throwsUnsupported", "throwsUnsupportedOnOneRank", "throwsWithFileAndWindow", "throwsThreaded", "throwsWithThreadsInTurn"):
            done = self.expectEnd(way, 1, HOT)
            self.expectAllUnwound(done)
            self.assertEqual("without protection" in done.stderr, way.startswith("throwsUnsupported"), done.stderr)
        self.expectEnd("throwsEverywhere", 1, "the plate is too hot")
        self.expectAllUnwound(self.expectEnd("throwsAnInt", 1, rf"\n.* on rank {LAST} "))

    def testNoRankIsCutOffWhileItEnds(self):
        """Without a call of MPI_Finalize, the launcher kills the other ranks when the first rank ends."""
        done = self.expectEnd("throwsUnsupportedAndEndsSlowly", 1, HOT)
        self.expectAllUnwound(done)
        self.assertIn("rank 0 has ended slowly", done.stdout)

    def testRanksThatWaitInDestructors(self):
        held = r"ferry: rank \d+: MPI_Barrier returns with nothing done, since no exception can leave .*? \(noexcept\)"
        done = self.expectEnd("throwsWhileOthersAreInDestructors", 1, HOT)
        self.assertEqual(len(re.findall(held, done.stderr)), LAST, done.stderr)
        self.expectAllUnwound(done)
        done = self.expectEnd("throwsWhileOthersStayInDestructors", 1, HOT, FERRY_GUARD_PATIENCE="0.5")
        self.assertRegex(done.stderr, held)

    def testRanksThatCallMpiForEverAfterAFailureAreEnded(self):
        exited = rf"every rank exits with status 3\n(?s:.*)rank {LAST} ended its program with status 3 in the middle of MPI"
        for way, status, told in (("goesOnForever", 3, exited), ("repeatsInItsCleanUp", 1, HOT)):
            done = self.expectEnd(way, status, told, program=UNUSUAL_PROGRAM, FERRY_GUARD_PATIENCE="0.5")
            self.assertEqual(done.stderr.count("goes on to call MPI after the failure: its program is ended there\n"), 1, done.stderr)

    def testARankThatDoesNotEndItsCleanUpIsNotWaitedFor(self):
        self.expectEnd("waitsInItsCleanUp", 1, rf"{HOT}(?s:.*)\nferry: not all other ranks have (?:left their programs|come to a call of MPI) within [^\n]*: the job is ended by force", program=UNUSUAL_PROGRAM, FERRY_GUARD_PATIENCE="0.1")

    def testCallsWithoutProtectionAreNamedWhenARankFails(self):
        self.expectEnd("throwsUnsupported", 1, r"calls without protection on rank 0: MPI_Cart_map\n")
        self.expectEnd("throwsUnsupportedOnOneRank", 1, rf"calls without protection on rank {LAST}: MPI_Cart_map\n")

    def testARankThatEndsInTheMiddle(self):
        told = rf"(?s)every rank exits with status %d\n.*rank {LAST} ended its program with status %d in the middle of MPI"
        for way, status, own in (("exits", 3, 3), ("exitsQuickly", 3, 3), ("exitsWithSuccess", 4, 0), ("leaves", 4, 0)):
            self.expectEnd(way, status, told % (status, own))
        self.expectEnd("exits", 3, told % (3, 3) + r"\n(?: +at [^\n]*\n)* +at [^\n]*compute[^\n]* \(plainProgram.cpp:\d+\)")    # the place of exit()
        done = self.launch(C_PROGRAM, "7")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertRegex(done.stderr, told % (7, 7))

    def testCallsOfMpiAtTheEndOfAProgram(self):
        """Handlers of exit() and destructors of objects call MPI. The end of the program is the cause, and no call waits for ever."""
        told = rf"(?s)every rank exits with status %d\n  ferry::Terminated on rank {LAST} .*rank {LAST} ended its program with status %d in the middle of MPI\n"
        for way, status, line in (("exitsBesideBarrier", 3, "synchronised"), ("exitsBesideFinalize", 3, "finalised"), ("exitsBesideAnObject", 3, None), ("exitsInAnAttribute", 5, None)):
            done = self.expectEnd(way, status, told % (status, status), program=UNUSUAL_PROGRAM)
            self.assertEqual(done.stderr.count("in the middle of MPI"), 1, done.stderr)
            if line is not None:
                self.assertEqual(done.stdout.count(line), RANKS, done.stdout)
        done = self.expectEnd("throwsBesideAnObject", 1, HOT, program=UNUSUAL_PROGRAM)
        self.assertEqual(done.stdout.count("synchronised"), RANKS, done.stdout)
        # With and without the guard, the launcher of MPICH 5 loses what a rank prints behind MPI_Finalize, and may kill the rank.
        finalised = self.expectEnd("worksFinalizedByAnObject", {0, signal.SIGKILL} if IS_MPICH else 0, program=UNUSUAL_PROGRAM).stdout.count("finalised")
        self.assertIn(finalised, range(RANKS + 1) if IS_MPICH else {RANKS})
        for way, status in (("allExitBesideFinalize", 3), ("allExitBesideAnObject", 5)):
            self.expectEnd(way, status, program=UNUSUAL_PROGRAM)    # the launcher may kill a rank before it has printed its line

    def testARankWhoseThreadEnds(self):
        done = self.launch(C_PROGRAM, "thread")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, rf"(?s)every rank exits with status 1\n.*pthread_exit or pthread_cancel ended the thread of rank {LAST} in the middle of MPI")
        self.assertNotRegex(done.stderr, "FATAL|is ended by signal")
        done = self.launch(C_PROGRAM, "thread", "afterMpi")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1 2 3\n", ""))

    @unittest.skipIf(FORTRAN_PROGRAM is None, "there is no Fortran compiler of this MPI")
    def testAProgramInFortran(self):
        done = self.launch(FORTRAN_PROGRAM)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{RANKS * (RANKS + 1) // 2}\n", ""))
        done = self.launch(FORTRAN_PROGRAM, "7")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertRegex(done.stderr, rf"(?s)every rank exits with status 7\n.*rank {LAST} ended its program with status 7 in the middle of MPI")

    @unittest.skipIf(FORTRAN_PROGRAM is None, "there is no Fortran compiler of this MPI")
    def testAProgramInFortranThatLooksAtErrorCodes(self):
        done = self.launch(FORTRAN_PROGRAM, "7", "codes", FERRY_GUARD_ERRORS="return")
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertEqual(len(re.findall(rf"rank {LAST} has failed", done.stdout)), LAST, done.stdout)

    @unittest.skipIf(FORTRAN_2008_PROGRAM is None, "there is no Fortran compiler of this MPI")
    def testAProgramInFortran2008(self):
        done = self.expectEnd("works", 0, program=FORTRAN_2008_PROGRAM)
        self.assertEqual((done.stdout, done.stderr), ("all rounds done\n", ""))
        told = rf"(?s)every rank exits with status %d\n  ferry::Terminated on rank {LAST} .*rank {LAST} ended its program with status %d in the middle of MPI\n.* at \S*fail\S* \(fortranProgram.f90:\d+\)"
        for way, status in (("stops", 3), ("stopsBesideTypes", 3), ("stopsWithError", 7), ("opensNoFile", 2)):
            self.expectEnd(way, status, told % (status, status), program=FORTRAN_2008_PROGRAM)
        self.expectEnd("operatorStops", 9, r"(?s)every rank exits with status 9\n.*ended its program with status 9 in the middle of MPI\n.* at \S*combine\S* \(fortranProgram.f90:\d+\)",
                       program=FORTRAN_2008_PROGRAM, FERRY_GUARD_PATIENCE="0.5", GFORTRAN_ERROR_BACKTRACE="0")
        self.expectEnd("differs", 1, rf"(?s)ferry::CollectiveMismatch on rank {LAST} .*rank {LAST} calls MPI_Bcast of 8 bytes \(MPI_INTEGER\), root 0 in \S*fail\S* \(fortranProgram.f90:\d+\), rank 0 calls MPI_Allreduce of 8 bytes",
                       program=FORTRAN_2008_PROGRAM)

    def testAllRanksEndWithTheStatusThatTheReportSays(self):
        self.expectEnd("forgetsTheEnd", 4, "every rank exits with status 4\n")
        done = self.launch(PROGRAM, "exitsDifferently")
        self.assertIn(f"every rank exits with status {done.returncode}\n", done.stderr)
        self.assertIn(done.returncode, range(10, 10 + RANKS))

    def testEachApplicationContextIsGuarded(self):
        done = self.launch(PROGRAM, "works", ":", "-np", "1", PROGRAM, "works")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        done = self.launch(PROGRAM, "works", ":", "-np", "1", PROGRAM, "throws")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stderr, rf"std::domain_error on rank {RANKS} ")

    def testAProgramThatCatchesWhatItThrows(self):
        told = rf"rank {LAST} ended its program with status 9 in the middle of MPI"
        cause = r"Before, the rank has thrown std::domain_error: the plate is too hot \(plainProgram.cpp:\d+\)"
        gone = rf"(?s)std::domain_error on rank {LAST} .*at plainProgram.cpp:\d+:\n +the plate is too hot\n +with handling = rank {LAST} has caught it and come to its end, while rank \d waits for it in MPI_.*overheat\(\)"
        for way, text in (("catches", f"{told}. {cause}"), ("catchesInside", gone), ("catchesInsideSerialized", gone), ("catchesInsideThreaded", gone)):
            done = self.expectEnd(way, 9 if way == "catches" else 1, text)
            self.assertIn(f"rank {LAST} has caught: the plate is too hot", done.stdout)
            self.assertEqual(len(re.findall(f"has caught: rank {LAST} has failed .*?the plate is too hot", done.stdout)), LAST, done.stdout)
            self.assertNotIn("RankHasLeft", done.stderr)
            self.expectAllUnwound(done)
        self.expectEnd("catchesAndWaitsForMessage", 1, gone)
        self.expectEnd("swallows", 4, rf"rank {LAST} ended its program with status 0 in the middle of MPI")

    def testMpiFinalizeWhileAnExceptionIsOnItsWayToItsHandler(self):
        self.expectEnd("leavesByAnException", 0, program=UNUSUAL_PROGRAM)
        self.expectEnd("leavesByAnExceptionAlone", 4, rf"every rank exits with status 4\n(?s:.*)rank {LAST} ended its program with status 0 in the middle of MPI. Before, the rank has thrown .*Leave", program=UNUSUAL_PROGRAM)

    def testOutsideOfMpiAllIsAsEver(self):
        for way in ("throwsBeforeMpi", "throwsBehindMpi"):
            done = self.launch(PROGRAM, way)
            self.assertNotIn("wrong", done.stdout)
            self.assertIn(done.returncode, statusesOfSignal(signal.SIGABRT), done.stderr)
            # The launcher may put its own text between two writes of the program.
            self.assertRegex(done.stderr, "(?s)terminate called after throwing an instance of '.*std::domain_error'")

    def testAProgramThatCannotBeGuardedSaysWhyAndRuns(self):
        done = self.launch(C_PROGRAM_WITHOUT_TABLES)
        self.assertEqual((done.returncode, done.stdout), (0, "1 2 3\n"), done.stderr)
        self.assertRegex(done.stderr, "^ferry: this program is not guarded: .*functions without unwind tables.*\n$")

    def testThreadsThatCallAtTheSameTimeAreToldOnce(self):
        thread = r"(?:the main thread|thread \d+)"
        met = rf"ferry: rank (\d): {thread} calls MPI_\w+ while (?:{thread} is in MPI_\w+|another thread is in a call of MPI): from here on, a failure is reported and ends the job by force\n"
        for level in ({}, {"THREAD_LEVEL": "funneled"}, {"THREAD_LEVEL": "single"}):
            done = self.expectEnd("worksWithTwoThreads", 0, met, **level)
            self.assertIn("all rounds done", done.stdout)
            self.assertEqual(sorted(re.findall(met, done.stderr)), sorted(map(str, range(RANKS))), done.stderr)
            done = self.expectEnd("throwsWithTwoThreads", 1, rf"(?s)std::domain_error on rank {LAST} .*the plate is too hot.*ferry: two threads of a rank were in calls of MPI at the same time: the job is ended by force", **level)
            self.assertEqual(done.stderr.count("the job is ended by force"), 1, done.stderr)

    def testThreadsInTurnAreGuardedAtAnyLevel(self):
        for level in ("funneled", "single"):
            self.assertIn("all rounds done", self.expectEnd("worksWithThreadsInTurn", 0, THREAD_LEVEL=level).stdout)
            self.expectAllUnwound(self.expectEnd("throwsWithThreadsInTurn", 1, HOT, THREAD_LEVEL=level))

    def testRanksThatComeToCallsThatDiffer(self):
        place = r"in .*\(plainProgram.cpp:\d+\)"
        done = self.expectEnd("goesOnOneCallAhead", 1, rf"(?s)ferry::CollectiveMismatch on rank {LAST} .*at plainProgram.cpp:\d+:\n +ranks do not agree on a collective: "
                              rf"rank {LAST} calls MPI_Bcast of 40000 bytes \(MPI_DOUBLE\), root 0 {place}, after it has thrown std::domain_error: the plate is too hot \(plainProgram.cpp:\d+\), "
                              rf"rank 0 calls MPI_Allreduce of 8 bytes \(MPI_DOUBLE\) with MPI_SUM {place}")
        self.expectAllUnwound(done)

    def testADeadlockIsTheEndWithARollCall(self):
        done = self.expectEnd("waitsInACircle", 1, rf"(?s)ferry::Deadlock on rank \d .*no rank can go on, and no message is under way: roll call of {RANKS} ranks\n"
                              rf" +{RANKS} ranks \(0-{LAST}\): in MPI_Recv, at \S* ?\S*receiveFromNext(?:\(\))? \(plainProgram.cpp:\d+\) since .*\n"
                              r" +rank 0: MPI_Recv (?:for a message )?from rank 1 (?:with tag 11|\(tag 11\)) on MPI_COMM_WORLD.*ranks wait for each other: 0 -> 1 -> ", FERRY_GUARD_DEADLOCK="0.3")
        self.expectAllUnwound(done)
        done = self.expectEnd("waitsElsewhere", 1, rf"(?s)ferry::Deadlock on rank \d .*\n +rank {LAST}: in MPI_Barrier on communicator \d+, at .*rank {LAST} has thrown std::domain_error: the plate is too hot \(plainProgram.cpp:\d+\)"
                              rf".*MPI_Barrier on MPI_COMM_WORLD waits for rank {LAST}", FERRY_GUARD_DEADLOCK="0.3")
        self.expectAllUnwound(done)

    def testADeadlockOnACommunicatorThatTheGuardDoesNotKnow(self):
        done = self.expectEnd("waitsOnAnUnknownCommunicator", 1, rf"(?s)ferry::Deadlock on rank \d .*no rank can go on, and no message is under way: roll call of {RANKS} ranks\n.*in MPI_Recv.* since [0-9:]+ \([1-9]\d* (?:to \d+ )?s\)"
                              r".*ranks wait for each other: 0 -> 1 -> ", FERRY_GUARD_DEADLOCK="1.1")
        self.expectAllUnwound(done)

    def testNoDeadlockIsFoundWhileARankOrAThreadMayGoOn(self):
        met = rf"\Aferry: rank {LAST}: thread \d+ calls MPI_Send while the main thread is in MPI_Recv: .*\n\Z"
        for way, told in (("works", None), ("worksWhileARankComputes", None), ("worksWhileAThreadOfARankWillSend", met),
                          ("worksWhileAThreadFromBeforeMpiWillSend", met)):
            self.assertIn("all rounds done", self.expectEnd(way, 0, told, FERRY_GUARD_DEADLOCK="0.1").stdout)
        # Below MPI_THREAD_SERIALIZED, the call of the main thread is known to be one of two when the other thread comes.
        for way in ("worksWhileAThreadOfARankWillSend", "worksWhileAThreadFromBeforeMpiWillSend"):
            self.assertIn("all rounds done", self.expectEnd(way, 0, met, THREAD_LEVEL="funneled").stdout)

    def testAStandstillThatTheUserHasLimited(self):
        told = rf"(?s)ferry: roll call of {RANKS} ranks\n  rank {LAST}: in no call of MPI, at \S* ?\S*pause(?:\(int\))? \(plainProgram.cpp:\d+\).*ferry: rank \d has failed: ferry::Deadlock: the job has stood still for FERRY_GUARD_STANDSTILL seconds"
        done = self.expectEnd("standsStill", 1, told, FERRY_GUARD_STANDSTILL="0.5", FERRY_GUARD_PATIENCE="0.5")
        self.assertEqual(done.stderr.count("roll call of"), 1, done.stderr)

    def callRolls(self, way, wanted, program=PROGRAM):
        """Calls the roll while the last rank waits, in no call of MPI. The wanted text is in the answer. Returns both outputs of the job."""
        with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "err"), "w+", encoding="utf-8") as error:
            def told():
                error.seek(0)
                return error.read()

            path = os.path.join(folder, "go")
            command = [sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), program, way]
            with subprocess.Popen(command, env=os.environ | {"AWAITED_FILE": path}, stdout=subprocess.PIPE, stderr=error, text=True) as job:
                self.assertEqual(job.stdout.readline(), "the last rank waits\n")
                for _ in range(30):
                    asked = run([sys.executable, "-B", FERRYRUN, "--roll-call", str(job.pid)])
                    self.assertEqual((asked.returncode, asked.stderr), (0, ""))
                    time.sleep(0.5)    # until the answers are there; otherwise the next turn finds them
                    if re.search(wanted, told()):
                        break
                with open(path, "w", encoding="ascii"):
                    pass
                out, _ = job.communicate(timeout=300)
            self.assertEqual(job.returncode, 0, told())
            self.assertIn("all rounds done", out)
            self.assertRegex(told(), rf"ferry: roll call of {RANKS} ranks\n(?s:.*){wanted}")
            return out, told()

    @staticmethod
    def waitsIn(function):
        """The last rank in the function, while others wait for it."""
        return rf"rank {LAST}: in no call of MPI, at \S* ?\S*{function}(?:\(\))? \(plainProgram.cpp:\d+\)(?s:.*) waits? for rank {LAST}: in no call of MPI"

    def testRanksThatEndInAnyWayBehindMpiAreNotTakenForDead(self):
        ended = "rank 0" if LAST == 1 else rf"{LAST} ranks \(0-{LAST - 1}\)"
        _, told = self.callRolls("endsAtOnceBehindMpi", rf"{ended}: at the end of the program's MPI\n", UNUSUAL_PROGRAM)
        self.assertNotRegex(told, "in the middle of MPI|the process is gone")

    def testARollCallOnDemandAndTheJobGoesOn(self):
        """The wish comes when the last rank is where it waits, and the others may still be on their way there."""
        self.callRolls("awaitsAFile", self.waitsIn("awaitFile"))

    def testARollCallDisturbsNoProgram(self):
        """Its signals end no wait of the program early, and do not come to the program's own handler."""
        out, _ = self.callRolls("awaitsAFileInSystemCalls", self.waitsIn("awaitFileInSystemCalls"))
        self.assertNotIn("wrong", out)
        self.assertIn("own signals: 2", out)

    def testARollCallThatNoRankAnswers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "go")
            job = Launch([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), PROGRAM, "awaitsAFile"],
                         env=os.environ | {"AWAITED_FILE": path})
            job.awaitLine("the last rank waits", "stdout")
            ranks = [process for process in processesOf(job.mark) if commandLine(process) == f"{process}: {PROGRAM} awaitsAFile"]
            self.assertEqual(len(ranks), RANKS, [commandLine(process) for process in ranks])
            for process in ranks:
                os.kill(process, signal.SIGSTOP)
            asked = run([sys.executable, "-B", FERRYRUN, "--roll-call", str(job.pid)])
            self.assertEqual(asked.returncode, 1, asked.stderr)
            self.assertIn(f"no roll call: none of {RANKS} guarded ranks below process {job.pid} answers, {RANKS} are stopped by a signal", asked.stderr)
            for process in ranks:
                os.kill(process, signal.SIGCONT)
            with open(path, "w", encoding="ascii"):
                pass
            done = job.finish()
            self.assertEqual(done.returncode, 0, done.stderr)

    def testCommunicatorsThatTheGuardDoesNotKnowAreLetThrough(self):
        self.assertIn("all rounds done", self.expectEnd("worksWithUnknownCommunicators", 0, FERRY_GUARD_DEADLOCK="0.1").stdout)
        done = self.expectEnd("throwsBesideUnknownCommunicators", 1, HOT)
        self.expectAllUnwound(done)
        self.assertNotIn("without protection", done.stderr)

    def testPersistentRequestsThatTheGuardDoesNotKnowAreLetThrough(self):
        self.assertIn("all rounds done", self.expectEnd("worksWithUnknownPersistentRequests", 0, program=UNUSUAL_PROGRAM).stdout)

    def testUnusualCommunicatorsAreGuarded(self):
        for kind in ("Later", "Between", "Merged", "Grouped"):
            self.assertIn("all rounds done", self.expectEnd(f"works{kind}", 0, program=UNUSUAL_PROGRAM, FERRY_GUARD_DEADLOCK="0.1").stdout)
            self.expectAllUnwound(self.expectEnd(f"throwsBeside{kind}", 1, HOT, program=UNUSUAL_PROGRAM))
            done = self.expectEnd(f"waitsInVain{kind}", 1, rf"(?s)ferry::Deadlock on rank \d .*no rank can go on, and no message is under way: roll call of {RANKS} ranks\n.*?in MPI_Wait for a message from rank 0 with tag 11",
                                  program=UNUSUAL_PROGRAM, FERRY_GUARD_DEADLOCK="0.3")
            self.expectAllUnwound(done)
        for way in ("throwsBesideMessageLater", "throwsBesideMessageBetween", "throwsBesideMaking", "throwsBesideMakingGrouped", "throwsBesideMakingBetween",
                    "throwsBesideMakingMerged"):
            done = self.expectEnd(way, 1, HOT, program=UNUSUAL_PROGRAM)
            self.expectAllUnwound(done)
            self.assertNotRegex(done.stderr, "by force|without protection")
        for kind, call in (("Grouped", "MPI_Comm_create_group"), ("Between", "MPI_(Intercomm_create|Comm_split)")):
            done = self.expectEnd(f"waitsBesideMaking{kind}", 1, rf"(?s)ferry::Deadlock on rank \d .*no rank can go on, .*in {call}", program=UNUSUAL_PROGRAM, FERRY_GUARD_DEADLOCK="0.3")
            self.expectAllUnwound(done)

    def testRanksThatDisconnect(self):
        for kind in ("Later", "Half", "Between"):
            self.assertIn("all rounds done", self.expectEnd(f"worksDisconnecting{kind}", 0, program=UNUSUAL_PROGRAM, FERRY_GUARD_DEADLOCK="0.1").stdout)
        for kind, told in (("throwsBesideDisconnectingLater", HOT), ("throwsBesideDisconnectingHalf", HOT), ("throwsBesideDisconnectingBetween", HOT),
                           ("throwsBesideDisconnectingDestructors", HOT),
                           ("waitsBesideDisconnecting", r"(?s)ferry::Deadlock on rank \d .*no rank can go on, .*in MPI_Comm_disconnect"),
                           ("differsBesideDisconnecting", rf"ferry::CollectiveMismatch (?s:.*)rank {LAST} calls MPI_Allreduce .*calls MPI_Comm_disconnect"),
                           ("leavesBesideDisconnecting", r"(?s)ferry::Deadlock on rank \d (?=.*in MPI_Comm_disconnect).*in MPI_Finalize|"
                                                         r"ferry::RankHasLeft on rank \d .*has come to the end of the region, but this rank waits for it in MPI_Comm_disconnect")):
            done = self.expectEnd(kind, 1, told, program=UNUSUAL_PROGRAM, FERRY_GUARD_DEADLOCK="0.3")
            self.expectAllUnwound(done)
            self.assertNotRegex(done.stderr, "by force|without protection")

    def testWindowsWithLocks(self):
        self.assertIn("all rounds done", self.expectEnd("worksWithLocks", 0, program=UNUSUAL_PROGRAM, FERRY_GUARD_DEADLOCK="0.1").stdout)
        for way in ("throwsInALock", "throwsInALockOfAll", "throwsWhileAnotherRankHasTheLock", "throwsBesideASpinningRank"):
            done = self.expectEnd(way, 1, HOT, program=UNUSUAL_PROGRAM)
            self.expectAllUnwound(done)
            self.assertNotIn("by force", done.stderr)
            self.assertNotIn("without protection", done.stderr)

    def testWindowsWithPosts(self):
        done = self.expectEnd("worksWithPosts", 0, FERRY_GUARD_DEADLOCK="0.1")
        self.assertIn("all rounds done", done.stdout)
        for way in ("throwsBeforePost", "throwsBeforeStart", "throwsBeforeComplete"):
            done = self.expectEnd(way, 1, HOT)
            self.expectAllUnwound(done)
            self.assertNotRegex(done.stderr, "by force|without protection")
        for way, told in (("waitsBeforePost", f"MPI_Win_start for MPI_Win_post of rank 0, .*MPI_Win_post of rank {LAST}"), ("waitsBeforeComplete", f"MPI_Win_wait for .*MPI_Win_complete of rank {LAST}")):
            done = self.expectEnd(way, 1, rf"(?s)ferry::Deadlock on rank \d .*no rank can go on, .*{told}", FERRY_GUARD_DEADLOCK="0.3")
            self.expectAllUnwound(done)

    def testAnOperatorThatThrows(self):
        """The stack shows the call of MPI once, and no other frame of the guard."""
        done = self.expectEnd("throwsInAnOperator", 1, r"(?s)std::domain_error on rank \d .*overheat.*\n +at P?MPI_Reduce \(", program=UNUSUAL_PROGRAM, FERRY_GUARD_PATIENCE="0.5")
        self.assertEqual(done.stderr.count("MPI_Reduce"), done.stderr.count("std::domain_error on rank"), done.stderr)

    def testALongWaitForALockIsTold(self):
        told = r"ferry: rank \d+ has waited in MPI_Win_lock for \d+ s, where the guard cannot wake it: another rank holds the lock\n"
        self.assertIn("all rounds done", self.expectEnd("worksWithALockKeptForLong", 0, told, program=UNUSUAL_PROGRAM, FERRY_GUARD_WATCHDOG="1").stdout)

    def endBySignal(self, number, *command):
        """Sends a signal to ferryrun when the last rank has begun to wait."""
        job = Launch([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, "-np", str(RANKS), *command],
                     env=os.environ | {"AWAITED_FILE": "/there/is/none"})
        job.awaitLine("the last rank waits", stream="stdout")
        time.sleep(0.2)    # until the ranks wait; an earlier signal ends the job as well
        job.signal(number)
        return job.finish()

    def testASignalEndsTheJobInOrder(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            done = self.endBySignal(number, PROGRAM, "waitsForASignal")
            self.assertEqual(done.returncode, 128 + number, done.stderr)
            self.assertRegex(done.stderr, rf"(?s)every rank exits with status {128 + number}\n.*the job was stopped: {number.name}\n")
            self.assertEqual(done.stderr.count("ferry: the job was stopped"), 1, done.stderr)
            self.expectAllUnwound(done)

    def testAHandlerOfTheProgramGetsTheSignal(self):
        done = self.endBySignal(signal.SIGINT, PROGRAM, "handlesASignal")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def testARankThatComesToNoCallOfMpiIsNotWaitedForAfterASignal(self):
        done = self.endBySignal(signal.SIGINT, PROGRAM, "awaitsAFile")
        self.assertEqual(done.returncode, 128 + signal.SIGINT, done.stderr)
        ended = r"the job was stopped: SIGINT.*not all other ranks have come to a call of MPI within 1500 ?ms"
        late = rf"rank {LAST} is ended by signal 2 \(SIGINT\): it has come to no call of MPI that can end within 2000 ms"    # a busy machine
        self.assertRegex(done.stderr, f"(?s){ended}|{late}")

    def testDeathsWithoutAnExceptionAreTold(self):
        told = rf"ferry: rank {LAST} is ended by signal 11 \(SIGSEGV\)"
        for way, text in (("crashes", told + r"\n"), ("crashesAfterCaughtException", told + r"\. The last exception that it has thrown: std::domain_error: the plate is too hot\n")):
            done = self.launch(PROGRAM, way)
            self.assertIn(done.returncode, statusesOfSignal(signal.SIGSEGV), done.stderr)
            self.assertRegex(done.stderr, text)
            self.assertEqual(done.stderr.count("is ended by signal"), 1, done.stderr)
        self.expectEnd("crashesWithHandler", statusesWithoutFinalize(33), rf"ferry: rank {LAST} has called _exit\(33\) in the middle of MPI\n")    # the handler of the program
        done = self.launch(PROGRAM, "endsAtOnce")
        self.assertIn(done.returncode, statusesWithoutFinalize(3), done.stderr)
        self.assertEqual(done.stderr.count(f"ferry: rank {LAST} has called _exit(3) in the middle of MPI\n"), 1, done.stderr)
        done = self.launch(PROGRAM, "overflowsItsStack")
        self.assertIn(done.returncode, statusesOfSignal(signal.SIGSEGV), done.stderr)
        self.assertRegex(done.stderr, told + r"\n")
        self.expectEnd("exitsOnAThread", statusesWithoutFinalize(3), rf"ferry: rank {LAST} has called exit\(3\) in the middle of MPI\n")
        done = self.launch(PROGRAM, "terminatesEverywhere")
        self.assertRegex(done.stderr, r"ferry: std::terminate was called on rank \d: ")
        self.assertEqual(done.stderr.count("ferry: the job was stopped"), 1, done.stderr)
        for way in ("terminates", "throwsInThread"):
            done = self.launch(PROGRAM, way)
            self.assertIn(done.returncode, statusesOfSignal(signal.SIGABRT), done.stderr)
            self.assertRegex(done.stderr, rf"(?s)ferry: the job was stopped, .*std::domain_error on rank {LAST} .*the plate is too hot.*ferry: std::terminate was called on rank {LAST}")
            self.assertNotIn("is ended by signal", done.stderr)

    def testARankThatDiesInItsCleanUpTellsTheCause(self):
        failed = rf"rank {LAST} has failed: std::domain_error: the plate is too hot\n"
        for way, number in (("terminatesInItsCleanUp", signal.SIGABRT), ("crashesInItsCleanUp", signal.SIGSEGV)):
            done = self.launch(UNUSUAL_PROGRAM, way)
            self.assertIn(done.returncode, statusesOfSignal(number), done.stderr)
            self.assertRegex(done.stderr, rf"ferry: rank 0 is ended by signal {int(number)} \({number.name}\)\. Before, {failed}")
        done = self.launch(UNUSUAL_PROGRAM, "throwsInItsCleanUp")
        self.assertIn(done.returncode, statusesOfSignal(signal.SIGABRT), done.stderr)
        self.assertRegex(done.stderr, rf"ferry: {failed}(?s:.*)std::out_of_range on rank 0 (?s:.*)no such file(?s:.*)ferry: std::terminate was called on rank 0, in its clean-up after that failure: ")

    def testAWokenThreadWithoutAHandlerEndsTheJobWithTheCause(self):
        self.expectEnd("throwsWhileThreadsOfOthersWait", 1, rf"ferry: rank {LAST} has failed: std::domain_error: the plate is too hot\nferry: a thread of rank 0 has no handler for that: the job is ended by force")

    def testMpiAbortIsAFailureWithItsPlace(self):
        cause = r"Before, the rank has thrown std::domain_error: the plate is too hot \(plainProgram.cpp:\d+\)"
        told = rf"(?s)ferry: the job was stopped, every rank exits with status %d\n.*rank {LAST} .*at plainProgram.cpp:\d+:\n.*rank %d called MPI_Abort with status %d"
        done = self.expectEnd("abortsInside", 7, told % (7, LAST, 7) + rf". {cause}")
        self.assertEqual(len(re.findall(f"has caught: rank {LAST} has failed .*?the plate is too hot", done.stdout)), LAST, done.stdout)
        self.expectEnd("abortsEverywhere", 5, "every rank exits with status 5\n(?s:.*)called MPI_Abort with status 5")
        self.expectEnd("abortsWhileOthersCompute", 5, told % (5, LAST, 5))

    def testTheReportComesBeforeMpiAbortOfOthers(self):
        done = self.expectEnd("exitsAndOthersAbort", 3, rf"(?s)ferry: the job was stopped, every rank exits with status 3\n.*rank {LAST} ended its program with status 3 in the middle of MPI")
        self.assertEqual(len(re.findall(rf"has caught: rank {LAST} has failed .*?status 3 in the middle of MPI", done.stdout)), LAST, done.stdout)

    def testWhoComputesForTooLongIsNotWaitedFor(self):
        self.expectEnd("throwsWhileOthersCompute", 1,
                       rf"(?s)std::domain_error on rank {LAST} .*the plate is too hot.*\nferry: not all other ranks have come .* within 500ms: the job is ended by force",
                       FERRY_GUARD_PATIENCE="0.5")

    def testCallsReturnErrorCodesWhereTheProgramLooksAtThem(self):
        told = rf"(?s)every rank exits with status 7\n.*rank {LAST} ended its program with status 7 in the middle of MPI"
        for way in ("return", "wait", "test", "receive", "probe", "duplicate", "own", "fatal"):
            for variables, options in (({"FERRY_GUARD_ERRORS": "return"}, []), ({}, ["--guard-errors", "return"])):
                with self.subTest(way=way, options=options):
                    done = run([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", LIBRARY, *options, "-np", str(RANKS), ERROR_CODES, way],
                               env=os.environ | variables)
                    self.assertEqual(done.returncode, 7, done.stdout + done.stderr)
                    self.assertRegex(done.stderr, told)
                    handled = re.findall(rf"rank \d+ handled (\d): rank {LAST} has failed", done.stdout)
                    expected = [] if way == "fatal" else ["1", "2"] * LAST if way == "own" else ["0"] * 2 * LAST
                    self.assertEqual(sorted(handled), sorted(expected), done.stdout)
                if way != "return":
                    break    # both ways to ask for it are tried once

    def testExceptionsComeWithoutTheOptionForErrorCodes(self):
        for variables, told in (({}, ""), ({"FERRY_GUARD_ERRORS": "never"}, "FERRY_GUARD_ERRORS: expected throw or return, found never")):
            done = self.launch(ERROR_CODES, "return", **variables)
            self.assertEqual((done.returncode, done.stdout), (7, ""), done.stderr)
            self.assertIn(told, done.stderr)

    def testARollCallOfNoJob(self):
        asked = run([sys.executable, "-B", FERRYRUN, "--roll-call", str(os.getpid())])
        self.assertEqual((asked.returncode, asked.stderr.count("no guarded rank was found")), (2, 1), asked.stderr)

    def testALibraryThatIsNotThere(self):
        done = run([sys.executable, "-B", FERRYRUN, "--guard", "--guard-library", "/nowhere.so", "-np", "1", "true"])
        self.assertEqual((done.returncode, done.stderr.count("/nowhere.so was not found")), (2, 1), done.stderr)

    def testWrongOptions(self):
        for options, told in ((["--guard-library", LIBRARY], "--guard-library needs --guard"), (["--guard", "--guard-library", __file__], "is no library"),
                              (["--roll-call", "-1"], "--roll-call: expected one number"), (["--guard-errors", "return"], "--guard-errors needs --guard"), (["--guard", "--guard-errors", "maybe"], "invalid choice")):
            done = run([sys.executable, "-B", FERRYRUN, *options, "-np", "1", "true"])
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(told, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
