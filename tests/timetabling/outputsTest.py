"""Runs the timetabling program, as threads or under mpirun, where its outputs cannot be written, and where it is killed or told to end."""
import os
import re
import shutil
import signal
import time

import commandLineTest
from launching import LIMIT_S, run


class Outputs(commandLineTest.TestWithInstance):
    @commandLineTest.everywhere
    def testTheBestSoFarIsThereWhenTheJobIsKilled(self):
        """A batch system may give no time to write anything. Rooms are too small here, so no search finds its last timetable at once."""
        crowded = re.sub(r"^(\S+-\d+ \S+ \d+ \d+ )(\d+)$", lambda course: course[1] + str(2 * int(course[2])), self.text, flags=re.MULTILINE)
        self.assertNotEqual(crowded, self.text)
        instance, written = self.make("crowded.ctt", crowded), self.path("kept.sol")
        process = commandLineTest.launch(["solve", instance, "--time", "200", "--out", written])
        seen, end = set(), time.monotonic() + LIMIT_S
        while len(seen) < 2 and process.poll() is None and time.monotonic() < end:
            if os.path.exists(written):
                with open(written, encoding="utf-8") as file:
                    seen.add(file.read())
            time.sleep(0.1)
        self.assertTrue(len(seen) == 2 and process.poll() is None, f"the timetable is not renewed while the search goes on: {process.describe()}")
        process.kill()
        self.assertEqual(commandLineTest.run("score", instance, written)[0], 0)

    @commandLineTest.everywhere
    def testWhatCannotBeWrittenEndsNoSearch(self):
        """The folder of one result disappears during the search. The other results are written, and that one when the folder is back."""
        for comesBack in (False, True):
            folder, table = self.path("going"), self.path("stays.csv")
            os.mkdir(folder)
            process = commandLineTest.launch(["solve", self.good, "--time", "6", "--out", os.path.join(folder, "best.sol"), "--csv", table])
            _, count = process.awaitLine(r"best \d")
            shutil.rmtree(folder)
            _, count = process.awaitLine("could not be written, the next attempt follows", skip=count)
            if comesBack:
                os.mkdir(folder)
            status, output, errors = commandLineTest.finish(process)
            errors = "".join(errors.splitlines(keepends=True)[count:])    # messages since then
            if commandLineTest.options.launcher == "threads":
                self.assertEqual(status, 0 if comesBack else 2, errors)
            self.assertEqual("best.sol: cannot be written" in errors, not comesBack, errors)
            self.assertRegex(output, r"\nfeasible, cost \d+\n")
            self.assertTrue(os.path.exists(table))
            self.assertEqual(os.path.exists(os.path.join(folder, "best.sol")), comesBack)
            shutil.rmtree(folder, ignore_errors=True)
            os.remove(table)

    def testStandardStreamsThatCannotBeWritten(self):
        if commandLineTest.options.launcher == "mpirun":    # mpirun has its own lines
            return
        with open("/dev/full", "w", encoding="utf-8") as full:
            command = [commandLineTest.options.program, "solve", self.good, "--time", "2", "--ferry-slaves", "2"]
            done = run(command, stderr=full)
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stdout, r"\nfeasible, cost \d+\n")
            for command in (["generate"], ["explain", self.good, self.make("one.sol", "PHY-101 B.6 0 0\n")]):
                done = run([commandLineTest.options.program, *command], stdout=full)
                self.assertEqual((done.returncode, done.stderr), (2, "timetabling: standard output: cannot be written: No space left on device\n"))

    @commandLineTest.everywhere
    def testASignalEndsTheSearchWithTheBestSoFarWritten(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = commandLineTest.launch(["solve", self.good, "--time", "1000", "--out", self.path("stopped.sol")],
                                             graceS=commandLineTest.ORDERLY_END_S)
            process.awaitLine(r"best \d")
            process.signal(number)
            status, output, errors = commandLineTest.finish(process)
            self.assertNotEqual(status, 0, errors)
            self.assertRegex(output, r"\nfeasible, cost \d+\n")
            self.assertEqual(commandLineTest.run("score", self.good, self.path("stopped.sol"))[0], 0)
            os.remove(self.path("stopped.sol"))


if __name__ == "__main__":
    commandLineTest.main(__doc__)
