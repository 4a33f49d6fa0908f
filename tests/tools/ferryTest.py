#!/usr/bin/env python3
"""The program `ferry`: its commands, `ferry new` and `ferry doctor`, with launchers and probes that are scripts."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FERRY = os.path.realpath(os.path.join(ROOT, "tools", "ferry"))
HANG_S = 300    # a command that takes longer hangs

OPEN_MPI = 'if [ "$1" = --version ]; then echo "mpirun (Open MPI) 4.1.4"; exit 0; fi'
RANKS = "echo ranks=2; echo object=arrived; echo exception=arrived"
ANSWER = f"echo version=VERSION; echo 'builtFor=Open MPI 4.1'; {RANKS}"
MPI_ANSWER = f"echo 'mpi=Open MPI v4.1.4'; echo threads=MPI_THREAD_MULTIPLE; {ANSWER}"


def ferry(*arguments, **more):
    return subprocess.run([sys.executable, "-B", FERRY, *arguments], capture_output=True, text=True, timeout=HANG_S, stdin=subprocess.DEVNULL, **more)


class FerryTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name

    def tearDown(self):
        self.temporary.cleanup()

    def script(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text + "\n")
        os.chmod(path, 0o755)
        return path


class CommandsTest(FerryTest):
    def testHelpNamesEachCommand(self):
        done = ferry("--help")
        self.assertEqual(done.returncode, 0)
        for command in ("run", "file", "gen", "doctor", "new", "--version"):
            self.assertIn(f"ferry {command}", done.stdout)

    def testNoCommandIsAWrongCall(self):
        done = ferry()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("ferry run", done.stderr)

    def testAnUnknownCommandIsNamed(self):
        done = ferry("sink")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.splitlines(), ["ferry: unknown command 'sink': expected run, file, gen, doctor or new (ferry --help says more)"])

    def testTheVersionIsThatOfTheHeader(self):
        with open(os.path.join(ROOT, "version.hpp"), encoding="utf-8") as file:
            numbers = re.findall(r"^#define FERRY_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", file.read(), re.MULTILINE)
        self.assertEqual(ferry("--version").stdout, f"ferry {'.'.join(numbers)}\n")

    def testRunHandsOverWithStatusAndArguments(self):
        launcher = self.script("launcher", OPEN_MPI)
        done = ferry("run", "--launcher", launcher, "--show", "-np", "2", "true")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("-np 2 true", done.stdout)
        self.assertEqual(ferry("run").returncode, 2)

    def testGenHandsOver(self):
        self.assertIn("ferrygen list", ferry("gen", "--help").stdout)

    def testLinesNameWhatTheUserHasTyped(self):
        launcher = self.script("mpirun", OPEN_MPI + "\nenv >&2")
        environment = os.environ | {"_": "/usr/bin/ferry"}
        for command, program in (("ferry run", [FERRY, "run"]), ("ferryrun", [os.path.join(ROOT, "tools", "ferryrun")])):
            def call(*arguments):
                return subprocess.run([sys.executable, "-B", *program, *arguments], capture_output=True, text=True, timeout=HANG_S, stdin=subprocess.DEVNULL,
                                      env=environment)
            self.assertEqual(call("--launcher", "no-such", "-np", "2", "true").stderr,
                             f"{command}: no-such was not found: name the launcher of the MPI with --launcher\n")
            self.assertTrue(call().stderr.startswith(f"usage: {command} [options of {command}] -np"))
            told = call("--help").stdout
            self.assertNotIn("ferryrun" if command == "ferry run" else "ferry run", told)
            given = call("--launcher", launcher, "-np", "1", "true").stderr
            self.assertIn("FERRY_END_MARKER=", given)
            self.assertNotIn("FERRY_COMMAND", given)

    def testAMissingProgramIsNamed(self):
        alone = os.path.join(self.folder, "ferry")
        with open(FERRY, encoding="utf-8") as source, open(alone, "w", encoding="utf-8") as copy:
            copy.write(source.read())
        for command, name in (("run", "ferryrun"), ("file", "ferryFile"), ("gen", "ferrygen")):
            done = subprocess.run([sys.executable, "-B", alone, command], capture_output=True, text=True, timeout=HANG_S)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{name} was not found beside", done.stderr)


class NewTest(FerryTest):
    def make(self, *arguments):
        return ferry("new", *arguments, cwd=self.folder)

    def testTheProjectIsComplete(self):
        done = self.make("tides")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "tides"))), [".gitignore", "CMakeLists.txt", "README.md", "main.cpp"])
        for name in ("CMakeLists.txt", "README.md", "main.cpp"):
            with open(os.path.join(self.folder, "tides", name), encoding="utf-8") as file:
                text = file.read()
            self.assertNotRegex(text, r"\{\{|\}\}(?!\))|\{name\}", name)
        self.assertIn("cmake --build build", done.stdout)

    def testTheProjectIsOptimisedWhenNobodySaysHow(self):
        self.make("tides")
        source = os.path.join(self.folder, "tides")
        with open(os.path.join(self.folder, "ferryConfig.cmake"), "w", encoding="utf-8") as file:
            file.write("add_library(ferry::ferry INTERFACE IMPORTED)\nset(ferry_VERSION 0.1)\n")
        with open(os.path.join(self.folder, "ferryConfigVersion.cmake"), "w", encoding="utf-8") as file:
            file.write("set(PACKAGE_VERSION_COMPATIBLE TRUE)\n")
        for options, flag in (([], "-O2 -g"), (["-DCMAKE_BUILD_TYPE=Debug"], "-g")):
            build = tempfile.mkdtemp(dir=self.folder)
            subprocess.run(["cmake", "-S", source, "-B", build, "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-Dferry_DIR=" + self.folder, *options],
                           check=True, capture_output=True)
            with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
                command = json.load(file)[0]["command"]
            self.assertIn(f" {flag} ", command)
            self.assertEqual("-O2" in command, "-O2" in flag)

    def testAPathMakesTheFolderThere(self):
        self.assertEqual(self.make("deep/er/tides").returncode, 0)
        with open(os.path.join(self.folder, "deep", "er", "tides", "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertIn("project(tides ", file.read())

    def testNamesThatCannotBeProgramsAreRefused(self):
        for name in ("", ".", "..", "7seas", "a b", "a;b", "$(id)", "-x-", "ferry", "Test", "all", "å"):
            done = self.make("--", name)
            self.assertEqual(done.returncode, 2, name)
            self.assertIn("ferry new: ", done.stderr)
            self.assertEqual(os.listdir(self.folder), [], name)

    def testNothingIsOverwritten(self):
        os.mkdir(os.path.join(self.folder, "full"))
        own = os.path.join(self.folder, "full", "main.cpp")
        with open(own, "w", encoding="utf-8") as file:
            file.write("mine")
        done = self.make("full")
        self.assertEqual((done.returncode, os.listdir(os.path.join(self.folder, "full"))), (2, ["main.cpp"]))
        self.assertIn("is not empty: nothing was written", done.stderr)
        self.script("taken", "")
        self.assertIn("is no folder", self.make("taken").stderr)
        os.symlink("nowhere", os.path.join(self.folder, "dangling"))
        self.assertEqual(self.make("dangling").returncode, 2)

    def testAnEmptyFolderIsFilled(self):
        os.mkdir(os.path.join(self.folder, "fresh"))
        self.assertEqual(self.make("fresh").returncode, 0)

    def testAFolderThatCannotBeMadeIsALine(self):
        self.script("file", "")
        done = self.make("file/tides")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def testWrongUseIsSaid(self):
        for arguments in ([], ["a", "b"], ["--no-such-option", "a"]):
            done = self.make(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("usage: ferry new", done.stderr)


class DoctorTest(FerryTest):
    """The doctor of a copy of Ferry's programs, whose probe is a script."""

    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.folder, "bin"))
        os.makedirs(os.path.join(self.folder, "share", "ferry"))
        for name in ("ferry", "ferryrun"):
            with open(os.path.join(ROOT, "tools", name), encoding="utf-8") as source:
                self.script("bin/" + name, "")
                with open(os.path.join(self.folder, "bin", name), "w", encoding="utf-8") as copy:
                    copy.write(source.read())
        os.symlink(os.path.realpath(os.path.join(ROOT, "tools", "ferryParts")), os.path.join(self.folder, "share", "ferry", "ferryParts"))
        os.symlink(os.path.realpath(os.path.join(ROOT, "version.hpp")), os.path.join(self.folder, "share", "ferry", "version.hpp"))
        self.version = ferry("--version").stdout.split()[1]

    def doctor(self, probe=f'if [ "$1" = --mpi ]; then {MPI_ANSWER}; else {ANSWER}; fi', launcher=OPEN_MPI + '\nshift 2; exec "$@"', options=(), **variables):
        if probe is not None:
            self.script("bin/ferryProbe", probe.replace("VERSION", self.version))
        path = self.script("launcher", launcher) if launcher is not None else os.path.join(self.folder, "no-launcher")
        done = subprocess.run([sys.executable, "-B", os.path.join(self.folder, "bin", "ferry"), "doctor", "--json", "--launcher", path, *options],
                              capture_output=True, text=True, timeout=HANG_S, env=os.environ | variables)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        findings = json.loads(done.stdout)["findings"]
        self.assertEqual(done.returncode, int(any(finding["state"] == "wrong" for finding in findings)), done.stdout)
        for finding in findings:
            self.assertTrue(finding["state"] != "wrong" or finding["cure"], finding)
        return findings

    def about(self, subject, findings):
        return next((finding for finding in findings if finding["subject"] == subject), None)

    def testASoundMachineHasNothingWrong(self):
        findings = self.doctor()
        self.assertEqual([finding for finding in findings if finding["state"] == "wrong"], [])
        self.assertIn("MPI_THREAD_MULTIPLE", self.about("threads of MPI", findings)["text"])
        self.assertIn("survive", self.about("deaths", findings)["text"])

    def testNoLauncherMeansThreads(self):
        finding = self.about("launcher", self.doctor(launcher=None))
        self.assertEqual(finding["state"], "note")
        self.assertIn("threads of one process", finding["text"])

    def testALauncherOfAnotherMpiIsNamed(self):
        """Each process takes itself for the only one."""
        alone = MPI_ANSWER.replace("ranks=2; echo object=arrived; echo exception=arrived", "ranks=1")
        finding = self.about("MPI", self.doctor(probe=f'if [ "$1" = --mpi ]; then {alone}; else {ANSWER}; fi'))
        self.assertEqual(finding["state"], "wrong")
        self.assertIn("the launcher belongs to another MPI", finding["cure"])

    def testTheCuresOfWhatLaunchersSay(self):
        for said, cure in (("mpirun has detected an attempt to run as root.", "OMPI_ALLOW_RUN_AS_ROOT=1"),
                           ("There are not enough slots available in the system", "--oversubscribe"),
                           ("ferryProbe: error while loading shared libraries: libmpi.so.12", "LD_LIBRARY_PATH"),
                           ("something else", "ferryProbe --mpi")):
            finding = self.about("MPI", self.doctor(launcher=f'{OPEN_MPI}\necho "{said}" >&2; exit 1'))
            self.assertEqual(finding["state"], "wrong", said)
            self.assertIn(cure, finding["cure"])

    def testAnotherMpiAtRunTimeIsWrong(self):
        other = MPI_ANSWER.replace("mpi=Open MPI v4.1.4", "mpi=MPICH Version: 4.0")
        findings = self.doctor(probe=f'if [ "$1" = --mpi ]; then {other}; else {ANSWER}; fi')
        self.assertIn("Ferry was built for Open MPI 4.1, and the program runs with MPICH", json.dumps(findings))
        self.assertTrue(any(finding["state"] == "wrong" for finding in findings))

    def testAnMpiWithoutThreadsIsWrong(self):
        single = MPI_ANSWER.replace("MPI_THREAD_MULTIPLE", "MPI_THREAD_SINGLE")
        self.assertEqual(self.about("threads of MPI", self.doctor(probe=f'if [ "$1" = --mpi ]; then {single}; else {ANSWER}; fi'))["state"], "wrong")

    def testALauncherWithoutRecoveryIsANote(self):
        findings = self.doctor(launcher='if [ "$1" = --version ]; then echo "HYDRA build details: MPICH 4.0"; exit 0; fi\nshift 2; exec "$@"')
        self.assertEqual(self.about("deaths", findings)["state"], "note")

    def testALauncherThatIsNoneIsWrong(self):
        """A program that cannot be started at all."""
        path = os.path.join(self.folder, "broken")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/no/such/interpreter\n")
        os.chmod(path, 0o755)
        self.assertEqual(self.about("launcher", self.doctor(options=["--launcher", path]))["state"], "wrong")

    def testAMissingProbeIsWrong(self):
        self.assertEqual(self.about("ferryProbe", self.doctor(probe=None))["state"], "wrong")

    def testAProbeThatFailsIsWrong(self):
        self.assertEqual(self.about("threads", self.doctor(probe="echo broken; exit 3"))["state"], "wrong")

    def testALibraryOfAnotherVersionIsWrong(self):
        findings = self.doctor(probe=f'if [ "$1" = --mpi ]; then {MPI_ANSWER}; else {ANSWER}; fi'.replace("VERSION", "9.9.9"))
        self.assertIn("the library of 9.9.9", json.dumps(findings))

    def testAFolderForTemporaryFilesThatIsNoneIsWrong(self):
        self.assertEqual(self.about("temporary files", self.doctor(TMPDIR=os.path.join(self.folder, "missing")))["state"], "wrong")

    def testTheTextSaysHowManyThingsAreWrong(self):
        self.script("bin/ferryProbe", "exit 1")
        done = subprocess.run([sys.executable, "-B", os.path.join(self.folder, "bin", "ferry"), "doctor", "--launcher", "no-launcher"],
                              capture_output=True, text=True, timeout=HANG_S)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 thing is wrong", done.stdout)
        self.assertIn("cure: ", done.stdout)

    def testWrongUseIsSaid(self):
        done = ferry("doctor", "now")
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage: ferry doctor", done.stderr)


if __name__ == "__main__":
    unittest.main()
