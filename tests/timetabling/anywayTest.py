"""Runs `timetabling solve --anyway` and `--resume`, as threads or under mpirun, and checks exit status, output and files."""
import csv
import json
import os
import re
import time

import commandLineTest as commandLine

CROWDED = ("Name: Crowded\nCourses: 4\nRooms: 3\nDays: 1\nPeriods_per_day: 2\nCurricula: 0\nConstraints: 0\nCOURSES:\n"
           "A TA 2 1 10\nB TB 2 1 40\nC TC 2 1 10\nD TD 2 1 10\nROOMS:\nR1 50\nR2 50\nR3 50\nCURRICULA:\nUNAVAILABILITY_CONSTRAINTS:\nEND.\n")


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


class Anyway(commandLine.TestWithInstance):
    @commandLine.everywhere
    def testTheFewestLecturesAreLeftOutAndEveryFileIsReadAgain(self):
        crowded = self.make("crowded.ctt", CROWDED)
        files = [self.path(name) for name in ("rest.sol", "rest.csv", "rest.json")]
        page = self.path("rest.html")
        texts = []
        for _ in range(2):
            status, output, errors = commandLine.run("solve", crowded, "--anyway", "--iterations", "3", "--out", files[0], "--csv", files[1],
                                                     "--json", files[2], "--html", page)
            self.assertEqual(status, 1, errors)
            texts.append(output + read(files[0]))
        self.assertEqual(*texts)
        self.assertIn("no feasible timetable exists: there are 8 lectures but only 6 places", errors)
        self.assertIn("\n2 of 8 lectures left out\n", output)
        reason = "1 lecture left out: of 2 periods, 1 has another lecture of it, 1 has no free room"
        self.assertEqual(len(re.findall(rf"^  [ACD]: {reason}$", output, re.MULTILINE)), 2, output)
        self.assertIn("\nfewest left out: 2; fewer are impossible\n", output)
        self.assertEqual(len(read(files[0]).splitlines()), 6)
        rows = list(csv.DictReader(read(files[1]).splitlines()))
        self.assertEqual([bool(row["left_out"]) for row in rows], [False] * 6 + [True] * 2)
        self.assertEqual({row["room"] for row in rows[6:]}, {""})
        report = json.loads(read(files[2]))
        self.assertEqual((report["leftOutCount"], report["leastLeftOut"], report["isLeftOutProven"]), (2, 2, True))
        self.assertEqual([(one["count"], one["reason"]) for one in report["leftOut"]], 2 * [(1, reason.split(": ")[1])])
        self.assertIn("2 of 8 lectures left out", read(page))
        self.assertIn("1 has no free room", read(page))

        for name in files:
            status, output, errors = commandLine.run("score", crowded, name)
            self.assertEqual((status, output.splitlines()[-1]), (1, "infeasible: 2 violations, cost 0"), errors)
        wider = self.make("wider.ctt", CROWDED.replace("Rooms: 3", "Rooms: 4").replace("R3 50\n", "R3 50\nR4 50\n"))
        for name in files:
            for arguments in (["solve", wider, "--start", name], ["repair", name, "--instance", wider], ["solve", wider, "--pin", name]):
                status, output, errors = commandLine.run(*arguments, "--iterations", "1")
                self.assertEqual(status, 0, errors)
                self.assertRegex(output, r"\nfeasible, cost \d+\n$")
                if "--pin" not in arguments:
                    self.assertIn("0 of 8 lectures moved\n", output)

    def testAnInstanceWithATimetableIsSolvedAsEver(self):
        status, output, errors = commandLine.run("solve", self.good, "--anyway", "--iterations", "1", "--target", "1000000", "--csv", self.path("all.csv"))
        self.assertEqual(status, 0, errors)
        self.assertNotIn("left out", output)
        self.assertNotIn("left_out", read(self.path("all.csv")))

    def testWithoutAProofTheTimetableOfTheRestComesAfterHalfOfTheTime(self):
        # No proof sees that c has no period: see commandLineTest.py.
        knot = self.make("knot.ectt", "Name: Knot\nCourses: 3\nRooms: 3\nDays: 1\nPeriods_per_day: 2\nCurricula: 2\nMin_Max_Daily_Lectures: 0 9\n"
                         "UnavailabilityConstraints: 0\nRoomConstraints: 4\nCOURSES:\na ta 1 1 1 0\nb tb 1 1 1 0\nc tc 1 1 1 0\n"
                         "ROOMS:\nr 9 0\ns 9 0\nt 9 0\nCURRICULA:\np 2 a c\nq 2 b c\n"
                         "UNAVAILABILITY_CONSTRAINTS:\nROOM_CONSTRAINTS:\na s\na t\nb s\nb t\nEND.\n")
        status, output, errors = commandLine.run("solve", knot, "--anyway", "--time", "2", "--formulation", "UD4", "--out", self.path("knot.sol"))
        self.assertEqual(status, 1, errors)
        self.assertIn("no feasible timetable was found", errors)
        self.assertIn("\n1 of 3 lectures left out\n", output)
        self.assertIn("fewest left out that were found: 1; fewer than 0 are impossible; whether 0 is enough is not known\n", output)
        self.assertEqual(len(read(self.path("knot.sol")).splitlines()), 2)

    def testRepairLeavesOutWhatFindsNoPlace(self):
        published = self.make("published.sol", "A R1 0 0\nA R1 0 1\nB R2 0 0\nB R2 0 1\nC R3 0 0\nC R3 0 1\nD R4 0 0\nD R4 0 1\n")
        crowded = self.make("changed.ctt", CROWDED)
        status, output, errors = commandLine.run("repair", published, "--instance", crowded, "--anyway", "--iterations", "2", "--out", self.path("again.sol"))
        self.assertEqual(status, 1, errors)
        self.assertIn("2 of 8 lectures left out\n", output)
        self.assertEqual(len(read(self.path("again.sol")).splitlines()), 6)
        for option in (["--at-most", "3"], ["--front", self.path("front.csv")]):
            status, _, errors = commandLine.run("repair", published, "--instance", crowded, "--anyway", *option)
            self.assertEqual(status, 2, errors)
            self.assertEqual(len(commandLine.ownLines(errors)), 1, errors)

    def testEventsAreLeftOutToo(self):
        for name, text, reason in [
                ("second.tim", "2 1 0 1\n9\n1 1\n" + 2 * ("1 " + 44 * "0 " + "\n") + "0 0\n0 0\n", "of 45 periods, 44 are closed to it, 1 has events of its students"),
                ("first.tim", "2 1 0 3\n2\n1 1\n1 1\n1 0\n", "no room has 3 seats and the features that it needs")]:
            instance = self.make(name, text)
            self.assertEqual(commandLine.run("solve", instance, "--iterations", "1")[0], 1)
            files = [self.path(name + ending) for ending in (".sln", ".csv", ".json")]
            status, output, errors = commandLine.run("solve", instance, "--anyway", "--iterations", "1", "--out", files[0], "--csv", files[1], "--json", files[2])
            self.assertEqual(status, 1, errors)
            self.assertIn("1 of 2 events left out\n", output)
            self.assertIn(reason, output)
            self.assertEqual(json.loads(read(files[2]))["leftOut"][0]["reason"], reason)
            scores = [commandLine.run("score", instance, file)[1] for file in files]
            self.assertEqual(scores[0].splitlines()[-1], output.splitlines()[-1])
            self.assertEqual(len(set(scores)), 1)


def waitForSpentTime(test, best):
    """Waits until the search has worked for a second and has a timetable."""
    end = time.monotonic() + commandLine.HANG_S
    while not os.path.exists(best) or spent(best) < 1:
        test.assertLess(time.monotonic(), end)
        time.sleep(0.05)


def spent(best):
    state = best + ".resume"
    return json.loads(read(state))["seconds"] if os.path.exists(state) else 0


class Resume(commandLine.TestWithInstance):
    @commandLine.everywhere
    def testAKilledSearchGoesOnFromItsTimetableWithTheTimeThatIsLeft(self):
        best = self.path("killed.sol")
        arguments = ["solve", self.good, "--time", "6", "--out", best, "--resume"]
        job = commandLine.launch(arguments)
        waitForSpentTime(self, best)
        commandLine.killMaster(job)
        commandLine.finish(job)
        left = 6 - spent(best)
        cost = int(re.search(r"cost (\d+)$", commandLine.run("score", self.good, best)[1].strip()).group(1))
        status, output, errors = commandLine.run(*arguments)
        self.assertEqual(status, 0, errors)
        told = re.search(r"the search goes on from \S+, cost (\d+); (\d+\.\d) s are left\n", errors)
        self.assertEqual(int(told.group(1)), cost)
        self.assertLessEqual(float(told.group(2)), left + 0.1)
        self.assertLessEqual(int(re.search(r"feasible, cost (\d+)", output).group(1)), cost)
        self.assertFalse(os.path.exists(best + ".resume"))

    def testWhatIsThereMayNotFit(self):
        best = self.path("other.sol")
        state = best + ".resume"
        self.make("other.sol", "LAW-101 A.1 0 0\n")
        self.make("other.sol.resume", json.dumps({"instance": self.good, "seconds": 1}))
        status, _, errors = commandLine.run("solve", self.good, "--time", "1.2", "--target", "1000000", "--out", best, "--resume")
        self.assertEqual(status, 0, errors)
        self.assertIn("other.sol is no timetable to go on from", errors)
        self.assertFalse(os.path.exists(state))
        self.make("other.sol.resume", json.dumps({"instance": "another.ctt", "seconds": 1}))
        status, _, errors = commandLine.run("solve", self.good, "--time", "1", "--target", "1000000", "--out", best, "--resume")
        self.assertEqual(status, 0, errors)
        self.assertIn("other.sol.resume is of another instance; the search begins anew", errors)
        self.make("other.sol.resume", "nothing")
        for arguments, part in [([], "other.sol.resume: expected what an earlier search has written"), (["--iterations", "1"], "--iterations")]:
            status, output, errors = commandLine.run("solve", self.good, "--out", best, "--resume", *arguments)
            self.assertEqual((status, output, len(commandLine.ownLines(errors))), (2, "", 1), errors)
            self.assertIn(part, errors)
        self.assertEqual(commandLine.run("solve", self.good, "--resume")[0], 2)


    def publishAndChange(self):
        """Makes a published timetable, and an instance without the room of its first lecture. Returns both files and the changed one's timetable."""
        published = self.path("published.sol")
        self.assertEqual(commandLine.run("solve", self.good, "--iterations", "1", "--out", published)[0], 0)
        changed = self.path("changed.ctt")
        self.assertEqual(commandLine.run("disrupt", self.good, "--kind", "room", "--seed", "3", "--out", changed)[0], 0)
        again = self.path("again.sol")
        self.assertEqual(commandLine.run("repair", published, "--instance", changed, "--iterations", "1", "--out", again)[0], 0)
        return published, changed, again

    def testARepairGoesOnWithTheTimeThatIsLeft(self):
        published, changed, again = self.publishAndChange()
        before = read(again)
        work = f"{changed}, published {published}"
        for options in ([], ["--at-most", "60"]):
            self.make("again.sol", before)
            self.make("again.sol.resume", json.dumps({"instance": work, "seconds": 58}))
            begin = time.monotonic()
            status, output, errors = commandLine.run("repair", published, "--instance", changed, "--time", "60", "--out", again, "--resume", *options)
            self.assertEqual(status, 0, errors)
            self.assertRegex(errors, r"the search goes on from \S+again.sol, cost \d+; 2\.0 s are left\n")
            self.assertLess(time.monotonic() - begin, 58)
            self.assertRegex(output, r"fewest moves( found)?: \d+;")
            self.assertFalse(os.path.exists(again + ".resume"))
        # Another published timetable is other work.
        self.make("again.sol.resume", json.dumps({"instance": changed, "seconds": 1}))
        status, _, errors = commandLine.run("repair", published, "--instance", changed, "--time", "1", "--out", again, "--resume")
        self.assertEqual(status, 0, errors)
        self.assertIn("is of another instance; the search begins anew", errors)

    def testAKilledRepairIsNoWorseAfterItGoesOn(self):
        published, changed, again = self.publishAndChange()
        arguments = ["repair", published, "--instance", changed, "--time", "8", "--out", again, "--resume"]
        os.remove(again)
        job = commandLine.launch(arguments)
        waitForSpentTime(self, again)
        commandLine.killMaster(job)
        commandLine.finish(job)
        places = lambda path: sorted(read(path).splitlines())
        moved = lambda: len([line for line in places(again) if line not in places(published)])
        before = moved()
        status, output, errors = commandLine.run(*arguments)
        self.assertEqual(status, 0, errors)
        self.assertIn("the search goes on from", errors)
        self.assertLessEqual(int(re.search(r"^(\d+) of \d+ lectures moved", output, re.MULTILINE).group(1)), before)

    def testATimetableOfTheRestIsKept(self):
        crowded = self.make("crowded.ctt", CROWDED)
        rest = self.make("rest.sol", "A R1 0 0\nA R1 0 1\nB R2 0 0\nB R2 0 1\nC R3 0 0\nD R3 0 1\n")
        self.make("rest.sol.resume", json.dumps({"instance": crowded, "seconds": 8}))
        status, output, errors = commandLine.run("solve", crowded, "--anyway", "--time", "10", "--out", rest, "--resume")
        self.assertEqual(status, 1, errors)
        self.assertRegex(errors, r"the search goes on from \S+rest.sol, cost \d+; \d\.\d s are left\n")
        self.assertIn("fewest left out: 2; fewer are impossible\n", output)
        self.assertFalse(os.path.exists(rest + ".resume"))


class LostMaster(commandLine.TestWithInstance):
    """For ferryrun only, which starts a job again when its master is lost."""

    @commandLine.everywhere
    def testTheJobGoesOnFromItsTimetable(self):
        best = self.path("lost.sol")
        job = commandLine.launch(["solve", self.good, "--time", "8", "--out", best, "--resume"])
        waitForSpentTime(self, best)
        commandLine.killRank(job, 0)
        status, output, errors = commandLine.finish(job)
        self.assertEqual(status, 0, errors)
        cost = int(re.search(r"the search goes on from \S+lost.sol, cost (\d+); \d+\.\d s are left\n", errors).group(1))
        self.assertLessEqual(int(re.search(r"feasible, cost (\d+)", output).group(1)), cost)
        self.assertFalse(os.path.exists(best + ".resume"))


if __name__ == "__main__":
    commandLine.main(__doc__)
