"""Runs the timetabling program as a user does, as threads or under mpirun, and checks exit status, output and files."""
import argparse
import csv
import json
import os
import re
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "acceptance"))
from launchedJob import GRACE, RECORD_STATUS, readStatuses    # noqa: E402 (the path comes first)
from launching import Launch    # noqa: E402

HANG_S = 400    # a run that takes longer hangs
ORDERLY_END_S = 5    # time in which a search that is told to end writes its results, on a busy machine too

SEARCHES = ["solve", "repair"]    # the commands whose work slaves do

options = None


def everywhere(test):
    """Marks a test that runs wherever the program does: under mpirun, and with sanitizers.

    All other tests look at texts and files that the master makes alone, with searches that a marked test makes too. Such tests run on threads in
    the optimised build, and elsewhere with --every.
    """
    test.isEverywhere = True
    return test


class Loader(unittest.TestLoader):
    def getTestCaseNames(self, testCaseClass):
        names = super().getTestCaseNames(testCaseClass)
        if not options.every:
            names = [name for name in names if hasattr(getattr(testCaseClass, name), "isEverywhere")]
        return names


def launch(arguments, ranks=3, statusFolder=None, graceS=0):
    """Starts the program in a session of its own, with SIGINT as an interactive shell leaves it.

    Under mpirun each rank leaves its exit status in the folder, if one is given; mpirun's own status says nothing then. It leaves the ranks
    `graceS` seconds to end in order when it is told to end, and again as long before it kills them. Commands that search nothing run alone:
    RankStatuses looks at them under mpirun, where the master does their work.
    """
    command = [options.program, *arguments]
    environment = os.environ | {GRACE: str(graceS)}
    if statusFolder:
        environment["FERRY_TEST_STATUS"] = statusFolder
        command = [options.mpiexec, "--mca", "orte_abort_on_non_zero_status", "0", "-np", str(ranks), "sh", "-c", RECORD_STATUS, "sh", *command]
    elif options.launcher == "mpirun" and (not arguments or arguments[0] in SEARCHES):
        command = [options.mpiexec, "-np", str(ranks), *command]
    elif arguments and arguments[0] in SEARCHES:
        command += ["--ferry-slaves", str(ranks - 1)]
    return Launch(command, HANG_S, env=environment, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def finish(job):
    done = job.finish()
    return done.returncode, done.stdout, done.stderr


def run(*arguments):
    return finish(launch(list(arguments)))


def rankStatuses(*arguments):
    """Returns the exit status of each of 3 ranks under mpirun, in the order of ranks, and standard error."""
    with tempfile.TemporaryDirectory() as folder:
        _, _, errors = finish(launch(list(arguments), statusFolder=folder))
        statuses = readStatuses(folder)
    return [statuses.get(rank) for rank in range(3)], errors


def killRank(launcher, rank):
    """Finds the rank processes of this launcher's job, which runs on this host under Open MPI."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                variables = file.read().split(b"\0")
            if os.getsid(int(name)) == launcher.pid and b"OMPI_COMM_WORLD_RANK=%d" % rank in variables:
                os.kill(int(name), signal.SIGKILL)
                return
        except (OSError, ProcessLookupError):
            pass    # the process has ended meanwhile, or belongs to another user
    raise AssertionError(f"rank {rank} was not found")


def killMaster(job):
    """Kills the master: rank 0, or the one process whose threads are the ranks."""
    if options.launcher == "mpirun":
        killRank(job, 0)
    else:
        os.killpg(job.pid, signal.SIGKILL)


def ownLines(errors):
    """Returns the lines of the program itself on stderr, without its progress, that of a long job, and without the lines of mpirun."""
    return [line for line in errors.splitlines() if not re.match(r"ferry: \d+ (of \d+ )?tasks ", line)
            and (line.startswith(("timetabling:", "ferry:", "terminate")) or " [warning] " in line)]


def extendedText():
    """Returns an instance with two buildings."""
    return ("Name: Two\nCourses: 1\nRooms: 2\nDays: 1\nPeriods_per_day: 2\nCurricula: 0\nMin_Max_Daily_Lectures: 0 9\nUnavailabilityConstraints: 0\n"
            "RoomConstraints: 0\nCOURSES:\na ta 1 1 1 0\nROOMS:\nr 9 0\ns 9 1\nCURRICULA:\nUNAVAILABILITY_CONSTRAINTS:\nROOM_CONSTRAINTS:\nEND.\n")


def wordsOfLines(text):
    """Sorts the words of each line, because the order of the courses of a curriculum does not matter."""
    return [sorted(line.split()) for line in text.splitlines() if line.strip()]


class TestWithInstance(unittest.TestCase):
    """Base of tests with a good instance, and a folder for the files of a test."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.good = options.instance
        with open(cls.good, encoding="utf-8") as file:
            cls.text = file.read()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def make(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def replaced(self, name, pattern, text):
        changed, count = re.subn(pattern, text, self.text, count=1, flags=re.MULTILINE)
        self.assertEqual(count, 1)
        return self.make(name, changed)


class RankStatuses(TestWithInstance):
    """For mpirun only. With threads there is one status, which every other test checks."""

    @everywhere
    def testEveryRankExitsWithTheStatusOfTheProgram(self):
        crowded = self.replaced("tooCrowded.ctt", r"^(LAW-101 \S+ )\d+", r"\g<1>25")
        for status, lineCount, arguments in [
                (2, 1, ["solve", self.make("cut.ctt", self.text[:300])]),
                (2, 1, ["solve", self.good, "--out", self.path("missing/file")]),
                (2, 1, ["solve", self.good, "--population", "0"]),
                (1, 1, ["solve", crowded, "--time", "100"]),
                (0, 0, ["solve", self.good, "--iterations", "2", "--population", "1"]),
                (1, 1, ["score", self.good, self.make("nothing.sol", "")]),
                (2, 1, ["score", self.good, self.path("missing.sol")]),
                (2, 1, ["generate", "--courses", "1000", "--rooms", "1"]),
                (0, 0, ["generate", "--courses", "20", "--out", self.path("made.ctt")])]:
            statuses, errors = rankStatuses(*arguments)
            self.assertEqual(statuses, [status] * 3, f"{arguments}: {errors}")
            self.assertEqual(len(ownLines(errors)), lineCount, f"{arguments}: {errors}")


class LostSlave(TestWithInstance):
    """For ferryrun in place of mpirun."""

    @everywhere
    def testASlaveThatIsKilledCostsItsTimetableOnly(self):
        process = launch(["solve", self.good, "--time", "12", "--out", self.path("lost.sol")], ranks=4)
        process.awaitLine(r"best \d")
        killRank(process, 2)
        status, output, errors = finish(process)
        self.assertEqual(status, 0, errors)
        self.assertRegex(errors, r"rank 2 was killed or has crashed .*the job goes on without it")
        self.assertRegex(output, r"\nfeasible, cost \d+\n")
        self.assertEqual(run("score", self.good, self.path("lost.sol"))[0], 0)


class CommandLine(TestWithInstance):
    def expectRefusal(self, arguments, part):
        status, output, errors = run(*arguments)
        self.assertEqual(status, 2, errors)
        self.assertEqual(len(ownLines(errors)), 1, errors)
        self.assertIn(part, errors)
        self.assertEqual(output, "")

    @everywhere
    def testARefusalOfEachKindIsOneLine(self):
        self.expectRefusal(["solve"], "instance")
        self.expectRefusal(["solve", self.path("missing.ctt")], "cannot be opened: No such file or directory")
        self.expectRefusal(["solve", self.good, "--time", "1000", "--out", self.path("missing/file")], "cannot be written: No such file or directory")

    def testBadInstancesAreRefusedInOneLine(self):
        truncated = self.make("truncated.ctt", self.text[:300])
        unknown = self.replaced("unknown.ctt", r"^(Law-1a \d+ )\S+", r"\1Alchemy")
        negative = self.replaced("negative.ctt", r"^(LAW-101 \S+ )\d+", r"\1-3")
        self.expectRefusal(["solve", truncated], "truncated.ctt:19: expected 'END.', found the end of the file")
        self.expectRefusal(["solve", unknown], "expected a course of this instance, found 'Alchemy'")
        self.expectRefusal(["solve", negative], "expected a number of lectures from 1 to 10000, found '-3'")
        self.expectRefusal(["solve", self.folder.name], "week.csv: cannot be opened: No such file or directory")
        if os.geteuid() != 0:    # root may read everything
            closed = self.make("closed.ctt", self.text)
            os.chmod(closed, 0)
            self.expectRefusal(["solve", closed], "cannot be opened: Permission denied")

    def testBadCommandLinesAreRefusedInOneLine(self):
        self.expectRefusal([], "expected a subcommand (")
        self.expectRefusal(["sovle", self.good], "found 'sovle'; did you mean 'solve'?")
        self.expectRefusal(["weather"], "found 'weather'")
        self.expectRefusal(["solve", self.good, "--time", "nan"], "expected seconds")
        self.expectRefusal(["solve", self.good, "--time", "1", "--iterations", "1"], "excludes")
        self.expectRefusal(["solve", self.good, "--population", "0"], "population")
        self.expectRefusal(["solve", self.good, "--unknown"], "--unknown")
        for option, value, part in [("--seed", "-1", "from 0 to"), ("--seed", "x", "found 'x'"), ("--population", "2.5", "from 1 to 10000, found '2.5'"),
                                    ("--iterations", "99999999999999999999", "expected a whole number"), ("--target", "", "found nothing")]:
            self.expectRefusal(["solve", self.good, option, value], part)
        self.expectRefusal(["generate", "--enrolment", "--courses", "5"], "excludes --courses")
        self.expectRefusal(["generate", "--courses", "1000", "--rooms", "1"], "courses do not fit")
        self.expectRefusal(["solve", self.good, "--ics", self.path("week")], "--first-day")
        self.expectRefusal(["solve", self.good, "--weeks", "2"], "--first-day")
        self.expectRefusal(["solve", self.good, "--first-day", "2026-10-05"], "expected --ics, --html or --serve beside it")
        self.expectRefusal(["explain", self.good, self.path("any.sol"), "--first-day", "2026-10-05"], "expected --html beside it")
        self.expectRefusal(["solve", self.good, "--html", self.path("week"), "--first-day", "2026-10-05", "--begin", "08:15"], "--ics")
        for option, value, part in [("--first-day", "2026-02-30", "expected a day such as"), ("--begin", "8", "expected a time such as"),
                                    ("--time-zone", "Europe/Nowhere", "no such time zone"), ("--period", "300", "do not fit into a day")]:
            first = [] if option == "--first-day" else ["--first-day", "2026-10-05"]
            self.expectRefusal(["solve", self.good, "--ics", self.path("week"), *first, option, value], part)

    def testPlacesThatCannotBeWrittenAreRefusedBeforeTheWork(self):
        os.makedirs(self.path("folder.html"), exist_ok=True)
        self.expectRefusal(["solve", self.good, "--time", "1000", "--html", self.path("folder.html")], "cannot be written: Is a directory")
        self.expectRefusal(["solve", self.good, "--time", "1000", "--html", self.make("noFolder", "")], "noFolder: is no folder")
        self.expectRefusal(["solve", self.good, "--time", "1000", "--html", self.path("noFolder/below")], "cannot be made: Not a directory")
        self.expectRefusal(["solve", self.good, "--time", "1000", "--json", self.path("missing/file")], "cannot be written")
        self.expectRefusal(["solve", self.good, "--time", "1000", "--out", self.good], "this file is read, so --out must name another file")
        os.symlink("circle", self.path("circle"))
        for option in (["--html"], ["--first-day", "2026-10-05", "--ics"]):
            self.expectRefusal(["solve", self.good, "--time", "1000", *option, self.path("circle")], "Too many levels of symbolic links")
            self.expectRefusal(["solve", self.good, "--time", "1000", *option, self.path(300 * "x")], "File name too long")
        for option in ("--out", "--html", "--json", "--csv", "--start", "--pin", "--weights"):
            self.expectRefusal(["solve", self.good, "--time", "1000", option, ""], f"{option}: expected a value, found an empty text")
        self.expectRefusal(["solve", "", "--time", "1000"], "instance: expected a value, found an empty text")
        self.expectRefusal(["generate", "--out="], "--out")
        both = ["--out", self.path("both"), "--csv", self.path("both")]
        self.expectRefusal(["solve", self.good, "--time", "1000", *both], "both --out and --csv name this file")

    @everywhere
    def testTheSameSeedAndIterationsGiveTheSameTimetable(self):
        contents = []
        for name in ["first.sol", "second.sol"]:
            status, output, errors = run("solve", self.good, "--iterations", "4", "--seed", "5", "--population", "2", "--out", self.path(name),
                                         "--html", self.path("page.html"), "--json", self.path("report.json"))
            self.assertEqual(status, 0, errors)
            self.assertEqual(ownLines(errors), [])
            with open(self.path(name), encoding="utf-8") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])
        cost = int(re.search(r"^feasible, cost (\d+)$", output, re.MULTILINE).group(1))

        status, output, errors = run("score", self.good, self.path("first.sol"))
        self.assertEqual(status, 0, errors)
        self.assertEqual(output.splitlines()[-1], f"feasible, cost {cost}")
        with open(self.path("report.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["cost"], report["violations"], report["feasible"]), (cost, 0, True))
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn(f"feasible, cost {cost}", page)
        self.assertIn("<h2>Curriculum Law-1a</h2>", page)

    def testAnInstanceGoesToTablesAndBack(self):
        for source, target in [(self.good, "tables"), (self.path("tables"), "extended.ectt"), (self.path("extended.ectt"), "back.ctt")]:
            status, _, errors = run("convert", source, self.path(target))
            self.assertEqual(status, 0, errors)
        self.assertEqual(sorted(os.listdir(self.path("tables"))),
                         ["closed.csv", "courses.csv", "curricula.csv", "rooms.csv", "unsuitable.csv", "week.csv"])
        with open(self.path("back.ctt"), encoding="utf-8") as file:
            self.assertEqual(wordsOfLines(file.read()), wordsOfLines(self.text))
        status, output, errors = run("solve", self.path("tables"), "--iterations", "1", "--out", self.path("tables.sol"))
        self.assertEqual(status, 0, errors)
        self.assertEqual(run("score", self.good, self.path("tables.sol"))[0], 0)
        with open(self.path("tables/rooms.csv"), "a", encoding="utf-8") as file:
            file.write("Z.9,many,1\n")
        self.expectRefusal(["solve", self.path("tables")], "column 'seats': expected a whole number from 0 to 1000000, found 'many'")
        self.expectRefusal(["convert", self.make("buildings.ectt", extendedText()), self.path("no.ctt")], "which a .ctt cannot hold")
        self.expectRefusal(["convert", self.good, os.path.join(self.good, "below")], "cannot be made")

    def testTablesAndCalendarsHoldEachLecture(self):
        status, _, errors = run("solve", self.good, "--iterations", "1", "--csv", self.path("week.csv"), "--ics", self.path("week"), "--first-day",
                                "2026-10-05", "--weeks", "15", "--lecture", "45", "--out", self.path("week.sol"))
        self.assertEqual(status, 0, errors)
        with open(self.path("week.csv"), encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
        with open(self.path("week.sol"), encoding="utf-8") as file:
            lectures = [line.split() for line in file]
        self.assertEqual(sorted((row["course"], row["room"], row["day"], row["period"]) for row in table), sorted(map(tuple, lectures)))
        calendars = os.listdir(self.path("week"))
        self.assertIn("curriculum-Law-1a.ics", calendars)
        events = 0
        for name in filter(lambda name: name.startswith("room-"), calendars):
            with open(os.path.join(self.path("week"), name), encoding="utf-8", newline="") as file:
                text = file.read()
            self.assertTrue(text.startswith("BEGIN:VCALENDAR\r\n") and text.endswith("END:VCALENDAR\r\n"), text)
            events += text.count("RRULE:FREQ=WEEKLY;COUNT=15\r\n")
        self.assertEqual(events, len(lectures))

    @everywhere
    def testPostEnrolmentProblemsAreMadeSolvedAndScored(self):
        instance = self.path("made.tim")
        self.assertEqual(run("generate", "--enrolment", "--events", "60", "--rooms", "3", "--students", "40", "--out", instance)[0], 0)
        contents = []
        for name in ["first.sln", "second.sln"]:
            status, output, errors = run("solve", instance, "--iterations", "3", "--seed", "5", "--population", "2", "--out", self.path(name),
                                         "--html", self.path("events.html"), "--json", self.path("events.json"))
            self.assertEqual(status, 0, errors)
            with open(self.path(name), encoding="utf-8") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])
        self.assertEqual(len(contents[0].splitlines()), 60)
        status, scored, errors = run("score", instance, self.path("first.sln"), "--explain")
        self.assertEqual(status, 0, errors)
        self.assertEqual(scored.splitlines()[-1], output.splitlines()[-1])
        with open(self.path("events.json"), encoding="utf-8") as file:
            self.assertTrue(json.load(file)["feasible"])

        full = self.make("full.sln", "0 0\n" * 60)
        status, output, errors = run("score", instance, full)
        self.assertEqual(status, 1, errors)
        self.assertTrue(output.splitlines()[-1].startswith("infeasible: "), output)
        self.expectRefusal(["score", instance, self.make("bad.sln", "0 0\n99 0\n")], "bad.sln:2: expected the period of event 1 from -1 to 44, found '99'")
        self.expectRefusal(["solve", self.make("bad.tim", "4 1 x")], "bad.tim:1: expected the number of features from 0 to 1000, found 'x'")
        self.expectRefusal(["generate", "--enrolment", "--events", "100", "--rooms", "2"], "the events do not fit")

    @everywhere
    def testTheSearchEndsAtTheTarget(self):
        self.assertEqual(run("generate", "--enrolment", "--events", "60", "--rooms", "3", "--out", self.path("target.tim"))[0], 0)
        for instance in [self.good, self.path("target.tim")]:
            status, output, errors = run("solve", instance, "--time", "100000", "--target", "5000")
            self.assertEqual(status, 0, errors)
            self.assertLessEqual(int(re.search(r"^feasible, cost (\d+)$", output, re.MULTILINE).group(1)), 5000)

    def testEveryFormulationIsSolvedAndScored(self):
        for number in range(1, 6):
            formulation = ["--formulation", f"UD{number}"]
            # The first feasible timetable is enough: this test does not check how well each formulation is searched.
            status, output, errors = run("solve", self.good, "--iterations", "1", "--target", "1000000", "--out", self.path("formulation.sol"), *formulation)
            self.assertEqual(status, 0, errors)
            status, scored, errors = run("score", self.good, self.path("formulation.sol"), *formulation)
            self.assertEqual(status, 0, errors)
            self.assertEqual(scored.splitlines()[-1], output.splitlines()[-1])
        self.expectRefusal(["solve", self.good, "--formulation", "UD6"], "expected UD1 to UD5, found 'UD6'")

    def testScoreTellsFeasibleInfeasibleAndBadByItsStatus(self):
        status, output, errors = run("score", self.good, self.make("empty.sol", ""))
        self.assertEqual(status, 1, errors)
        self.assertTrue(output.splitlines()[-1].startswith("infeasible: "), output)
        self.assertEqual(len(output.splitlines()), 10)
        self.expectRefusal(["score", self.good, self.make("bad.sol", "LAW-101 A.1 9 9\n")], "bad.sol:1: expected a day from 0 to 4, found '9'")

    def testWhatIsWrongIsExplained(self):
        status, output, errors = run("explain", self.good, self.make("one.sol", "LAW-101 A.1 0 0\nLAW-101 A.1 0 1\n"))
        self.assertEqual(status, 1, errors)
        self.assertRegex(output, r"Lectures \(hard\): \d+\n  course \S+ has 0 lectures")
        self.assertRegex(output, r"Concerned most:\n  course \S+: violations \d+, cost \d+\n")
        self.assertTrue(output.splitlines()[-1].startswith("infeasible: "), output)

    def testWhatCannotBeHadTogetherIsNamed(self):
        crowded = self.replaced("crowded.ctt", r"^(LAW-101 \S+ )\d+", r"\g<1>25")
        status, _, errors = run("solve", crowded, "--time", "100", "--out", self.path("none.sol"))
        self.assertEqual(status, 1, errors)
        self.assertRegex(errors, r"crowded.ctt: no feasible timetable exists: course LAW-101 has 25 lectures but only \d+ periods are open to it\n"
                                 r"These demands contradict each other; without any one of them the proof fails:\n"
                                 r"  course LAW-101 has 25 lectures\n  \d+ of \d+ periods are open to course LAW-101\n")
        self.assertFalse(os.path.exists(self.path("none.sol")))

    def testBadLuckIsToldFromProof(self):
        # Only room r suits a and b, so these two use it in both periods. c excludes each of them, so no period is left for c. No proof
        # sees this.
        knot = self.make("knot.ectt", "Name: Knot\nCourses: 3\nRooms: 3\nDays: 1\nPeriods_per_day: 2\nCurricula: 2\nMin_Max_Daily_Lectures: 0 9\n"
                         "UnavailabilityConstraints: 0\nRoomConstraints: 4\nCOURSES:\na ta 1 1 1 0\nb tb 1 1 1 0\nc tc 1 1 1 0\n"
                         "ROOMS:\nr 9 0\ns 9 0\nt 9 0\nCURRICULA:\np 2 a c\nq 2 b c\n"
                         "UNAVAILABILITY_CONSTRAINTS:\nROOM_CONSTRAINTS:\na s\na t\nb s\nb t\nEND.\n")
        status, _, errors = run("solve", knot, "--time", "1", "--formulation", "UD4")
        self.assertEqual(status, 1, errors)
        self.assertEqual(len(ownLines(errors)), 1, errors)
        self.assertRegex(errors, r"no feasible timetable was found; the best attempt: \w")


def main(description):
    """Runs the tests of the program that was started."""
    global options
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program")
    parser.add_argument("--instance", required=True)
    parser.add_argument("--launcher", choices=["threads", "mpirun"], required=True)
    parser.add_argument("--mpiexec", default="mpirun")
    parser.add_argument("--every", action="store_true", help="all tests, not only those that run everywhere")
    options, rest = parser.parse_known_args()
    unittest.main(module="__main__", argv=[sys.argv[0], *rest], testLoader=Loader())


if __name__ == "__main__":
    main(__doc__)
