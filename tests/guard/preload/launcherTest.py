#!/usr/bin/env python3
"""ferryrun beside the launcher that it calls: ranks must not notice the difference. FERRYRUN, LIBRARY, LAUNCHER."""
import os
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from launching import Launch, awaitFile, run    # noqa: E402 (the path comes first)

FERRYRUN, LIBRARY, LAUNCHER = sys.argv[1:4]
NAME = os.path.basename(LAUNCHER)
WAYS = {"": [], "--guard": ["--guard", "--guard-library", LIBRARY]}
# Variables that ferryrun must add (docs/existing-mpi.md and docs/errors.md list them).
ADDED = {"": {"FERRY_ATTEMPT", "FERRY_END_MARKER", "FERRY_SURVIVES_DEATHS", "EVENT_NOEPOLL", "OMPI_MCA_oob_tcp_keepalive_time", "PRTE_MCA_prte_enable_ft",
              "OMPI_MCA_orte_abort_on_non_zero_status", "OMPI_MCA_orte_enable_recovery", "OMPI_MCA_mpi_ft_enable"},
         "--guard": {"LD_PRELOAD", "FERRY_COPY"}}


class LauncherTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # The launcher stands in PATH, behind a folder of the user's own. In the locale C, Python sets a variable by itself.
        path = os.pathsep.join(["/opt/first", os.path.dirname(LAUNCHER), os.environ["PATH"]])
        self.environment = os.environ | {"PATH": path, "LD_LIBRARY_PATH": "/opt/firstLibraries", "FERRY_LAUNCHER": NAME, "LC_ALL": "", "LANG": "C"}
        self.environment.pop("LC_CTYPE", None)

    def plain(self, *rest, **more):
        return run([NAME, *rest], env=self.environment | {"_": LAUNCHER}, **more)

    def command(self, way, *rest):
        return [sys.executable, "-B", FERRYRUN, *WAYS[way], *rest]

    def ferryrun(self, way, *rest, **more):
        return run(self.command(way, *rest), env=self.environment | {"_": "/usr/local/bin/ferryrun"}, **more)

    def ferry(self, way, *rest, **more):
        program = [sys.executable, "-B", os.path.join(os.path.dirname(FERRYRUN), "ferry"), "run"]
        return run([*program, *WAYS[way], *rest], env=self.environment | {"_": "/usr/local/bin/ferry"}, **more)

    def variablesOf(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\A(?:ferry ?run: MPICH ends the job when a rank dies[^\n]*\n)?\Z")
        return dict(entry.split("=", 1) for entry in done.stdout.split("\0") if entry)

    def testRanksGetTheVariablesThatTheLauncherGives(self):
        rank = ["-np", "1", "env", "-0"]
        first, second = (self.variablesOf(self.plain(*rank)) for _ in range(2))
        self.assertEqual(first.keys(), second.keys())
        stable = {name: value for name, value in first.items() if second[name] == value}    # MPI makes the others for each job
        self.assertIn("PATH", stable)
        for way, command in ((way, command) for way in WAYS for command in (self.ferryrun, self.ferry)):
            with self.subTest(way, command=command.__name__):
                own = self.variablesOf(command(way, *rank))
                self.assertEqual({name: own[name] for name in stable}, stable)
                self.assertLessEqual(own.keys() - first.keys(), ADDED[way])

    def testRanksGetTheSameSignalsAndStreams(self):
        # The end of standard input is not read: the launcher of Open MPI 5 does not always pass it on.
        program = 'grep -h -E "^Sig(Ign|Blk)" /proc/self/status; read -r line; echo "$line"; echo told >&2; exit 7'
        text = os.path.join(self.folder.name, "text")
        with open(text, "w", encoding="ascii") as file:
            file.write("read from standard input\n")
        rank = ["-np", "1", "sh", "-c", program]
        with open(text, encoding="ascii") as file:
            plain = self.plain(*rank, stdin=file)
        self.assertIn("read from standard input", plain.stdout)
        with open(text, encoding="ascii") as file:
            own = self.ferryrun("--guard", *rank, stdin=file)
        self.assertEqual((own.returncode, own.stdout), (plain.returncode, plain.stdout))
        self.assertEqual("told" in own.stderr, "told" in plain.stderr)
        with open(text, encoding="ascii") as file:
            own = self.ferryrun("", *rank, stdin=file)
        self.assertEqual(own.stdout, plain.stdout, own.stderr)    # the status of such a job is what its master tells

    def testASignalToFerryrunEndsTheRanks(self):
        ended = []
        there = os.path.join(self.folder.name, "there")
        for command in ([NAME], self.command("--guard")):
            job = Launch([*command, "-np", "1", "sh", "-c", f"echo > {there}; exec sleep 1000"], env=self.environment)
            awaitFile(there)
            job.signal(signal.SIGTERM)
            ended.append(job.finish().returncode)
            os.remove(there)
        self.assertNotEqual(ended[0], 0)
        self.assertEqual(ended[1], 128 + signal.SIGTERM)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
