"""Runs `timetabling solve` with published timetables and pins, as threads or under mpirun, and checks exit status, output and files."""
import json
import re

import commandLineTest as commandLine


def expectRefusal(test, arguments, part):
    status, output, errors = commandLine.run(*arguments)
    test.assertEqual(status, 2, errors)
    test.assertEqual(len(commandLine.ownLines(errors)), 1, errors)
    test.assertIn(part, errors)
    test.assertEqual(output, "")


class Published(commandLine.TestWithInstance):
    def expectRefusal(self, arguments, part):
        expectRefusal(self, arguments, part)

    def withoutRoom(self, room):
        text, count = re.subn(rf"^{re.escape(room)} \d+\n", "", self.text, flags=re.MULTILINE)
        self.assertEqual(count, 1)
        return text.replace("Rooms: 14", "Rooms: 13")

    @commandLine.everywhere
    def testAClosedRoomMovesItsLecturesOnlyAndPinnedOnesStay(self):
        published, again = self.path("published.sol"), self.path("again.sol")
        self.assertEqual(commandLine.run("solve", self.good, "--iterations", "1", "--out", published)[0], 0)
        with open(published, encoding="utf-8") as file:
            lectures = [tuple(line.split()) for line in file]
        inRoom = [lecture for lecture in lectures if lecture[1] == "B.5"]
        closed = self.make("closed.ctt", self.withoutRoom("B.5"))
        contents = []
        for _ in range(2):
            status, output, errors = commandLine.run("solve", closed, "--start", published, "--iterations", "3", "--out", again, "--json", self.path("again.json"))
            self.assertEqual(status, 0, errors)
            self.assertIn(f"\n{len(inRoom)} of {len(lectures)} lectures moved, {len(inRoom)} of them because their place is gone or closed\n", output)
            with open(again, encoding="utf-8") as file:
                contents.append(file.read())
        self.assertEqual(contents[0], contents[1])
        self.assertEqual(set(lectures) - {tuple(line.split()) for line in contents[0].splitlines()}, set(inRoom))
        with open(self.path("again.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["movedCount"], len(report["moved"])), (len(inRoom), len(inRoom)))
        self.assertEqual(report["moved"][0]["cause"], "the room is no longer there")

        pinned = [lecture for lecture in lectures if lecture not in inRoom][:150]
        table = self.make("pins.csv", "course,room,day,period\n" + "".join(",".join(lecture) + "\n" for lecture in pinned))
        status, output, errors = commandLine.run("solve", closed, "--start", published, "--keep", "0", "--pin", table, "--iterations", "2", "--out", again)
        self.assertEqual(status, 0, errors)
        with open(again, encoding="utf-8") as file:
            self.assertLessEqual(set(pinned), {tuple(line.split()) for line in file})

    def testWhatCannotBeKeptIsToldInOneLine(self):
        published = self.path("kept.sol")
        self.assertEqual(commandLine.run("solve", self.good, "--iterations", "1", "--target", "1000000", "--out", published)[0], 0)
        pins = self.make("twice.csv", "course,day,period\nLAW-101,0,9\n")
        self.expectRefusal(["solve", self.good, "--pin", pins], "twice.csv:2: column 'period': expected a whole number from 0 to 4, found '9'")
        pins = self.make("both.csv", "course;day;period\nPHY-301;0;0\nPHY-302;0;0\n")
        self.expectRefusal(["solve", self.good, "--pin", pins],
                           "both.csv:3: courses PHY-302 and PHY-301 share curriculum Physics-3a and are both pinned on day 0 period 0")
        self.expectRefusal(["solve", self.good, "--start", self.make("no.sol", "")], "no.sol: expected lectures of the courses of the instance, found none")
        self.expectRefusal(["solve", self.good, "--keep", "5"], "--start")
        self.expectRefusal(["solve", self.good, "--start", published, "--pin-all-but", "Alchemy"], "found 'Alchemy'")

    def testPinsThatLeaveNoTimetableAreNamed(self):
        crowded = self.make("crowded.ctt", "Name: Crowded\nCourses: 2\nRooms: 2\nDays: 1\nPeriods_per_day: 3\nCurricula: 0\nConstraints: 1\nCOURSES:\n"
                            "a Ada 2 1 1\nb Ada 1 1 1\nROOMS:\nr 9\ns 9\nCURRICULA:\nUNAVAILABILITY_CONSTRAINTS:\nb 0 2\nEND.\n")
        pins = self.make("crowded.csv", "course,day,period,room\na,0,0,\na,0,1,s\n")
        status, _, errors = commandLine.run("solve", crowded, "--pin", pins)
        self.assertEqual(status, 1, errors)
        self.assertIn("crowded.ctt: no feasible timetable exists: teacher Ada has 3 lectures in courses", errors)
        self.assertIn("  pinned: course a on day 0 period 1 in room s\n  pinned: course a on day 0 period 0\n", errors)


class PublishedEnrolment(commandLine.TestWithInstance):
    """The same tests for post-enrolment problems."""

    def setUp(self):
        self.instance, self.published = self.path("kept.tim"), self.path("published.sln")
        status, _, errors = commandLine.run("generate", "--enrolment", "--events", "80", "--rooms", "4", "--students", "60", "--out", self.instance)
        self.assertEqual(status, 0, errors)
        self.assertEqual(commandLine.run("solve", self.instance, "--iterations", "1", "--target", "1000000", "--out", self.published)[0], 0)
        self.places = self.placesOf(self.published)

    def placesOf(self, path):
        with open(path, encoding="utf-8") as file:
            return [tuple(map(int, line.split())) for line in file]

    def pinOf(self, event):
        period, room = self.places[event]
        return f"{event},{period // 9},{period % 9},{room}\n"

    def closed(self, *events):
        """Returns the instance in which each of these events has its own period closed."""
        with open(self.instance, encoding="utf-8") as file:
            numbers = file.read().split()
        count = [int(number) for number in numbers[:4]]
        firstOpen = 4 + count[1] + count[3] * count[0] + count[1] * count[2] + count[0] * count[2]
        for event in events:
            numbers[firstOpen + event * 45 + self.places[event][0]] = "0"
        return self.make("closed.tim", " ".join(numbers) + "\n")

    @commandLine.everywhere
    def testAClosedPeriodMovesItsEventAndPinnedOnesStay(self):
        closed, again = self.closed(5, 30), self.path("again.sln")
        contents = []
        for _ in range(2):
            status, output, errors = commandLine.run("solve", closed, "--start", self.published, "--iterations", "3", "--out", again, "--json", self.path("again.json"))
            self.assertEqual(status, 0, errors)
            self.assertIn("\n2 of 80 events moved, 2 of them because their place is gone or closed\n", output)
            contents.append(self.placesOf(again))
        self.assertEqual(contents[0], contents[1])
        self.assertEqual([event for event in range(80) if contents[0][event] != self.places[event]], [5, 30])
        with open(self.path("again.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual((report["movedCount"], [moved["event"] for moved in report["moved"]]), (2, [5, 30]))
        self.assertEqual(report["moved"][0]["cause"], "the period is closed")

        pinned = [event for event in range(80) if event % 4 != 1 and event != 30]
        table = self.make("pins.csv", "event,day,period,room\n" + "".join(map(self.pinOf, pinned)))
        status, _, errors = commandLine.run("solve", closed, "--start", self.published, "--keep", "0", "--pin", table, "--iterations", "2", "--out", again)
        self.assertEqual(status, 0, errors)
        places = self.placesOf(again)
        self.assertEqual([places[event] for event in pinned], [self.places[event] for event in pinned])

        status, output, errors = commandLine.run("solve", closed, "--start", self.published, "--pin-all-but", "5,30,6", "--iterations", "1", "--out", again)
        self.assertEqual(status, 0, errors)
        places = self.placesOf(again)
        self.assertLessEqual({event for event in range(80) if places[event] != self.places[event]}, {5, 30, 6})

    def testEveryFileOfAResultIsReadAgain(self):
        files = [self.published, self.path("published.csv"), self.path("published.json")]
        status, _, errors = commandLine.run("solve", self.instance, "--pin", self.published, "--iterations", "1", "--csv", files[1], "--json", files[2])
        self.assertEqual(status, 0, errors)
        again = self.path("again.sln")
        scores = set()
        for file in files:
            for command in ("score", "explain"):
                status, output, errors = commandLine.run(command, self.instance, file)
                self.assertEqual(status, 0, errors)
                scores.add(output.splitlines()[-1])
            for arguments in (["solve", self.instance, "--start", file], ["repair", file, "--instance", self.instance]):
                status, output, errors = commandLine.run(*arguments, "--iterations", "1")
                self.assertEqual(status, 0, errors)
                self.assertIn("\n0 of 80 events moved\n", output)
            status, _, errors = commandLine.run("solve", self.instance, "--pin", file, "--iterations", "1", "--out", again)
            self.assertEqual(status, 0, errors)
            self.assertEqual(self.placesOf(again), self.places)
        self.assertEqual(len(scores), 1, scores)

    def testEventsWithoutAPlaceAreTold(self):
        table = self.make("part.csv", "event,day,period,room\n" + "".join(self.pinOf(event) for event in range(78)))
        for arguments in (["solve", self.instance, "--start", table], ["repair", table, "--instance", self.instance]):
            status, output, errors = commandLine.run(*arguments, "--iterations", "1")
            self.assertEqual(status, 0, errors)
            self.assertIn(f"timetabling: {table}: 2 of 80 events have no place there, so any place is right for them\n", errors)
        self.assertIn("fewest moves: 0; fewer are impossible\n", output)

    def testWhatCannotBeKeptIsToldInOneLine(self):
        refused = lambda arguments, part: expectRefusal(self, ["solve", self.instance, *arguments], part)
        start = ["--start", self.published]
        refused(["--pin", self.make("nine.csv", "event,day,period\n0,0,9\n")], "nine.csv:2: column 'period': expected a whole number from 0 to 8, found '9'")
        refused(["--pin", self.make("course.csv", "course,day,period\nLAW-101,0,0\n")], "course.csv:1: expected the columns event, day, period and optionally room")
        refused(["--pin", self.make("twice.csv", "event,day,period,room\n" + 2 * self.pinOf(3))], "twice.csv:3: event 3 is pinned twice")
        refused(["--start", self.make("short.sln", "0 0\n")], "short.sln:2: expected the period of event 1, found the end of the file")
        refused(["--start", self.make("other.sln", "LAW-101 B.5 0 0\n")], "other.sln:1: expected the period of event 0 from -1 to 44, found 'LAW-101'")
        refused([*start, "--pin-all-but", "80"], "--pin-all-but: expected events from 0 to 79, found '80'")
        closed = self.closed(7)
        expectRefusal(self, ["solve", closed, *start, "--pin-all-but", "3"], "--pin-all-but: event 7 cannot stay on day")

    def testPinsThatLeaveNoTimetableAreNamed(self):
        # Two events of one student, in one room.
        week = " ".join(["1"] * 2 + ["0"] * 43)
        crowded = self.make("crowded.tim", f"2 1 0 1\n9\n1 1\n{week}\n{week.replace('1 1', '1 0')}\n0 0\n0 0\n")
        status, _, errors = commandLine.run("solve", crowded, "--pin", self.make("crowded.csv", "event,day,period\n0,0,0\n"))
        self.assertEqual(status, 1, errors)
        self.assertIn("crowded.tim: no feasible timetable exists: event 1 has no open period beside what is pinned", errors)
        self.assertIn("  pinned: event 0 on day 0 period 0, shares students with event 1\n", errors)


if __name__ == "__main__":
    commandLine.main(__doc__)
