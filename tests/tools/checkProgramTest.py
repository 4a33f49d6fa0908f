#!/usr/bin/env python3
"""Runs the driver of the acceptance programs on programs that misbehave, each in one way, and requires that it says so."""
import os
import sys
import tempfile
import unittest

ACCEPTANCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "acceptance")
sys.path[:0] = [ACCEPTANCE, os.path.join(ACCEPTANCE, "..", "support")]

from expectations import exactOutput, lineOf, withoutLauncherNotes    # noqa: E402 (the path comes first)
from launching import run    # noqa: E402

SQUARES = os.path.join(ACCEPTANCE, "squares.cpp")
ASSERTION = os.path.join(ACCEPTANCE, "assertion.cpp")
REPORT = (f"xassert failed: seats <= capacity (31 <= 30): room B-12; rank 1 (host $(hostname)) "
          f"at assertion.cpp:{lineOf(ASSERTION, 'xassert(seats')}")


def anyProcessRuns(command):
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if command in file.read():
                    return True
        except OSError:
            pass    # the process has ended meanwhile
    return False


class CheckProgramTest(unittest.TestCase):
    def drive(self, source, script, *options):
        """Runs the driver on a shell script in place of the program, as 1 master and 2 slaves; returns exit status and output."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + script + "\n")
            os.chmod(program, 0o755)
            done = run([sys.executable, "-B", os.path.join(ACCEPTANCE, "checkProgram.py"), program, "--source", source, "--ranks", "3", "--launcher",
                        "threads", *options])
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def squares(self, script, *options):
        lines = "\n".join(exactOutput(SQUARES))
        return self.drive(SQUARES, f"cat <<'END'\n{lines}\nEND\n{script}", *options)

    def assertion(self, report, end="exit 3"):
        return self.drive(ASSERTION, f'echo slave 2 unwound\necho slave 1 unwound\necho "{report}" >&2\n{end}')

    def testTheListedOutputIsRead(self):
        lines = exactOutput(SQUARES)
        self.assertEqual(lines[0], "144")
        self.assertEqual(lines[-1], "sum of 1000 squares: 332833500")
        self.assertEqual(exactOutput(os.path.join(ACCEPTANCE, "besides_mpi.cpp")), ["own traffic: 0 1 2, world sum 3"])

    def testGoodProgramPassesEveryRun(self):
        status, output = self.squares("exit 0", "--repeat", "4")
        self.assertEqual(status, 0, output)
        self.assertIn("4 runs, 0 failed", output)

    def testWrongStatusOutputOrErrorsFail(self):
        for script, words in (("exit 1", "exit status 1"), ("echo more", "standard output is not"), ("echo x >&2", "standard error is not"),
                              ("kill -9 $$", "exit status -9")):
            status, output = self.squares(script)
            self.assertEqual(status, 1, output)
            self.assertIn(words, output)

    def testHangIsReportedAndKilled(self):
        status, output = self.squares("(trap '' TERM; setsid sleep 1234567) & sleep 1234567", "--timeout", "1")
        self.assertEqual(status, 1, output)
        self.assertIn("hung", output)
        self.assertFalse(anyProcessRuns(b"sleep\0001234567"))

    def testProcessesLeftOverAreReported(self):
        # The program ends when the other process is up.
        status, output = self.squares("""up=$(mktemp)
setsid sh -c "echo up >$up; exec sleep 7654321" >/dev/null 2>&1 &
until [ -s "$up" ]; do :; done
rm "$up"
exit 0""")
        self.assertEqual(status, 1, output)
        self.assertIn("processes left over", output)
        self.assertIn("sleep 7654321", output)

    def testGoodReportPasses(self):
        status, output = self.assertion(REPORT)
        self.assertEqual(status, 0, output)

    def testEachMissingPartOfTheReportIsNamed(self):
        for part, words in (("seats <= capacity", "the expression"), ("31", "both values"), ("B-12", "the message"),
                            (":" + str(lineOf(ASSERTION, "xassert(seats")), "file and line"), ("$(hostname)", "the host"),
                            ("rank 1", "the slave's rank")):
            status, output = self.assertion(REPORT.replace(part, ""))
            self.assertEqual(status, 1, part + output)
            self.assertIn(words, output)

    def testTwoReportsFail(self):
        status, output = self.assertion(REPORT + "\n" + REPORT)
        self.assertEqual(status, 1)
        self.assertIn("more than one report", output)

    def testStatusZeroAndSignalsFailWhereAFailureIsExpected(self):
        for end in ("exit 0", "kill -6 $$", "exit 134"):
            status, output = self.assertion(REPORT, end)
            self.assertEqual(status, 1, output)
            self.assertIn("instead of one between 1 and 127", output)

    def testMissingSlaveFails(self):
        status, output = self.drive(ASSERTION, f'echo slave 1 unwound\necho "{REPORT}" >&2\nexit 3')
        self.assertEqual(status, 1)
        self.assertIn("2 lines of unwound slaves", output)

    def testOnlyTheLaunchersNoteIsLeftOut(self):
        bar = "-" * 74
        self.assertEqual(withoutLauncherNotes(["a", bar, "a process exited with non-zero status", bar, "b"]), ["a", "b"])
        self.assertEqual(withoutLauncherNotes(["a", bar, "something else", bar, "b"]), ["a", "something else", "b"])
        self.assertEqual(withoutLauncherNotes([bar, "cut short"]), ["cut short"])


if __name__ == "__main__":
    unittest.main()
