#!/usr/bin/env python3
"""Runs ferryrun with launchers that are shell scripts, and programs that tell what a program of Ferry would."""
import contextlib
import importlib.machinery
import os
import pty
import re
import select
import shutil
import signal
import sys
import tempfile
import time
import types
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from launching import Launch, awaitFile, run    # noqa: E402 (the path comes first)

FERRYRUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tools", "ferryrun")
OPEN_MPI_4 = "mpirun (Open MPI) 4.1.4"
OPEN_MPI_5 = "mpirun (Open MPI) 5.0.11"
MPICH = "HYDRA build details:\n    Version: 4.0.2"
LOST = 6


class FerryrunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def script(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n" + text + "\n")
        os.chmod(path, 0o755)
        return path

    def launcher(self, version, text='while [ $# -gt 1 ]; do shift; done; "$1"'):
        """Makes a launcher script that prints the version or runs the text. The usual text runs the last argument, without its status."""
        return self.script("launcher", f'if [ "$1" = --version ]; then echo "{version}"; exit 0; fi\n{text}')

    def command(self, version, options, program, **more):
        launcher = self.launcher(version, **more)
        return [sys.executable, "-B", FERRYRUN, "--launcher", launcher, *options, "-np", "4", program]

    def ferryrun(self, version, options, program, **more):
        return run(self.command(version, options, program, **more))

    def program(self, text):
        return self.script("program", f'touch "$FERRY_END_MARKER.started"; touch "$FERRY_END_MARKER.begun"\n{text}')

    def runsBefore(self):
        """Returns the text of a script that counts its runs in a file. $run is the number of the present run."""
        path = os.path.join(self.folder.name, "runs")
        return f'echo >> "{path}"; run=$(wc -l < "{path}")\n'

    def testEachMpiGetsItsOptions(self):
        shown = self.ferryrun(OPEN_MPI_4, ["--show"], "prog").stdout
        self.assertIn("FERRY_SURVIVES_DEATHS=1", shown)
        self.assertIn("--enable-recovery", shown)
        self.assertIn("-x FERRY_END_MARKER", shown)
        self.assertTrue(shown.rstrip().endswith("-np 4 prog"), shown)
        self.assertIn("--with-ft ulfm", self.ferryrun(OPEN_MPI_5, ["--show"], "prog").stdout)
        self.assertIn("--enable-recovery", self.ferryrun("mpiexec (OpenRTE) 4.1.4", ["--show"], "prog").stdout)
        for version in (MPICH, "slurm-wlm 22.05.8", "something else", "mpirun (Open MPI) 3.1.0"):
            done = self.ferryrun(version, ["--show"], "prog")
            self.assertIn("FERRY_SURVIVES_DEATHS=0", done.stdout)
            self.assertIn("when a rank dies", done.stderr)
            self.assertIn("--ferry-journal", done.stderr)

    def testTheMarkerIsTheStatusAndNotTheLauncher(self):
        for said in (0, 3):
            done = self.ferryrun(OPEN_MPI_4, [], self.program(f'echo {said} > "$FERRY_END_MARKER"; exit 9'))
            self.assertEqual((done.returncode, done.stderr), (said, ""))

    def testAJobThatWasCutOffIsStartedAgain(self):
        program = self.program(self.runsBefore() + 'if [ $run = 3 ]; then echo 0 > "$FERRY_END_MARKER"; fi')
        done = self.ferryrun(OPEN_MPI_4, [], program)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("is started again"), 2)

    def testAJobThatLostARankThatItNeedsIsStartedAgain(self):
        program = self.program(self.runsBefore() + f'if [ $run = 1 ]; then echo {LOST} lost > "$FERRY_END_MARKER"; else echo 0 > "$FERRY_END_MARKER"; fi')
        self.assertEqual(self.ferryrun(OPEN_MPI_4, [], program).returncode, 0)
        own = self.program(f'echo {LOST} > "$FERRY_END_MARKER"')    # the status of the program itself
        done = self.ferryrun(OPEN_MPI_4, [], own)
        self.assertEqual((done.returncode, done.stderr), (LOST, ""))

    def testItIsStartedAgainSoOftenAndNoMore(self):
        done = self.ferryrun(OPEN_MPI_4, ["--restarts", "2"], self.program("exit 0"))
        self.assertEqual(done.returncode, LOST)
        self.assertEqual(done.stderr.count("is started again"), 2)
        done = self.ferryrun(OPEN_MPI_4, ["--restarts=0"], self.program("exit 0"))
        self.assertEqual((done.returncode, done.stderr.count("is started again")), (LOST, 0))

    def testTheStatusOfTheLauncherCountsWhenTheProgramDidNotStart(self):
        done = self.ferryrun(OPEN_MPI_4, [], "true", text="exit 7")
        self.assertEqual((done.returncode, done.stderr), (7, ""))

    def testAProgramThatIsNotThereIsRefused(self):
        missing = os.path.join(self.folder.name, "missing")
        notExecutable = os.path.join(self.folder.name, "data")
        with open(notExecutable, "w", encoding="ascii"):
            pass
        for version in (OPEN_MPI_4, OPEN_MPI_5):
            for program in (missing, notExecutable, self.folder.name, "noSuchProgramOfFerry"):
                done = self.ferryrun(version, [], program, text="exec sleep 1000")
                self.assertEqual((done.returncode, done.stderr), (2, f"ferryrun: {program} was not found, or is no program\n"))
        launcher = self.launcher(OPEN_MPI_4, text="exit 7")
        for rest, status in (["-np", "1", "true", ":", "-np", "1", missing, "argument"], 2), (["-np", "2", "--host", "other", missing], 7), \
                (["-np", "2", "--wdir", "/", missing], 7), (["-np", "2", "--unknown-option", "value", "true"], 7), (["--app", missing], 7):
            done = run([sys.executable, "-B", FERRYRUN, "--launcher", launcher, *rest])
            self.assertEqual(done.returncode, status, rest)

    def testALauncherThatDoesNotEndIsEnded(self):
        program = self.program('echo 0 > "$FERRY_END_MARKER"; exec sleep 1000')
        done = self.ferryrun(OPEN_MPI_4, ["--linger", "0.2"], program, text='while [ $# -gt 1 ]; do shift; done; exec "$1"')
        self.assertEqual(done.returncode, 0)
        self.assertIn("does not end by itself", done.stderr)

    def testAStartThatHangsIsEndedAndTriedAgain(self):
        program = self.script("program", 'touch "$FERRY_END_MARKER.started"\n' + self.runsBefore() +
                              'if [ $run = 1 ]; then exec sleep 1000; fi; echo 0 > "$FERRY_END_MARKER"')
        done = self.ferryrun(OPEN_MPI_4, ["--start-limit", "0.5"], program, text='while [ $# -gt 1 ]; do shift; done; exec "$1"')
        self.assertEqual(done.returncode, 0)
        self.assertIn("have not found each other within 0.5 s", done.stderr)

    def testASignalGoesToTheLauncherAndEndsTheRestarts(self):
        program = self.program(f'echo > "{self.folder.name}/there"; exec sleep 1000')
        job = Launch(self.command(OPEN_MPI_4, [], program, text='while [ $# -gt 1 ]; do shift; done; exec "$1"'))
        awaitFile(os.path.join(self.folder.name, "there"))
        job.signal(signal.SIGTERM)
        done = job.finish()
        self.assertEqual(done.returncode, 128 + signal.SIGTERM)
        self.assertNotIn("is started again", done.stderr)

    def testASignalIsTheStatusWhateverTheLauncherSays(self):
        text = f'trap "exit 1" TERM; touch "$FERRY_END_MARKER.started"; echo > "{self.folder.name}/there"; while :; do sleep 0.05; done'
        job = Launch(self.command(OPEN_MPI_4, [], "true", text=text))
        awaitFile(os.path.join(self.folder.name, "there"))
        job.signal(signal.SIGTERM)
        done = job.finish()
        self.assertEqual((done.stderr, done.returncode), ("", 128 + signal.SIGTERM))

    def testASignalToTheWholeGroupReachesTheLauncherOnce(self):
        """Sends SIGINT like Ctrl-C on a terminal. The launcher ends half a second after the first signal."""
        there, log = os.path.join(self.folder.name, "there"), os.path.join(self.folder.name, "signals")
        counting = f"""import os, signal, time
count = 0
def take(*_):
    global count
    count += 1
signal.signal(signal.SIGINT, take)
for path in (os.environ["FERRY_END_MARKER"] + ".started", {there!r}):
    open(path, "w").close()
while count == 0:
    time.sleep(0.01)
end = time.monotonic() + 0.5
while time.monotonic() < end:
    time.sleep(0.01)
with open({log!r}, "w") as file:
    file.write(str(count))
"""
        path = os.path.join(self.folder.name, "counting.py")
        with open(path, "w", encoding="ascii") as file:
            file.write(counting)
        job = Launch(self.command(OPEN_MPI_4, [], "true", text=f'exec "{sys.executable}" -B "{path}"'))
        awaitFile(there)
        os.killpg(job.pid, signal.SIGINT)
        done = job.finish()
        self.assertEqual((done.stderr, done.returncode), ("", 128 + signal.SIGINT))
        with open(log, encoding="ascii") as file:
            self.assertEqual(file.read(), "1")

    def jobThatListens(self, ends=True, leaves=True, handled="SIGINT, signal.SIGTERM, signal.SIGHUP"):
        """Starts a job whose rank 0 logs the signals that it handles, and ends the job with the first one. The launcher logs its own, and ends
        with it. A rank that does not leave stays after the end of the job, and its launcher waits for it and logs its status."""
        there, log = os.path.join(self.folder.name, "there"), os.path.join(self.folder.name, "signals")
        listening = f"""import os, signal, sys, time
marker = os.environ["FERRY_END_MARKER"]
def take(number, _):
    with open({log!r}, "a") as file:
        file.write(f"rank {{number}}\\n")
    if {ends}:
        with open(marker, "w") as file:
            file.write(str(128 + number))
        if {leaves}:
            os._exit(0)
for number in (signal.{handled}):
    signal.signal(number, take)
for path in (marker + ".started", marker + ".begun", {there!r}):
    open(path, "w").close()
while True:
    time.sleep(0.01)
"""
        path = os.path.join(self.folder.name, "listening.py")
        with open(path, "w", encoding="ascii") as file:
            file.write(listening)
        end = "; kill -KILL \\$rank; exit 1" if leaves else ""
        text = "\n".join(f'trap "echo launcher {number} >> {log}{end}" {name}' for name, number in (("INT", 2), ("TERM", 15), ("HUP", 1)))
        text += f'\nOMPI_COMM_WORLD_RANK=0 "{sys.executable}" -B "{path}" & rank=$!\nwhile kill -0 $rank 2> /dev/null; do sleep 0.05; done'
        if not leaves:
            text += f"\nwait $rank; echo status $? >> {log}"
        job = Launch(self.command(OPEN_MPI_4, [], "true", text=text))
        awaitFile(there)
        return job, log

    def readLog(self, log):
        with open(log, encoding="ascii") as file:
            return file.read().splitlines()

    def testASignalGoesToARankThatEndsTheJobInOrder(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for send in (os.killpg, os.kill):
                job, log = self.jobThatListens()
                send(job.pid, number)
                done = job.finish()
                self.assertEqual((done.stderr, done.returncode, self.readLog(log)), ("", 128 + number, [f"rank {number:d}"]))
                os.remove(log)
                os.remove(os.path.join(self.folder.name, "there"))

    def testTheSecondSignalGoesToTheLauncher(self):
        job, log = self.jobThatListens(ends=False)
        job.signal(signal.SIGINT)
        awaitFile(log)
        time.sleep(0.5)    # longer than the time in which two signals are one
        job.signal(signal.SIGINT)
        self.assertEqual(job.finish().returncode, 128 + signal.SIGINT)
        self.assertEqual(self.readLog(log), ["rank 2", "launcher 2"])

    def testAWrapperThatHandlesOneSignalIsNoRank(self):
        job, log = self.jobThatListens(handled="SIGINT,")
        job.signal(signal.SIGINT)
        self.assertEqual(job.finish().returncode, 128 + signal.SIGINT)
        self.assertEqual(self.readLog(log), ["launcher 2"])

    def testRanksThatLiveOnAfterTheEndOfAStoppedJobAreEnded(self):
        """The rank writes the end of the job at the first signal, and heeds none. The launcher waits for it, whatever it is told."""
        job, log = self.jobThatListens(leaves=False)
        job.signal(signal.SIGINT)
        done = job.finish()
        self.assertEqual(done.returncode, 128 + signal.SIGINT)
        self.assertIn("does not end by itself", done.stderr)
        self.assertEqual(self.readLog(log), ["rank 2", "launcher 15", "status 137"])

    def testSigquitEndsAllProcesses(self):
        job, _ = self.jobThatListens(ends=False)
        job.signal(signal.SIGQUIT)
        self.assertEqual(job.finish().returncode, 128 + signal.SIGQUIT)

    def testASignalBeforeTheStartIsNotLost(self):
        there = os.path.join(self.folder.name, "there")
        launcher = self.script("launcher", f'if [ "$1" = --version ]; then touch "{there}"; sleep 0.5; echo "{OPEN_MPI_4}"; exit 0; fi; exec sleep 1000')
        job = Launch([sys.executable, "-B", FERRYRUN, "--launcher", launcher, "-np", "4", "true"])
        awaitFile(there)
        os.killpg(job.pid, signal.SIGINT)
        done = job.finish()
        self.assertEqual((done.stderr, done.returncode), ("", 128 + signal.SIGINT))

    def testAnIgnoredSignalStaysIgnored(self):
        there = os.path.join(self.folder.name, "there")
        text = f'touch "$FERRY_END_MARKER.started" "{there}"; sleep 0.5; echo 0 > "$FERRY_END_MARKER"'
        job = Launch(["nohup", *self.command(OPEN_MPI_4, [], "true", text=text)])
        awaitFile(there)
        job.signal(signal.SIGHUP)
        self.assertEqual(job.finish().returncode, 0)

    def testTheStatusIsThatOfTheSignalToFerryrun(self):
        """A launcher that gets SIGINT sends SIGTERM to the ranks, which tell its status."""
        there = os.path.join(self.folder.name, "there")
        text = f"""trap 'echo 143 > "$FERRY_END_MARKER"; exit 1' INT; touch "$FERRY_END_MARKER.started" "{there}"; while :; do sleep 0.05; done"""
        job = Launch(self.command(OPEN_MPI_4, [], "true", text=text))
        awaitFile(there)
        job.signal(signal.SIGINT)
        self.assertEqual(job.finish().returncode, 128 + signal.SIGINT)

    def testHostsThatDoNotAnswerAreLeftOut(self):
        """The launcher logs the command that it gets. Host b does not answer."""
        log = os.path.join(self.folder.name, "log")
        text = f"""case "$*" in
*" true") case "$*" in *"--host b "*) exit 1 ;; *) exit 0 ;; esac ;;
esac
echo "$@" >> "{log}"
touch "$FERRY_END_MARKER.started"
if [ "$(wc -l < "{log}")" = 2 ]; then echo 0 > "$FERRY_END_MARKER"; fi"""
        hostFile = os.path.join(self.folder.name, "hosts")
        with open(hostFile, "w", encoding="ascii") as file:
            file.write("# the cluster\na slots=4\nb slots=3 max_slots=9\n\nc slots=1\n")
        for asked, left in ((["--host", "a:4,b:3,c", "-np", "8", "prog", "-np", "8", "--host", "b"], "--host a:4,c:1 -np 5 prog -np 8 --host b"),
                            (["--mca", "btl", "self", "-np", "8", "--hostfile", hostFile, "prog"], "--host a:4,c:1 --mca btl self -np 5 prog"),
                            (["-H", "b,b,a", "-n", "3", "prog"], "--host a:2 -n 2 prog"),
                            (["--host", "b", "-np", "1", "prog"], "--host b -np 1 prog"),
                            (["--host", "a:2,c:2", "-np", "4", "prog"], "--host a:2,c:2 -np 4 prog"),
                            (["--host", "+n0,+n1", "-np", "4", "prog"], "--host +n0,+n1 -np 4 prog")):
            with self.subTest(asked):
                done = run([sys.executable, "-B", FERRYRUN, "--launcher", self.launcher(OPEN_MPI_4, text), *asked])
                with open(log, encoding="ascii") as file:
                    runs = file.read().splitlines()
                os.remove(log)
                self.assertEqual((done.returncode, len(runs)), (0, 2), done.stderr)
                self.assertTrue(runs[0].endswith(" ".join(asked)), runs[0])
                self.assertTrue(runs[1].endswith("FERRY_SURVIVES_DEATHS " + left), runs[1])
                self.assertEqual("no answer from b" in done.stderr, left != " ".join(asked))

    def testARestartThatFailsToBeginIsTriedAgain(self):
        program = self.script("program", self.runsBefore() + 'case $run in 1) touch "$FERRY_END_MARKER.started" ;; 2) ;; 3) echo 0 > "$FERRY_END_MARKER" ;; esac')
        done = self.ferryrun(OPEN_MPI_4, [], program)
        self.assertEqual((done.returncode, done.stderr.count("is started again")), (0, 2))

    def testALauncherThatHasNotNoticedThatTheMasterIsLostIsEnded(self):
        program = self.program(self.runsBefore() + 'if [ $run = 1 ]; then touch "$FERRY_END_MARKER.lost"; exec sleep 1000; fi; echo 0 > "$FERRY_END_MARKER"')
        done = self.ferryrun(OPEN_MPI_4, ["--linger", "0.2"], program, text='while [ $# -gt 1 ]; do shift; done; exec "$1"')
        self.assertEqual((done.returncode, done.stderr.count("is started again")), (0, 1))

    def testWhatALauncherLeavesBehindIsEndedWithIt(self):
        """The process would hold the output open, like an ssh to a host that has failed."""
        program = self.program('echo 0 > "$FERRY_END_MARKER"')
        text = 'trap "" TERM; sleep 1000 & while [ $# -gt 1 ]; do shift; done; "$1"; wait'
        self.assertEqual(self.ferryrun(OPEN_MPI_4, ["--linger", "0.2"], program, text=text).returncode, 0)

    def testRanksThatOutliveALauncherDoNotGoOnBesideThoseOfARestart(self):
        alive = os.path.join(self.folder.name, "alive")
        program = self.program(self.runsBefore() + f'if [ $run = 1 ]; then (while :; do touch "{alive}"; sleep 0.02; done) & exit 3; fi\n'
                               f'sleep 0.2; rm -f "{alive}"; sleep 0.2; [ ! -e "{alive}" ] && echo 0 > "$FERRY_END_MARKER"')
        done = self.ferryrun(OPEN_MPI_4, ["--restarts", "1"], program)
        self.assertEqual(done.returncode, 0)
        self.assertIn("is started again", done.stderr)

    def testAFolderForMarkersThatIsNoneIsALine(self):
        for folder in (os.path.join(self.folder.name, "missing"), self.program("exit 0"), "/dev/null"):
            done = self.ferryrun(OPEN_MPI_4, ["--marker-folder", folder], self.program("exit 0"))
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(f"no folder can be made in {folder}", done.stderr)

    def testALauncherThatHangsAtItsVersionIsALine(self):
        module = types.ModuleType("ferryrun")
        importlib.machinery.SourceFileLoader("ferryrun", FERRYRUN).exec_module(module)
        module.VERSION_S = 0.2
        launcher = self.script("launcher", "sleep 1000 & wait")
        said = []
        module.say = said.append
        with self.assertRaises(SystemExit):
            module.mpiOf(launcher)
        self.assertIn("--version has not ended within 0.2 s", said[0])

    def elf(self, name, needed):
        """Makes a file that looks like a library or program that needs an MPI library."""
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(b"\x7fELF\0libc.so.6\0" + needed.encode() + b"\0")
        os.chmod(path, 0o755)
        return path

    def testALauncherReadsWhatTheUserTypes(self):
        """The launcher's process group is not that of the terminal, so the system would stop it when it reads the terminal."""
        command = self.command(OPEN_MPI_4, [], self.program('read first; read second; echo "typed: $first, $second"; cat; echo 0 > "$FERRY_END_MARKER"'))
        process, terminal = pty.fork()
        if process == 0:
            os.execv(command[0], command)
        os.write(terminal, b"one\ntwo\nthree\n\x04")    # the last one is Ctrl-D
        shown, end = b"", time.monotonic() + 60
        with contextlib.suppress(OSError):    # no more output
            while time.monotonic() < end:
                if select.select([terminal], [], [], 0.5)[0]:
                    shown += os.read(terminal, 4096)
        if time.monotonic() >= end:
            os.kill(process, signal.SIGKILL)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0, shown)
        self.assertIn(b"typed: one, two\r\nthree\r\n", shown)

    def testTheGuardLibraryThatFitsTheMpiIsTaken(self):
        openMpi, mpich, standard = (self.elf(f"libferry_guard_{needed}.so", needed) for needed in ("libmpi.so.40", "libmpi.so.12", "libmpi_abi.so.1"))
        named = ["--guard", "--guard-library", f"{openMpi}:{mpich}:{standard}", "--show"]
        for version, program, fitting in ((OPEN_MPI_4, "true", openMpi), (OPEN_MPI_5, "true", openMpi), (MPICH, "true", mpich),
                                          (MPICH, self.elf("first", "libmpi_abi.so.1"), standard), (MPICH, self.elf("second", "libmpi.so.12"), mpich)):
            done = self.ferryrun(version, named, program)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(f"LD_PRELOAD={fitting}" if version != MPICH else f"LD_PRELOAD {fitting}", done.stdout)

    def testTheGuardsInOneFolderAreChosenByTheMpi(self):
        """The guards that FERRY_GUARD_ALSO_FOR builds are installed beside ferryrun, and nobody names them."""
        for folder in ("bin", "lib"):
            os.mkdir(os.path.join(self.folder.name, folder))
        installed = shutil.copy(FERRYRUN, os.path.join(self.folder.name, "bin", "ferryrun"))
        guards = {name: self.elf(f"lib/libferry_guard{name}.so", needed)
                  for name, needed in (("", "libmpi.so.40"), ("_abi", "libmpi_abi.so.1"), ("_mpich", "libmpi.so.12"))}
        self.elf("lib/libferry_pmpi.so", "libmpi.so.12")    # no guard
        environment = {name: value for name, value in os.environ.items() if name != "FERRY_GUARD_LIBRARY"}
        for version, program, fitting in ((OPEN_MPI_4, "true", ""), (OPEN_MPI_5, "true", ""), (MPICH, "true", "_mpich"),
                                          (MPICH, self.elf("forMpich", "libmpi.so.12"), "_mpich"), (MPICH, self.elf("forAbi", "libmpi_abi.so.1"), "_abi"),
                                          (OPEN_MPI_4, self.elf("forOpenMpi", "libmpi.so.40"), "")):
            with self.subTest(version=version, program=program):
                done = run([sys.executable, "-B", installed, "--launcher", self.launcher(version), "--guard", "--show", "-np", "4", program], env=environment)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                preloaded = re.findall(r"LD_PRELOAD[= ](\S+)", done.stdout)
                self.assertEqual([os.path.realpath(path) for path in preloaded], [os.path.realpath(guards[fitting])], done.stdout)

    def testAProgramWithoutAFittingGuardLibraryRunsUnguarded(self):
        library = self.elf("libferry_guard.so", "libmpi.so.40")
        done = self.ferryrun(MPICH, ["--guard", "--guard-library", library], self.script("program", "echo ran; exit 5"))
        self.assertEqual(done.stdout, "ran\n")
        self.assertRegex(done.stderr, r"^ferry: this program is not guarded: .*libferry_guard.so needs libmpi.so.40, the launcher .* is of MPICH. Build .*\n$")

    def testWrongUseIsSaid(self):
        for arguments in ([], ["--restarts", "-1", "-np", "2", "prog"], ["--restarts", "x", "prog"], ["--launcher", "/no/such/launcher", "prog"]):
            done = run([sys.executable, "-B", FERRYRUN, *arguments])
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("ferryrun", done.stderr)

    def testHelp(self):
        done = run([sys.executable, "-B", FERRYRUN, "--help"])
        self.assertEqual(done.returncode, 0)
        self.assertIn("--start-limit", done.stdout)


if __name__ == "__main__":
    unittest.main()
